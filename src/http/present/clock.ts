/** The virtual clock as the wire shows it. What falls due is spelled alike in code and on the wire. */
import { type Advance, nextDue } from '../../sandbox/advance.ts'
import type { Outlook } from '../../sandbox/forecast.ts'
import { modeOf } from '../../sandbox/running-clock.ts'
import type { World } from '../../sandbox/world.ts'
import type { WireAdvance, WireClock } from '../../wire/clock.ts'
import { presentEvent } from './event.ts'

/** Where the clock of a world stands. */
export function presentClock(world: World): WireClock {
  return { now: world.clock.now(), mode: modeOf(world.clock), next_due: nextDue(world) }
}

/** How far a look ahead came. */
export function presentOutlook({ completeUntil, stoppedBecause }: Outlook) {
  return { complete_until: completeUntil, stopped_because: stoppedBecause }
}

/** How far an advance went, and what happened on the way. */
export function presentAdvance(advance: Advance): WireAdvance {
  return {
    from: advance.from,
    to: advance.to,
    stopped_because: advance.stoppedBecause,
    events: advance.events.map(presentEvent),
    events_total: advance.eventsTotal,
    next_due: advance.nextDue,
  }
}
