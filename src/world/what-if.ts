/**
 * What if: simulates two futures of one world, unchanged and with changes. Owns until when both are complete, so that
 * the two can be compared (see comparison).
 */
import { ITEMS_MAX } from '../assumptions/bounds.ts'
import { addMillis, type Instant, millisBetween } from '../time/instant.ts'
import { advanceTo, type Ending, type ReportedPace } from './engine.ts'
import { clockCause } from './event.ts'
import type { Outlook } from './forecast.ts'
import { compareTexts } from './sorted-tree.ts'
import { forkWorld, type World } from './world.ts'

/** A change to make at an instant, after the items due then are settled. Throws if it is refused. */
export interface PlannedChange<Made> {
  readonly at: Instant
  readonly make: (world: World) => Promise<Made>
}

/** Two futures, and until when both are complete. */
export interface Futures<Made> extends Outlook {
  readonly asIs: World
  readonly changed: World
  /** The results of the changes, in the order in which they were made. */
  readonly made: readonly Made[]
}

/** The changes in the order of their instants, and the end of both futures. */
interface Schedule<Made> {
  readonly until: Instant
  readonly changes: readonly PlannedChange<Made>[]
}

interface Simulation<Made> {
  readonly world: World
  readonly made: readonly Made[]
  readonly stoppedBecause: Outlook['stoppedBecause']
}

export async function simulateBoth<Made>(
  world: World,
  { until, changes }: Schedule<Made>,
  pace: ReportedPace,
): Promise<Futures<Made>> {
  const futuresUntil = async (end: Instant) => {
    const asIs = await simulate<Made>(world, { until: end, changes: [] }, partOf(pace, 0))
    const changed = await simulate(world, { until: end, changes }, partOf(pace, 0.4))
    const [cut = null] = [asIs, changed]
      .filter(({ stoppedBecause }) => stoppedBecause !== 'reached')
      .sort((one, other) => compareTexts(one.world.clock.now(), other.world.clock.now()))
    return { cut, asIs: asIs.world, changed: changed.world, made: changed.made }
  }
  const { cut, ...futures } = await futuresUntil(until)
  // A look-ahead that was stopped is refused by its caller.
  if (cut === null || pace.isCut()) {
    return { ...futures, completeUntil: until, stoppedBecause: 'reached' }
  }
  // Both futures end where the shorter one does. The instant of the cut may be settled only in part.
  const completeUntil = cut.world.clock.now()
  const end = completeUntil > world.clock.now() ? addMillis(completeUntil, -1) : completeUntil
  const { asIs, changed, made } = await futuresUntil(end)
  return { asIs, changed, made, completeUntil, stoppedBecause: cut.stoppedBecause }
}

/** The pace of one of the two simulations, before which a part is done. Comparing them takes about a fifth of the time. */
function partOf(pace: ReportedPace, done: number): ReportedPace {
  return { ...pace, onShare: (share) => pace.onShare(done + share * 0.4) }
}

/** Simulates one future, with at most the due items of one advance. */
async function simulate<Made>(
  start: World,
  { until, changes }: Schedule<Made>,
  pace: ReportedPace,
): Promise<Simulation<Made>> {
  const world = forkWorld(start)
  const made: Made[] = []
  let left = ITEMS_MAX
  const onSettled = () => {
    left -= 1
  }
  const from = start.clock.now()
  const onPause = () => {
    pace.onShare(millisBetween(from, world.clock.now()) / Math.max(1, millisBetween(from, until)))
    return pace.onPause()
  }
  const isDone = () => left <= 0
  const hooks = { cause: clockCause, pace: { ...pace, onPause }, onSettled, isDone }
  for (const change of changes.filter(({ at }) => at <= until)) {
    const ending = await advanceTo(world, change.at, hooks)
    if (ending !== 'target') return { world, made, stoppedBecause: reasonOf(ending) }
    made.push(await change.make(world))
  }
  const ending = await advanceTo(world, until, hooks)
  return { world, made, stoppedBecause: reasonOf(ending) }
}

function reasonOf(ending: Ending): Outlook['stoppedBecause'] {
  if (ending === 'target') return 'reached'
  return ending === 'sandbox_full' ? ending : 'item_limit'
}
