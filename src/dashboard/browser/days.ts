/** Steps of virtual time by whole days, which begin at midnight in UTC. */

const DAY_MS = 86_400_000

const dayOf = (at: number) => Math.floor(at / DAY_MS) * DAY_MS

/** The first instant of the next day. */
export const nextDay = (at: number) => dayOf(at) + DAY_MS

/** The last instant of the day before. */
export const dayBefore = (at: number) => dayOf(at) - 1

/** The same day of another month, or its last day. */
export function addMonth(at: number, months: number): number {
  const date = new Date(at)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + months)
  // A day that the month does not have is one of the next month.
  if (date.getUTCDate() !== day) date.setUTCDate(0)
  return date.getTime()
}

/** Where a form of the clock moves it to, from an instant; NaN where only the sandbox knows. */
export function endOfMove(form: URLSearchParams | FormData, from: number): number {
  const by = String(form.get('move') ?? form.get('by'))
  const [, count, unit] = /^P(\d+)([DWMY])$/.exec(by) ?? []
  if (unit === 'M' || unit === 'Y') return addMonth(from, Number(count) * (unit === 'M' ? 1 : 12))
  if (unit) return from + Number(count) * (unit === 'W' ? 7 : 1) * DAY_MS
  return Date.parse(String(form.get('to')))
}

/** Of the day of a place: its first instant if it is after now, its last one if it is before; now on that very day. */
export function dayNear(at: number, now: number): number {
  const day = dayOf(at)
  if (day === dayOf(now)) return now
  return day > now ? day : day + DAY_MS - 1
}

const months = new Intl.DateTimeFormat('en', { month: 'short', timeZone: 'UTC' })

/** The month of an instant: `Mar`. */
export const monthName = (at: number | string) => months.format(new Date(at))

/** A day as an axis says it: `15 Mar`. */
export const dayLabel = (at: number | string) => `${new Date(at).getUTCDate()} ${monthName(at)}`
