/** Values of records as they are shown, and the columns of tables, which are also the facts of a record. */
import { type Child, type FC, isValidElement, type PropsWithChildren } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { amountText, figureText, instantText, type Tone, toneOf } from '../../wire/common/text.ts'
import { eventText, type ReadableEvent } from '../../wire/events/event-text.ts'
import { RecordLink, recordPlaceOf } from './links.tsx'

/** An amount with its thousands apart: `12,345.00 USD`. */
export function moneyText(amount: number, currency: string): string {
  return groupThousands(amountText(amount, currency))
}

/** The same without its currency, where there is no room for it. */
export function moneyFigure(amount: number, currency: string): string {
  return groupThousands(figureText(amount, currency))
}

/** A text that begins with a number, with its thousands apart. */
export function groupThousands(text: string): string {
  return text.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','))
}

/** What an event says, with the thousands of its amounts apart; null where another event of the same moment says it. */
export function eventSentence(event: ReadableEvent): string | null {
  return eventText(event, moneyText)
}

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
export const Verdict: FC<{ isGood: boolean; text: Child }> = ({ isGood, text }) => (
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

export interface Column<Row> {
  readonly name: string
  /** The field of the API that it shows; undefined if it is made of several. */
  readonly field?: string
  readonly cell: (row: Row) => Child
  /** Amounts and counts are aligned at the right. */
  readonly isNumber?: boolean
  /** The amount that it adds to the sum of its currency below a list. */
  readonly amountIn?: (row: Row) => { readonly amount: number; readonly currency: string } | null
  /** Sentences take several lines. */
  readonly wraps?: boolean
}

/** A column: a field of the row, or what is made of it. */
export type ColumnOf<Row> = (keyof Row & string) | Column<Row>

const labels: Readonly<Record<string, string>> = {
  always: 'Then always',
  cancel_at_period_end: 'Cancels at period end',
  canceled_at: 'Cancellation requested',
  complete_until: 'To',
  current_period_end: 'Period until',
  current_period_start: 'Period from',
  description: 'What',
  discount_total: 'Discount',
  expires_at: 'Expires at',
  now: 'Virtual time',
  paid_at: 'Paid at',
  pending_plan: 'From the next period',
  period_end: 'Until',
  period_start: 'From',
  seq: 'No.',
  specification: 'Version of Pact',
  starts_at: 'Starts at',
  trial_end: 'Trial until',
  url: 'Sent to',
  used: 'Applied',
}

const numbers =
  /^amount|_total$|^(?:attempts|balance|calls|interactions|matched|refreshes|seq|skipped|subtotal|times|used)$/
const sentences = /^(?:choice|message|promise|question|reason|url)$/

/** The name of a field in words: `customer_id` is Customer. */
export function labelOf(name: string): string {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`
}

/** A column that is made of several fields, or shows one in another way. */
export function column<Row>(
  name: string,
  cell: (row: Row) => Child,
  more: Omit<Partial<Column<Row>>, 'name' | 'cell'> = {},
): Column<Row> {
  return { name, cell, ...more }
}

type With<Key extends string, Value = unknown> = Readonly<Record<Key, Value>>

/** A field under another name than its own. */
export function field<Key extends string>(key: Key, name: string): Column<With<Key>> {
  return { ...columnOf(key), name }
}

function columnOf(key: string): Column<object> {
  const name = labels[key] ?? labelOf(key.replace(/^amount_|_at$/g, ''))
  const cell = (row: object) => valueCell(row, key)
  const common = { name, field: key, cell, isNumber: numbers.test(key), wraps: sentences.test(key) }
  return key.startsWith('amount') ? { ...common, amountIn: (row) => amountOf(row, key) } : common
}

function amountOf(row: object, key: string) {
  const { [key]: amount, currency }: Readonly<Record<string, unknown>> = { ...row }
  return typeof amount === 'number' && typeof currency === 'string' ? { amount, currency } : null
}

export function sumsOf<Row>({ amountIn }: Column<Row>, rows: readonly Row[]) {
  const sums = new Map<string, number>()
  for (const found of rows.map((row) => amountIn?.(row) ?? null)) {
    if (found === null) continue
    sums.set(found.currency, (sums.get(found.currency) ?? 0) + found.amount)
  }
  return [...sums].map(([currency, amount]) => ({ amount, currency }))
}

/** The value of a field: an instant, an amount in the currency of its row, the link to a record, a status, or a text. */
export function valueCell(row: object, key: string): Child {
  const { [key]: value, currency }: Readonly<Record<string, unknown>> = { ...row }
  if (isValidElement(value)) return value
  if (typeof value === 'number') return figureCell(key, value, currency)
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return <Text value={value.join(', ')} />
  if (typeof value !== 'string') return <Text value={null} />
  const place = recordPlaceOf(key)
  if (place !== undefined) return <RecordLink place={place} id={value} />
  if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return <At instant={value} />
  return key === 'status' || key === 'state' ? (
    <StatusBadge status={value} />
  ) : (
    <Text value={value} />
  )
}

/** A count, or an amount. A customer who was never billed has no currency. */
function figureCell(key: string, value: number, currency: unknown): Child {
  if (!/^amount|^(?:balance|discount_total|subtotal)$/.test(key)) return String(value)
  if (typeof currency === 'string') return <MoneyText amount={value} currency={currency} />
  return value === 0 ? <Nothing /> : `${value} minor unit${value === 1 ? '' : 's'}`
}

/** Columns with what follows from the names of their fields. */
export function columnsOf<Row extends object>(columns: readonly ColumnOf<Row>[]): Column<Row>[] {
  return columns.map((each) => (typeof each === 'string' ? columnOf(each) : each))
}

/** A word of the API, with spaces for underscores. */
export function wordsColumn<Key extends string>(key: Key, name: string): Column<With<Key, string>> {
  return { name, field: key, cell: (row) => row[key].replaceAll('_', ' ') }
}

/** The facts of one record, as a table would show them. */
export function factsOf<Row extends object>(row: Row, columns: readonly ColumnOf<Row>[]) {
  return columnsOf(columns).map(({ name, cell, field: api }) => [name, cell(row), api] as const)
}
