/** Owners of a folder that a process id or a host name says nothing of: other namespaces, zombies, reused ids. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { vi } from 'vitest'
import { asRoot, commandLine, type Run, runProgram, type Served, served } from './process.ts'

/** A namespace of process ids, which ends with the process that made it. */
const ownPids = [
  'unshare',
  ...asRoot,
  '--pid',
  '--fork',
  '--mount-proc',
  '--kill-child=SIGKILL',
] as const

/** Whether this machine lets a process have process ids of its own; Linux does, most containers do not. */
export function hasPidNamespaces(): boolean {
  return spawnSync('unshare', [...ownPids.slice(1), 'true']).status === 0
}

/** Runs `serve` where it is process 1, as in a container. */
export function runAsFirstProcess(...args: readonly string[]): Run {
  return runProgram([...ownPids, ...commandLine, 'serve', '--port', '0', ...args])
}

/** Serves the sandbox where it is process 1, as in a container; `stop` stops it and not only its namespace. */
export async function serveAsFirstProcess(...args: readonly string[]): Promise<Served> {
  const sandbox = await served(runAsFirstProcess(...args))
  const stop = async () => {
    process.kill(childOf(sandbox.child.pid), 'SIGTERM')
    return sandbox.ended
  }
  return { ...sandbox, stop }
}

/** Serves the sandbox on a machine of another name. */
export function serveOnHost(name: string, ...args: readonly string[]): Promise<Served> {
  const rename = 'echo "$1" > /proc/sys/kernel/hostname && shift && exec "$@"'
  const inside = ['sh', '-c', rename, 'sh', name, ...commandLine, 'serve', '--port', '0', ...args]
  return served(runProgram(['unshare', ...asRoot, '--uts', ...inside]))
}

/** Serves the sandbox as a child of a process that never asks how its children ended. */
export async function serveUnreaped(...args: readonly string[]) {
  const parent = runProgram([
    'sh',
    '-c',
    '"$@" & exec sleep 600',
    'sh',
    ...commandLine,
    'serve',
    '--port',
    '0',
    ...args,
  ])
  const sandbox = await served(parent)
  const pid = childOf(parent.child.pid)
  return {
    sandbox,
    /** Kills it, and waits until it is a zombie. */
    kill: async () => {
      process.kill(pid, 'SIGKILL')
      await vi.waitUntil(() => stateOf(pid) === 'Z')
    },
    isZombie: () => stateOf(pid) === 'Z',
    end: () => void parent.child.kill('SIGKILL'),
  }
}

/**
 * Serves the sandbox, kills it, gives its process id to another process, and serves again. Answers the two ids, and the
 * second sandbox once it is ready.
 */
export async function serveAfterReusedPid(...args: readonly string[]) {
  const script = `
    "$@" & first=$!
    wait $first
    echo $((first - 1)) > /proc/sys/kernel/ns_last_pid
    sleep 600 &
    echo "killed $first, reused $!;"
    exec "$@"`
  const command = [...commandLine, 'serve', '--port', '0', ...args]
  const shell = runProgram([...ownPids, 'sh', '-c', script, 'sh', ...command])
  await served(shell)
  process.kill(childOf(childOf(shell.child.pid)), 'SIGKILL')
  const again = await served({ ...shell, output: () => shell.output().split(';').slice(1).join() })
  const [, killed, reused] = /killed (\d+), reused (\d+);/.exec(shell.output()) ?? []
  const stop = async () => {
    shell.child.kill('SIGKILL')
    return shell.ended
  }
  return { killed, reused, sandbox: { ...again, stop } }
}

/** The only child of a process. */
function childOf(pid: number | undefined): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8'))
}

/** The letter that Linux has for what a process does; Z for one that has ended and whose parent was not told. */
function stateOf(pid: number): string {
  return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.[0] ?? ''
}
