/** The clock on every page: virtual now, and the most frequent moves. */
import type { FC } from 'hono/jsx'
import { instantText } from '../../wire/text.ts'
import { type PageContext, usePage } from './page-context.ts'

/** The moves by a duration, and their keys. */
const moves = [
  ['P1D', '+1 day', 'd'],
  ['P7D', '+1 week', 'w'],
  ['P1M', '+1 month', 'm'],
] as const

export const ClockBar: FC = () => {
  const { clock, to, here } = usePage()
  const next = clock.next_due
  return (
    <form
      method="post"
      action={to('clock/advance')}
      class="clock-bar"
      aria-label="Virtual clock"
      data-mode={clock.mode}
    >
      <input type="hidden" name="back" value={here} />
      <a class="now" href={to('clock')}>
        <span class="unseen">Virtual now </span>
        <time datetime={clock.now}>{instantText(clock.now)}</time>
        {clock.mode === 'running' && <span class="hint"> running</span>}
      </a>
      {moves.map(([move, label, key]) => (
        <button type="submit" name="move" value={move} aria-keyshortcuts={key}>
          {label}
        </button>
      ))}
      <button
        type="submit"
        name="move"
        value="next"
        aria-keyshortcuts="e"
        disabled={next === null}
        title={next === null ? 'Nothing will fall due.' : dueText(next)}
      >
        Next due item
      </button>
      <PreviewFirst />
    </form>
  )
}

/** Several forms of a page have this box: it has no id. */
export const PreviewFirst: FC = () => (
  <label class="check">
    <input type="checkbox" name="preview" value="true" />
    Preview first
  </label>
)

/** What falls due next, in words. */
export function dueText(due: NonNullable<PageContext['clock']['next_due']>): string {
  const { at, kind, subject } = due
  return `${instantText(at)}: ${kind.replaceAll('_', ' ')} of ${subject.id}`
}
