/**
 * Advancing: the four ways to move the virtual clock, for real or on a fork. Owns where each one stops and what
 * the answer says of the way there.
 */

import { isRefusal, refuse } from '../billing/refusal.ts'
import type { Status } from '../billing/status.ts'
import { after, DAY_MS, type Duration, type Instant } from '../time/instant.ts'
import { find } from './answer.ts'
import { refuseWhenFull } from './capacity.ts'
import { subjectOf } from './due-queue.ts'
import { advanceTo, DueItemError, type Ending, type Pace } from './engine.ts'
import type { Cause, Event } from './event.ts'
import type { Refusal } from './refusal.ts'
import type { World } from './world.ts'

/** How far to go: by a duration, to an instant, to the n-th due instant, or until a status is reached. */
export type Destination =
  | { readonly by: Duration }
  | { readonly to: Instant }
  | { readonly toNext: number }
  | {
      readonly until: { readonly subscriptionId: string; readonly status: Status }
      readonly within: Duration
    }

export interface AdvanceOrder {
  readonly destination: Destination
  readonly dryRun: boolean
}

/** Something that will fall due. */
export interface NextDue {
  readonly at: Instant
  readonly kind: 'trial_end' | 'period_end' | 'payment_retry'
  readonly subject: { readonly kind: 'subscription' | 'invoice'; readonly id: string }
}

export interface Advance {
  readonly from: Instant
  readonly to: Instant
  readonly stoppedBecause:
    | 'reached'
    | 'condition_met'
    | 'condition_not_met'
    | 'item_limit'
    | 'sandbox_full'
  /** The first events of the way; `eventsTotal` counts them all. */
  readonly events: readonly Event[]
  readonly eventsTotal: number
  readonly nextDue: NextDue | null
}

/** The most events that one answer has. */
const ADVANCE_EVENTS_MAX = 1000

/** The last instant that a clock may reach: periods and terms reach beyond it and must stay writable. */
const CLOCK_MAX_YEAR = 9000
export const CLOCK_MAX = '9000-01-01T00:00:00.000Z' as Instant

/** What falls due next in a world; null when nothing ever will. */
export function nextDue(world: World): NextDue | null {
  const item = world.due.head()
  return item && { at: item.at, kind: item.due.kind, subject: subjectOf(item) }
}

/** Advances a world; for a dry run, a fork of it. Refuses to go backwards or past what can be written. */
export async function advance(
  world: World,
  destination: Destination,
  { cause, pace }: { readonly cause: Cause; readonly pace?: Pace },
): Promise<Advance | Refusal> {
  const from = world.clock.now()
  const target = targetOf(world, destination)
  if (isRefusal(target)) return target
  const firstSeq = world.sequences.events
  const events: Event[] = []
  // As they happen: at the end, the log may have dropped them.
  const onSettled = () => {
    const remaining = ADVANCE_EVENTS_MAX - events.length
    if (remaining > 0) events.push(...world.events.after(firstSeq + events.length, remaining))
  }
  const watch = { cause, onSettled, isDone: watchOf(world, destination), ...(pace && { pace }) }
  const isMet = conditionOf(world, destination)()
  const ending = isMet ? 'done' : await advanceTo(world, target, watch).catch(handOn(pace))
  return {
    from,
    to: world.clock.now(),
    stoppedBecause: reasonOf(destination, ending),
    events,
    eventsTotal: world.sequences.events - firstSeq,
    nextDue: nextDue(world),
  }
}

/** What was settled before a defect was found is whole, and so it is handed on before the defect is. */
function handOn(pace: Pace | undefined): (error: unknown) => never {
  return (error) => {
    if (error instanceof DueItemError) void pace?.onPause()
    throw error
  }
}

/** An advance that was cut short stopped at a limit, whatever it was on its way to. */
function reasonOf(destination: Destination, ending: Ending): Advance['stoppedBecause'] {
  if (ending === 'full') return 'sandbox_full'
  if (ending === 'cut') return 'item_limit'
  if (!('until' in destination)) return 'reached'
  return ending === 'done' ? 'condition_met' : 'condition_not_met'
}

function targetOf(world: World, destination: Destination): Instant | Refusal {
  const now = world.clock.now()
  if ('to' in destination) return refuseTarget(world, destination.to) ?? destination.to
  // As far as something is due: without anything due the clock stays where it is.
  if ('toNext' in destination) return world.due.head() === null ? now : CLOCK_MAX
  if ('until' in destination) {
    const { subscriptionId } = destination.until
    const named = { field: 'until.subscription_id', id: subscriptionId }
    const subscription = find(world.subscriptions, named)
    if (isRefusal(subscription)) return subscription
  }
  const duration = 'by' in destination ? destination.by : destination.within
  const field = 'by' in destination ? 'by' : 'within'
  return instantAfter(now, duration, field)
}

/** The instant a duration later; refuses one that no clock may reach, by the field that asks for it. */
export function instantAfter(now: Instant, duration: Duration, field: string): Instant | Refusal {
  const year = Number(now.slice(0, 4)) + duration.months / 12
  const reaches = year + duration.millis / (365 * DAY_MS) < CLOCK_MAX_YEAR + 1
  if (!reaches) return refusePastEnd(field)
  const target = after(now, duration)
  return target > CLOCK_MAX ? refusePastEnd(field) : target
}

function refuseTarget(world: World, target: Instant): Refusal | null {
  const now = world.clock.now()
  if (target < now) {
    return refuse(
      'clock_backwards',
      `to must be ${now}, the virtual now, or later; got ${target}. The clock only moves forward: to go back, restore a checkpoint or reset the sandbox.`,
    )
  }
  return target > CLOCK_MAX ? refusePastEnd('to') : null
}

/** Moves a world on to an instant that `field` names, or refuses where that is more than one advance may settle. */
export async function moveOn(world: World, at: Instant, field: string): Promise<Refusal | null> {
  const cause = { kind: 'clock', requestId: null } as const
  const ending = await advanceTo(world, at, { cause, isDone: () => false })
  if (ending === 'target') return null
  if (ending === 'full') return refuseWhenFull(world, 1)
  return refuse(
    'clock_limit',
    `${field} must be earlier than ${at}: more falls due until then than one advance may settle.`,
  )
}

/** Refuses an instant that no clock may reach. */
export function refusePastEnd(field: string): Refusal {
  return refuse('clock_limit', `${field} must not go past ${CLOCK_MAX}, the end of the clock.`)
}

function conditionOf(world: World, destination: Destination): () => boolean {
  if (!('until' in destination)) return () => false
  const { subscriptionId, status } = destination.until
  return () => world.subscriptions.get(subscriptionId)?.status === status
}

/** Asked after each whole instant: a `toNext` counts them, an `until` looks at the status. */
function watchOf(world: World, destination: Destination): () => boolean {
  if (!('toNext' in destination)) return conditionOf(world, destination)
  let instants = 0
  return () => {
    instants += 1
    return instants >= destination.toNext || world.due.head() === null
  }
}
