/**
 * Advancing: the four ways to move the virtual clock, for real or on a fork. Owns where each one stops and what
 * the answer says of the way there.
 */

import { ITEMS_MAX } from '../assumptions/bounds.ts'
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
  /** `field` is what the request calls the instant: `to` unless it says otherwise. */
  | { readonly to: Instant; readonly field?: string }
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
    | 'stopped'
    | 'sandbox_full'
    | 'receiver_loop'
    | 'replaced'
  /** The first events of the way; `eventsTotal` counts them all. */
  readonly events: readonly Event[]
  readonly eventsTotal: number
  readonly nextDue: NextDue | null
}

/** An advance under way, which may stop at instants between: where it goes, and what happened so far. */
export interface AdvanceRun {
  readonly destination: Destination
  readonly from: Instant
  readonly target: Instant
  readonly firstSeq: number
  readonly events: Event[]
  /** The number of the newest event that was looked at. */
  lastSeq: number
  /** How many due items were settled, and how many instants. */
  items: number
  instants: number
  /** Whether it stands at an instant between, and is to go on. */
  isBetween: boolean
}

/** How an advance is paced and who asked for it; `stopsAt` is asked after each whole instant that it passes. */
export interface AdvanceTerms {
  readonly cause: Cause
  readonly pace?: Pace
  readonly stopsAt?: () => boolean
}

/** How an advance ended, also where receivers of events have a say. */
export type AdvanceEnding = Ending | 'receiver_loop' | 'replaced'

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
  how: Omit<AdvanceTerms, 'stopsAt'>,
): Promise<Advance | Refusal> {
  const run = beginAdvance(world, destination)
  if (isRefusal(run)) return run
  return endAdvance(world, run, await runAdvance(world, run, how))
}

/** Begins an advance. Refuses to go backwards or past what can be written. */
export function beginAdvance(world: World, destination: Destination): AdvanceRun | Refusal {
  const target = targetOf(world, destination)
  if (isRefusal(target)) return target
  const { events: firstSeq } = world.sequences
  const nothing = { events: [], lastSeq: firstSeq, items: 0, instants: 0, isBetween: false }
  return { destination, from: world.clock.now(), target, firstSeq, ...nothing }
}

/** Goes on, until the advance ends or is to stop between, which `isBetween` says. */
export async function runAdvance(
  world: World,
  run: AdvanceRun,
  { cause, pace, stopsAt }: AdvanceTerms,
): Promise<Ending> {
  const { destination, target } = run
  collect(world, run)
  run.isBetween = false
  if (isMet(world, destination)) return 'done'
  // As they happen: at the end, the log may have dropped them.
  const onSettled = () => {
    run.items += 1
    collect(world, run)
  }
  const isDone = () => {
    run.instants += 1
    if (isThere(world, run)) return true
    run.isBetween = stopsAt?.() ?? false
    return run.isBetween
  }
  const watch = { cause, onSettled, isDone, ...(pace && { pace }) }
  const ending = await advanceTo(world, target, watch).catch(handOn(pace))
  if (!run.isBetween || run.items < ITEMS_MAX) return ending
  run.isBetween = false
  return 'cut'
}

/** The result of an advance. */
export function endAdvance(world: World, run: AdvanceRun, ending: AdvanceEnding): Advance {
  // The events of another world are not those of the way.
  if (ending !== 'replaced') collect(world, run)
  const { destination, from, firstSeq, lastSeq, events } = run
  return {
    from,
    to: world.clock.now(),
    stoppedBecause: reasonOf(destination, ending),
    events,
    eventsTotal: lastSeq - firstSeq,
    nextDue: nextDue(world),
  }
}

function collect(world: World, run: AdvanceRun): void {
  const { events, firstSeq } = run
  const remaining = ADVANCE_EVENTS_MAX - events.length
  if (remaining > 0) events.push(...world.events.after(firstSeq + events.length, remaining))
  run.lastSeq = world.sequences.events
}

/** What was settled before a defect was found is whole, and so it is handed on before the defect is. */
function handOn(pace: Pace | undefined): (error: unknown) => never {
  return (error) => {
    if (error instanceof DueItemError) void pace?.onPause()
    throw error
  }
}

/** An advance that was cut short stopped at a limit, whatever it was on its way to. */
function reasonOf(destination: Destination, ending: AdvanceEnding): Advance['stoppedBecause'] {
  if (ending === 'receiver_loop' || ending === 'replaced') return ending
  if (ending === 'full') return 'sandbox_full'
  if (ending === 'cut') return 'item_limit'
  if (ending === 'stopped') return 'stopped'
  if (!('until' in destination)) return 'reached'
  return ending === 'done' ? 'condition_met' : 'condition_not_met'
}

function targetOf(world: World, destination: Destination): Instant | Refusal {
  const now = world.clock.now()
  if ('to' in destination) return refuseTarget(now, destination) ?? destination.to
  // As far as something is due: without anything due the clock stays where it is.
  if ('toNext' in destination) return isAnythingDue(world) ? CLOCK_MAX : now
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

function refuseTarget(
  now: Instant,
  { to: target, field = 'to' }: Extract<Destination, { readonly to: Instant }>,
): Refusal | null {
  if (target < now) {
    return refuse(
      'clock_backwards',
      `${field} must be ${now}, the virtual now, or later; got ${target}. The clock only moves forward: to go back, restore a checkpoint or reset the sandbox.`,
    )
  }
  return target > CLOCK_MAX ? refusePastEnd(field) : null
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

/** Whether the status is reached that an `until` waits for. */
function isMet(world: World, destination: Destination): boolean {
  if (!('until' in destination)) return false
  const { subscriptionId, status } = destination.until
  return world.subscriptions.get(subscriptionId)?.status === status
}

/** Whether a whole instant is where the advance ends: a `toNext` counts them, an `until` looks at the status. */
function isThere(world: World, { destination, instants }: AdvanceRun): boolean {
  if (!('toNext' in destination)) return isMet(world, destination)
  return instants >= destination.toNext || !isAnythingDue(world)
}

/** Whether something falls due before the end of the clock. */
function isAnythingDue(world: World): boolean {
  const head = world.due.head()
  return head !== null && head.at <= CLOCK_MAX
}
