/** The strip above the lanes: the money of each month, and a link to the month. It shows where the lanes are in time. */
import type { Child, FC } from 'hono/jsx'
import { countText } from '../../wire/common/text.ts'
import { monthName } from '../browser/days.ts'
import { usePage } from '../ui/page-context.ts'
import { moneyFigure, moneyText } from '../ui/values.tsx'
import type { MoneyKind, Month, Sum } from './money.ts'
import type { Timeline } from './read.ts'
import { percent, percentOfPixels, widthOf } from './room.ts'
import { daysLook, percentAt, zooms } from './window.ts'

const HEIGHT = 34
/** Where bars end, below the names of months and their amounts. */
const TOP = 23

/** Where the bar of each kind is in its month, from 0 to 1. */
const places: Readonly<Record<MoneyKind, readonly [start: number, width: number]>> = {
  paid: [0.05, 0.5],
  discounted: [0.6, 0.14],
  failed: [0.78, 0.14],
}

export const Strip: FC<{ timeline: Timeline }> = ({ timeline }) => {
  const { lanes, months, window, to } = timeline
  const { now } = usePage().clock
  const [first, last] = [months[0] ?? window, months.at(-1) ?? window]
  const range = { from: first.from, until: last.until }
  const at = (instant: string) => Math.min(Math.max(percentAt(range, instant), 0), 100)
  const currency = mainCurrency(months)
  const drawnOf = ({ sums }: Month) => sums?.filter((sum) => sum.currency === currency) ?? []
  const largest = Math.max(1, ...months.flatMap(drawnOf).map(totalOf))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no drawing; this is a group of links.
    <svg
      class="strip"
      width="100%"
      height={HEIGHT}
      role="group"
      aria-label={`Money by month of ${countText(lanes.length, 'subscription')}`}
      data-from={range.from}
      data-until={range.until}
      // To which a script adds a stretch.
      data-href={to({ from: null, days: zooms.quarter })}
    >
      <rect
        class="shown"
        x={percent(at(window.from))}
        width={percent(at(window.until) - at(window.from))}
        height={HEIGHT}
      />
      {months.map((month) => {
        const place = [at(month.from), at(month.until) - at(month.from)] as const
        const bars = drawnOf(month).map((sum) => moneyBars(sum, place, (HEIGHT - TOP) / largest))
        const href = to(daysLook(month.from, month.until))
        const isNamed = month === first || month.from.slice(5, 7) === '01'
        return monthLink(month, place, { href, bars, currency, isNamed })
      })}
      {now >= range.from && now < range.until && (
        <line class="present" x1={percent(at(now))} x2={percent(at(now))} y2={HEIGHT} />
      )}
    </svg>
  )
}

/** How much of a month is free beside a text, in percent. */
const GAP = percentOfPixels(3)

/** Where something is on the strip, in percent. */
type Place = readonly [start: number, width: number]

function monthLink(
  month: Month,
  [start, width]: Place,
  drawn: { href: string; bars: Child; currency: string; isNamed: boolean },
): Child {
  const { href, bars, currency, isNamed } = drawn
  const [name, year] = [monthName(month.from), month.from.slice(0, 4)]
  const label = `${name} ${year}: ${wordsOf(month)}`
  // The first month, and those that begin a year, say which year.
  const full = `${name} ${year}`
  const withYear = width > widthOf(full) + GAP ? full : `${name} ’${year.slice(2)}`
  const paid = month.sums?.find((sum) => sum.kind === 'paid' && sum.currency === currency)
  const text = month.sums === null ? 'not read' : paid && moneyFigure(totalOf(paid), currency)
  return [
    <a href={href} aria-label={label} class="month" id={`month_${month.from}`}>
      <title>{label}</title>
      <rect class="target" x={percent(start)} width={percent(width)} height={HEIGHT} />
      {bars}
      {text && width > widthOf(text) + GAP && (
        <text x={percent(start)} y="21" dx="3">
          {text}
        </text>
      )}
    </a>,
    <text class="name" x={percent(start)} y="9" dx="3">
      {isNamed ? withYear : name}
    </text>,
  ]
}

/** What happened, and above it what is to come, at so many pixels for each minor unit. */
function moneyBars({ kind, ...sum }: Sum, [start, width]: Place, scale: number): Child {
  const [offset, part] = places[kind]
  const place = { x: percent(start + offset * width), width: percent(part * width) }
  const [past, expected] = [sum.past * scale, sum.expected * scale]
  const bar = { ...place, y: HEIGHT - past, height: past }
  return (
    <g class={`money ${kind}`}>
      {past > 0 && <rect {...bar} />}
      {past > 0 && kind !== 'paid' && (
        <rect {...bar} fill={`url(#hatch-${kind === 'failed' ? 'past_due' : 'discount'})`} />
      )}
      {expected > 0 && (
        <rect class="future" {...place} y={HEIGHT - past - expected} height={expected} />
      )}
    </g>
  )
}

/** The currency of most amounts; the others are in words only. */
export function mainCurrency(months: readonly Month[]): string {
  const counts = new Map<string, number>()
  for (const { currency, count } of months.flatMap(({ sums }) => sums ?? [])) {
    counts.set(currency, (counts.get(currency) ?? 0) + count)
  }
  const [[currency] = ['']] = [...counts].sort(([, one], [, other]) => other - one)
  return currency
}

const totalOf = ({ past, expected }: Sum) => past + expected

/** The sums of a month: `118.00 USD paid, 33.00 USD of it expected; 5.00 USD discounted`. */
function wordsOf({ sums }: Month): string {
  if (sums === null) return 'not read, or only in part'
  const words = sums.map((sum) => {
    const all = `${moneyText(totalOf(sum), sum.currency)} ${sum.kind}`
    if (sum.expected === 0) return all
    const expected = moneyText(sum.expected, sum.currency)
    return sum.past === 0 ? `${all} (expected)` : `${all} (${expected} of it expected)`
  })
  return words.join(', ') || 'no money'
}
