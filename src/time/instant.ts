/**
 * Instants and durations. Owns how a moment is written (UTC, milliseconds, as `toISOString` prints it) and how time is
 * added to it. Never reads a clock: every `now` is an argument.
 */
import * as z from 'zod'

const YEAR_MIN = 1970
const YEAR_MAX = 9999

const INSTANT_MIN_MS = Date.UTC(YEAR_MIN, 0, 1)
export const INSTANT_MAX_MS = Date.UTC(YEAR_MAX, 11, 31, 23, 59, 59, 999)

const canonical =
  /^(?:19[7-9]\d|[2-9]\d{3})-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}Z$/

/**
 * A moment in UTC, such as `2027-01-31T10:00:00.000Z`. All instants have the same length, so comparing the
 * strings compares the moments.
 */
export const Instant = z
  .string()
  .refine((text) => canonical.test(text) && isDayOfMonth(text))
  .brand<'Instant'>()
export type Instant = z.infer<typeof Instant>

/** Milliseconds in a day; a day of trial is exactly this long. */
export const DAY_MS = 86_400_000

export function millisOf(instant: Instant): number {
  return Date.parse(instant)
}

/** The instant at these milliseconds since 1970. Throws outside the years that instants can write. */
export function instantAt(millis: number): Instant {
  if (!isWritable(millis)) throw new RangeError(`No instant can be written ${millis} ms after 1970`)
  return new Date(millis).toISOString() as Instant
}

/** Whether these milliseconds since 1970 can be written as an instant. */
export function isWritable(millis: number): boolean {
  return Number.isInteger(millis) && millis >= INSTANT_MIN_MS && millis <= INSTANT_MAX_MS
}

/** The instant `millis` later (or earlier, if negative). */
export function addMillis(instant: Instant, millis: number): Instant {
  return instantAt(millisOf(instant) + millis)
}

/** As `addMillis`, but at most the last writable instant: no clock reaches it. */
export function addMillisAtMost(instant: Instant, millis: number): Instant {
  return instantAt(Math.min(millisOf(instant) + millis, INSTANT_MAX_MS))
}

/** Milliseconds from `start` to `end`; negative if `end` comes first. */
export function millisBetween(start: Instant, end: Instant): number {
  return millisOf(end) - millisOf(start)
}

/** Midnight in UTC of the day of an instant. */
export function startOfDay(instant: Instant): Instant {
  return instantAt(Math.floor(millisOf(instant) / DAY_MS) * DAY_MS)
}

/** A span of time: calendar months, then exact milliseconds. */
export interface Duration {
  readonly months: number
  readonly millis: number
}

const iso8601 =
  /^P(?!$)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,7})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12})(?:\.(\d{1,3}))?S)?)?$/

/** Parses an ISO 8601 duration such as `P14D`, `P1M` or `PT0.001S`; null if invalid. */
export function parseDuration(text: string): Duration | null {
  const parts = iso8601.exec(text)
  if (parts === null) return null
  const [years, months, weeks, days, hours, minutes, seconds] = parts
    .slice(1, 8)
    .map((part) => Number(part ?? 0)) as [number, number, number, number, number, number, number]
  const thousandths = Number((parts[8] ?? '').padEnd(3, '0'))
  return {
    months: years * 12 + months,
    millis:
      (weeks * 7 + days) * DAY_MS +
      hours * 3_600_000 +
      minutes * 60_000 +
      seconds * 1000 +
      thousandths,
  }
}

/** Milliseconds of a duration without calendar months; null if it has any. */
export function exactMillis(text: string): number | null {
  const duration = parseDuration(text)
  return duration === null || /^P[^T]*[YMW]/.test(text) ? null : duration.millis
}

/** The instant a duration later: whole months first (the day clamped to the month's last), then milliseconds. */
export function addDuration(instant: Instant, duration: Duration): Instant {
  return addMillis(addMonths(instant, duration.months), duration.millis)
}

/** The same day and time of day `months` calendar months later, the day clamped to the month's last. */
export function addMonths(instant: Instant, months: number): Instant {
  const date = new Date(instant)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  // A day that the month does not have rolls over into the next month; day 0 is the last of the month before.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return instantAt(date.getTime())
}

/** As `addMonths`, but at most the last writable instant: no clock reaches it. */
export function addMonthsAtMost(instant: Instant, months: number): Instant {
  const date = new Date(instant)
  const monthsLeft = (YEAR_MAX - date.getUTCFullYear()) * 12 + 11 - date.getUTCMonth()
  return months > monthsLeft ? instantAt(INSTANT_MAX_MS) : addMonths(instant, months)
}

/** Whether the month has that day. Dates are parsed only if necessary: loading a large world checks many. */
function isDayOfMonth(text: string): boolean {
  return text.slice(8, 10) <= '28' || new Date(text).getUTCDate() === Number(text.slice(8, 10))
}
