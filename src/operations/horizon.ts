/** How far a question about the future looks, and how far its answer came; and where an advance goes. */
import type * as z from 'zod'
import type { Status } from '../billing/status.ts'
import { invalidField, orThrow, RefusalError } from '../surface/refusals.ts'
import type { Duration, Instant } from '../time/instant.ts'
import type { ClockAdvance } from '../wire/billing/clock.ts'
import {
  aYearAfter,
  CLOCK_MAX,
  type Destination,
  instantAfter,
  pastEndRefusal,
} from '../world/advance.ts'
import type { Outlook } from '../world/forecast.ts'
import type { World } from '../world/world.ts'

/** The end of a look-ahead: the requested instant of a field, or a year from the virtual now. Throws past the clock's end. */
export function lookAheadEnd(world: World, field: string, requested: Instant | undefined): Instant {
  if (requested !== undefined && requested > CLOCK_MAX)
    return orThrow<Instant>(pastEndRefusal(field, requested))
  return requested ?? aYearAfter(world.clock.now())
}

/**
 * The end of a look-ahead by `until` or `for`; a year from the virtual now without both. Throws for one that is over: that
 * nothing is billed would read as an answer.
 */
export function readLookAheadEnd(
  world: World,
  asked: { readonly until?: Instant | undefined; readonly for?: Duration | undefined },
): Instant {
  const now = world.clock.now()
  if (asked.for !== undefined && asked.until !== undefined)
    throw invalidField('for', 'cannot be combined with until')
  if (asked.for !== undefined) return orThrow<Instant>(instantAfter(now, asked.for, 'for'))
  const until = lookAheadEnd(world, 'until', asked.until)
  if (until >= now) return until
  const message = `until must be ${now}, the virtual now, or later; got ${until}.`
  throw new RefusalError('clock_backwards', message)
}

/** Until when a look-ahead is complete. */
export function presentOutlook({ completeUntil, stoppedBecause }: Outlook) {
  return { complete_until: completeUntil, stopped_because: stoppedBecause }
}

/** Where an advance goes, as its request says. `statusOf` reads the name of a status. */
export function destinationOf(
  body: z.output<typeof ClockAdvance>,
  statusOf: (name: string) => Status,
): Destination {
  if ('by' in body) return { by: body.by }
  if ('to' in body) return { to: body.to }
  if ('to_next' in body) return { toNext: body.to_next }
  const { subscription_id: subscriptionId, status } = body.until
  const until = { subscriptionId, status: statusOf(status) }
  return { until, within: body.within ?? null }
}
