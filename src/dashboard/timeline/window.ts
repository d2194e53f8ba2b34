/** The stretch of virtual time that a timeline shows: how wide it is, how to move it, and the labels of its axis. */
import { DAY_MS } from '../../time/instant.ts'
import { CLOCK_MAX } from '../../world/advance.ts'
import { dayLabel, monthName } from '../browser/days.ts'
import { withinClock } from '../reading/preview.ts'

/** How much of virtual time is shown at once, in days. */
export const zooms = { week: 7, month: 31, quarter: 92, year: 366 } as const
export const zoomNames = Object.keys(zooms) as (keyof typeof zooms)[]

export interface TimeWindow {
  readonly from: string
  readonly until: string
}

/** The part of time that a page shows: `from` is null if it follows the clock. */
export interface Look {
  readonly from: string | null
  /** 1 to 366. */
  readonly days: number
}

/** Before which no clock is. */
const FIRST_MS = Date.UTC(1970, 0, 1)

/** Reads the query of a link: a zoom, or the days `from` and `until`. An invalid `from` follows the clock. */
export function lookOf(query: (name: string) => string | undefined): Look {
  const [from = null, until] = [dayIn(query('from')), dayIn(query('until'))]
  const zoom = zoomNames.find((each) => each === query('zoom')) ?? 'quarter'
  if (from === null || until === undefined || until <= from) return { from, days: zooms[zoom] }
  return daysLook(from, until)
}

/** The look at the days from one to before another; of more than a year, at the first. */
export function daysLook(from: string, until: string): Look {
  const days = Math.round((Date.parse(until) - Date.parse(from)) / DAY_MS)
  return { from: dayText(Date.parse(from)), days: Math.min(days, zooms.year) }
}

/** Not a day that its month lacks, which would be one of the next month. */
function dayIn(text = ''): string | undefined {
  return new Date(text).toJSON()?.slice(0, 10) === text ? text : undefined
}

export function lookQuery({ from, days }: Look) {
  const zoom = zoomNames.find((each) => zooms[each] === days)
  const until = zoom || from === null ? null : dayText(Date.parse(from) + days * DAY_MS)
  return { zoom: zoom === 'quarter' ? null : (zoom ?? null), from, until }
}

/** The window of a look; it begins at a midnight, and shows more of what is to come than of what was. */
export function timeShown({ from, days }: Look, now: string): TimeWindow {
  const width = days * DAY_MS
  const start = dayFrom(from === null ? Date.parse(now) - width / 3 : Date.parse(from))
  return { from: isoAt(start), until: isoAt(start + width) }
}

/** The look half a window earlier or later. */
export function moveLook(look: Look, now: string, direction: -1 | 1): Look {
  const start = Date.parse(timeShown(look, now).from)
  const step = Math.ceil(look.days / 2) * DAY_MS
  return { ...look, from: dayText(start + direction * step) }
}

/** The look at more or less of the same time; one that goes along with the clock goes on doing so. */
export function zoomLook({ from, days: before }: Look, days: number): Look {
  if (from === null) return { from, days }
  return { from: dayText(Date.parse(from) + ((before - days) / 2) * DAY_MS), days }
}

/** The first days of the months of a window, of some before it and after it; the last one ends them. */
export function monthsAround({ from, until }: TimeWindow): string[] {
  const [first, last] = [new Date(from), new Date(until)]
  const years = last.getUTCFullYear() - first.getUTCFullYear()
  const count = years * 12 + last.getUTCMonth() - first.getUTCMonth()
  const around = count > 6 ? 1 : 3
  return Array.from({ length: count + 2 * around + 1 }, (_, index) =>
    isoAt(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + index - around, 1)),
  )
}

/** Up to when the future of a window is read: to the end of its months, or of the clock. */
export function endAhead(window: TimeWindow): string {
  return withinClock(monthsAround(window).at(-1) ?? window.until)
}

const dayText = (millis: number) => isoAt(dayFrom(millis)).slice(0, 10)

function dayFrom(millis: number): number {
  const bounded = Math.min(Math.max(millis, FIRST_MS), Date.parse(CLOCK_MAX))
  return Math.floor(bounded / DAY_MS) * DAY_MS
}

export const isoAt = (millis: number) => new Date(millis).toISOString()

/** The place of an instant in a window, in percent of its width; outside of it, below 0 or above 100. */
export function percentAt({ from, until }: TimeWindow, at: string): number {
  const start = Date.parse(from)
  return ((Date.parse(at) - start) / (Date.parse(until) - start)) * 100
}

/** The most ticks whose labels have room beside each other on a narrow lane. */
const TICKS_MAX = 14

/** Every day, every Monday or the first day of every month: the shortest that leaves room for the labels. */
export function ticksOf({ from, until }: TimeWindow) {
  const days = (Date.parse(until) - Date.parse(from)) / DAY_MS
  const isMonthly = days > TICKS_MAX * 7
  const ticks: { readonly at: string; readonly label: string }[] = []
  const first = Math.ceil(Date.parse(from) / DAY_MS) * DAY_MS
  for (let at = first; at < Date.parse(until); at += DAY_MS) {
    const date = new Date(at)
    if (isMonthly ? date.getUTCDate() !== 1 : days > TICKS_MAX && date.getUTCDay() !== 1) continue
    const month = monthName(at)
    // The first month, and those that begin a year, say which year.
    const isNamed = ticks.length === 0 || date.getUTCMonth() === 0
    const monthly = isNamed ? `${month} ${date.getUTCFullYear()}` : month
    ticks.push({ at: isoAt(at), label: isMonthly ? monthly : dayLabel(at) })
  }
  return ticks
}
