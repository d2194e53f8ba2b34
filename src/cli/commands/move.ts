/**
 * `move`: moves the stored sandboxes of several processes to where another configuration of nginx sends their requests.
 * Owns which of them move. The processes are stopped meanwhile: the locks on their folders say so.
 */
import { existsSync, realpathSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { listSandboxes, SANDBOXES, sandboxFolder } from '../../store/folder-store.ts'
import { type LockMode, lockFolder } from '../../store/lock.ts'
import { isSameSandbox, moveSandbox } from '../../store/move-sandbox.ts'
import { StoreError } from '../../store/store.ts'
import { countText } from '../../wire/common/text.ts'
import { makeNamed, readNamed } from '../terminal/files.ts'
import { addExamples, addLockOption, type Configure, UsageError } from '../terminal/usage.ts'
import { type Ring, ringOf } from './ring.ts'

/** How many sandboxes are moved at once: their syncs share the flushes of the disk. */
const LANES = 16

export const moveCommand: Configure = (command) => {
  const pairs = 'sandbox-0:4010=data-0 sandbox-1:4010=data-1'
  addExamples(addLockOption(command), `move --from old.conf --to nginx.conf ${pairs}`)
    .argument('<server=folder...>', 'each server of both configurations, and its data folder')
    .requiredOption('--from <file>', 'the nginx.conf that is in use now (required)')
    .requiredOption('--to <file>', 'the nginx.conf that will be in use afterwards (required)')
    .action(move)
}

interface Move {
  readonly sandboxId: string
  readonly from: string
  readonly to: string
}

async function move(
  pairs: readonly string[],
  { from, to, lock }: { readonly from: string; readonly to: string; readonly lock: LockMode },
): Promise<void> {
  const [before, after] = [await serversIn('--from', from), await serversIn('--to', to)]
  const folders = foldersOf(pairs, [...new Set([...before, ...after])])
  for (const server of before) requireSandboxes(server, folders.get(server) ?? '')
  for (const folder of folders.values()) await makeNamed('server=folder', folder)
  const locks = []
  try {
    for (const folder of folders.values()) locks.push(await lockFolder(folder, lock))
    const moves = await movesBetween(ringOf(before), ringOf(after), folders)
    await perform(moves, folders)
    process.stdout.write(`${summaryOf(moves, [...folders.keys()])}\n`)
  } finally {
    for (const each of locks) each.release()
  }
}

/** What the new ring places elsewhere. A process may have others, which nobody found there, such as its own `default`. */
async function movesBetween(before: Ring, after: Ring, folders: ReadonlyMap<string, string>) {
  const moves: Move[] = []
  for (const [from, folder] of folders) {
    for (const sandboxId of await listSandboxes(folder)) {
      const to = after(sandboxId)
      if (before(sandboxId) === from && to !== from) moves.push({ sandboxId, from, to })
    }
  }
  return moves
}

/** Moves all, after a look that nothing is in the way. */
async function perform(moves: readonly Move[], folders: ReadonlyMap<string, string>) {
  const folderOf = (server: string) => folders.get(server) ?? ''
  for (const { sandboxId, from, to } of moves)
    await requireFree(sandboxId, folderOf(from), folderOf(to))
  const waiting = moves.values()
  const lane = async () => {
    for (const { sandboxId, from, to } of waiting) {
      const [one, other] = [folderOf(from), folderOf(to)]
      await moveSandbox(sandboxId, one, other).catch((error: Error) => {
        throw new StoreError(
          `Sandbox "${sandboxId}" cannot be moved from ${one} to ${other}: ${error.message}`,
        )
      })
    }
  }
  // All end before the folders are let go.
  const ends = await Promise.allSettled(Array.from({ length: LANES }, lane))
  for (const end of ends) if (end.status === 'rejected') throw end.reason
}

/** An earlier move, which was interrupted, may have left an empty folder of sandboxes. */
function requireSandboxes(server: string, folder: string): void {
  if (existsSync(join(folder, SANDBOXES))) return
  throw new UsageError(
    `server=folder must name the data folder of ${server}; there are no sandboxes in "${folder}".`,
  )
}

/** Of two sandboxes with one id, only their owner knows which is used: each process makes its own `default`. */
async function requireFree(sandboxId: string, from: string, to: string): Promise<void> {
  const [one, other] = [sandboxFolder(from, sandboxId), sandboxFolder(to, sandboxId)]
  if (!existsSync(other) || (await isSameSandbox(sandboxId, from, to))) return
  throw new StoreError(
    `Sandbox "${sandboxId}" is in ${one} and, with other contents, in ${other}. Nothing was moved. Delete the one that nobody uses.`,
  )
}

/** The servers of the one `upstream` of a configuration of nginx. */
async function serversIn(option: string, path: string): Promise<string[]> {
  const text = await readNamed(option, path)
  const [upstream, ...others] =
    text.replace(/#.*$/gm, '').match(/\bupstream\s[^{]*\{[^}]*\}/g) ?? []
  if (upstream === undefined || others.length > 0 || !/\shash\s[^;]*\sconsistent;/.test(upstream)) {
    throw new UsageError(
      `${path} must have one upstream, with "hash ... consistent", as deploy/nginx.conf has.`,
    )
  }
  const servers = [...upstream.matchAll(/[{;\s]server\s+(\S+?)((?:\s[^;]*)?);/g)]
  for (const [, server, parameters = ''] of servers) {
    const [wrong] = /\b(?:weight=\d+|down|backup)\b/.exec(parameters) ?? []
    if (wrong !== undefined)
      throw new UsageError(`${path}: server ${server} must be without ${wrong}.`)
  }
  const names = servers.map(([, server = '']) => server)
  if (names.length > 0) return names
  throw new UsageError(`${path} must name the servers of its upstream.`)
}

/** The data folder of each server. Throws `UsageError`. */
function foldersOf(pairs: readonly string[], servers: readonly string[]): Map<string, string> {
  const folders = new Map<string, string>()
  const places = new Set<string>()
  for (const pair of pairs) {
    const [, server = '', folder = ''] = /^([^=]+)=(.+)$/.exec(pair) ?? []
    if (!servers.includes(server)) {
      throw new UsageError(
        `server=folder must begin with one of: ${servers.join(', ')}; got "${pair}".`,
      )
    }
    const place = existsSync(folder) ? realpathSync(folder) : resolve(folder)
    if (folders.has(server) || places.has(place)) {
      throw new UsageError(
        `server=folder must name each server once, and another folder for each; got "${pair}".`,
      )
    }
    folders.set(server, folder)
    places.add(place)
  }
  const missing = servers.filter((server) => !folders.has(server))
  if (missing.length > 0) {
    throw new UsageError(`server=folder is missing for: ${missing.join(', ')}.`)
  }
  return folders
}

function summaryOf(moves: readonly Move[], servers: readonly string[]): string {
  const lines = servers.map((server) => {
    const [away, here] = [
      moves.filter(({ from }) => from === server).length,
      moves.filter(({ to }) => to === server).length,
    ]
    return `${server}  ${away} moved away, ${here} moved here`
  })
  return [...lines, `${countText(moves.length, 'sandbox', 'sandboxes')} moved.`].join('\n')
}
