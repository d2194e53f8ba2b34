/**
 * Provider states: what one entry of the catalogue declares, and the draft that it works on. Owns how the world of an
 * interaction begins and how its clock moves.
 */
import type * as z from 'zod'
import { type V1OperationId, v1Operations } from '../../operations/v1.ts'
import type { Fixture } from '../../sandbox/fixture-format.ts'
import { type FixtureLibrary, worldFromFixture } from '../../sandbox/fixtures.ts'
import { orThrow, RefusalError } from '../../surface/refusals.ts'
import { addMillis, type Instant, isWritable, millisOf } from '../../time/instant.ts'
import type { WireStateValues } from '../../wire/pacts/provider-state.ts'
import { advanceToInstant, CLOCK_MAX, pastEndRefusal } from '../../world/advance.ts'
import { EventLog } from '../../world/event-log.ts'
import { findRecord } from '../../world/results.ts'
import { VirtualClock } from '../../world/virtual-clock.ts'
import type { World } from '../../world/world.ts'

/** The ids of the six documented operations. */
export const documentedOperations: readonly V1OperationId[] = v1Operations.map(
  ({ operationId }) => operationId,
)

/** One entry of the catalogue. */
export interface ProviderState<Params extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly params: Params
  readonly example: Readonly<Record<string, unknown>>
  readonly operations: readonly V1OperationId[]
  /**
   * Other words for it, for contracts that know no params, and the params that they say by themselves: `{name}` is
   * the text of one.
   */
  readonly wordings: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Adds the state to a draft and returns what it named. Throws what is refused. The schema has checked the params. */
  apply(draft: Draft, params: z.output<Params>): Promise<StateValues>
}

/** Declares a state; the types of its params follow from its schema. */
export function providerState<const Params extends z.ZodObject>(
  declared: ProviderState<Params>,
): ProviderState {
  return declared
}

/** What a state made or found: values for the generators of a contract, and for the states that follow. */
export type StateValues = Omit<WireStateValues, 'sandbox_id' | 'api_key' | 'now'>

/** One interaction so far: the world that its states build, in order, by commands of the sandbox. */
export interface Draft {
  readonly fixtures: FixtureLibrary
  /** The fixture that the world began with. */
  fixture: string
  /** A separate world, with its clock frozen. */
  world: World
  /** What its states named last, by field. */
  named: StateValues
  /** The names of its states, in order. */
  states: string[]
  /** The virtual time that a state said last. */
  statedTime: Instant | null
  /** The states after which a subscription, a charge or a token is there, and the subscription that each is about. */
  happened: { readonly state: string; readonly subscriptionId: string | undefined }[]
}

/** The world that a fixture begins with, in place of another and under its settings, with a frozen clock. */
export async function beginWorld(
  fixtures: FixtureLibrary,
  { sandboxId, origin }: World,
  { fixture: name, startAt }: { readonly fixture: string; readonly startAt: Instant | null },
): Promise<World> {
  const fixture = orThrow<Fixture>(findRecord(fixtures, 'fixture', name))
  const order = { sandboxId, name, startAt, startsRunning: false, settings: origin.settings }
  return { ...orThrow<World>(await worldFromFixture(fixture, order)), origin }
}

/** Puts the clock to any instant, as long as nothing has happened that lies in time. Throws a refusal otherwise. */
export function setStart(draft: Draft, at: Instant): void {
  const [first] = draft.happened
  if (first !== undefined) {
    const message = `its past begins at ${at}, before what "${first.state}" set up; put it before that state.`
    throw new RefusalError('clock_backwards', message)
  }
  const { world } = draft
  // Each setup left the event of a reset, which would lie after what is to come.
  const sequences = { ...world.sequences, events: 0 }
  draft.world = { ...world, clock: new VirtualClock(at), events: new EventLog(), sequences }
}

/** Moves the clock on to an instant that `field` names, settling what falls due. */
export async function moveClockTo(
  { world }: Draft,
  at: Instant,
  field = 'The virtual time',
): Promise<void> {
  const past = at > CLOCK_MAX ? pastEndRefusal(field, at) : null
  orThrow(past ?? (await advanceToInstant(world, at, field)))
}

/** The instant so many milliseconds before another. Throws a refusal where none can be written. */
export function instantBefore(now: Instant, millis: number): Instant {
  if (isWritable(millisOf(now) - millis)) return addMillis(now, -millis)
  const message = `its past begins before 1970, seen from ${now}; take a later virtual time.`
  throw new RefusalError('clock_backwards', message)
}
