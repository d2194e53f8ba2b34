/** Secrets that are shown once, each with a button that copies it. */
import type { FC } from 'hono/jsx'

export const SecretList: FC<{ secrets: readonly (readonly [name: string, value: string])[] }> = ({
  secrets,
}) => (
  <dl class="secrets">
    {secrets.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>
          <code>{value}</code>
          <button type="button" data-copy={value} aria-label={`Copy the ${name.toLowerCase()}`}>
            Copy
          </button>
        </dd>
      </div>
    ))}
  </dl>
)
