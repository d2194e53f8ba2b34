import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Indexing, type Listing, listRecords, Records } from '../../src/world/records.ts'

/** Something that has an owner, whose group it is of, and a status. */
interface Thing {
  readonly id: string
  readonly number: number
  readonly owner: string
  readonly group: string
  readonly status: string
}

const owners = ['ada', 'grace', 'linus']
const statuses = ['open', 'paid', 'void']

const indexing: Indexing = { statuses, owners: ['owner', 'group'] }

const keyOf = ({ id }: Thing) => id

function thing(fields: Omit<Thing, 'group'>): Thing {
  return { ...fields, group: fields.owner === 'ada' ? 'one' : 'other' }
}

/** What a list has to be: every record is looked at, in the order of their numbers. */
function naive(things: ReadonlyMap<string, Thing>, { filter = {}, after, limit, order }: Listing) {
  const from = after === undefined ? undefined : things.get(after)?.number
  const isNewest = order === 'newest'
  return (isNewest ? [...things].reverse() : [...things])
    .filter(([, { number }]) => from === undefined || (isNewest ? number < from : number > from))
    .filter(([, each]) =>
      Object.entries(filter).every(([field, value]) => each[field as keyof Thing] === value),
    )
    .slice(0, limit)
}

/** A map with many things, beside a plain one with the same. */
function filled(count: number) {
  const [indexed, plain] = [new Records({ keyOf, indexing }), new Map<string, Thing>()]
  for (let number = 0; number < count; number += 1) {
    const [owner = '', status = ''] = [owners[number % 2], statuses[number % 3]]
    const each = thing({ id: `t${number}`, number, owner, status })
    indexed.put(each)
    plain.set(each.id, each)
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
  order: fc.constantFrom('oldest', 'newest', undefined),
})

type Wanted = typeof listing extends fc.Arbitrary<infer Value> ? Value : never

/** A status of null deletes; what is made gets the numbers from `first` on. */
function apply(
  map: Map<string, Thing> | Records<Thing>,
  all: readonly Change[],
  first: number,
): void {
  for (const [at, { number, owner, status }] of all.entries()) {
    const id = `t${number}`
    const before = map.get(id)
    if (status === null) map.delete(id)
    else if (before === undefined) put(map, thing({ id, number: first + at, owner, status }))
    else put(map, { ...before, status })
  }
}

function put(map: Map<string, Thing> | Records<Thing>, each: Thing): void {
  if (map instanceof Map) map.set(each.id, each)
  else map.put(each)
}

function compare(
  map: Records<Thing>,
  model: ReadonlyMap<string, Thing>,
  { filter, after: number, limit, order: wanted }: Wanted,
): void {
  const after = model.has(`t${number}`) ? `t${number}` : undefined
  const order = wanted && { order: wanted }
  for (const each of [
    { filter, after, limit, ...order },
    { after, limit, ...order },
  ]) {
    expect(listRecords(map, each)).toEqual(naive(model, each))
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
      indexed.put(moved)
      plain.set(id, moved)
    }
    for (const after of [undefined, 't0', 't1', 't2999', 't3999']) {
      for (const filter of [
        { status: 'paid' },
        { owner: 'ada' },
        { owner: 'ada', status: 'paid' },
      ]) {
        for (const order of ['oldest', 'newest'] as const) {
          const wanted = { filter, after, order }
          expect(indexed.list(wanted)).toEqual(naive(plain, wanted))
        }
      }
    }
  })

  it('is refused by what they are not indexed by, rather than by looking at all of them', () => {
    const { indexed } = filled(3)
    expect(() => indexed.list({ filter: { number: 1 } })).toThrow('No index is by number')
  })
})

describe('many records', () => {
  const MANY = 100_000
  const names = Array.from({ length: MANY }, (_, number) => `t${number}`)

  const open = (id: string, number: number) => thing({ id, number, owner: 'ada', status: 'open' })

  function many(): { records: Records<Thing>; plain: Map<string, Thing> } {
    const records = new Records<Thing>({ keyOf, indexing: null })
    const all = names.map((id, number) => open(id, number))
    for (const each of all) records.put(each)
    return { records, plain: new Map(all.map((each) => [each.id, each])) }
  }

  /** A change of a record: an id, which may be there, and a number; null deletes it. */
  const edits = fc.array(
    fc.tuple(fc.oneof(fc.constantFrom(...names.slice(60, 75)), fc.string()), fc.option(fc.nat())),
  )

  function edit(
    { records, plain }: { records: Records<Thing>; plain: Map<string, Thing> },
    [id, number]: readonly [string, number | null],
  ): void {
    if (number === null) expect(records.delete(id)).toBe(plain.delete(id))
    else {
      const each = open(id, number)
      for (const map of [records, plain]) put(map, each)
    }
    expect([records.get(id), records.has(id)]).toEqual([plain.get(id), plain.has(id)])
  }

  function isSame(records: Records<Thing>, plain: Map<string, Thing>): boolean {
    const ids = [...records.keys()].join() === [...plain.keys()].join()
    const values = [...plain.values()]
    const isEach = [...records.values()].every((each, at) => each === values[at])
    return ids && isEach && records.size === plain.size
  }

  it('are what a Map would have, in the order of insertion, and so is each fork', () => {
    const { records, plain } = many()
    const property = fc.property(edits, edits, (ours, theirs) => {
      const [fork, copy] = [records.fork(), new Map(plain)]
      for (const each of ours) edit({ records, plain }, each)
      for (const each of theirs) edit({ records: fork, plain: copy }, each)
      expect(isSame(records, plain)).toBe(true)
      expect(isSame(fork, copy)).toBe(true)
    })
    fc.assert(property, { numRuns: 10 })
  })

  it('are listed from behind an id', () => {
    const { records } = many()
    for (const at of [0, 63, 64, 50_000, MANY - 1]) {
      const [found] = records.list({ after: `t${at}`, limit: 1 })
      expect(found?.[0]).toBe(names[at + 1])
    }
    expect(records.list({})).toHaveLength(MANY)
  })

  it('can be emptied, and added again', () => {
    const { records } = many()
    records.clear()
    expect([records.size, [...records], records.delete('t0')]).toEqual([0, [], false])
    records.put(open('t0', 1))
    expect(records.get('t0')?.number).toBe(1)
  })
})
