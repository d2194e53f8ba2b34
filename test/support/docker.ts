/** A real Docker engine: what it can do here, and commands of pages typed at it. */
import { spawnSync } from 'node:child_process'
import { type Run, runProgram } from './process.ts'

/** Whether this machine has an engine that answers. */
export const hasDocker = succeeds('info')

/** Whether the engine's command line has Compose. */
export const hasCompose = hasDocker && succeeds('compose', 'version')

/** Whether containers get a network where the command names none; some engines run without a bridge. */
export const hasDefaultNetwork = hasDocker && succeeds('network', 'inspect', 'bridge')

/** Says in one line what a test has not run, or has run otherwise than the page says, and why. */
export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Whether the engine has an image, or can get it. */
export async function hasImage(name: string): Promise<boolean> {
  if (succeeds('image', 'inspect', name)) return true
  return (await runProgram(['docker', 'pull', '--quiet', name]).ended) === 0
}

/**
 * Types commands of a page at the engine. Where it has no default network, a build uses the machine's own, and a
 * container the one that is named.
 */
export function typed(
  commands: string,
  { network, environment = {} }: { network: string; environment?: NodeJS.ProcessEnv },
): Run {
  const adapted = `docker() {
    case $1 in
      build) command docker build --network host "\${@:2}" ;;
      run) command docker run --network '${network}' "\${@:2}" ;;
      *) command docker "$@" ;;
    esac
  }`
  const script = hasDefaultNetwork ? commands : `${adapted}\n${commands}`
  return runProgram(['bash', '--norc', '-euo', 'pipefail', '-c', script], environment)
}

/** Runs one command of the engine, which has to succeed; answers what it printed. */
export async function docker(...args: readonly string[]): Promise<string> {
  const running = runProgram(['docker', ...args])
  if ((await running.ended) !== 0)
    throw new Error(`docker ${args.join(' ')}: ${running.errors().trim()}`)
  return running.output().trim()
}

function succeeds(...args: readonly string[]): boolean {
  return spawnSync('docker', args).status === 0
}
