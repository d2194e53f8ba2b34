import { closeSync, openSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { LOCK, lockFolder, ownerOf } from '../../src/store/lock.ts'
import { FolderRefused } from '../../src/store/store.ts'
import { temporaryFolder } from '../support/folders.ts'

/** The package, and the very functions of it that the lock calls. */
const require = createRequire(import.meta.url)
const locks = require('fs-native-extensions')
const { platform, arch } = process
const native = require(
  `fs-native-extensions/prebuilds/${platform}-${arch}/fs-native-extensions.node`,
)

let temporary: Awaited<ReturnType<typeof temporaryFolder>>
let folder: string
let lockFile: string

beforeEach(async () => {
  temporary = await temporaryFolder()
  folder = join(temporary.path, 'data')
  lockFile = join(folder, LOCK)
  await mkdir(folder)
})

afterEach(async () => {
  vi.restoreAllMocks()
  await temporary.remove()
})

it('refuses a folder that is locked, also to the process that locked it, and names the owner', async () => {
  const lock = await lockFolder(folder, 'kernel')
  const second = lockFolder(folder, 'kernel')
  await expect(second).rejects.toThrow(FolderRefused)
  await expect(second).rejects.toThrow(`${folder} is in use by process ${process.pid} on `)
  lock.release()
})

it('waits for an owner that is about to release the folder', async () => {
  const first = await lockFolder(folder, 'kernel')
  const second = lockFolder(folder, 'kernel')
  first.release()
  const lock = await second
  expect(lock.isHeld()).toBe(true)
  expect(first.isHeld()).toBe(false)
  first.release()
  expect(lock.isHeld()).toBe(true)
  lock.release()
})

it('keeps the lock file when it releases the folder, and no owner that it names is believed', async () => {
  const first = await lockFolder(folder, 'kernel')
  first.release()
  expect(await readFile(lockFile, 'utf8')).toContain(`process ${process.pid} on `)
  expect(ownerOf(folder)).toBeNull()
  const second = await lockFolder(folder, 'kernel')
  second.release()
})

it.each([
  ['lock file was deleted', () => rm(lockFile)],
  [
    'lock file was replaced',
    async () => {
      await writeFile(`${lockFile}.new`, '')
      await rename(`${lockFile}.new`, lockFile)
    },
  ],
  ['folder was removed', () => rm(folder, { recursive: true })],
  [
    'folder was replaced by a file',
    async () => {
      await rm(folder, { recursive: true })
      await writeFile(folder, '')
    },
  ],
] as const)('holds nothing any more where the %s', async (_, change) => {
  for (const mode of ['kernel', 'none'] as const) {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    const lock = await lockFolder(folder, mode)
    expect(lock.isHeld()).toBe(true)
    await change()
    expect(lock.isHeld()).toBe(false)
    lock.release()
  }
})

it('refuses a folder in place of the lock file', async () => {
  await mkdir(lockFile)
  await expect(lockFolder(folder, 'kernel')).rejects.toThrow(
    `${lockFile} cannot be locked: illegal operation on a directory`,
  )
  expect(ownerOf(folder)).toBeNull()
})

it.each(['ENOLCK', 'ENOTSUP'])('refuses a file system that answers %s', async (code) => {
  vi.spyOn(native, 'tryLock').mockImplementation(() => {
    throw Object.assign(new Error(`${code}: no locks here`), { code })
  })
  const refused = lockFolder(folder, 'kernel')
  await expect(refused).rejects.toThrow(FolderRefused)
  await expect(refused).rejects.toThrow(
    `${folder} cannot be locked: its file system refuses locks (${code}: no locks here). Without a lock, two processes could overwrite each other's data.`,
  )
  await expect(refused).rejects.toThrow('--lock none')
  const lock = await lockFolder(folder, 'none')
  lock.release()
})

it('locks nothing with `none`, and does not claim to be the owner', async () => {
  const owner = await lockFolder(folder, 'kernel')
  const beside = await lockFolder(folder, 'none')
  expect(ownerOf(folder)).toContain(`process ${process.pid} on `)
  owner.release()
  expect(ownerOf(folder)).toBeNull()
  beside.release()
})

it('says who has a folder without creating a file in it', async () => {
  expect(ownerOf(folder)).toBeNull()
  expect(await readdir(folder)).toEqual([])
  expect(ownerOf(join(folder, 'missing'))).toBeNull()
})

it('calls an owner that its lock file does not name another process', async () => {
  const lock = await lockFolder(folder, 'kernel')
  await writeFile(lockFile, '')
  expect(ownerOf(folder)).toBe('another process')
  await expect(lockFolder(folder, 'kernel')).rejects.toThrow('is in use by another process;')
  lock.release()
})

it('lets several ask who has a folder at once, and a start waits until they have', async () => {
  const before = await lockFolder(folder, 'kernel')
  before.release()
  const asking = openSync(lockFile, 'r')
  expect(locks.tryLock(asking, { shared: true })).toBe(true)
  expect(ownerOf(folder)).toBeNull()
  const starting = lockFolder(folder, 'kernel')
  closeSync(asking)
  const lock = await starting
  lock.release()
})
