import fc from 'fast-check'
import { expect, it } from 'vitest'
import { instantAt, millisOf } from '../../src/time/instant.ts'
import { collections } from '../../src/world/collections.ts'
import type { Records } from '../../src/world/records.ts'
import { copyWorld, forkWorld, openInvoicesOf, type World } from '../../src/world/world.ts'
import {
  history,
  journal,
  journaled,
  oneJump,
  perform,
  performAll,
  RUNS,
  recovered,
  restarted,
} from '../support/shop.ts'

const TIMEOUT_MS = 300_000
const DAY_MS = 86_400_000

type Fields = Readonly<Record<string, unknown>>

const indexed = ['subscriptions', 'invoices', 'charges'] as const

/** Every filter that a list has, with every value there is and one that there is not; each after every record. */
function checkLists(world: World): void {
  for (const name of indexed) {
    const records = world[name] as unknown as Records<Fields>
    const all = [...records]
    const { owners = [], statuses = [] } = collections[name].indexing ?? {}
    for (const filter of filtersOf(owners, statuses, all)) {
      const matching = all.filter(([, each]) =>
        Object.entries(filter).every(([field, value]) => each[field] === value),
      )
      expect(records.list({ filter }), `${name} ${JSON.stringify(filter)}`).toEqual(matching)
      for (const [at, [after]] of all.entries()) {
        const later = matching.filter((entry) => all.indexOf(entry) > at).slice(0, 2)
        expect(records.list({ filter, after, limit: 2 })).toEqual(later)
      }
    }
  }
  for (const id of world.subscriptions.keys()) {
    const open = [...world.invoices.values()].filter(
      ({ subscriptionId, status }) => subscriptionId === id && status === 'open',
    )
    expect(openInvoicesOf(world, id)).toEqual(open)
  }
}

function filtersOf(
  owners: readonly string[],
  statuses: readonly string[],
  all: readonly (readonly [string, Fields])[],
): Fields[] {
  let filters: Fields[] = [{}, ...statuses.map((status) => ({ status }))]
  for (const field of owners) {
    const values = new Set([...all.map(([, each]) => each[field]), 'nobody'])
    const added = [...values].flatMap((value) =>
      filters.map((each) => ({ ...each, [field]: value })),
    )
    filters = [...filters, ...added]
  }
  return filters
}

/** The events of each subscription, by the records that they are about. */
function checkEvents(world: World): void {
  for (const id of world.subscriptions.keys()) {
    const theirs = [...world.events].filter(({ subject }) =>
      subject.kind === 'invoice'
        ? world.invoices.get(subject.id)?.subscriptionId === id
        : subject.id === id,
    )
    expect(world.events.after(0, 10_000, (_, subscriptionId) => subscriptionId === id)).toEqual(
      theirs,
    )
  }
}

it(
  'a filter lists what looking at every record lists, in the same order, whatever became of the world',
  async () => {
    const property = fc.asyncProperty(history, history, async (earlier, later) => {
      const world = await performAll(earlier)
      const kept = journaled(world)
      const fork = forkWorld(world)
      const copy = copyWorld(world, 'copy')
      for (const action of later) {
        await perform(world, action)
        journal(world, kept)
      }
      await oneJump(fork, instantAt(millisOf(fork.clock.now()) + 100 * DAY_MS))
      for (const action of later.slice(0, 2)) await perform(copy, action)
      for (const each of [world, fork, copy]) checkLists(each)
      for (const each of [await restarted(world), await recovered(kept)]) {
        checkLists(each)
        checkEvents(each)
      }
      for (const each of [world, copy]) checkEvents(each)
    })
    await fc.assert(property, { numRuns: Math.ceil(RUNS.numRuns / 5) })
  },
  TIMEOUT_MS,
)
