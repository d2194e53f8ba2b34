import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { IndexedMap, type Indexing, type Listing, listedOf } from '../../src/world/indexed-map.ts'

/** Something that has an owner, whose group it is of, and a status. */
interface Thing {
  readonly number: number
  readonly owner: string
  readonly group: string
  readonly status: string
}

const owners = ['ada', 'grace', 'linus']
const statuses = ['open', 'paid', 'void']

const indexing: Indexing<Thing> = {
  age: ({ number }) => number,
  status: ({ status }) => status,
  statuses,
  owners: { owner: ({ owner }) => owner, group: ({ group }) => group },
}

function thing(number: number, owner: string, status: string): Thing {
  return { number, owner, group: owner === 'ada' ? 'one' : 'other', status }
}

/** What a list has to be: every record is looked at, in the order of their numbers. */
function naive(things: ReadonlyMap<string, Thing>, { filter = {}, after, limit }: Listing) {
  const from = after === undefined ? -1 : (things.get(after)?.number ?? -1)
  return [...things]
    .filter(([, { number }]) => number > from)
    .filter(([, each]) =>
      Object.entries(filter).every(([field, value]) => each[field as keyof Thing] === value),
    )
    .slice(0, limit)
}

/** A map with many things, beside a plain one with the same. */
function filled(count: number) {
  const [indexed, plain] = [new IndexedMap(indexing), new Map<string, Thing>()]
  for (let number = 0; number < count; number += 1) {
    const each = thing(number, owners[number % 2] ?? '', statuses[number % 3] ?? '')
    indexed.set(`t${number}`, each)
    plain.set(`t${number}`, each)
  }
  return { indexed, plain }
}

const COUNT = 4000
const change = fc.record({
  number: fc.nat(COUNT - 1),
  owner: fc.constantFrom(...owners),
  status: fc.option(fc.constantFrom(...statuses)),
})
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never
const changes = fc.array(change, { maxLength: 60 })

const listing = fc.record({
  filter: fc.record(
    {
      owner: fc.constantFrom(...owners, 'nobody'),
      group: fc.constantFrom('one', 'other'),
      status: fc.constantFrom(...statuses),
    },
    { requiredKeys: [] },
  ),
  after: fc.nat(COUNT - 1),
  limit: fc.constantFrom(1, 7, 1000),
})

type Wanted = typeof listing extends fc.Arbitrary<infer Value> ? Value : never

/** A status of null deletes; what is made gets the numbers from `first` on. */
function apply(
  map: Map<string, Thing> | IndexedMap<Thing>,
  all: readonly Change[],
  first: number,
): void {
  for (const [at, { number, owner, status }] of all.entries()) {
    const id = `t${number}`
    const before = map.get(id)
    if (status === null) map.delete(id)
    else if (before === undefined) map.set(id, thing(first + at, owner, status))
    else map.set(id, { ...before, status })
  }
}

function compare(
  map: IndexedMap<Thing>,
  model: ReadonlyMap<string, Thing>,
  { filter, after: number, limit }: Wanted,
): void {
  const after = model.has(`t${number}`) ? `t${number}` : undefined
  for (const order of [
    { filter, after, limit },
    { after, limit },
  ]) {
    expect(listedOf(map, order)).toEqual(naive(model, order))
  }
}

describe('a list of indexed records', () => {
  it.each([40, COUNT])('is what looking at every one of %i gives, in each fork', (count) => {
    const property = fc.property(changes, changes, fc.array(listing), (ours, theirs, lists) => {
      const { indexed, plain } = filled(count)
      for (const map of [indexed, plain]) apply(map, ours.slice(0, 20), COUNT)
      const [fork, copy] = [indexed.fork(), new Map(plain)]
      for (const map of [indexed, plain]) apply(map, ours, 2 * COUNT)
      for (const map of [fork, copy]) apply(map, theirs, 2 * COUNT)
      const [again, copyAgain] = [fork.fork(), new Map(copy)]
      for (const map of [again, copyAgain]) apply(map, ours, 3 * COUNT)
      for (const each of lists) {
        compare(indexed, plain, each)
        compare(fork, copy, each)
        compare(again, copyAgain, each)
      }
    })
    fc.assert(property, { numRuns: 30 })
  })

  it('has thousands in order, whenever each came into its group', () => {
    const { indexed, plain } = filled(COUNT)
    for (let step = 0; step < COUNT; step += 1) {
      const id = `t${(step * 1777) % COUNT}`
      const moved = { ...(plain.get(id) as Thing), status: 'paid' }
      indexed.set(id, moved)
      plain.set(id, moved)
    }
    for (const after of [undefined, 't1', 't2999', 't3999']) {
      for (const filter of [
        { status: 'paid' },
        { owner: 'ada' },
        { owner: 'ada', status: 'paid' },
      ]) {
        expect(indexed.listed({ filter, after })).toEqual(naive(plain, { filter, after }))
      }
    }
  })

  it('is refused by what they are not indexed by, rather than by looking at all of them', () => {
    const { indexed } = filled(3)
    expect(() => indexed.listed({ filter: { number: 1 } })).toThrow('No index is by number')
  })
})
