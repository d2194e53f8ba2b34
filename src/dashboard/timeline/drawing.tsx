/** The drawing of lanes: a table with an axis, bars and marks, and what they mean in words. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import { Axis, type AxisProps, isWithin, Line, placeAt, type Scale } from './axis.tsx'
import { BAR_MIDDLE, BarShape, conditionName, Hatches, heightOf, laneBars } from './bars.tsx'
import type { Lane, MomentKind } from './lane.ts'
import { Attempts, MarkLink, namesEnd, Sign } from './mark-link.tsx'
import { type LaneMark, marksOf } from './marks.ts'
import { conditions } from './spans.ts'
import { ticksOf } from './window.ts'

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

interface LaneTableProps extends AxisProps {
  readonly label: string
  readonly caption: string
  /** What the axis shows, in words, and what is above it. */
  readonly axis: Child
  readonly above?: Child
  /** The head of the subscriptions. */
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
    </section>
  )
}

/** The subscription, and what is said below it. */
export type LaneHead = readonly [line: Child, hint?: Child]

interface LaneRowProps extends Scale {
  readonly head: LaneHead
  readonly lane: Pick<Lane, 'spans' | 'moments' | 'ribbons' | 'ended'>
  /** Where a mark leads. */
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
  const { head, lane, window, now, hrefOf, label, current, isCompact, below } = props
  const height = heightOf(lane, window)
  const whole = String(isCompact ? COMPACT : height + (below?.height ?? 0))
  const marks = marksOf(lane, window, isCompact)
  return (
    <tr class={isCompact ? 'compact' : undefined}>
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
              <text class="gone" y={BAR_MIDDLE + 4}>{`← ${lane.ended.words}`}</text>
            )}
            {marks.map((mark) => (
              <MarkLink {...{ mark, current, isCompact }} href={hrefOf(mark)} />
            ))}
          </g>
          {below && <g transform={`translate(0 ${height})`}>{below.shapes}</g>}
        </svg>
      </td>
    </tr>
  )
}

/** One that fails, and one that succeeds, in percent of the width of a sign. */
const legendAttempts = [
  { x: 28, first: 1, number: 1, isPaid: false, isFuture: false },
  { x: 72, first: 2, number: 2, isPaid: true, isFuture: false },
]

/** What bars and marks mean. */
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
    <LegendItem name="attempts to pay, by number">
      <g class="mark failed">
        <Attempts attempts={legendAttempts} />
      </g>
    </LegendItem>
    <LegendItem name="several, too close to tell apart">
      <g class="mark">
        <Sign kind="other" count={3} x="12" />
      </g>
    </LegendItem>
  </ul>
)

/** What one mark means. */
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
