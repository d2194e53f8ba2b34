import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { LargeMap } from '../../src/world/large-map.ts'

/** More than two pieces hold. */
const MANY = 150_000

const names = Array.from({ length: MANY }, (_, n) => `inv_${String(n).padStart(6, '0')}`)

function filled(): { large: LargeMap<number>; plain: Map<string, number> } {
  const [large, plain] = [new LargeMap<number>(), new Map<string, number>()]
  for (const [n, name] of names.entries()) {
    large.set(name, n)
    plain.set(name, n)
  }
  return { large, plain }
}

/** A change of an entry: an id, which may be there, and a value; null deletes it. */
const changes = fc.array(
  fc.tuple(
    fc.oneof(fc.constantFrom(...names.slice(65_530, 65_545)), fc.string()),
    fc.option(fc.nat()),
  ),
)

function change(map: LargeMap<number> | Map<string, number>, id: string, value: number | null) {
  return value === null ? map.delete(id) : map.set(id, value) === map
}

/** Whether two maps list the same entries in the same order. */
function isSame(large: LargeMap<number>, plain: Map<string, number>): boolean {
  const entries = plain.entries()
  for (const [id, value] of large) {
    const [plainId, plainValue] = entries.next().value ?? []
    if (id !== plainId || value !== plainValue) return false
  }
  return entries.next().done === true
}

describe('a large map', () => {
  it('is what a Map would be, and so is each fork of it', () => {
    const { large, plain } = filled()
    const property = fc.property(changes, changes, (ours, theirs) => {
      const [fork, copy] = [large.fork(), new Map(plain)]
      for (const [id, value] of ours) {
        expect(change(large, id, value)).toBe(change(plain, id, value))
      }
      for (const [id, value] of theirs) {
        expect(change(fork, id, value)).toBe(change(copy, id, value))
        expect([fork.get(id), fork.has(id)]).toEqual([copy.get(id), copy.has(id)])
      }
      expect([large.size, fork.size]).toEqual([plain.size, copy.size])
      expect(isSame(large, plain)).toBe(true)
      expect(isSame(fork, copy)).toBe(true)
    })
    fc.assert(property, { numRuns: 10 })
  })

  it('lists what two forks do not share: nothing at first, and the piece of a write then', () => {
    const { large } = filled()
    const fork = large.fork()
    expect([...large.entriesApartFrom(fork)]).toEqual([])
    fork.set('inv_000007', -1)
    const apart = [...fork.entriesApartFrom(large)]
    expect(apart).toContainEqual(['inv_000007', -1])
    expect(apart.length).toBeLessThan(MANY / 3)
    expect([...large.entriesApartFrom(fork)].map(([id]) => id)).toEqual(apart.map(([id]) => id))
  })

  it('lists its ids and values in the order of insertion', () => {
    const { large } = filled()
    const seen: number[] = []
    large.forEach((value) => {
      seen.push(value)
    })
    const [ids, values] = [[...large.keys()], [...large.values()]]
    expect(ids.join() === names.join()).toBe(true)
    for (const list of [seen, large.list()]) expect(list.join() === values.join()).toBe(true)
  })

  it('lists what stands after an id, and passes over one piece at the most', () => {
    const { large } = filled()
    for (const at of [0, 32_767, 32_768, 100_000, MANY - 1]) {
      const found = large.entriesAfter(names[at])
      expect(found.next().value).toEqual(at === MANY - 1 ? undefined : [names[at + 1], at + 1])
    }
    expect([...large.entriesAfter()]).toHaveLength(MANY)
    const read = vi.spyOn(Map.prototype, Symbol.iterator)
    const started = large.entriesAfter(names[MANY - 1]).next()
    const pieces = read.mock.calls.length
    read.mockRestore()
    expect([started.done, pieces]).toEqual([true, 1])
  })

  it('can be emptied, and filled again', () => {
    const { large } = filled()
    large.clear()
    expect([large.size, [...large], large.delete('inv_000000')]).toEqual([0, [], false])
    expect(large.set('one', 1).get('one')).toBe(1)
  })
})
