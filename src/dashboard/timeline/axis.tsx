/** The axis of a timeline: its dates, and the line of now. */
import type { FC } from 'hono/jsx'
import { fitInside, percent, percentOfPixels, textPlace, WIDE_LETTER, widthOf } from './room.ts'
import { dayLabel, percentAt, type TimeWindow, ticksOf } from './window.ts'

/** How wide the pill of now is, in pixels. */
const PILL = 60

export interface Scale {
  readonly window: TimeWindow
  readonly now: string
}

export interface AxisProps extends Scale {
  /** When the next thing falls due, where the clock can be moved by hand: null for nothing. */
  readonly next?: string | null | undefined
}

export const Axis: FC<AxisProps> = ({ window, now, next }) => (
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

/** A vertical line. */
export const Line: FC<{ kind: 'tick' | 'now'; x: string; top: string; bottom?: string }> = (
  props,
) => <line class={props.kind} x1={props.x} x2={props.x} y1={props.top} y2={props.bottom ?? '999'} />

export function isWithin({ from, until }: TimeWindow, at: string): boolean {
  return at >= from && at < until
}

export function placeAt(window: TimeWindow, at: string): string {
  return percent(percentAt(window, at))
}
