/**
 * Advances the virtual clock of a world, or of a fork, to each kind of destination. Owns where an advance stops and which
 * events the answer has.
 */
import { ITEMS_MAX } from '../assumptions/bounds.ts'
import { isRefusal, refuse } from '../billing/refusal.ts'
import type { Status } from '../billing/status.ts'
import { addDuration, DAY_MS, type Duration, type Instant } from '../time/instant.ts'
import { checkCapacity } from './capacity.ts'
import { type DueItem, subjectOf } from './due-queue.ts'
import { advanceTo, DueItemError, type Ending, headBy, type RunHooks } from './engine.ts'
import { clockCause, type Event } from './event.ts'
import type { Refusal } from './refusal.ts'
import { checkExists } from './results.ts'
import type { World } from './world.ts'

/** How far to go: by a duration, to an instant, to the n-th due instant, or until a status, within a year if null. */
export type Destination =
  | { readonly by: Duration }
  /** `field` is the name of the instant in the request; the default is `to`. */
  | { readonly to: Instant; readonly field?: string }
  | { readonly toNext: number }
  | {
      readonly until: { readonly subscriptionId: string; readonly status: Status }
      readonly within: Duration | null
    }

export interface NextDue {
  readonly at: Instant
  readonly kind: DueItem['due']['kind']
  readonly subject: Readonly<ReturnType<typeof subjectOf>>
}

export interface Advance {
  readonly from: Instant
  readonly to: Instant
  readonly stoppedBecause:
    | 'reached'
    | 'condition_met'
    | 'condition_not_met'
    | Exclude<AdvanceEnding, 'target' | 'done'>
  /** The first events of the advance; `eventsTotal` counts them all. */
  readonly events: readonly Event[]
  readonly eventsTotal: number
  readonly nextDue: NextDue | null
}

/** An advance in progress, which may pause at instants before its end: its destination, and the results so far. */
export interface AdvanceRun {
  readonly destination: Destination
  readonly from: Instant
  readonly target: Instant
  readonly firstSeq: number
  readonly events: Event[]
  /** The number of the newest event that has been counted. */
  lastSeq: number
  items: number
  instants: number
  /** Whether the advance is paused at an instant before its end and must continue. */
  isPaused: boolean
}

/** What causes an advance, and how it yields. */
type AdvanceHooks = Pick<RunHooks, 'cause' | 'pace'>

/** How an advance ended, including the endings that receivers of events cause. */
export type AdvanceEnding = Ending | 'receiver_loop' | 'replaced'

const ADVANCE_EVENTS_MAX = 1000

/** The last instant that a clock may reach. Periods and terms end later and must still be writable. */
const CLOCK_MAX_YEAR = 9000
export const CLOCK_MAX = '9000-01-01T00:00:00.000Z' as Instant

/** The next due instant of a world; null if nothing will fall due. */
export function nextDue(world: World): NextDue | null {
  const item = world.due.head()
  return item && { at: item.at, kind: item.due.kind, subject: subjectOf(item) }
}

/** Advances a world; for a dry run, a fork of it. Refuses to go backwards or past the last writable instant. */
export async function advance(
  world: World,
  destination: Destination,
  hooks: AdvanceHooks,
): Promise<Advance | Refusal> {
  const run = beginAdvance(world, destination)
  if (isRefusal(run)) return run
  return endAdvance(world, run, await runAdvance(world, run, hooks))
}

export function beginAdvance(world: World, destination: Destination): AdvanceRun | Refusal {
  const target = targetOf(world, destination)
  if (isRefusal(target)) return target
  const { events: firstSeq } = world.sequences
  const counts = { events: [], lastSeq: firstSeq, items: 0, instants: 0, isPaused: false }
  return { destination, from: world.clock.now(), target, firstSeq, ...counts }
}

/** Runs until the advance ends, or pauses after a settled instant where `stopsAt` is true; `isPaused` says whether it did. */
export async function runAdvance(
  world: World,
  run: AdvanceRun,
  { cause, pace, stopsAt }: AdvanceHooks & { readonly stopsAt?: () => boolean },
): Promise<Ending> {
  const { destination, target } = run
  collectEvents(world, run)
  run.isPaused = false
  // Receivers may have ended whatever was due.
  const isOver = 'toNext' in destination && headBy(world, CLOCK_MAX) === null
  if (isOver || isMet(world, destination)) return 'done'
  // Events are collected at once: by the end, the log may have dropped them.
  const onSettled = () => {
    run.items += 1
    collectEvents(world, run)
  }
  const isDone = () => {
    run.instants += 1
    if (isReached(world, run)) return true
    run.isPaused = stopsAt?.() ?? false
    return run.isPaused
  }
  const hooks = { cause, onSettled, isDone, ...(pace && { pace }) }
  const ending = await advanceTo(world, target, hooks).catch(async (error): Promise<never> => {
    // Everything before the defective item is settled, so it is committed first.
    if (error instanceof DueItemError) await pace?.onPause()
    throw error
  })
  if (!run.isPaused || run.items < ITEMS_MAX) return ending
  run.isPaused = false
  return 'item_limit'
}

export function endAdvance(world: World, run: AdvanceRun, ending: AdvanceEnding): Advance {
  // After a replacement the log has the events of another world.
  if (ending !== 'replaced') collectEvents(world, run)
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

function collectEvents(world: World, run: AdvanceRun): void {
  const { events, firstSeq } = run
  const remaining = ADVANCE_EVENTS_MAX - events.length
  if (remaining > 0) events.push(...world.events.after(firstSeq + events.length, remaining))
  run.lastSeq = world.sequences.events
}

/** An advance that was cut short stopped at a limit, whatever its destination was. */
function reasonOf(destination: Destination, ending: AdvanceEnding): Advance['stoppedBecause'] {
  if (ending !== 'target' && ending !== 'done') return ending
  if (!('until' in destination)) return 'reached'
  return ending === 'done' ? 'condition_met' : 'condition_not_met'
}

function targetOf(world: World, destination: Destination): Instant | Refusal {
  const now = world.clock.now()
  if ('to' in destination) return checkTarget(now, destination) ?? destination.to
  if ('toNext' in destination) return CLOCK_MAX
  if ('by' in destination) return instantAfter(now, destination.by, 'by')
  const { until, within } = destination
  return (
    checkExists(world.subscriptions, 'until.subscription_id', until.subscriptionId) ??
    (within === null ? aYearAfter(now) : instantAfter(now, within, 'within'))
  )
}

/** How far a question about the future looks by default: a year, or to the end of the clock where that is nearer. */
export function aYearAfter(now: Instant): Instant {
  const aYearOn = addDuration(now, { months: 12, millis: 0 })
  return aYearOn < CLOCK_MAX ? aYearOn : CLOCK_MAX
}

/** The instant a duration later. Refuses one after the end of the clock, and names the request's field. */
export function instantAfter(now: Instant, duration: Duration, field: string): Instant | Refusal {
  const year = Number(now.slice(0, 4)) + duration.months / 12
  // Years of 366 days: a little too early is found below.
  const reaches = year + duration.millis / (366 * DAY_MS) < CLOCK_MAX_YEAR + 1
  if (!reaches) return pastEndRefusal(field, 'an instant after the year 9000')
  const target = addDuration(now, duration)
  return target > CLOCK_MAX ? pastEndRefusal(field, target) : target
}

function checkTarget(
  now: Instant,
  { to: target, field = 'to' }: Extract<Destination, { readonly to: Instant }>,
): Refusal | null {
  if (target < now) {
    return refuse(
      'clock_backwards',
      `${field} must be ${now}, the virtual now, or later; got ${target}. The clock only moves forward: to go back, restore a checkpoint or reset the sandbox.`,
    )
  }
  return target > CLOCK_MAX ? pastEndRefusal(field, target) : null
}

/** Advances a world to the instant in `field`. Refuses if one advance cannot settle everything before it. */
export async function advanceToInstant(
  world: World,
  at: Instant,
  field: string,
): Promise<Refusal | null> {
  const ending = await advanceTo(world, at, { cause: clockCause })
  if (ending === 'target') return null
  if (ending === 'sandbox_full') return checkCapacity(world, 1)
  return refuse(
    'clock_limit',
    `${field} must be earlier than ${at}: more falls due until then than one advance may settle.`,
  )
}

/** `end` is where the field leads. */
export function pastEndRefusal(field: string, end: string): Refusal {
  const rule = `${field} must not go past ${CLOCK_MAX}, the end of the clock`
  return refuse('clock_limit', `${rule}; got ${end}.`)
}

function isMet(world: World, destination: Destination): boolean {
  if (!('until' in destination)) return false
  const { subscriptionId, status } = destination.until
  return world.subscriptions.get(subscriptionId)?.status === status
}

/** Whether the advance ends at this settled instant: `toNext` counts instants, `until` checks the status. */
function isReached(world: World, { destination, instants }: AdvanceRun): boolean {
  if (!('toNext' in destination)) return isMet(world, destination)
  return instants >= destination.toNext || headBy(world, CLOCK_MAX) === null
}
