/** Values of records as they are shown. */
import type { FC } from 'hono/jsx'
import { amountText, instantText } from '../../wire/text.ts'

/** An amount of minor units. */
export const MoneyText: FC<{ amount: number; currency: string }> = ({ amount, currency }) => (
  <span class="number">{amountText(amount, currency)}</span>
)

/** An instant of virtual time; a dash for none. */
export const At: FC<{ instant: string | null | undefined }> = ({ instant }) =>
  instant === null || instant === undefined ? (
    <Nothing />
  ) : (
    <time datetime={instant} class="number" title={instant}>
      {instantText(instant)}
    </time>
  )

/** Where there is no value. */
export const Nothing: FC = () => (
  <span class="nothing">
    <span aria-hidden="true">–</span>
    <span class="unseen">none</span>
  </span>
)

/** A text, or a dash for none. */
export const Text: FC<{ value: string | number | null | undefined }> = ({ value }) =>
  value === null || value === undefined || value === '' ? <Nothing /> : <span>{value}</span>

const tones: Readonly<Record<string, 'good' | 'waiting' | 'bad' | 'over'>> = {
  active: 'good',
  paid: 'good',
  succeeded: 'good',
  verified: 'good',
  delivered: 'good',
  trialing: 'waiting',
  open: 'waiting',
  pending: 'waiting',
  paused: 'over',
  past_due: 'bad',
  failed: 'bad',
  uncollectible: 'bad',
  canceled: 'over',
  revoked: 'over',
  void: 'over',
}

/** A status: a word, and a colour that says no more than it. */
export const StatusBadge: FC<{ status: string }> = ({ status }) => (
  <span class={`status ${tones[status] ?? 'over'}`}>{status.replaceAll('_', ' ')}</span>
)
