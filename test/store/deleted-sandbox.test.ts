import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { folderStore, PENDING } from '../../src/store/folder-store.ts'
import { temporaryFolder } from '../support/folders.ts'

it('removes what is left of deleted sandboxes before it lets go of the folder', async () => {
  const { path, remove } = await temporaryFolder()
  const options = { durability: 'commit', lock: 'kernel', warn: () => undefined } as const
  const store = await folderStore(path, options)
  for (const id of ['one', 'other']) {
    const made = await store.create(id)
    await made.replace([{ whole: id }])
    await made.close('removal')
    await store.remove(id)
  }
  expect(await store.list()).toEqual([])
  await store.close()
  expect(await readdir(join(path, PENDING))).toEqual([])
  await remove()
})
