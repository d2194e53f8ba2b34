/**
 * Replaying a pact: runs our own `verify` as a process of its own, which starts a sandbox of its own, so that the native
 * verifier and its state changes never touch this one.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { oneByOne } from '../sandbox/one-by-one.ts'
import { packageRoot } from '../version.ts'

/** How long it may take. */
const PATIENCE_MS = 120_000

export interface Verification {
  readonly ok: boolean
  /** What `verify --reporter json` printed. */
  readonly report: Readonly<Record<string, unknown>>
}

/** A verification keeps a core of the machine busy, so they wait for each other. */
const inTurn = oneByOne()

/** Replays a pact against a new sandbox. Throws where the verifier cannot be run. */
export async function verifyLive(document: object): Promise<Verification> {
  return inTurn(() => replay(document))
}

async function replay(document: object): Promise<Verification> {
  const folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-pact-'))
  try {
    const path = join(folder, 'pact.json')
    await writeFile(path, JSON.stringify(document))
    return await run(['verify', path, '--reporter', 'json'])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Runs the command. It ends with this process at the latest, because it sees that nobody is there any more. */
async function run(args: readonly string[]): Promise<Verification> {
  const main = new URL('dist/cli/main.js', packageRoot)
  const child = fork(main, [...args], {
    silent: true,
    execArgv: [],
    signal: AbortSignal.timeout(PATIENCE_MS),
  })
  child.unref()
  child.channel?.unref()
  const [printed, told] = [textOf(child.stdout), textOf(child.stderr)]
  const [code] = await once(child, 'close')
  // Broken, or nothing to replay: that is an answer too, and the report says so.
  if (![0, 1, 2].includes(code) || printed() === '') throw new Error(told())
  return { ok: code === 0, report: JSON.parse(printed()) }
}

/** What a stream says, which keeps no process alive. */
function textOf(stream: ChildProcess['stdout']): () => string {
  let text = ''
  stream?.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk
  })
  if (stream instanceof Socket) stream.unref()
  return () => text
}
