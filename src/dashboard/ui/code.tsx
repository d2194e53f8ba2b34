/** Commands and bodies as they are written. */
import type { FC } from 'hono/jsx'

/** What does not fit in a line scrolls, also by keys. */
export const CodeBlock: FC<{ text: string; label: string }> = ({ text, label }) => (
  <section class="code" aria-label={label} tabindex={0}>
    <pre>{text}</pre>
  </section>
)
