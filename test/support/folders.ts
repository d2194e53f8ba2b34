/** Folders of a test's own. */
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Where files are in memory, where the system has such a place: thousands of syncs take no time there. */
export const inMemory = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

/** A folder of one's own, and its removal. */
export async function temporaryFolder(parent = tmpdir()) {
  const path = await mkdtemp(join(parent, 'subscription-sandbox-'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
