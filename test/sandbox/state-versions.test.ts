import { expect, it } from 'vitest'
import { granted } from '../../src/http/errors.ts'
import { loadFixtures, worldFromFixture } from '../../src/sandbox/fixtures.ts'
import { takeAll, takeEntry } from '../../src/sandbox/journal-entry.ts'
import { documentOf, worldKept, worldOf } from '../../src/sandbox/state-document.ts'
import type { StateVersions } from '../../src/sandbox/state-versions.ts'
import type { World } from '../../src/sandbox/world.ts'

type Older = Record<string, unknown> & { readonly put?: Record<string, unknown> }

/** Format 1 called customers people, format 2 clients. */
const versions: StateVersions = {
  current: 3,
  steps: {
    1: {
      document: (older) => renamed(older as Older, 2, ['people', 'clients']),
      entry: (older) => putRenamed(older as Older, 2, ['people', 'clients']),
    },
    2: {
      document: (older) => renamed(older as Older, 3, ['clients', 'customers']),
      entry: (older) => putRenamed(older as Older, 3, ['clients', 'customers']),
    },
  },
}

function renamed(older: Older, format: number, [from, to]: readonly [string, string]): Older {
  const pairs = Object.entries(older).map(([key, value]) => [key === from ? to : key, value])
  return { ...Object.fromEntries(pairs), format }
}

function putRenamed(older: Older, format: number, names: readonly [string, string]): Older {
  const { format: _, ...put } = renamed(older.put ?? {}, format, names)
  return { ...older, format, put }
}

async function starter(): Promise<World> {
  const fixture = (await loadFixtures()).get('starter')
  if (fixture === undefined) throw new Error('There is no fixture starter')
  const order = {
    sandboxId: 'default',
    name: 'starter',
    startAt: null,
    startsRunning: false,
    settings: {},
  }
  return granted(await worldFromFixture(fixture, order))
}

/** A document and an entry after it that renames Ada. */
async function keptOf() {
  const world = await starter()
  const document = documentOf(world)
  const taken = takeAll(world)
  const ada = world.customers.get('cus_ada')
  if (ada === undefined) throw new Error('Ada is gone')
  world.customers.set('cus_ada', { ...ada, name: 'Countess' })
  return { world, document, entry: takeEntry(world, taken) }
}

it('brings up a document and the entries after it, whichever version each of them is of', async () => {
  const { world, document, entry } = await keptOf()
  const people = ['customers', 'people'] as const
  const clients = ['customers', 'clients'] as const
  const kept = (older: Older, after: Older) => ({ document: older, entries: [after] })
  const first = renamed(document, 1, people)
  const { format: _, ...unsaid } = putRenamed(entry as unknown as Older, 1, people)
  for (const each of [
    kept(first, unsaid),
    kept(first, putRenamed(entry as unknown as Older, 2, clients)),
    kept(renamed(document, 2, clients), { ...(entry as unknown as Older), format: 3 }),
  ]) {
    const before = JSON.stringify(each)
    const read = worldKept(each, 'default', versions)
    expect(documentOf(read)).toEqual(documentOf(world))
    expect(JSON.stringify(each)).toBe(before)
  }
})

it('refuses a document and an entry of a newer version, and says which', async () => {
  const { document, entry } = await keptOf()
  expect(() => worldOf({ ...document, format: 3 }, 'default')).toThrow(
    'format is 3, which a newer version wrote; this one reads format 2',
  )
  expect(() => worldOf(document, 'default', [{ ...entry, format: 3 }])).toThrow(
    'entry 1.format is 3, which a newer version wrote; this one reads format 2',
  )
})

it('refuses a version that a step is missing for', async () => {
  const { document } = await keptOf()
  const { 2: second } = versions.steps
  const gap: StateVersions = { current: 3, steps: second === undefined ? {} : { 2: second } }
  expect(() =>
    worldKept({ document: { ...document, format: 1 }, entries: [] }, 'default', gap),
  ).toThrow(
    'format is 1, which this version cannot read, for no step leads on from 1; it reads format 3',
  )
})

it.each([undefined, null, 'one', 1.5])('refuses a document whose format is %j', async (format) => {
  const { document } = await keptOf()
  expect(() => worldOf({ ...document, format }, 'default')).toThrow(/^format /)
})

it('reads format 1, in which every clock was frozen', async () => {
  const { world, document, entry } = await keptOf()
  const { startsRunning: _, ...origin } = document.origin
  const older = { ...document, format: 1, origin, clock: { now: document.clock.now } }
  const read = worldOf(older, 'default', [{ ...entry, format: 1 }])
  expect(documentOf(read)).toEqual(documentOf(world))
})
