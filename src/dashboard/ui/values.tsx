/** Values of records as they are shown. */
import type { FC, PropsWithChildren } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { amountText, instantText, type Tone, toneOf } from '../../wire/text.ts'

/** An amount with its thousands apart: `12,345.00 USD`. */
export function moneyText(amount: number, currency: string): string {
  return grouped(amountText(amount, currency))
}

/** A text that begins with a number, with its thousands apart. */
export function grouped(text: string): string {
  return text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))
}

/** An amount of minor units. */
export const MoneyText: FC<{ amount: number; currency: string }> = ({ amount, currency }) => (
  <span class="number">{moneyText(amount, currency)}</span>
)

/** An instant of virtual time. */
export const At: FC<{ instant: string }> = ({ instant }) => (
  <time datetime={instant} class="number" title={instant}>
    {instantText(instant)}
  </time>
)

/** Shown if there is no value. */
export const Nothing: FC = () => (
  <span class="nothing">
    <span aria-hidden="true">–</span>
    <span class="unseen">none</span>
  </span>
)

/** A text, or a dash for none. */
export const Text: FC<{ value: string | number | null | undefined }> = ({ value }) =>
  value === null || value === undefined || value === '' ? <Nothing /> : <span>{value}</span>

/** A word, and a colour that says no more than it. */
export const Badge: FC<PropsWithChildren<{ tone: Tone }>> = ({ tone, children }) => (
  <span class={`status ${tone}`}>{children}</span>
)

export const StatusBadge: FC<{ status: string }> = ({ status }) => (
  <Badge tone={toneOf(status)}>{status.replaceAll('_', ' ')}</Badge>
)

/** Whether a check found nothing wrong. */
export const Verdict: FC<{ isGood: boolean; text: string }> = ({ isGood, text }) => (
  <p class={isGood ? 'notice' : 'refusal'} role={isGood ? 'status' : 'alert'}>
    {text}
  </p>
)

/** A price: `10.00 USD a month`, `30.00 USD every 3 months`. */
export function priceText(plan: Schemas['Plan']): string {
  const { interval, interval_count: count } = plan
  const often = count === 1 ? `a ${interval}` : `every ${count} ${interval}s`
  return `${moneyText(plan.amount, plan.currency)} ${often}`
}

/** A number of things: `1 day`, `3 days`. */
export function countOf(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

/** A command or a body as it is written. What does not fit in a line scrolls, also by keys. */
export const CodeBlock: FC<{ text: string; label: string }> = ({ text, label }) => (
  <section class="code" aria-label={label} tabindex={0}>
    <pre>{text}</pre>
  </section>
)

/** Secrets that are shown once, each with a button that copies it. */
export const SecretList: FC<{ secrets: Readonly<Record<string, string>> }> = ({ secrets }) => (
  <dl class="secrets">
    {Object.entries(secrets).map(([name, value]) => (
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
