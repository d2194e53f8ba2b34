import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { folderStore, memoryStore } from '../../src/store/lowdb-store.ts'
import { temporaryFolder } from '../support/process.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  folder = await temporaryFolder()
})

afterEach(() => folder.remove())

it('reads back what was committed, in a file that a person can read', async () => {
  const store = await folderStore(folder.path)
  const kept = await store.open('default')
  expect(await kept.read()).toBeNull()
  await kept.commit(() => ({ answer: 42 }))

  const again = await (await folderStore(folder.path)).open('default')
  expect(await again.read()).toEqual({ answer: 42 })
  const text = await readFile(join(folder.path, 'default', 'state.json'), 'utf8')
  expect(text).toBe('{\n  "answer": 42\n}')
})

it('shares one write among commits that come while another runs, and each sees its own change kept', async () => {
  const kept = await (await folderStore(folder.path)).open('default')
  const state = { count: 0 }
  let written = 0
  const commits = Array.from({ length: 50 }, async () => {
    state.count += 1
    const mine = state.count
    await kept.commit(() => {
      written += 1
      return { ...state }
    })
    const file = JSON.parse(await readFile(join(folder.path, 'default', 'state.json'), 'utf8'))
    expect(file.count).toBeGreaterThanOrEqual(mine)
  })
  await Promise.all(commits)
  expect(written).toBeLessThan(10)
})

it('refuses what is not JSON without repeating it, and leaves the file as it is', async () => {
  await mkdir(join(folder.path, 'default'))
  const file = join(folder.path, 'default', 'state.json')
  await writeFile(file, '{"digest": "secret", ')
  const kept = await (await folderStore(folder.path)).open('default')
  await expect(kept.read()).rejects.toThrow(/state\.json cannot be read: not valid JSON/)
  await expect(kept.read()).rejects.not.toThrow(/secret/)
  expect(await readFile(file, 'utf8')).toBe('{"digest": "secret", ')
})

it('lists its sandboxes, leaves other folders alone, and forgets what is removed', async () => {
  const store = await folderStore(folder.path)
  await mkdir(join(folder.path, 'lost+found'))
  for (const id of ['worker-2', 'default']) await (await store.open(id)).commit(() => ({ id }))
  expect(await store.list()).toEqual(['default', 'worker-2'])
  await store.remove('worker-2')
  expect(await store.list()).toEqual(['default'])
})

it('keeps nothing in memory, not even the document', async () => {
  const store = memoryStore()
  const kept = await store.open('default')
  await kept.commit(() => {
    throw new Error('nobody asked for the document')
  })
  expect(await kept.read()).toBeNull()
  expect(await store.list()).toEqual([])
})
