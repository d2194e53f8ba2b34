/**
 * Instants and durations. Owns how a moment is written (UTC, milliseconds, as `toISOString` prints it) and how
 * time is added to it. Never reads a clock: every `now` is handed in.
 */
import * as z from 'zod'

const YEAR_MIN = 1970
/** The last year of four digits. */
const YEAR_MAX = 9999

const INSTANT_MIN_MS = Date.UTC(YEAR_MIN, 0, 1)
export const INSTANT_MAX_MS = Date.UTC(YEAR_MAX, 11, 31, 23, 59, 59, 999)

const canonical = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/**
 * A moment in UTC, such as `2027-01-31T10:00:00.000Z`. All instants have the same length, so comparing the
 * strings compares the moments.
 */
export const Instant = z
  .string()
  .refine((text) => canonical.test(text) && isRealMoment(text))
  .brand<'Instant'>()
export type Instant = z.infer<typeof Instant>

/** Milliseconds in a day; a day of trial is exactly this long, whatever a calendar says. */
export const DAY_MS = 86_400_000

/** The instant as milliseconds since 1970. */
export function millisOf(instant: Instant): number {
  return Date.parse(instant)
}

/** The instant at these milliseconds since 1970. Throws outside the years that instants can write. */
export function instantAt(millis: number): Instant {
  const known = written.get(millis)
  if (known !== undefined) return known
  if (!isWritable(millis)) throw new RangeError(`No instant can be written ${millis} ms after 1970`)
  const instant = new Date(millis).toISOString() as Instant
  if (written.size === WRITTEN_MAX) written.clear()
  written.set(millis, instant)
  return instant
}

/** Instants as they were written: while a clock stands still, the same few are written over and over. */
const written = new Map<number, Instant>()
const WRITTEN_MAX = 1000

/** Whether an instant exists at these milliseconds since 1970. */
export function isWritable(millis: number): boolean {
  return Number.isInteger(millis) && millis >= INSTANT_MIN_MS && millis <= INSTANT_MAX_MS
}

/** The instant `millis` later (or earlier, when negative). */
export function plus(instant: Instant, millis: number): Instant {
  return instantAt(millisOf(instant) + millis)
}

/** As `plus`, but no later than the last instant that can be written: no clock gets that far. */
export function plusAtMost(instant: Instant, millis: number): Instant {
  return instantAt(Math.min(millisOf(instant) + millis, INSTANT_MAX_MS))
}

/** Milliseconds from `start` to `end`; negative when `end` comes first. */
export function elapsed(start: Instant, end: Instant): number {
  return millisOf(end) - millisOf(start)
}

/** A span of time: calendar months, then exact milliseconds. */
export interface Duration {
  readonly months: number
  readonly millis: number
}

const iso8601 =
  /^P(?!$)(?:(\d{1,5})Y)?(?:(\d{1,5})M)?(?:(\d{1,5})W)?(?:(\d{1,7})D)?(?:T(?=\d)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,12})(?:\.(\d{1,3}))?S)?)?$/

/** Reads an ISO 8601 duration such as `P14D`, `P1M` or `PT0.001S`; null when it is not one. */
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

/** Milliseconds of a duration that holds no calendar months; null otherwise. */
export function exactMillis(text: string): number | null {
  const duration = parseDuration(text)
  return duration === null || /^P[^T]*[YMW]/.test(text) ? null : duration.millis
}

/** The instant a duration later: whole months first (the day clamped to the month's last), then milliseconds. */
export function after(instant: Instant, duration: Duration): Instant {
  return plus(addMonths(instant, duration.months), duration.millis)
}

/** The same day and time of day `months` calendar months later, the day clamped to the month's last. */
export function addMonths(instant: Instant, months: number): Instant {
  const monthsSinceZero = numberIn(instant, 0, 4) * 12 + numberIn(instant, 5, 7) - 1 + months
  const year = Math.floor(monthsSinceZero / 12)
  const month = monthsSinceZero - year * 12
  if (year < YEAR_MIN || year > YEAR_MAX)
    throw new RangeError(`No instant can be written in ${year}`)
  const day = Math.min(numberIn(instant, 8, 10), daysIn(year, month))
  return `${year}-${twoDigits(month + 1)}-${twoDigits(day)}${instant.slice(10)}` as Instant
}

/** As `addMonths`, but no later than the last instant that can be written: no clock gets that far. */
export function addMonthsAtMost(instant: Instant, months: number): Instant {
  const monthsLeft = (YEAR_MAX - numberIn(instant, 0, 4)) * 12 + 12 - numberIn(instant, 5, 7)
  return months > monthsLeft ? instantAt(INSTANT_MAX_MS) : addMonths(instant, months)
}

/** The digits of an instant from one place to another: to parse and write it anew would take five times as long. */
function numberIn(instant: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at += 1) number = number * 10 + instant.charCodeAt(at) - 48
  return number
}

function twoDigits(number: number): string {
  return number < 10 ? `0${number}` : `${number}`
}

/** The length of a month; January is 0. */
function daysIn(year: number, month: number): number {
  if (month === 1) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return [3, 5, 8, 10].includes(month) ? 30 : 31
}

/** Whether these digits are a day of the calendar and a time of that day: neither 30 February nor 24 o'clock is. */
function isRealMoment(text: string): boolean {
  const month = numberIn(text, 5, 7)
  const day = numberIn(text, 8, 10)
  return (
    numberIn(text, 0, 4) >= YEAR_MIN &&
    month >= 1 &&
    month <= 12 &&
    day >= 1 &&
    day <= daysIn(numberIn(text, 0, 4), month - 1) &&
    numberIn(text, 11, 13) <= 23 &&
    numberIn(text, 14, 16) <= 59 &&
    numberIn(text, 17, 19) <= 59
  )
}
