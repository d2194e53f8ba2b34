/**
 * An interaction of a contract: what its provider states have asked for so far, as acts at instants. Owns living
 * through them: always anew and in a fresh world, so that a later state can still change what lies before an earlier
 * one, and a refused one leaves nothing behind.
 */

import { isRefusal, refuse } from '../../billing/refusal.ts'
import { type Instant, isWritable, millisOf, plus } from '../../time/instant.ts'
import { CLOCK_MAX, refusePastEnd } from '../advance.ts'
import { find } from '../answer.ts'
import { refuseWhenFull } from '../capacity.ts'
import { advanceTo } from '../engine.ts'
import type { Cause } from '../event.ts'
import { type Fixture, type FixtureLibrary, startOf, stock, storyOf } from '../fixtures.ts'
import type { Refusal } from '../refusal.ts'
import { emptyWorld, type Origin, type World } from '../world.ts'

/** Something that was done before the consumer's request. */
export interface Act {
  /** Null for what is there from the beginning. */
  readonly at: Instant | null
  /** The subscription whose story it belongs to. */
  readonly subscriptionId: string | null
  readonly perform: (world: World) => Refusal | null
}

/** What an interaction consists of so far. */
export interface Interaction {
  readonly fixture: string
  /** The virtual now of the consumer's request; null for that of the fixture. */
  readonly now: Instant | null
  readonly acts: readonly Act[]
  /** What its states named last, by field. */
  readonly named: Named
}

/** What a state made or found: values for the generators of a contract, and for the states that follow. */
export interface Named {
  readonly subscription_id?: string
  readonly customer_id?: string
  readonly plan?: string
  readonly coupon_id?: string
  readonly refresh_token?: string
  readonly access_token?: string
}

/** Where interactions are lived through. */
export interface Theatre {
  readonly sandboxId: string
  /** What the sandbox was made from: its settings hold here too. */
  readonly origin: Origin
  readonly fixtures: FixtureLibrary
}

/** The fixture that every interaction starts from unless a state says otherwise. */
const BASE_FIXTURE = 'starter'

/** What every act is caused by: nobody's request, as in the story of a fixture. */
export const unasked: Cause = { kind: 'request', requestId: null }

/** An interaction before its first state. */
export const cleanStart: Interaction = { fixture: BASE_FIXTURE, now: null, acts: [], named: {} }

/** Lives through an interaction in a new world. Its clock stands still, so that nothing changes between states. */
export async function live(interaction: Interaction, theatre: Theatre): Promise<World | Refusal> {
  const { fixture: name, now, acts } = interaction
  const fixture = find(theatre.fixtures, { field: 'fixture', id: name })
  if (isRefusal(fixture)) return fixture
  const own = startOf(fixture)
  const end = now ?? (name === theatre.origin.fixture ? theatre.origin.startAt : null) ?? own
  if (fixture.story.length > 0 && end < own) return refuseUntold(name, own)
  const all = inOrder([...toldBy(fixture), ...acts])
  const world = begin(fixture, all.find(({ at }) => at !== null)?.at ?? end, theatre)
  for (const { at, perform } of all) {
    const refusal = (at && (await moveTo(world, at))) ?? perform(world)
    if (refusal !== null) return refusal
  }
  return (await moveTo(world, end)) ?? world
}

/** The acts of a subscription moved into the past, or (below zero) towards the future. */
export function shifted(acts: readonly Act[], subscriptionId: string, millis: number): Act[] {
  return acts.map((act) =>
    act.subscriptionId === subscriptionId && act.at !== null
      ? { ...act, at: plus(act.at, -millis) }
      : act,
  )
}

/** The instant so many milliseconds before another, or a refusal where none can be written. */
export function before(now: Instant, millis: number): Instant | Refusal {
  if (isWritable(millisOf(now) - millis)) return plus(now, -millis)
  return refuse(
    'clock_backwards',
    `What this state asks for began before 1970, seen from ${now}; a later virtual time would be accepted.`,
  )
}

/** Moves a world's clock on, settling what falls due. */
async function moveTo(world: World, at: Instant): Promise<Refusal | null> {
  if (at > CLOCK_MAX) return refusePastEnd('The virtual time')
  const cause = { kind: 'clock', requestId: null } as const
  const ending = await advanceTo(world, at, { cause, isDone: () => false })
  if (ending === 'target') return null
  if (ending === 'full') return refuseWhenFull(world, 1)
  return refuse(
    'clock_limit',
    `More falls due up to ${at} than one interaction may settle; an earlier virtual time would be accepted.`,
  )
}

/** What is there from the beginning first, then by instant; acts of one instant keep their order. */
function inOrder(acts: readonly Act[]): Act[] {
  const fromBeginning = acts.filter(({ at }) => at === null)
  const instants = [...new Set(acts.flatMap(({ at }) => at ?? []))].sort()
  return [...fromBeginning, ...instants.flatMap((at) => acts.filter((act) => act.at === at))]
}

/** The story of a fixture, among which the acts of an interaction find their place. */
function toldBy(fixture: Fixture): Act[] {
  return storyOf(fixture).map((step) => ({ ...step, subscriptionId: null }))
}

function begin(fixture: Fixture, at: Instant, { sandboxId, origin }: Theatre): World {
  const world = emptyWorld(sandboxId, origin, at)
  stock(world, fixture)
  return world
}

function refuseUntold(fixture: string, end: Instant): Refusal {
  return refuse(
    'clock_backwards',
    `The story of the fixture "${fixture}" ends at ${end}; a virtual time from then on would be accepted.`,
  )
}
