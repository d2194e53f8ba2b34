import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.ts'

const ENTRIES = 20_000

it('gives others turns while it takes a large checkpoint', async () => {
  const sandbox = await memoryStore().create('one')
  const checkpoints = sandbox.documents('checkpoints')
  let turn = 0
  const taken: number[] = []
  function* entries() {
    for (let number = 0; number < ENTRIES; number += 1) {
      taken[turn] = (taken[turn] ?? 0) + 1
      yield { number }
    }
  }
  let isOver = false
  const stored = checkpoints.set([{ about: 'large', entries: entries() }]).then(() => {
    isOver = true
  })
  while (!isOver) {
    await nextTurn()
    turn += 1
  }
  await stored
  expect(Math.max(...taken.filter((count) => count !== undefined))).toBeLessThanOrEqual(2000)
  const [document] = checkpoints.documents
  expect(document?.about).toBe('large')
  expect(document && [...(checkpoints.read(document) as object[])]).toHaveLength(ENTRIES)
})
