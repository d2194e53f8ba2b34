/**
 * Periods. Owns where one billing period ends and the next begins. Does not decide its amount (see invoice) or when a
 * trial ends (see subscription).
 */
import * as z from 'zod'
import { addMillis, addMonths, DAY_MS, type Instant } from './instant.ts'

export const IntervalUnit = z.enum(['day', 'week', 'month', 'year'])
export type IntervalUnit = z.infer<typeof IntervalUnit>

/** How often a plan bills: every `count` units. */
export interface Interval {
  readonly unit: IntervalUnit
  readonly count: number
}

/**
 * Boundary `n` of the schedule that starts at `anchor`. Always computed from the anchor itself: from boundary to
 * boundary, a subscriber of the 31st would drift to the 28th for ever.
 */
export function boundary(anchor: Instant, interval: Interval, n: number): Instant {
  const units = interval.count * n
  switch (interval.unit) {
    case 'day':
      return addMillis(anchor, units * DAY_MS)
    case 'week':
      return addMillis(anchor, units * 7 * DAY_MS)
    case 'month':
      return addMonths(anchor, units)
    case 'year':
      return addMonths(anchor, units * 12)
  }
}

export function sameInterval(one: Interval, other: Interval): boolean {
  return one.unit === other.unit && one.count === other.count
}
