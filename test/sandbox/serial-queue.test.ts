import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { serialQueue } from '../../src/sandbox/serial-queue.ts'

it('runs one call after another, in the order in which they came, calls from within one too', async () => {
  const queue = serialQueue()
  const seen: string[] = []
  const inner: unknown[] = []
  const slowly = (name: string) => async () => {
    seen.push(`${name} begins`)
    await nextTurn()
    inner.push(queue(() => seen.push(`within ${name}`)))
    seen.push(`${name} ends`)
  }
  await Promise.all([queue(slowly('one')), queue(() => seen.push('two'))])
  await Promise.all(inner)
  expect(seen).toEqual(['one begins', 'one ends', 'two', 'within one'])
})

it.each([
  ['rejects', () => Promise.reject(new Error('lost'))],
  ['throws', lose],
])('fails for its caller alone when work %s', async (_, work) => {
  const queue = serialQueue()
  const failing = queue(work)
  const next = queue(() => 'found')
  await expect(failing).rejects.toThrow('lost')
  expect(await next).toBe('found')
})

function lose(): never {
  throw new Error('lost')
}
