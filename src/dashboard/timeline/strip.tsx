/** The strip above the lanes: the money of each month, and a link to the month. It shows where the lanes are in time. */
import type { FC } from 'hono/jsx'
import { amountText, figureText } from '../../wire/text.ts'
import type { MoneyKind, Month, Sum } from './money.ts'
import { ofPixels, percent } from './room.ts'
import { monthName, percentAt, type TimeWindow } from './window.ts'

const HEIGHT = 34
/** Below the names of months and the amounts. */
const TOP = 15

/** Where the bar of each kind is in its month, from 0 to 1. */
const places: Readonly<Record<MoneyKind, readonly [start: number, width: number]>> = {
  paid: [0.05, 0.5],
  discounted: [0.6, 0.14],
  failed: [0.78, 0.14],
}

interface StripProps {
  readonly months: readonly Month[]
  readonly window: TimeWindow
  readonly now: string
  readonly label: string
  readonly hrefOf: (month: TimeWindow) => string
  /** The address of the page, to which a script adds a stretch. */
  readonly href: string
}

export const Strip: FC<StripProps> = ({ months, window, now, label, hrefOf, href }) => {
  const [first, last] = [months[0] ?? window, months.at(-1) ?? window]
  const range = { from: first.from, until: last.until }
  const at = (instant: string) => Math.min(Math.max(percentAt(range, instant), 0), 100)
  const currency = mainCurrency(months)
  const drawn = months.map(({ sums }) => sums?.filter((sum) => sum.currency === currency) ?? [])
  const largest = Math.max(1, ...drawn.flat().map(totalOf))
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is no drawing; this is a group of links.
    <svg
      class="strip"
      width="100%"
      height={HEIGHT}
      role="group"
      aria-label={label}
      {...{ 'data-from': range.from, 'data-until': range.until, 'data-href': href }}
    >
      <rect
        class="shown"
        x={percent(at(window.from))}
        width={percent(at(window.until) - at(window.from))}
        height={HEIGHT}
      />
      {months.map((month, index) => (
        <MonthLink
          month={month}
          sums={drawn[index] ?? []}
          scale={(HEIGHT - TOP) / largest}
          place={[at(month.from), at(month.until) - at(month.from)]}
          href={hrefOf(month)}
        />
      ))}
      {now >= range.from && now < range.until && (
        <line class="present" x1={percent(at(now))} x2={percent(at(now))} y2={HEIGHT} />
      )}
    </svg>
  )
}

interface MonthProps {
  readonly month: Month
  /** Those that are drawn. */
  readonly sums: readonly Sum[]
  /** Pixels for each minor unit. */
  readonly scale: number
  readonly place: readonly [start: number, width: number]
  readonly href: string
}

const MonthLink: FC<MonthProps> = ({ month, sums, scale, place: [start, width], href }) => {
  const name = monthName(month.from)
  const label = `${name} ${month.from.slice(0, 4)}: ${wordsOf(month)}`
  const paid = sums.find(({ kind }) => kind === 'paid')
  const text = month.sums === null ? 'not read' : paid && figureText(totalOf(paid), paid.currency)
  const hasRoom = width > ofPixels(29 + 6.2 * (text?.length ?? 0))
  return (
    <>
      <a href={href} aria-label={label} class="month">
        <title>{label}</title>
        <rect class="target" x={percent(start)} width={percent(width)} height={HEIGHT} />
        {hasRoom && text && (
          <text x={percent(start)} y="11" dx="29">
            {text}
          </text>
        )}
        {sums.map((sum) => (
          <MoneyBars sum={sum} scale={scale} month={[start, width]} />
        ))}
      </a>
      <text class="name" x={percent(start)} y="11" dx="3">
        {name}
      </text>
    </>
  )
}

/** What happened, and above it what is to come. */
const MoneyBars: FC<{ sum: Sum; scale: number; month: readonly [number, number] }> = (props) => {
  const { sum, scale, month } = props
  const [offset, part] = places[sum.kind]
  const place = { x: percent(month[0] + offset * month[1]), width: percent(part * month[1]) }
  const [past, expected] = [sum.past * scale, sum.expected * scale]
  return (
    <g class={`money ${sum.kind}`}>
      {past > 0 && <rect {...place} y={HEIGHT - past} height={past} />}
      {past > 0 && sum.kind !== 'paid' && (
        <rect
          {...place}
          {...{ y: HEIGHT - past, height: past }}
          fill={`url(#hatch-${sum.kind === 'failed' ? 'past_due' : 'discount'})`}
        />
      )}
      {expected > 0 && (
        <rect class="future" {...place} y={HEIGHT - past - expected} height={expected} />
      )}
    </g>
  )
}

/** The currency of most months; the others are in words only. */
export function mainCurrency(months: readonly Month[]): string {
  const counts = new Map<string, number>()
  for (const { currency } of months.flatMap(({ sums }) => sums ?? [])) {
    counts.set(currency, (counts.get(currency) ?? 0) + 1)
  }
  const [[currency] = ['']] = [...counts].sort(([, one], [, other]) => other - one)
  return currency
}

function totalOf({ past, expected }: Sum): number {
  return past + expected
}

/** The sums of a month: `118.00 USD paid, 33.00 USD of it expected; 5.00 USD discounted`. */
function wordsOf({ sums }: Month): string {
  if (sums === null) return 'not read, or only in part'
  const words = sums.map((sum) => {
    const all = `${amountText(totalOf(sum), sum.currency)} ${sum.kind}`
    if (sum.expected === 0) return all
    const expected = amountText(sum.expected, sum.currency)
    return sum.past === 0 ? `${all} (expected)` : `${all} (${expected} of it expected)`
  })
  return words.join(', ') || 'no money'
}
