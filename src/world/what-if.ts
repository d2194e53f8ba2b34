/**
 * What if: simulates two futures of one world, unchanged and with changes. Owns until when both are complete, so that
 * the two can be compared (see comparison).
 */
import { ITEMS_MAX } from '../assumptions/bounds.ts'
import { type Instant, plus } from '../time/instant.ts'
import { advanceTo, type Ending, type Pace } from './engine.ts'
import { byClock } from './event.ts'
import type { Outlook } from './forecast.ts'
import { copyWorld, type World } from './world.ts'

/** A change to make at an instant, after the items due then are settled. Throws if it is refused. */
export interface PlannedChange<Made> {
  readonly at: Instant
  readonly make: (world: World) => Promise<Made>
}

/** Two futures at the same instant, which `outlook` gives. */
export interface Futures<Made> extends Outlook {
  readonly asIs: World
  readonly changed: World
  /** The results of the changes, in the order in which they were made. */
  readonly made: readonly Made[]
}

/** The changes in the order of their instants, and the end of both futures. */
interface Plan<Made> {
  readonly until: Instant
  readonly changes: readonly PlannedChange<Made>[]
}

/** Where a simulation stopped, and why if that was early. */
interface Simulation<Made> {
  readonly world: World
  readonly made: readonly Made[]
  readonly stoppedBecause: Outlook['stoppedBecause']
}

/** Simulates both futures, each on a copy of a world. */
export async function simulateBoth<Made>(
  world: World,
  { until, changes }: Plan<Made>,
  pace: Pace,
): Promise<Futures<Made>> {
  const both = async (end: Instant) => ({
    asIs: await simulate<Made>(world, { until: end, changes: [] }, pace),
    changed: await simulate(world, { until: end, changes }, pace),
  })
  const first = await both(until)
  const cut = [first.asIs, first.changed].filter(
    ({ stoppedBecause }) => stoppedBecause !== 'reached',
  )
  const [earliest] = cut.sort((one, other) =>
    one.world.clock.now() < other.world.clock.now() ? -1 : 1,
  )
  // A look-ahead that was stopped is refused by its caller.
  if (earliest === undefined || pace.isCut()) return futuresOf(first, until, 'reached')
  // Both futures end where the shorter one does. The instant of the cut may be settled only in part.
  const completeUntil = earliest.world.clock.now()
  const end = completeUntil > world.clock.now() ? plus(completeUntil, -1) : completeUntil
  return futuresOf(await both(end), completeUntil, earliest.stoppedBecause)
}

function futuresOf<Made>(
  { asIs, changed }: { readonly asIs: Simulation<Made>; readonly changed: Simulation<Made> },
  completeUntil: Instant,
  stoppedBecause: Outlook['stoppedBecause'],
): Futures<Made> {
  const { world, made } = changed
  return { asIs: asIs.world, changed: world, made, completeUntil, stoppedBecause }
}

/** Simulates one future, with at most the due items of one advance. */
async function simulate<Made>(
  start: World,
  { until, changes }: Plan<Made>,
  pace: Pace,
): Promise<Simulation<Made>> {
  // Calls need the world of a sandbox, which tracks changes.
  const world = copyWorld(start, start.sandboxId)
  const made: Made[] = []
  let left = ITEMS_MAX
  const onSettled = () => {
    left -= 1
  }
  const watch = { cause: byClock, pace, onSettled, isDone: () => left <= 0 }
  for (const change of changes.filter(({ at }) => at <= until)) {
    const ending = await advanceTo(world, change.at, watch)
    if (ending !== 'target') return { world, made, stoppedBecause: reasonOf(ending) }
    made.push(await change.make(world))
  }
  const ending = await advanceTo(world, until, watch)
  return { world, made, stoppedBecause: ending === 'target' ? 'reached' : reasonOf(ending) }
}

function reasonOf(ending: Exclude<Ending, 'target'>): Outlook['stoppedBecause'] {
  return ending === 'sandbox_full' ? ending : 'item_limit'
}
