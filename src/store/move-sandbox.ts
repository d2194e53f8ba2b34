/**
 * Moving stored sandboxes from one data folder to another, with all their files. Both folders must be locked by the
 * caller. A crash leaves a sandbox in its old folder until the new one has all of it, so that a move can be repeated.
 */
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { makeFolder, moveFolder, syncPath } from './files.ts'
import { PENDING, SANDBOXES, sandboxFolder, UNDELIVERED } from './folder-store.ts'

/** Moves a sandbox; what the other folder has under its id is removed. */
export async function moveSandbox(sandboxId: string, from: string, to: string): Promise<void> {
  for (const each of [SANDBOXES, PENDING]) await makeFolder(join(to, each))
  await makeFolder(join(from, PENDING))
  const copy = join(to, PENDING, `moved-${sandboxId}`)
  await rm(copy, { recursive: true, force: true })
  await cp(sandboxFolder(from, sandboxId), copy, { recursive: true })
  for (const name of await readdir(copy)) await syncPath(join(copy, name))
  await syncPath(copy)
  await discard(sandboxId, to)
  await markUndelivered(sandboxId, to)
  await moveFolder(copy, sandboxFolder(to, sandboxId))
  await discard(sandboxId, from)
}

/** Whether both folders have the same files of a sandbox: a move of it was interrupted. */
export async function isSameSandbox(sandboxId: string, one: string, other: string) {
  const [folder, copy] = [sandboxFolder(one, sandboxId), sandboxFolder(other, sandboxId)]
  const [names, copied] = await Promise.all([readdir(folder), readdir(copy)])
  if (names.sort().join('/') !== copied.sort().join('/')) return false
  for (const name of names) {
    const bytes = await readFile(join(folder, name))
    if (!bytes.equals(await readFile(join(copy, name)))) return false
  }
  return true
}

/** It may have events to deliver. A folder without marks gets all of them at its next start. */
async function markUndelivered(sandboxId: string, folder: string): Promise<void> {
  const marks = join(folder, UNDELIVERED)
  if (!existsSync(marks)) return
  await writeFile(join(marks, sandboxId), '')
  await syncPath(marks)
}

/** Removes a sandbox in one step; the next start removes what a crash leaves of it. */
async function discard(sandboxId: string, folder: string): Promise<void> {
  const place = sandboxFolder(folder, sandboxId)
  if (!existsSync(place)) return
  const old = join(folder, PENDING, `moved-away-${sandboxId}`)
  await rm(old, { recursive: true, force: true })
  await moveFolder(place, old)
  await rm(old, { recursive: true })
  await rm(join(folder, UNDELIVERED, sandboxId), { force: true })
}
