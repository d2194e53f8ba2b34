/** The command line against a server of its own: what a person types, and sees. */
import { type Run, run, type Served, serve } from './process.ts'

/** What came of a command. */
export interface Typed {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** A server in memory, and commands that talk to it. */
export async function commandLineOn(): Promise<{
  readonly server: Served
  readonly type: (line: string, environment?: NodeJS.ProcessEnv) => Promise<Typed>
  readonly start: (line: string) => Run
}> {
  const server = await serve('--data', 'memory')
  const start = (line: string, environment: NodeJS.ProcessEnv = {}) =>
    run(wordsOf(line), { SANDBOX_URL: server.url, ...environment })
  const type = async (line: string, environment: NodeJS.ProcessEnv = {}) =>
    outcome(start(line, environment))
  return { server, type, start }
}

/** How a run ended. */
export async function outcome(running: Run): Promise<Typed> {
  const code = await running.ended
  return { code, out: running.output(), err: running.errors() }
}

/** Words as a shell splits them: by spaces, but not within quotes. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, one, other, bare]) => one ?? other ?? bare ?? '',
  )
}
