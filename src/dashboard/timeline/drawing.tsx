/** The drawing of lanes: bars, marks, the axis, the line of now, and what they mean in words. */
import type { Child, FC } from 'hono/jsx'
import type { Condition, Lane, MomentKind, Span } from './lane.ts'
import { LANE_WIDTH, type LaneMark, marksOf } from './marks.ts'
import { percentAt, type TimeWindow, ticksOf } from './window.ts'

const conditionNames: Readonly<Record<Condition, string>> = {
  trialing: 'trial',
  active: 'active',
  past_due: 'past due',
  paused: 'paused',
}

/** What each mark is drawn as, around its middle. */
const shapes: Readonly<Record<MomentKind, Child>> = {
  started: <circle r="5" />,
  period: <circle class="hollow" r="4" />,
  failed: <path class="stroke" d="M-4 -4 4 4M-4 4 4 -4" />,
  recovered: <path class="stroke" d="M-5 0 -1 4 5 -4" />,
  paused: <path class="stroke" d="M-2.5 -5V5M2.5 -5V5" />,
  resumed: <path d="M-4 -5 5 0 -4 5Z" />,
  changed: <path d="M0 -6 6 0 0 6 -6 0Z" />,
  ended: <rect x="-5" y="-5" width="10" height="10" />,
  other: <circle r="2.5" />,
}

const kindNames: Readonly<Record<MomentKind, string>> = {
  started: 'begins',
  period: 'a period begins',
  failed: 'a payment fails',
  recovered: 'a payment recovers',
  paused: 'is paused',
  resumed: 'resumes',
  changed: 'plan or discount changes',
  ended: 'ends',
  other: 'anything else',
}

const BAR_MIDDLE = 30

/** The shapes that marks refer to; once a page, before the first lane. */
export const MarkShapes: FC = () => (
  <svg class="unseen" aria-hidden="true">
    <defs>
      {Object.entries(shapes).map(([kind, shape]) => (
        <g id={`mark-${kind}`}>{shape}</g>
      ))}
    </defs>
  </svg>
)

/** Where the last date may begin, in percent. */
const LABELS_END = 95

/** The dates above the lanes, and now. */
export const Axis: FC<{ window: TimeWindow; now: string }> = ({ window, now }) => (
  <svg class="axis" width="100%" height="36" aria-hidden="true">
    {ticksOf(window).map(({ at, label }) => (
      <>
        <line class="tick" x1={at100(window, at)} x2={at100(window, at)} y1="20" y2="100%" />
        {/* A date that would be cut at the end says nothing. */}
        {percentAt(window, at) < LABELS_END && (
          <text x={at100(window, at)} y="30" dx="3">
            {label}
          </text>
        )}
      </>
    ))}
    <Now window={window} now={now} top="16" />
    {isWithin(window, now) && (
      <text class="now" x={at100(window, now)} y="12" text-anchor="middle">
        now
      </text>
    )}
  </svg>
)

interface LaneGraphicProps {
  readonly lane: Pick<Lane, 'spans' | 'moments'>
  readonly window: TimeWindow
  readonly now: string
  /** Where a mark leads. */
  readonly hrefOf: (mark: LaneMark) => string
  readonly label: string
  /** The mark that is shown at the moment, by its first instant. */
  readonly current?: string | undefined
}

/** One lane: grid, bars, now, and a link for each mark. */
export const LaneGraphic: FC<LaneGraphicProps> = ({
  lane,
  window,
  now,
  hrefOf,
  label,
  current,
}) => (
  // biome-ignore lint/a11y/useSemanticElements: a fieldset is no drawing; this is a group of links.
  <svg class="lane" width="100%" height="48" role="group" aria-label={label}>
    {ticksOf(window).map(({ at }) => (
      <line class="tick" x1={at100(window, at)} x2={at100(window, at)} y1="-40" y2="99" />
    ))}
    {lane.spans.map((span, index) => (
      <Bar span={span} before={lane.spans[index - 1]} window={window} />
    ))}
    <Now window={window} now={now} top="-40" />
    {marksOf(lane, window, now).map((mark) => (
      <MarkLink mark={mark} href={hrefOf(mark)} isCurrent={mark.from === current} />
    ))}
  </svg>
)

const Bar: FC<{ span: Span; before: Span | undefined; window: TimeWindow }> = ({
  span,
  before,
  window,
}) => {
  const start = Math.max(percentAt(window, span.from), 0)
  const end = Math.min(percentAt(window, span.until), 100)
  if (end <= start) return null
  const height = span.condition === 'paused' ? 4 : 12
  const name = conditionNames[span.condition]
  // The future of what lasts is not named again, and a short bar has no room for its name.
  const goesOn = before?.condition === span.condition && start > 0
  const isNamed = !goesOn && ((end - start) / 100) * LANE_WIDTH >= 7 * name.length
  return (
    <>
      <rect
        class={`bar ${span.condition}${span.isFuture ? ' future' : ''}`}
        x={percent(start)}
        y={BAR_MIDDLE - height / 2}
        width={percent(end - start)}
        height={height}
      />
      {isNamed && (
        <text x={percent(start)} y="14" dx={span.isFuture ? 3 : 0}>
          {name}
        </text>
      )}
    </>
  )
}

const MarkLink: FC<{ mark: LaneMark; href: string; isCurrent: boolean }> = ({
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
    <circle class="disc" cx={percent(x)} cy={BAR_MIDDLE} r="8" />
    {count === 1 ? (
      <use href={`#mark-${kind}`} x={percent(x)} y={BAR_MIDDLE} />
    ) : (
      <text class="count" x={percent(x)} y={BAR_MIDDLE} dy="4" text-anchor="middle">
        {String(count)}
      </text>
    )}
    {note !== null && (
      <text x={percent(x)} y="14" text-anchor="middle">
        {note}
      </text>
    )}
  </a>
)

const Now: FC<{ window: TimeWindow; now: string; top: string }> = ({ window, now, top }) =>
  isWithin(window, now) ? (
    <line class="now" x1={at100(window, now)} x2={at100(window, now)} y1={top} y2="99" />
  ) : null

/** What bars and marks mean. */
export const Legend: FC = () => (
  <ul class="legend" aria-label="Legend">
    {Object.entries(conditionNames).map(([condition, name]) => (
      <Meaning name={name}>
        <rect
          class={`bar ${condition}`}
          x="0"
          y={condition === 'paused' ? 10 : 6}
          width="24"
          height={condition === 'paused' ? 4 : 12}
        />
      </Meaning>
    ))}
    <Meaning name="outlined: to come, as things stand">
      <rect class="bar active future" x="1" y="6" width="22" height="12" />
    </Meaning>
    {Object.entries(kindNames).map(([kind, name]) => (
      <MarkMeaning kind={kind as MomentKind} name={name} />
    ))}
    <Meaning name="several, too close to tell apart">
      <g class="mark">
        <circle class="disc" cx="12" cy="12" r="8" />
        <text class="count" x="12" y="16" text-anchor="middle">
          3
        </text>
      </g>
    </Meaning>
  </ul>
)

/** What one mark means. */
export const MarkMeaning: FC<{ kind: MomentKind; name: string }> = ({ kind, name }) => (
  <Meaning name={name}>
    <g class={`mark ${kind}`}>
      <circle class="disc" cx="12" cy="12" r="8" />
      <use href={`#mark-${kind}`} x="12" y="12" />
    </g>
  </Meaning>
)

const Meaning: FC<{ name: string; children?: unknown }> = ({ name, children }) => (
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

function percent(value: number): string {
  return `${Number(value.toFixed(2))}%`
}
