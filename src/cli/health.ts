/**
 * The health check of the image: asks whatever listens in this container whether it is ready. It reads from /proc where
 * that is, so that it follows the port and the host in force, wherever they were set.
 */
import { readdir, readFile, readlink } from 'node:fs/promises'

const LISTENING = '0A'
const TIMEOUT_MS = 2000

/** The addresses that processes of this user listen at, as URLs. */
async function listenerUrls(): Promise<string[]> {
  const own = await ownSockets()
  const tables = await Promise.all(
    ['tcp', 'tcp6'].map((name) => readFile(`/proc/net/${name}`, 'utf8').catch(() => '')),
  )
  // One socket a line: number, local address, remote address, state, ..., and its inode as the tenth.
  const rows = tables.flatMap((table) => table.split('\n').map((line) => line.trim().split(/\s+/)))
  return rows
    .filter(([, , , state, , , , , , inode = '']) => state === LISTENING && own.has(inode))
    .map(([, address = '']) => urlOf(address))
}

/** The inodes of the sockets that processes of this user have open. */
async function ownSockets(): Promise<ReadonlySet<string>> {
  const processes = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const links = await Promise.all(
    processes.map(async (id) => {
      // A process may be gone by now, or be another user's.
      const open = await readdir(`/proc/${id}/fd`).catch(() => [])
      return Promise.all(open.map((fd) => readlink(`/proc/${id}/fd/${fd}`).catch(() => '')))
    }),
  )
  return new Set(links.flat().flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []))
}

/** An address of these tables: hexadecimal words in the order of the machine, and a port. 0.0.0.0 leads to loopback. */
function urlOf(address: string): string {
  const [host = '', port = ''] = address.split(':')
  const bytes = Buffer.from(host, 'hex').swap32()
  const words = bytes.toString('hex').match(/.{4}/g) ?? []
  const name = bytes.length === 4 ? bytes.join('.') : `[${words.join(':')}]`
  return `http://${name}:${Number.parseInt(port, 16)}`
}

async function isReady(url: string): Promise<boolean> {
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const answer = await fetch(`${url}/health/ready`, { signal }).catch(() => null)
  return answer?.ok === true
}

const asked = await listenerUrls()
const ready = await Promise.all(asked.map(isReady))
if (!ready.includes(true)) {
  process.stderr.write(
    asked.length === 0 ? 'Nothing listens.\n' : `Not ready: ${asked.join(', ')}.\n`,
  )
  process.exitCode = 1
}
