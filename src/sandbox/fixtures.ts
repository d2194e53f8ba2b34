/**
 * Fixtures: the library of fixtures, and building a world from one. Its records and its history use the same commands
 * as calls, so that no fixture can hold what billing would not do.
 */
import { readFile } from 'node:fs/promises'
import { initialSettings, type Settings } from '../assumptions/register.ts'
import { isRefusal, refuse } from '../billing/refusal.ts'
import { creations } from '../operations/creations.ts'
import type { Instant } from '../time/instant.ts'
import { buildFolder } from '../version.ts'
import { camelDocument, camelKeys, snakeKey } from '../wire/common/case.ts'
import type { WireState } from '../wire/sandbox/state.ts'
import { advanceToInstant, CLOCK_MAX, pastEndRefusal } from '../world/advance.ts'
import { checkSize } from '../world/capacity.ts'
import type { Refusal } from '../world/refusal.ts'
import { findRecord } from '../world/results.ts'
import { checkWorld } from '../world/state-checks.ts'
import { StateDocument, worldOfDocument } from '../world/state-document.ts'
import { StateDocumentError } from '../world/state-document-error.ts'
import { copyWorld, emptyWorld, type World } from '../world/world.ts'
import type { Fixture } from './fixture-format.ts'
import {
  FixtureError,
  type FixtureProblem,
  fixtureError,
  refusalProblem,
  timesOf,
} from './fixture-history.ts'
import type { SandboxOrder } from './sandbox-types.ts'

/** The fixtures of one server, and where a clock starts that has no other start. */
export type FixtureLibrary = ReadonlyMap<string, Fixture & { readonly startAt?: Instant }>

/** The suffix of a schema beside the fixtures. */
export const SCHEMA_SUFFIX = '.schema.json'

/** Every fixture of the product, as the build has read it, so that a start does without their schema. */
export async function loadFixtures(): Promise<FixtureLibrary> {
  return new Map(JSON.parse(await readFile(new URL('fixtures.json', buildFolder), 'utf8')))
}

/** The sandbox to build from a fixture, and the differences from the fixture. */
export interface FixtureRequest extends Pick<SandboxOrder, 'startsRunning' | 'settings'> {
  readonly sandboxId: string
  readonly name: string
  /** Null for the fixture's own start. After a history at fixed instants, the clock advances to this instant. */
  readonly startAt: Instant | null
}

/** The newest world of each fixture without subscriptions, untouched: tests make the same ones, and a copy takes no time. */
const newest = new WeakMap<object, { readonly key: string; readonly world: World }>()

/**
 * Builds the world of a fixture. Refuses a start before the end of its history, a start so late that too much falls
 * due, and a fixture with a refused record or step.
 */
export async function worldFromFixture(
  whole: Fixture & { readonly startAt?: Instant },
  order: FixtureRequest,
): Promise<World | Refusal> {
  const { startAt, ...fixture } = whole
  const known = newest.get(whole)
  const key = JSON.stringify([order.name, order.startAt, order.startsRunning, order.settings])
  if (known?.key === key) return copyWorld(known.world, order.sandboxId)
  try {
    const world = await makeWorld(fixture, { ...order, startAt: order.startAt ?? startAt ?? null })
    if (!isRefusal(world) && world.subscriptions.size === 0) {
      newest.set(whole, { key, world: copyWorld(world, order.sandboxId) })
    }
    return world
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    return refuse(
      'fixture_unusable',
      `The fixture "${order.name}" cannot be used: ${error.message}`,
    )
  }
}

/** As `worldFromFixture`. Throws `FixtureError` with the path in the fixture that is refused. */
export async function makeWorld(fixture: Fixture, order: FixtureRequest): Promise<World | Refusal> {
  const { startAt, startsRunning } = order
  if (startAt !== null && startAt > CLOCK_MAX) return pastEndRefusal('now', startAt)
  const world = await (fixture.state === undefined
    ? worldOfRecords(fixture, order)
    : worldOfState(fixture.state, order))
  if (isRefusal(world)) return world
  const end = world.clock.now()
  if (startAt !== null && startAt < end) {
    return refuse(
      'clock_backwards',
      `now must be ${end}, where the fixture "${order.name}" ends, or later; got ${startAt}.`,
    )
  }
  const refusal = startAt === null ? null : await advanceToInstant(world, startAt, 'now')
  if (refusal !== null) return refusal
  // Real time is unknown here: the clock starts running when the world is put in place.
  world.clock.offsetMs = startsRunning ? 0 : null
  await checkWorld(world)
  // No client made them.
  world.transitions.take(null)
  return world
}

async function worldOfRecords(fixture: Fixture, order: FixtureRequest): Promise<World> {
  const settings = { ...initialSettings, ...camelKeys(fixture.settings), ...order.settings }
  const times = timesOf(fixture, order.startAt)
  const world = emptyWorld(order.sandboxId, originOf(order, settings), times.begin)
  addRecords(world, fixture)
  if (fixture.history.length > 0) {
    // Loaded only here: most starts do without the operations that a history may perform.
    const { performHistory } = await import('./perform-history.ts')
    await performHistory(world, fixture, times)
  }
  return world
}

/** The world of an exported sandbox. Its own origin belongs to another process. */
async function worldOfState(document: WireState, order: FixtureRequest): Promise<World | Refusal> {
  const misspelt = (key: string) =>
    fixtureError('state', `has ${JSON.stringify(key)}; its names must be in snake case.`)
  const renamed = await camelDocument(document, misspelt)
  const world = await worldOfDocument(renamed, order.sandboxId).catch((error) => {
    if (!(error instanceof StateDocumentError)) throw error
    throw stateError(error)
  })
  const settings = { ...world.chosenSettings, ...order.settings }
  const origin = originOf(order, settings)
  return checkSize(world) ?? { ...world, origin, chosenSettings: settings }
}

function originOf({ name, startAt, startsRunning }: FixtureRequest, settings: Settings) {
  return { fixture: name, startAt, startsRunning, settings }
}

/** A problem in a state, at a path or with the record of an id. */
function stateError({ field, message }: StateDocumentError): FixtureError {
  const rule = `${message.slice(field.length + 1)}; it must be as GET /sandbox/state answers it.`
  const isPath = Object.hasOwn(StateDocument.shape, field.split('.')[0] ?? '')
  if (!isPath) return fixtureError('state', `contradicts itself: ${field} ${rule}`)
  return fixtureError(
    `state.${snakeKey(field.replace(/\.(\d+)(?=\.|$)/g, '[$1]'))}`,
    `is wrong: ${rule}`,
  )
}

/** Starts a sandbox's own fixture as it was then, with its start and settings; another fixture with these settings. */
export async function worldForReset(
  { sandboxId, origin }: World,
  { fixtures, settings }: Pick<FixtureRequest, 'settings'> & { readonly fixtures: FixtureLibrary },
  requested?: string,
): Promise<World | Refusal> {
  const name = requested ?? origin.fixture
  const fixture = findRecord(fixtures, 'fixture', name)
  if (isRefusal(fixture)) return fixture
  const start =
    name === origin.fixture
      ? origin
      : { startAt: null, startsRunning: origin.startsRunning, settings }
  return worldFromFixture(fixture, { ...start, sandboxId, name })
}

/** Adds the initial records of a fixture to a new world. Throws with all that are refused, but not for another that is. */
function addRecords(world: World, fixture: Fixture): void {
  world.apiKeys = fixture.api_keys
  const problems: FixtureProblem[] = []
  const refusedIds = new Set<unknown>()
  for (const kind of Object.keys(creations) as (keyof typeof creations)[]) {
    for (const [index, record] of fixture[kind].entries()) {
      const made = creations[kind](world, record as never)
      const problem = refusalProblem(`${kind}[${index}]`, made)
      if (problem === null) continue
      const [id, ...fields] = Object.values(record)
      const isMissing = isRefusal(made) && made.refused === 'not_found'
      // What lacks a refused record is not wrong itself.
      if (!isMissing || !fields.flat().some((each) => refusedIds.has(each))) problems.push(problem)
      refusedIds.add(id)
    }
  }
  if (problems.length > 0) throw new FixtureError(...problems)
}
