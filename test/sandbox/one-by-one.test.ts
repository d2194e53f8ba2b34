import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { oneByOne } from '../../src/sandbox/one-by-one.ts'

it('gives one call after another its turn, in the order in which they came', async () => {
  const inTurn = oneByOne()
  const told: string[] = []
  const slowly = (name: string) => async () => {
    told.push(`${name} begins`)
    await nextTurn()
    told.push(`${name} ends`)
  }
  await Promise.all([
    inTurn(slowly('one')),
    inTurn(() => told.push('two')),
    inTurn(slowly('three')),
  ])
  expect(told).toEqual(['one begins', 'one ends', 'two', 'three begins', 'three ends'])
})

it.each([
  [
    'throws',
    () => {
      throw new Error('lost')
    },
  ],
  ['rejects', () => Promise.reject(new Error('lost'))],
])('fails for its caller alone when work %s', async (_, work) => {
  const inTurn = oneByOne()
  const failing = inTurn(work)
  const next = inTurn(() => 'found')
  await expect(failing).rejects.toThrow('lost')
  await expect(next).resolves.toBe('found')
})
