/** The stretch of virtual time that a timeline shows: how wide it is, how to move it, and the labels of its axis. */
import { DAY_MS } from '../../time/instant.ts'

/** How much of virtual time is shown at once, in days. */
export const zooms = { week: 7, month: 31, quarter: 92, year: 366 } as const
export type Zoom = keyof typeof zooms

export interface TimeWindow {
  readonly from: string
  readonly until: string
}

/** The part of time that a page shows: `from` is null if it follows the clock. */
export interface Look {
  readonly zoom: Zoom
  readonly from: string | null
}

/** The years between which a window can be moved: before and after these no clock stands. */
const FIRST_MS = Date.UTC(1970, 0, 1)
const LAST_MS = Date.UTC(8990, 0, 1)

/** Reads the query of a link; an invalid `from` follows the clock. */
export function lookOf(query: (name: string) => string | undefined): Look {
  const zoom = query('zoom') ?? ''
  const from = query('from') ?? ''
  const isDay = /^\d{4}-\d\d-\d\d$/.test(from) && !Number.isNaN(Date.parse(from))
  return {
    zoom: Object.hasOwn(zooms, zoom) ? (zoom as Zoom) : 'quarter',
    from: isDay ? from : null,
  }
}

/** The query of a look. */
export function lookQuery({ zoom, from }: Look): { zoom?: string; from?: string } {
  return { ...(zoom !== 'quarter' && { zoom }), ...(from !== null && { from }) }
}

/** The window of a look; it begins at a midnight, and shows more of what is to come than of what was. */
export function timeShown({ zoom, from }: Look, now: string): TimeWindow {
  const days = zooms[zoom]
  const startMs = from === null ? Date.parse(now) - (days / 3) * DAY_MS : Date.parse(from)
  const start = dayFrom(startMs)
  return { from: isoAt(start), until: isoAt(start + days * DAY_MS) }
}

/** The look half a window earlier or later. */
export function moved(look: Look, now: string, direction: -1 | 1): Look {
  const start = Date.parse(timeShown(look, now).from)
  const step = Math.ceil(zooms[look.zoom] / 2) * DAY_MS
  return { ...look, from: dayText(start + direction * step) }
}

/** The look at more or less of the same time; one that goes along with the clock goes on doing so. */
export function zoomed({ zoom, from }: Look, to: Zoom): Look {
  if (from === null) return { zoom: to, from }
  const middle = Date.parse(from) + (zooms[zoom] / 2) * DAY_MS
  return { zoom: to, from: dayText(middle - (zooms[to] / 2) * DAY_MS) }
}

function dayText(millis: number): string {
  return isoAt(dayFrom(millis)).slice(0, 10)
}

function dayFrom(millis: number): number {
  const bounded = Math.min(Math.max(millis, FIRST_MS), LAST_MS)
  return Math.floor(bounded / DAY_MS) * DAY_MS
}

function isoAt(millis: number): string {
  return new Date(millis).toISOString()
}

/** Where an instant stands in a window, in percent of its width; outside of it, below 0 or above 100. */
export function percentAt({ from, until }: TimeWindow, at: string): number {
  const start = Date.parse(from)
  return ((Date.parse(at) - start) / (Date.parse(until) - start)) * 100
}

export interface Tick {
  readonly at: string
  readonly label: string
}

/** The most ticks whose labels stand beside each other on a narrow lane. */
const TICKS_MAX = 14

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Days, weeks or months: the shortest that leaves room for the labels. */
export function ticksOf(window: TimeWindow): Tick[] {
  const days = (Date.parse(window.until) - Date.parse(window.from)) / DAY_MS
  if (days <= TICKS_MAX) return dailyTicks(window, 1)
  if (days <= TICKS_MAX * 7) return dailyTicks(window, 7)
  return monthlyTicks(window)
}

/** Every day, or every Monday. */
function dailyTicks({ from, until }: TimeWindow, step: 1 | 7): Tick[] {
  const ticks: Tick[] = []
  const first = new Date(from)
  while (step === 7 && first.getUTCDay() !== 1) first.setUTCDate(first.getUTCDate() + 1)
  for (let at = first.getTime(); at < Date.parse(until); at += step * DAY_MS) {
    const date = new Date(at)
    ticks.push({ at: isoAt(at), label: `${date.getUTCDate()} ${months[date.getUTCMonth()]}` })
  }
  return ticks
}

/** Every month; those that begin a year, and the first, say which. */
function monthlyTicks({ from, until }: TimeWindow): Tick[] {
  const ticks: Tick[] = []
  const start = new Date(from)
  const offset = start.getUTCDate() === 1 ? 0 : 1
  for (let month = start.getUTCMonth() + offset; ; month += 1) {
    const date = new Date(Date.UTC(start.getUTCFullYear(), month, 1))
    if (date.getTime() >= Date.parse(until)) return ticks
    const name = months[date.getUTCMonth()] ?? ''
    const isNamed = ticks.length === 0 || date.getUTCMonth() === 0
    const label = isNamed ? `${name} ${date.getUTCFullYear()}` : name
    ticks.push({ at: date.toISOString(), label })
  }
}
