/** The first invoices of a subscription that is not there yet, as the sandbox would make them. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { SandboxError } from '../../library/sandbox-error.ts'
import { amountText, instantText } from '../../wire/text.ts'
import { Empty, Section, Table } from '../ui/table.tsx'
import { At, MoneyText, StatusBadge } from '../ui/values.tsx'
import type { Visit } from '../visit.ts'

/** The most invoices that are shown. */
const SHOWN = 4

/** With more subscriptions, a look ahead is short. */
const MANY = 1000

type WhatIf = Schemas['WhatIf']
type Side = NonNullable<WhatIf['invoices'][number]['changed']>

interface Row extends Side {
  readonly currency: string
  readonly created_at: string
}

/** How the subscription would continue. */
export interface Prospect extends Pick<WhatIf, 'from' | 'complete_until'> {
  readonly rows: readonly Row[]
  readonly status: string
}

/** Lives the time in which these invoices fall, with the subscription. Throws what a checkout would refuse it with. */
export async function prospectOf(
  { sandbox, summary }: Visit,
  order: Schemas['Checkout'],
  plan: Schemas['Plan'],
): Promise<Prospect> {
  const isMany = (summary.counts['subscriptions'] ?? 0) > MANY
  const duration = lookFor(plan, { trialDays: order.trial_period_days, isMany })
  const changes = [{ operation: 'checkOut', body: order } as const]
  const question = { changes, for: duration }
  const found = await sandbox.whatIf(question).catch((refusal: unknown) => {
    throw refusal instanceof SandboxError ? ofTheOrder(refusal) : refusal
  })
  const made = found.subscriptions.find((each) => each.as_is === null)
  const rows = found.invoices.flatMap(({ changed, ...invoice }) =>
    changed !== null && invoice.subscription_id === made?.subscription_id
      ? [{ ...changed, currency: invoice.currency, created_at: invoice.created_at }]
      : [],
  )
  const { from, complete_until } = found
  return { from, complete_until, rows, status: made?.changed ?? 'active' }
}

const unitsOf = { day: ['D', 1], week: ['D', 7], month: ['M', 1], year: ['M', 12] } as const

/**
 * As long as the first invoices need after a trial, a year at most. Everybody lives through it, twice: of many, no longer
 * than the second invoice needs, and a month at most.
 */
function lookFor(
  { interval, interval_count: count }: Schemas['Plan'],
  { trialDays = 0, isMany }: { trialDays: number | undefined; isMany: boolean },
): string {
  const [unit, size] = unitsOf[interval]
  const months = isMany ? 1 : 12
  const length = Math.min(
    size * count * (isMany ? 1 : SHOWN - 1),
    unit === 'M' ? months : months * 30,
  )
  const days = Number.isSafeInteger(trialDays) && trialDays > 0 ? trialDays : 0
  if (unit === 'D') return `P${length + days}D`
  return days === 0 ? `P${length}M` : `P${length}M${days}D`
}

/** The refusal of a change, as the refusal of what it asks for. */
function ofTheOrder({ message, status, code, fields }: SandboxError): SandboxError {
  const plain = (text: string) => text.replace(/changes\[0\](: |\.body\.)/g, '')
  const named = fields
    .filter(({ field }) => field !== 'changes[0]')
    .map((each) => ({ field: plain(each.field), message: plain(each.message) }))
  return new SandboxError(plain(message), { status, code, fields: named })
}

/** What a form shows again after each change. */
export const FirstInvoices: FC<{ prospect: Prospect | null; refusal: SandboxError | null }> = ({
  prospect,
  refusal,
}) => (
  <div id="preview" aria-live="polite">
    <Section title="The first invoices">
      {refusal !== null && (
        <div class="refusal">
          <p>The sandbox would refuse this:</p>
          <p>{refusal.message}</p>
        </div>
      )}
      {prospect !== null && <Invoices prospect={prospect} />}
    </Section>
  </div>
)

const Invoices: FC<{ prospect: Prospect }> = ({ prospect }) => {
  const { rows, status, complete_until: until } = prospect
  const [by, shown] = [instantText(until), rows.slice(0, SHOWN)]
  return (
    <>
      <p>{todayText(prospect)}</p>
      <Table
        caption="The first invoices"
        rows={shown}
        columns={[
          { name: 'Created', cell: ({ created_at }) => <At instant={created_at} /> },
          { name: 'Due', cell: money('amount_due'), isNumber: true },
          { name: 'Price', cell: money('subtotal'), isNumber: true },
          { name: 'Discounts', cell: money('discount_total', -1), isNumber: true },
          { name: 'Balance', cell: money('balance_used', -1), isNumber: true },
          { name: `On ${by}`, cell: (each) => <StatusBadge status={each.status} /> },
        ]}
        empty={<Empty>No invoice until {by}.</Empty>}
      />
      <p class="hint">
        On {by} the subscription is {status.replaceAll('_', ' ')}.
        {rows.length > SHOWN && ' More invoices follow these.'}
      </p>
    </>
  )
}

function money(field: 'subtotal' | 'discount_total' | 'balance_used' | 'amount_due', sign = 1) {
  return (row: Row) => (
    <MoneyText amount={row[field] === 0 ? 0 : sign * row[field]} currency={row.currency} />
  )
}

function todayText({ rows, from }: Prospect): string {
  const [first] = rows
  if (first === undefined || first.created_at !== from) return 'Nothing is charged today.'
  return `Due today: ${amountText(first.amount_due, first.currency)}.`
}
