/** The drawing of a mark, which is a link: a disc with its shape, its count or the numbers of attempts, and its note. */
import type { FC } from 'hono/jsx'
import { BAR_MIDDLE } from './bars.tsx'
import type { MomentKind } from './lane.ts'
import { type LaneMark, noteWidth, RUN_BEFORE } from './marks.ts'
import { inside, percent, textPlace, widthOf } from './room.ts'

export const MarkLink: FC<{ mark: LaneMark; href: string; isCurrent?: boolean }> = (props) => {
  const { kind, x, count, isFuture, label, note, attempts } = props.mark
  const place = note && (kind === 'ended' ? endNotePlace(x, note) : notePlace(props.mark, note))
  return (
    <a
      class={`mark ${kind}${isFuture ? ' future' : ''}`}
      href={props.href}
      aria-label={label}
      aria-current={props.isCurrent ? 'true' : undefined}
    >
      <title>{label}</title>
      {attempts.length > 0 ? (
        <Attempts attempts={attempts} y={BAR_MIDDLE} />
      ) : (
        <>
          <circle class="target" cx={percent(x)} cy={BAR_MIDDLE} r="12" />
          <Sign kind={kind} count={count} x={percent(x)} y={BAR_MIDDLE} />
        </>
      )}
      {place && <text {...place}>{note}</text>}
    </a>
  )
}

/** Above the mark. */
function notePlace({ x, attempts }: LaneMark, note: string) {
  const width = noteWidth(note)
  if (attempts.length > 0) return { ...textPlace(x, -RUN_BEFORE, width), y: 13 }
  const middle = percent(inside(x, width / 2, width / 2))
  return { x: middle, y: 13, 'text-anchor': 'middle' as const }
}

/** Behind the mark, where there is room; else below it, where no amount is. */
function endNotePlace(x: number, note: string) {
  if (isBehind(x, note)) return { x: percent(x), dx: 12, y: BAR_MIDDLE + 4 }
  return { x: percent(x), dx: 8, y: BAR_MIDDLE + 20, 'text-anchor': 'end' as const }
}

function isBehind(x: number, note: string): boolean {
  return textPlace(x, 12, widthOf(note)).dx === 12
}

/** Where the first note below a mark begins, in percent: no name of a bar is there. */
export function namesEnd(marks: readonly LaneMark[]): number {
  const starts = marks.map(({ kind, x, note }) =>
    kind !== 'ended' || note === null || isBehind(x, note) ? 100 : x - widthOf(note),
  )
  return Math.min(100, ...starts)
}

/** The numbers of the attempts to pay an invoice, as one target. */
export const Attempts: FC<{ attempts: LaneMark['attempts']; y: number }> = ({ attempts, y }) => {
  const [start, end] = [attempts[0]?.x ?? 0, attempts.at(-1)?.x ?? 0]
  return (
    <>
      <line class="target" x1={percent(start)} x2={percent(end)} y1={y} y2={y} />
      {attempts.map((attempt) => (
        <g class={`attempt${attempt.isPaid ? ' paid' : ''}${attempt.isFuture ? ' future' : ''}`}>
          <circle class="disc" cx={percent(attempt.x)} cy={y} r="7" />
          <text class="count" x={percent(attempt.x)} y={y} dy="3" text-anchor="middle">
            {String(attempt.number)}
          </text>
          {/* Between numbers that are read. */}{' '}
        </g>
      ))}
    </>
  )
}

/** A disc with the shape of one moment, or with the number of several. */
export const Sign: FC<{ kind: MomentKind; count?: number; x: string; y: number }> = (props) => {
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
