/** The drawing of a mark, which is a link: a disc with its shape, its count or the numbers of attempts, and its note. */
import type { FC } from 'hono/jsx'
import { BAR_MIDDLE } from './bars.tsx'
import type { MomentKind } from './lane.ts'
import { BEHIND, discWidth, type LaneMark, noteWidth, numbersText, RUN_BEFORE } from './marks.ts'
import { fitInside, percent, percentOfPixels, textPlace, widthOf } from './room.ts'

export const MarkLink: FC<{
  readonly mark: LaneMark
  /** The id of its lane on the page. */
  readonly lane?: string | undefined
  readonly href: string
  /** The mark that is shown at the moment, by its first instant. */
  readonly current?: string | undefined
  readonly isCompact?: boolean | undefined
}> = ({ mark, lane, href, current, isCompact }) => {
  const { kind, x, count, isFuture, label, note, attempts } = mark
  const usual = kind === 'ended' ? endNotePlace : notePlace
  const place = note && (isCompact ? behind : usual)(mark, note)
  return (
    <a
      class={`mark ${kind}${isFuture ? ' future' : ''}`}
      href={href}
      aria-label={label}
      id={lane && `${lane}_${mark.from}`}
      aria-current={mark.from === current ? 'true' : undefined}
    >
      <title>{label}</title>
      {attempts.length > 0 ? (
        <Attempts attempts={attempts} />
      ) : (
        <>
          <circle class="target" cx={percent(x)} cy={BAR_MIDDLE} r="12" />
          <Sign kind={kind} count={count} x={percent(x)} />
        </>
      )}
      {/* Between texts that are read. */} {place && <text {...place}>{note}</text>}
    </a>
  )
}

/** Above the mark. */
function notePlace({ x, attempts }: LaneMark, note: string) {
  const width = noteWidth(note)
  if (attempts.length > 0) return { ...textPlace(x, -RUN_BEFORE, width), y: 13 }
  const middle = percent(fitInside(x, width / 2, width / 2))
  return { x: middle, y: 13, 'text-anchor': 'middle' as const }
}

/** Behind the mark, if there is room before the next one and the edge. */
function behind({ x, attempts, freeUntil }: LaneMark, note: string) {
  const [end, width] = [attempts.at(-1)?.x ?? x, widthOf(note)]
  const { dx } = textPlace(end, BEHIND, width)
  const isFree = dx === BEHIND && end + percentOfPixels(BEHIND) + width < freeUntil
  return isFree && { x: percent(end), dx, y: BAR_MIDDLE + 4 }
}

/** Behind an end, or else below it, where no amount is. */
function endNotePlace(mark: LaneMark, note: string) {
  const width = widthOf(note)
  const y = BAR_MIDDLE + 20
  if (mark.x < width) return behind(mark, note) || { ...textPlace(mark.x, -8, width), y }
  const below = { x: percent(mark.x), dx: 8, y }
  return behind(mark, note) || { ...below, 'text-anchor': 'end' as const }
}

/** Where the first note below a mark begins, in percent: no name of a bar is there. */
export function namesEnd(marks: readonly LaneMark[]): number {
  const starts = marks.map((mark) => {
    const { kind, x, note } = mark
    return kind !== 'ended' || note === null || behind(mark, note) ? 100 : x - widthOf(note)
  })
  return Math.min(100, ...starts)
}

/** The numbers of the attempts to pay an invoice, as one target. */
export const Attempts: FC<Pick<LaneMark, 'attempts'>> = ({ attempts }) => {
  const [start, end] = [attempts[0]?.x ?? 0, attempts.at(-1)?.x ?? 0]
  const y = BAR_MIDDLE
  return (
    <>
      <line class="target" x1={percent(start)} x2={percent(end)} y1={y} y2={y} />
      {attempts.map((attempt) => (
        <g class={`attempt${attempt.isPaid ? ' paid' : ''}${attempt.isFuture ? ' future' : ''}`}>
          <rect
            class="disc"
            x={percent(attempt.x)}
            y={y - 7}
            {...{ width: discWidth(attempt), height: 14, rx: 7 }}
            transform={`translate(${-discWidth(attempt) / 2})`}
          />
          <text class="count" x={percent(attempt.x)} y={y} dy="3" text-anchor="middle">
            {numbersText(attempt)}
          </text>
          {/* Between numbers that are read. */}{' '}
        </g>
      ))}
    </>
  )
}

/** A disc with the shape of one moment, or with the number of several. */
export const Sign: FC<{ kind: MomentKind; count?: number; x: string }> = (props) => {
  const { kind, count = 1, x } = props
  const place = { x, y: BAR_MIDDLE }
  return (
    <>
      <circle class="disc" cx={x} cy={BAR_MIDDLE} r="8" />
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
