/**
 * What if: lives two futures of one world, as it is and with changes made in it. Owns until when both are complete, so
 * that the two can be compared (see comparison).
 */
import { ITEMS_MAX } from '../assumptions/bounds.ts'
import { type Instant, plus } from '../time/instant.ts'
import { advanceTo, type Ending, type Pace } from './engine.ts'
import type { Outlook } from './forecast.ts'
import { copyWorld, type World } from './world.ts'

/** A change to make at an instant, after what falls due then; it throws where it is refused. */
export interface PlannedChange {
  readonly at: Instant
  readonly make: (world: World) => Promise<void>
}

/** Two futures that stand at the same instant, which `outlook` says. */
export interface Futures extends Outlook {
  readonly asIs: World
  readonly changed: World
}

/** Nobody asked for what happens in a future. */
const cause = { kind: 'clock', requestId: null } as const

/** Where a future stopped, and why if that was before it should. */
interface Lived {
  readonly world: World
  readonly stoppedBecause: Outlook['stoppedBecause']
}

/** Lives both futures, each on a copy of a world. The changes are in the order of their instants. */
export async function liveBoth(
  world: World,
  { until, changes }: { readonly until: Instant; readonly changes: readonly PlannedChange[] },
  pace: Pace,
): Promise<Futures> {
  const both = async (end: Instant) => ({
    asIs: await live(world, { until: end, changes: [] }, pace),
    changed: await live(world, { until: end, changes }, pace),
  })
  const first = await both(until)
  const cut = [first.asIs, first.changed].filter(
    ({ stoppedBecause }) => stoppedBecause !== 'reached',
  )
  const [earliest] = cut.sort((one, other) =>
    one.world.clock.now() < other.world.clock.now() ? -1 : 1,
  )
  if (earliest === undefined || pace.isCut()) return futuresOf(first, until, 'reached')
  // What one of them did not come to, the other must not have either. The instant of the cut may be settled in part.
  const completeUntil = earliest.world.clock.now()
  const end = completeUntil > world.clock.now() ? plus(completeUntil, -1) : completeUntil
  return futuresOf(await both(end), completeUntil, earliest.stoppedBecause)
}

function futuresOf(
  { asIs, changed }: { readonly asIs: Lived; readonly changed: Lived },
  completeUntil: Instant,
  stoppedBecause: Outlook['stoppedBecause'],
): Futures {
  return { asIs: asIs.world, changed: changed.world, completeUntil, stoppedBecause }
}

/** Lives one future, with as many due items as one advance may settle. */
async function live(
  start: World,
  { until, changes }: { readonly until: Instant; readonly changes: readonly PlannedChange[] },
  pace: Pace,
): Promise<Lived> {
  // Calls run on a world as a sandbox has it, which notes what they change.
  const world = copyWorld(start, start.sandboxId)
  let left = ITEMS_MAX
  const onSettled = () => {
    left -= 1
  }
  const watch = { cause, pace, onSettled, isDone: () => left <= 0 }
  for (const change of changes.filter(({ at }) => at <= until)) {
    const ending = await advanceTo(world, change.at, watch)
    if (ending !== 'target') return { world, stoppedBecause: reasonOf(ending) }
    await change.make(world)
  }
  const ending = await advanceTo(world, until, watch)
  return { world, stoppedBecause: ending === 'target' ? 'reached' : reasonOf(ending) }
}

function reasonOf(ending: Exclude<Ending, 'target'>): Outlook['stoppedBecause'] {
  return ending === 'full' ? 'sandbox_full' : 'item_limit'
}
