/**
 * The lock on a data folder: one process at a time. A process that died leaves its lock behind; whoever comes next
 * sees that nobody renews it any more.
 */
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { lock } from 'proper-lockfile'
import { FolderRefused } from './store.ts'

/** The name of the lock in the folder that it locks. */
export const LOCK = 'lock'

/** A lock that was not renewed for this long belongs to nobody. */
const STALE_MS = 5000
const RENEWED_EVERY_MS = 1000
/** How often a lock of unknown owner is tried again, until it would be stale. */
const RETRIES = { retries: 12, factor: 1, minTimeout: 500, maxTimeout: 500 }
/** How long a process that took a dead one's lock waits to see whether another did so too. */
const CONFIRM_MS = 50

/** A process that has, or had, a folder. */
export interface Owner {
  readonly pid: number
  readonly host: string
  /** Tells this run from every other one, even under the same pid. */
  readonly run: string
}

/**
 * Locks a folder; answers how to unlock it. Throws `FolderRefused` with the pid of a process that has it. `onLost` is
 * told when another process took the folder all the same; nothing may be written then.
 */
export async function lockFolder(folder: string, onLost: () => void): Promise<() => Promise<void>> {
  const before = await readOwner(folder)
  const isGone = before !== null && hasEnded(before)
  if (isGone) await rm(join(folder, LOCK), { recursive: true, force: true })
  // Whether a lock that another machine's process left behind is still renewed can only be waited for.
  const isElsewhere = before?.host !== hostname() && existsSync(join(folder, LOCK))
  const release = await take(folder, { retries: isElsewhere ? RETRIES : 0, onLost }).catch(
    (error) => {
      throw refusal(folder, before, error)
    },
  )
  await writeFile(join(folder, 'owner.json'), `${JSON.stringify(self)}\n`)
  if (isGone) await pause(CONFIRM_MS)
  const owner = await readOwner(folder)
  if (owner?.run !== self.run) throw refusal(folder, owner, { code: 'ELOCKED' })
  return release
}

/** The process that has a folder right now, as far as that shows without trying to take it; null when none does. */
export async function whoHas(folder: string): Promise<Owner | null> {
  const owner = await readOwner(folder)
  const lockFile = await stat(join(folder, LOCK)).catch(() => null)
  if (owner === null || lockFile === null || hasEnded(owner)) return null
  return Date.now() - lockFile.mtimeMs < STALE_MS ? owner : null
}

const self: Owner = { pid: process.pid, host: hostname(), run: randomUUID() }

type Retries = number | typeof RETRIES

function take(
  folder: string,
  { retries, onLost }: { readonly retries: Retries; readonly onLost: () => void },
): Promise<() => Promise<void>> {
  return lock(folder, {
    lockfilePath: join(folder, LOCK),
    stale: STALE_MS,
    update: RENEWED_EVERY_MS,
    retries,
    onCompromised: () => void retake(folder, onLost),
  })
}

/** A folder that cannot be written for a while cannot be renewed either; that alone does not give it to anybody. */
async function retake(folder: string, onLost: () => void): Promise<void> {
  for (;;) {
    const owner = await readOwner(folder)
    if (owner?.run !== self.run) {
      onLost()
      return
    }
    const isBack = await take(folder, { retries: 0, onLost }).then(
      () => true,
      () => false,
    )
    if (isBack) return
    await pause(RENEWED_EVERY_MS, undefined, { ref: false })
  }
}

function refusal(
  folder: string,
  owner: Owner | null,
  error: NodeJS.ErrnoException | { code: string },
) {
  if (error.code !== 'ELOCKED') {
    return new FolderRefused(`${folder} cannot be locked: ${(error as Error).message}`)
  }
  const who = owner === null ? 'another process' : `process ${owner.pid} on ${owner.host}`
  return new FolderRefused(
    `${folder} is in use by ${who}; stop it first, or choose another folder.`,
  )
}

async function readOwner(folder: string): Promise<Owner | null> {
  try {
    return JSON.parse(await readFile(join(folder, 'owner.json'), 'utf8')) as Owner
  } catch {
    // Nobody has had the folder yet, or whoever had it died before it could say so.
    return null
  }
}

/** Whether the owner is known to have ended: on this machine, under an id that no other process has. */
function hasEnded({ pid, host, run }: Owner): boolean {
  if (host !== hostname()) return false
  if (pid === process.pid) return run !== self.run
  try {
    process.kill(pid, 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}
