/** The drawing of lanes: a table with an axis, bars, marks and the line of now, and what they mean in words. */
import type { Child, FC, PropsWithChildren } from 'hono/jsx'
import {
  BAR_MIDDLE,
  BarShape,
  conditionName,
  Hatches,
  heightOf,
  LaneBars,
  percent,
} from './bars.tsx'
import type { Lane, MomentKind } from './lane.ts'
import { type LaneMark, marksOf } from './marks.ts'
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

/** Where the last date may begin, in percent. */
const LABELS_END = 95

interface Scale {
  readonly window: TimeWindow
  readonly now: string
}

interface LaneTableProps extends Scale {
  readonly label: string
  readonly caption: string
  /** What the axis shows, in words. */
  readonly axis: Child
}

/** Lanes below each other, with the dates above them, and now. */
export const LaneTable: FC<PropsWithChildren<LaneTableProps>> = (props) => {
  const { label, caption, axis, window, now, children } = props
  return (
    <section class="scrolls lanes" tabindex={0} aria-label={label}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">Subscription</th>
            <th scope="col" class="time">
              <span class="unseen">{axis}</span>
              <Axis window={window} now={now} />
            </th>
          </tr>
        </thead>
        {children}
      </table>
    </section>
  )
}

const Axis: FC<Scale> = ({ window, now }) => (
  <svg class="axis" width="100%" height="36" aria-hidden="true">
    {ticksOf(window).map(({ at, label }) => (
      <>
        <Line kind="tick" x={at100(window, at)} top="20" bottom="100%" />
        {/* A date that would be cut at the end says nothing. */}
        {percentAt(window, at) < LABELS_END && (
          <text x={at100(window, at)} y="30" dx="3">
            {label}
          </text>
        )}
      </>
    ))}
    {isWithin(window, now) && (
      <>
        <Line kind="now" x={at100(window, now)} top="16" />
        <text class="now" x={at100(window, now)} y="12" text-anchor="middle">
          now
        </text>
      </>
    )}
  </svg>
)

/** A vertical line. */
const Line: FC<{ kind: 'tick' | 'now'; x: string; top: string; bottom?: string }> = (props) => (
  <line class={props.kind} x1={props.x} x2={props.x} y1={props.top} y2={props.bottom ?? '999'} />
)

export type LaneHead = readonly [line: Child, hint: Child]

interface LaneRowProps extends Scale {
  readonly head: LaneHead
  readonly lane: Pick<Lane, 'spans' | 'moments' | 'ribbons'>
  /** Where a mark leads. */
  readonly hrefOf: (mark: LaneMark) => string
  readonly label: string
  /** The mark that is shown at the moment, by its first instant. */
  readonly current?: string | undefined
  /** What is drawn below the lane. */
  readonly below?: { readonly height: number; readonly shapes: Child }
}

/** One lane: its head, grid, bars, now, and a link for each mark. */
export const LaneRow: FC<LaneRowProps> = ({
  head,
  lane,
  window,
  now,
  hrefOf,
  label,
  current,
  below,
}) => (
  <tr>
    <th scope="row">
      <span class="line">{head[0]}</span>
      <span class="hint">{head[1]}</span>
    </th>
    <td class="time">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is no drawing; this is a group of links. */}
      <svg
        class="lane"
        width="100%"
        height={String(heightOf(lane, window) + (below?.height ?? 0))}
        role="group"
        aria-label={label}
      >
        {ticksOf(window).map(({ at }) => (
          <Line kind="tick" x={at100(window, at)} top="-40" />
        ))}
        <LaneBars lane={lane} window={window} />
        {isWithin(window, now) && <Line kind="now" x={at100(window, now)} top="-40" />}
        {marksOf(lane, window).map((mark) => (
          <MarkLink mark={mark} href={hrefOf(mark)} isCurrent={mark.from === current} />
        ))}
        {below && <g transform={`translate(0 ${heightOf(lane, window)})`}>{below.shapes}</g>}
      </svg>
    </td>
  </tr>
)

export const MarkLink: FC<{ mark: LaneMark; href: string; isCurrent: boolean }> = ({
  mark: { kind, x, count, isFuture, label, note },
  href,
  isCurrent,
}) => (
  <a
    class={`mark ${kind}${isFuture ? ' future' : ''}`}
    href={href}
    aria-label={label}
    aria-current={isCurrent ? 'true' : undefined}
  >
    <title>{label}</title>
    <circle class="target" cx={percent(x)} cy={BAR_MIDDLE} r="12" />
    <Sign kind={kind} count={count} x={percent(x)} y={BAR_MIDDLE} />
    {note !== null && kind === 'ended' ? (
      <text x={percent(x)} y={BAR_MIDDLE + 4} dx="12">
        {note}
      </text>
    ) : (
      <text x={percent(x)} y="13" text-anchor="middle">
        {note}
      </text>
    )}
  </a>
)

/** A disc with the shape of one moment, or with the number of several. */
const Sign: FC<{ kind: MomentKind; count?: number; x: string; y: number }> = (props) => {
  const { kind, count = 1, ...place } = props
  return (
    <>
      <circle class="disc" cx={place.x} cy={place.y} r="8" />
      {count === 1 ? (
        <use href={`#mark-${kind}`} {...place} />
      ) : (
        <text class="count" {...place} dy="4" text-anchor="middle">
          {String(count)}
        </text>
      )}
    </>
  )
}

/** What bars and marks mean. */
export const Legend: FC = () => (
  <ul class="legend" aria-label="Legend">
    {conditions.map((condition) => (
      <Meaning name={conditionName(condition)}>
        <BarShape condition={condition} isFuture={false} x="0" width="24" middle={12} />
      </Meaning>
    ))}
    <Meaning name="outlined: to come, as things stand">
      <BarShape condition="active" isFuture x="1" width="22" middle={12} />
    </Meaning>
    {(Object.keys(marks) as MomentKind[]).map((kind) => (
      <MarkMeaning kind={kind} name={marks[kind][0]} />
    ))}
    <Meaning name="several, too close to tell apart">
      <g class="mark">
        <Sign kind="other" count={3} x="12" y={12} />
      </g>
    </Meaning>
  </ul>
)

/** What one mark means. */
export const MarkMeaning: FC<{ kind: MomentKind; name: string }> = ({ kind, name }) => (
  <Meaning name={name}>
    <g class={`mark ${kind}`}>
      <Sign kind={kind} x="12" y={12} />
    </g>
  </Meaning>
)

export const Meaning: FC<PropsWithChildren<{ name: string }>> = ({ name, children }) => (
  <li>
    <svg width="24" height="24" aria-hidden="true">
      {children}
    </svg>
    {name}
  </li>
)

function isWithin({ from, until }: TimeWindow, at: string): boolean {
  return at >= from && at < until
}

function at100(window: TimeWindow, at: string): string {
  return percent(percentAt(window, at))
}
