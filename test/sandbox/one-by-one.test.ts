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

it('carries out at once what waits for nothing, when nobody has the turn', () => {
  const inTurn = oneByOne()
  expect(inTurn(() => 'done')).toBe('done')
  expect(() =>
    inTurn(() => {
      throw new Error('lost')
    }),
  ).toThrow('lost')
  expect(inTurn(() => 'done again')).toBe('done again')
})

it('has a call that comes from within a turn wait for its end', async () => {
  const inTurn = oneByOne()
  const told: string[] = []
  const inner: unknown[] = []
  inTurn(() => {
    inner.push(inTurn(() => told.push('inner')))
    told.push('outer')
  })
  await Promise.all(inner)
  expect(told).toEqual(['outer', 'inner'])
})

it.each([
  ['throws', () => Promise.resolve().then(() => lose())],
  ['rejects', () => Promise.reject(new Error('lost'))],
  ['throws at once', lose],
])('fails for its caller alone when work %s', async (_, work) => {
  const inTurn = oneByOne()
  const slow = inTurn(() => nextTurn())
  const failing = inTurn(work)
  const next = inTurn(() => 'found')
  await expect(failing).rejects.toThrow('lost')
  await expect(next).resolves.toBe('found')
  await slow
})

function lose(): never {
  throw new Error('lost')
}
