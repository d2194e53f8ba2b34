/** The drawing of lanes: a table with an axis, bars and marks, and what they mean in words. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { dayLabel } from '../browser/days.ts'
import { BAR_MIDDLE, BarShape, conditionName, Hatches, heightOf, laneBars } from './bars.tsx'
import type { Lane, MomentKind } from './lane.ts'
import { Attempts, MarkLink, namesEnd, Sign } from './mark-link.tsx'
import { type LaneMark, marksOf, RUN_BEFORE } from './marks.ts'
import { fitInside, percent, percentOfPixels, textPlace, WIDE_LETTER, widthOf } from './room.ts'
import { conditions } from './spans.ts'
import { percentAt, type TimeWindow, ticksOf } from './window.ts'

/** What each mark means, and what it is drawn as, around its middle. */
const marks: Readonly<Record<MomentKind, readonly [name: string, shape: Child]>> = {
  started: ['begins', <circle r="5" />],
  period: ['a period begins', <circle class="hollow" r="4" />],
  failed: ['a payment fails', <path class="stroke" d="M-4 -4 4 4M-4 4 4 -4" />],
  recovered: ['a payment recovers', <path class="stroke" d="M-5 0 -1 4 5 -4" />],
  paused: ['is paused', <path class="stroke" d="M-2.5 -5V5M2.5 -5V5" />],
  resumed: ['resumes', <path d="M-4 -5 5 0 -4 5Z" />],
  changed: ['plan or discount changes', <path d="M0 -6 6 0 0 6 -6 0Z" />],
  ended: ['ends', <rect x="-5" y="-5" width="10" height="10" />],
  other: ['anything else', <circle r="2.5" />],
}

/** The shapes that marks refer to; once a page, before the first lane. */
export const MarkShapes: FC = () => (
  <svg class="unseen" aria-hidden="true">
    <defs>
      {Object.entries(marks).map(([kind, [, shape]]) => (
        <g id={`mark-${kind}`}>{shape}</g>
      ))}
      <Hatches />
    </defs>
  </svg>
)

/** How wide the pill of now is, in pixels. */
const PILL = 60

interface Scale {
  readonly window: TimeWindow
  readonly now: string
}

interface AxisProps extends Scale {
  /** When the next thing falls due, where the clock can be moved by hand: null for nothing. */
  readonly next?: string | null | undefined
}

const Axis: FC<AxisProps> = ({ window, now, next }) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is no drawing.
  <svg class="axis" width="100%" height="29" role="group" aria-label="Virtual time">
    {/* biome-ignore lint/a11y/noAriaHiddenOnFocusable: nothing in it has the focus. */}
    <g aria-hidden="true">
      {isWithin(window, now) && <Line kind="now" x={placeAt(window, now)} top="16" />}
      {ticksOf(window).map(({ at, label }) => {
        const place = textPlace(percentAt(window, at), 3, widthOf(label, WIDE_LETTER))
        return (
          <>
            <Line kind="tick" x={place.x} top="17" bottom="100%" />
            {/* A date that would be cut at the end says nothing. */}
            {place.dx === 3 && (
              <text {...place} y="26">
                {label}
              </text>
            )}
          </>
        )
      })}
    </g>
    {isWithin(window, now) && <Now next={next} window={window} now={now} />}
  </svg>
)

/** Now on the axis. Where the clock can be moved by hand, a script makes a control of it. */
const Now: FC<AxisProps> = ({ next, window, now }) => {
  const half = percentOfPixels(PILL / 2)
  const x = percent(fitInside(percentAt(window, now), half, half))
  if (next === undefined) {
    return (
      <text class="now" x={x} y="12" text-anchor="middle">
        now
      </text>
    )
  }
  return (
    <svg
      id="now"
      x={x}
      data-now={now}
      data-next={next}
      data-from={window.from}
      data-until={window.until}
    >
      <title>Virtual now</title>
      <rect class="target" x="-32" y="-3" width="64" height="24" />
      <rect class="pill" x={-PILL / 2} y="0" width={PILL} height="16" rx="8" />
      <text x="0" y="12" text-anchor="middle">
        {dayLabel(now)}
      </text>
    </svg>
  )
}

const Line: FC<{ kind: 'tick' | 'now'; x: string; top: string; bottom?: string }> = (props) => (
  <line class={props.kind} x1={props.x} x2={props.x} y1={props.top} y2={props.bottom ?? '999'} />
)

const isWithin = ({ from, until }: TimeWindow, at: string) => at >= from && at < until

const placeAt = (window: TimeWindow, at: string) => percent(percentAt(window, at))

interface LaneTableProps extends AxisProps {
  readonly label: string
  readonly caption: string
  /** What the axis shows, in words, and what is above it. */
  readonly axis: Child
  readonly above?: Child
  readonly head?: Child
}

/** Lanes below each other, with the dates above them, and now. */
export const LaneTable: FC<PropsWithChildren<LaneTableProps>> = (props) => {
  const { label, caption, axis, window, now, next, above, head, children } = props
  return (
    <section class="scrolls lanes" tabindex={0} aria-label={label}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">
              <div>{head ?? 'Subscription'}</div>
            </th>
            <th scope="col" class="time">
              <span class="unseen">{axis}</span>
              {above}
              <Axis window={window} now={now} next={next} />
            </th>
          </tr>
        </thead>
        {children}
      </table>
      {/* Where time is moved by hand: what is between now and the place, and the sentence beside it. */}
      <div class="dragged" hidden />
      <div class="outcome" hidden />
    </section>
  )
}

/** The subscription, and what is said below it. */
export type LaneHead = readonly [line: Child, hint?: Child]

interface LaneRowProps extends Scale {
  /** By which a page that changes finds the lane and its marks again. */
  readonly id?: string
  readonly head: LaneHead
  readonly lane: Pick<Lane, 'spans' | 'moments' | 'ribbons' | 'ended'>
  readonly hrefOf: (mark: LaneMark) => string
  readonly label: string
  /** The mark that is shown at the moment, by its first instant. */
  readonly current?: string | undefined
  readonly isCompact?: boolean
  /** What is drawn below the lane. */
  readonly below?: { readonly height: number; readonly shapes: Child }
}

/** How high a compact lane is: its bar alone, with its marks. */
const COMPACT = 24

/** One lane: its head, grid, bars, now, and a link for each mark. */
export const LaneRow: FC<LaneRowProps> = (props) => {
  const { id, head, lane, window, now, hrefOf, label, current, isCompact, below } = props
  const height = heightOf(lane, window)
  const whole = String(isCompact ? COMPACT : height + (below?.height ?? 0))
  const marks = marksOf(lane, window, isCompact)
  return (
    <tr id={id} class={isCompact ? 'compact' : undefined}>
      <th scope="row">
        <div>
          <span class="line">{head[0]}</span> <span class="hint">{head[1]}</span>
        </div>
        {/* The room of the lane, where the head is above it. */}
        <svg width="0" height={whole} aria-hidden="true" />
      </th>
      <td class="time">
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no drawing; this is a group of links. */}
        <svg class="lane" width="100%" height={whole} role="group" aria-label={label}>
          <g transform={isCompact ? `translate(0 ${COMPACT / 2 - BAR_MIDDLE})` : undefined}>
            {ticksOf(window).map(({ at }) => (
              <Line kind="tick" x={placeAt(window, at)} top="-40" />
            ))}
            {laneBars(lane, { window, namesEnd: namesEnd(marks) })}
            {isWithin(window, now) && <Line kind="now" x={placeAt(window, now)} top="-40" />}
            {lane.ended !== null && lane.ended.at < window.from && (
              <Gone words={lane.ended.words} {...{ marks, isCompact }} />
            )}
            {marks.map((mark) => (
              <MarkLink {...{ mark, lane: id, current, isCompact }} href={hrefOf(mark)} />
            ))}
          </g>
          {below && <g transform={`translate(0 ${height})`}>{below.shapes}</g>}
        </svg>
      </td>
    </tr>
  )
}

/** An end before the window: in the middle of the lane, or where a mark would be on it, below it if there is room. */
const Gone: FC<{
  words: string
  marks: readonly LaneMark[]
  isCompact: boolean | undefined
}> = ({ words, marks: [first], isCompact }) => {
  const text = `← ${words}`
  const isCovered = first !== undefined && first.x < widthOf(text) + percentOfPixels(RUN_BEFORE)
  if (isCovered && isCompact) return null
  return (
    <text class="gone" y={BAR_MIDDLE + (isCovered ? 20 : 4)}>
      {text}
    </text>
  )
}

/** One that fails, and one that succeeds, in percent of the width of a sign. */
const legendAttempts = [
  { x: 28, first: 1, number: 1, isPaid: false, isFuture: false },
  { x: 72, first: 2, number: 2, isPaid: true, isFuture: false },
]

export const Legend: FC = () => (
  <ul class="legend" aria-label="Legend">
    {conditions.map((condition) => (
      <LegendItem name={conditionName(condition)}>
        <BarShape condition={condition} x="0" width="24" />
      </LegendItem>
    ))}
    <LegendItem name="outlined: to come, as things stand">
      <BarShape condition="active" isFuture x="1" width="22" />
    </LegendItem>
    {(Object.keys(marks) as MomentKind[]).map((kind) => (
      <MarkMeaning kind={kind} name={marks[kind][0]} />
    ))}
    <AttemptsMeaning />
    <LegendItem name="several, too close to tell apart">
      <g class="mark">
        <Sign kind="other" count={3} x="12" />
      </g>
    </LegendItem>
  </ul>
)

export const AttemptsMeaning: FC = () => (
  <LegendItem name="attempts to pay, by number">
    <g class="mark failed">
      <Attempts attempts={legendAttempts} />
    </g>
  </LegendItem>
)

export const MarkMeaning: FC<{ kind: MomentKind; name: string }> = ({ kind, name }) => (
  <LegendItem name={name}>
    <g class={`mark ${kind}`}>
      <Sign kind={kind} x="12" />
    </g>
  </LegendItem>
)

export const LegendItem: FC<PropsWithChildren<{ name: string }>> = ({ name, children }) => (
  <li>
    <svg width="24" height="24" viewBox={`0 ${BAR_MIDDLE - 12} 24 24`} aria-hidden="true">
      {children}
    </svg>
    {name}
  </li>
)
