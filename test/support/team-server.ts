/** A team's server: three real processes behind a real nginx, which has the configuration of deploy/. */

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { vi } from 'vitest'
import { PATIENCE_MS } from '../../vitest.config.ts'
import { inMemory, temporaryFolder } from './folders.ts'
import { type Run, runProgram, type Served, serve } from './process.ts'

const PROCESSES = 3

/** What nginx noted of one call. */
export interface Noted {
  readonly path: string
  readonly status: number
  readonly sandbox: string
  /** The address of the process that it went to; a dash where nginx answered. */
  readonly upstream: string
}

export interface TeamServer {
  readonly url: string
  /** The processes, each of which can be asked directly too. */
  readonly processes: Served[]
  /** Kills a process as `kill -9` does, and waits until it is gone. */
  readonly kill: (at: number) => Promise<void>
  /** Starts it again, where it was and with its data. */
  readonly startAgain: (at: number) => Promise<void>
  /** Adds a process as docs/guides/many-users.md says; answers what the move printed. */
  readonly addProcess: () => Promise<string>
  readonly noted: () => Promise<readonly Noted[]>
  readonly close: () => Promise<void>
}

/** Whether this machine has nginx. */
export function hasNginx(): boolean {
  return spawnSync('nginx', ['-v']).status === 0
}

/** Starts the processes, each with a folder of its own, and nginx before them. */
export async function openTeamServer(): Promise<TeamServer> {
  const folder = await temporaryFolder(inMemory)
  const dataOf = (at: number) => join(folder.path, `data-${at}`)
  const start = async (at: number, port?: string) =>
    serve('--quiet', '--data', dataOf(at), '--port', port ?? (await freePort()))
  const processes = await Promise.all(Array.from({ length: PROCESSES }, (_, at) => start(at)))
  const processAt = (at: number) => processes[at] ?? failAt(at)
  const url = `http://127.0.0.1:${await freePort()}`
  const nginx = await startNginx(folder.path, url, processes)
  const addProcess = async () => {
    const [from, to] = [join(folder.path, 'before.conf'), join(folder.path, 'nginx.conf')]
    await copyFile(to, from)
    await Promise.all(processes.map(({ stop }) => stop()))
    const servers = [...processes.map((each) => new URL(each.url).host)]
    servers.push(`127.0.0.1:${await freePort()}`)
    await writeFile(to, withServers(await readFile(from, 'utf8'), servers))
    await reload(nginx)
    const pairs = servers.map((server, at) => `${server}=${dataOf(at)}`)
    const moving = runProgram([
      'node',
      'dist/cli/main.js',
      'move',
      '--from',
      from,
      '--to',
      to,
      ...pairs,
    ])
    if ((await moving.ended) !== 0) throw new Error(moving.errors())
    const ports = servers.map((server) => server.split(':')[1])
    const started = await Promise.all(ports.map((port, at) => start(at, port)))
    processes.splice(0, processes.length, ...started)
    return moving.output()
  }
  return {
    addProcess,
    url,
    processes,
    kill: async (at) => {
      processAt(at).child.kill('SIGKILL')
      await processAt(at).ended
    },
    startAgain: async (at) => {
      processes[at] = await start(at, new URL(processAt(at).url).port)
    },
    noted: async () => notedIn(await readFile(join(folder.path, 'calls.log'), 'utf8')),
    close: async () => {
      nginx.child.kill('SIGTERM')
      await nginx.ended
      await Promise.all(processes.map(({ stop }) => stop()))
      await folder.remove()
    },
  }
}

async function startNginx(folder: string, url: string, processes: readonly Served[]): Promise<Run> {
  const temporary = join(folder, 'nginx')
  await mkdir(temporary)
  const stock = await readFile('deploy/nginx.conf', 'utf8')
  const servers = processes.map((each) => new URL(each.url).host)
  const own = withServers(stock, servers)
    .replace('listen 4010', `listen ${new URL(url).host}`)
    .replaceAll(' /tmp/', ` ${temporary}/`)
    .replace('/dev/stdout', join(folder, 'calls.log'))
  const path = join(folder, 'nginx.conf')
  await writeFile(path, own)
  const nginx = runProgram(['nginx', '-p', temporary, '-c', path, '-g', 'daemon off;'])
  const giveUpAt = Date.now() + PATIENCE_MS
  while (!(await fetch(`${url}/health/ready`).catch(() => null))?.ok) {
    if (nginx.child.exitCode !== null || Date.now() > giveUpAt) {
      // Of a SIGKILL its workers would stay.
      nginx.child.kill('SIGTERM')
      await Promise.all([nginx.ended, ...processes.map(({ stop }) => stop())])
      throw new Error(`nginx did not get ready: ${nginx.errors()}`)
    }
    await pause(20)
  }
  return nginx
}

/** The configuration with these servers in place of its own. */
function withServers(text: string, servers: readonly string[]): string {
  const lines = servers.map((server) => `    server ${server} max_fails=0;\n`)
  return text.replace(/( +server \S+ max_fails=0;\n)+/, lines.join(''))
}

/** Has nginx read its configuration again, and waits until no worker has the old one. */
async function reload(nginx: Run): Promise<void> {
  const { pid } = nginx.child
  const old = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')
  nginx.child.kill('SIGHUP')
  // That list can leave one out while another ends, so each is asked for.
  await vi.waitUntil(() => !old.some((each) => existsSync(`/proc/${each}`)), PATIENCE_MS)
}

function notedIn(log: string): Noted[] {
  const lines = log.split('\n').filter((line) => line !== '')
  return lines.map((line) => {
    const [, , path = '', status = '', sandbox = '', upstream = ''] = line.split(' ')
    return { path, status: Number(status), sandbox, upstream }
  })
}

/** A port of loopback that nothing listens on. */
/** A port that no other test gets by asking for any, also while its process is stopped. */
async function freePort(): Promise<string> {
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const server = createServer().listen(port, '127.0.0.1')
  const isFree = await once(server, 'listening').catch(() => null)
  if (isFree === null) return freePort()
  server.close()
  await once(server, 'close')
  return `${port}`
}

function failAt(at: number): never {
  throw new Error(`There is no process ${at}`)
}
