/** The drawing of a mark, which is a link: a disc with its shape, its count or the numbers of attempts, and its note. */
import type { FC } from 'hono/jsx'
import { BAR_MIDDLE, percent } from './bars.tsx'
import type { MomentKind } from './lane.ts'
import { type LaneMark, NOTE_BEHIND } from './marks.ts'

interface MarkProps {
  readonly mark: LaneMark
  readonly href: string
  readonly isCurrent?: boolean
}

export const MarkLink: FC<MarkProps> = ({
  mark: { kind, x, count, isFuture, label, note, attempts },
  href,
  isCurrent = false,
}) => (
  <a
    class={`mark ${kind}${isFuture ? ' future' : ''}`}
    href={href}
    aria-label={label}
    aria-current={isCurrent ? 'true' : undefined}
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
    {note !== null && (
      <text
        x={percent(x)}
        {...(kind === 'ended' ? endNotePlace(x) : notePlace(attempts.length > 0))}
      >
        {note}
      </text>
    )}
  </a>
)

/** Above the mark. */
function notePlace(isRun: boolean) {
  return { y: 13, ...(isRun ? { dx: -8 } : { 'text-anchor': 'middle' as const }) }
}

/** Behind the mark, where there is room; else below it, where no amount is. */
function endNotePlace(x: number) {
  if (x < NOTE_BEHIND) return { y: BAR_MIDDLE + 4, dx: 12 }
  return { y: BAR_MIDDLE + 20, dx: 8, 'text-anchor': 'end' as const }
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
