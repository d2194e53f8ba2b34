/** The bars of a lane: conditions with the plan, and discounts below them. */
import type { Child, FC } from 'hono/jsx'
import type { Lane } from './lane.ts'
import { percent, percentOfPixels, textPlace, widthOf } from './room.ts'
import type { Condition, Ribbon, Span } from './spans.ts'
import { percentAt, type TimeWindow } from './window.ts'

/** How far below the top of a lane its bar and its marks are, and in legends those that they explain. */
export const BAR_MIDDLE = 28
/** Where names stand, below their bar, and the height of a lane with them. */
const NAMES = 48
const LANE_HEIGHT = 54
/** The height of the row of a discount. */
const RIBBON = 16

/** What a bar is of: a condition, or the future with a change, whose bar has a double outline. */
type BarKind = Condition | 'branch'

/** Bars that are hatched, so that colour is not all that tells them apart. */
const hatched: readonly BarKind[] = ['trialing', 'past_due', 'branch']

const angles: Readonly<Record<string, number>> = { past_due: -45, branch: 0 }

/** How bars and discounts are hatched; once a page. */
export const Hatches: FC = () => (
  <>
    {[...hatched, 'discount'].map((name) => (
      <pattern
        {...{ id: `hatch-${name}`, class: `hatch ${name}`, width: '6', height: '6' }}
        patternUnits="userSpaceOnUse"
        patternTransform={`rotate(${angles[name] ?? 45})`}
      >
        <line y2="6" />
      </pattern>
    ))}
  </>
)

export function conditionName(condition: Condition): string {
  return condition === 'trialing' ? 'trial' : condition.replace('_', ' ')
}

/** How far beyond the window that is drawn which goes on there, so that it has no end. */
const BEYOND = 4

/** The start and the end of what lasts, in percent of the window; null if it is not in it. */
function extentIn(window: TimeWindow, from: string, until: string | null) {
  const start = Math.max(percentAt(window, from), -BEYOND)
  const end = Math.min(until === null ? 100 + BEYOND : percentAt(window, until), 100 + BEYOND)
  return end <= Math.max(start, 0) || start >= 100 ? null : { start, end }
}

/** Where bars are drawn, and up to where their names have room, in percent. */
interface BarPlace {
  readonly window: TimeWindow
  readonly namesEnd: number
}

function barOf(
  { condition, plan, from, until, isFuture }: Span,
  [before, after]: readonly [Span | undefined, Span | undefined],
  { window, namesEnd }: BarPlace,
): Child {
  const extent = extentIn(window, from, until)
  if (extent === null) return null
  const { end } = extent
  // Just before the window the one before it is not drawn, and it must not look like the first.
  const start = extent.start < 0 && before?.until === from ? -BEYOND : extent.start
  const goesOnIn = (other: Span | undefined) =>
    other?.condition === condition && other.plan === plan ? other : undefined
  const isMoved = before !== undefined && before.plan !== plan && start >= 0
  const state = condition === 'active' ? [] : [conditionName(condition)]
  // A plan that goes on in another condition is not named again.
  const isNamedBefore = state.length > 0 && before?.plan === plan && start > 0
  const name = [...(isNamedBefore ? [] : [`${isMoved ? '→ ' : ''}${plan}`]), ...state].join(', ')
  // What goes on is not named again, and a short bar has no room for its name.
  const isNew = goesOnIn(before) === undefined || start <= 0
  const shown = Math.max(start, 0)
  const room = Math.min(percentAt(window, goesOnIn(after)?.until ?? until), namesEnd) - shown
  const isNamed = isNew && room >= percentOfPixels(7 * name.length)
  return [
    <BarShape {...{ condition, isFuture }} x={percent(start)} width={percent(end - start)} />,
    isNamed && (
      <text x={percent(shown)} y={NAMES} dx="3">
        {name}
      </text>
    ),
  ]
}

type Lasting = Pick<Lane, 'spans' | 'ribbons'>

function ribbonsIn({ ribbons }: Lasting, window: TimeWindow): readonly Ribbon[] {
  return ribbons.filter(({ from, until }) => extentIn(window, from, until) !== null)
}

/** The height of a lane, with a row for each discount. */
export function heightOf(lane: Lasting, window: TimeWindow): number {
  return LANE_HEIGHT + RIBBON * ribbonsIn(lane, window).length
}

export function laneBars(lane: Lasting, place: BarPlace): Child {
  const { spans } = lane
  return [
    spans.map((span, index) => barOf(span, [spans[index - 1], spans[index + 1]], place)),
    ribbonsIn(lane, place.window).map((ribbon, index) => ribbonOf(ribbon, index, place.window)),
  ]
}

/** A discount, in its row below the bar. */
function ribbonOf({ coupon, words, from, until }: Ribbon, row: number, window: TimeWindow): Child {
  const extent = extentIn(window, from, until)
  if (extent === null) return null
  const { start, end } = extent
  const y = LANE_HEIGHT + RIBBON * row
  const [text, shown] = [`${coupon} ${words}`, Math.max(start, 0)]
  const place = { x: percent(start), y, width: percent(end - start), height: 12 }
  return (
    <g class="ribbon">
      <title>{`${coupon}: ${words}`}</title>
      <rect {...place} fill="url(#hatch-discount)" />
      <text {...textPlace(shown, 4, widthOf(text))} y={y + 10}>
        {text}
      </text>
    </g>
  )
}

/** A bar; hatched, unless it is to come. */
export const BarShape: FC<{
  condition: BarKind
  isFuture?: boolean
  x: string
  width: string
}> = ({ condition, isFuture = false, ...extent }) => {
  const height = condition === 'paused' ? 4 : 12
  const place = { ...extent, y: BAR_MIDDLE - height / 2, height }
  return (
    <>
      <rect class={`bar ${condition}${isFuture ? ' future' : ''}`} {...place} />
      {hatched.includes(condition) && !isFuture && (
        <rect {...place} fill={`url(#hatch-${condition})`} />
      )}
    </>
  )
}
