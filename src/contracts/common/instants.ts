/** Instants in the answers of two providers, whose clocks differ: the time between two instants is compared. */

const INSTANT = /^"(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d))"$/
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

/** The instant in a JSON text; null if it holds another value. */
export function instantIn(json: string): Date | null {
  const [, text] = INSTANT.exec(json) ?? []
  const instant = new Date(text ?? Number.NaN)
  return Number.isNaN(instant.getTime()) ? null : instant
}

/** Whether as much time lies between the instants of one pair as of the other: as months, or exactly but for a minute. */
export function isAsFar(one: readonly [Date, Date], other: readonly [Date, Date]): boolean {
  const [between, otherwise] = [millisBetween(one), millisBetween(other)]
  if (Math.abs(between - otherwise) < MINUTE_MS) return true
  const months = monthsOf(one)
  return months !== null && months === monthsOf(other)
}

function millisBetween([from, to]: readonly [Date, Date]): number {
  return to.getTime() - from.getTime()
}

/** Whole calendar months, of which the last day of a month may begin or end one; null for another time. */
function monthsOf([from, to]: readonly [Date, Date]): number | null {
  const months = monthOf(to) - monthOf(from)
  const ofDay = (millisBetween([from, to]) % DAY_MS) / MINUTE_MS
  if (months === 0 || Math.min(Math.abs(ofDay), 24 * 60 - Math.abs(ofDay)) >= 1) return null
  const later = to.getUTCDate() - from.getUTCDate()
  const shorter = later < 0 ? to : from
  return later === 0 || isLastDay(shorter) ? months : null
}

function monthOf(instant: Date): number {
  return instant.getUTCFullYear() * 12 + instant.getUTCMonth()
}

function isLastDay(instant: Date): boolean {
  return new Date(instant.getTime() + DAY_MS).getUTCDate() === 1
}
