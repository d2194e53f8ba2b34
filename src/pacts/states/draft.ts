/**
 * The draft of one interaction: the world that its provider states build, in order, by commands of the sandbox. Owns how
 * that world begins and how its clock moves.
 */

import { type FixtureLibrary, worldFromFixture } from '../../sandbox/fixtures.ts'
import { type Instant, isWritable, millisOf, plus } from '../../time/instant.ts'
import { CLOCK_MAX, moveOn, refusePastEnd } from '../../world/advance.ts'
import { find } from '../../world/answer.ts'
import type { Cause } from '../../world/event.ts'
import { EventLog } from '../../world/event-log.ts'
import { VirtualClock } from '../../world/virtual-clock.ts'
import type { World } from '../../world/world.ts'
import { must, stop } from './refused.ts'

/** What a state made or found: values for the generators of a contract, and for the states that follow. */
export interface Named {
  readonly subscription_id?: string
  readonly customer_id?: string
  readonly plan?: string
  readonly coupon_id?: string
  readonly refresh_token?: string
  readonly access_token?: string
}

/** An interaction so far. */
export interface Draft {
  readonly fixtures: FixtureLibrary
  /** The fixture that the world began with. */
  fixture: string
  /** A world of its own, with its clock frozen. */
  world: World
  /** What its states named last, by field. */
  named: Named
  /** The names of its states, in order. */
  states: string[]
  /** The virtual time that a state said last. */
  statedTime: Instant | null
  /** The states after which a subscription, a charge or a token is there, and the subscription that each is about. */
  happened: { readonly state: string; readonly subscriptionId: string | undefined }[]
}

/** What every command of a state is caused by: nobody's request, as in the story of a fixture. */
export const noRequest: Cause = { kind: 'request', requestId: null }

/** The world that a fixture begins with, in place of another and under its settings, with a clock that stands still. */
export async function beginWorld(
  fixtures: FixtureLibrary,
  { sandboxId, origin }: World,
  start: { readonly fixture: string; readonly startAt: Instant | null },
): Promise<World> {
  const { fixture: name, startAt } = start
  const fixture = must(find(fixtures, { field: 'fixture', id: name }))
  const { settings } = origin
  const order = { sandboxId, name, startAt, startsRunning: false, settings }
  return { ...must(await worldFromFixture(fixture, order)), origin }
}

/** Puts the clock to any instant, as long as nothing has happened that lies in time; else stops. */
export function startAt(draft: Draft, at: Instant): void {
  const [first] = draft.happened
  if (first !== undefined) {
    stop(
      'clock_backwards',
      `its past begins at ${at}, before what "${first.state}" set up; put it before that state.`,
    )
  }
  const { world } = draft
  // Each setup left the event of a reset, which would lie after what is to come.
  const sequences = { ...world.sequences, events: 0 }
  draft.world = { ...world, clock: new VirtualClock(at), events: new EventLog(), sequences }
}

/** Moves the clock on, settling what falls due. */
export async function moveClockTo({ world }: Draft, at: Instant): Promise<void> {
  if (at > CLOCK_MAX) must(refusePastEnd('The virtual time'))
  must(await moveOn(world, at, 'The virtual time'))
}

/** The instant so many milliseconds before another; stops where none can be written. */
export function before(now: Instant, millis: number): Instant {
  if (isWritable(millisOf(now) - millis)) return plus(now, -millis)
  return stop(
    'clock_backwards',
    `its past begins before 1970, seen from ${now}; take a later virtual time.`,
  )
}
