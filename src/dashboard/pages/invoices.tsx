/** Invoices: the list of them, and one with its lines, its attempts and the calculation of its amount. */
import type { Child } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { PostButton } from '../forms/form.tsx'
import { collection } from '../page-kinds/collection.tsx'
import { buttonRow, type PageTable } from '../page-kinds/page-row.tsx'
import { Derivation, totalRows } from '../subscription/derivation.tsx'
import { linkWith, recordPath } from '../ui/links.tsx'
import { NEWEST, type PageContext, type Query, SHOWN_BESIDE } from '../ui/page-context.ts'
import { Sums, Table } from '../ui/table.tsx'
import { type Column, type ColumnOf, column, field } from '../ui/values.tsx'

type Invoice = Schemas['Invoice']

const reasons = { period: 'a period', proration: 'a change of plan' } as const
const reason: Column<Invoice> = column('Reason', (row) => reasons[row.reason], { field: 'reason' })
const parties: readonly ColumnOf<Invoice>[] = ['customer_id', 'subscription_id', reason]

export const invoicePages: PageTable = {
  ...collection('invoices', {
    list: {
      filter: [
        { name: 'status', none: 'Any', options: ['open', 'paid', 'void', 'uncollectible'] },
        { name: 'customer_id', placeholder: 'cus_ada' },
        { name: 'subscription_id', placeholder: 'sub_000001' },
      ],
      columns: ['invoice_id', 'status', 'amount_due', ...parties, 'created_at', 'next_attempt_at'],
      empty:
        'No invoice yet. A subscription without a trial makes one at once.\n[Create a subscription](subscriptions/~new)',
    },
    actions: ({ invoice_id: id, subscription_id, status }) => [
      ['open', 'uncollectible'].includes(status) && (
        <PostButton to={`${recordPath('invoices', id)}/pay`}>Try the payment now</PostButton>
      ),
      linkWith({ subscription_id }, 'Set the outcome of the next payments', 'payments'),
      linkWith({ subject_id: id }, 'Events', 'events'),
    ],
    facts: ['amount_due', 'amount_paid', ...parties, 'created_at', 'paid_at', 'next_attempt_at'],
    below: invoiceParts,
  }),
  'invoices/:id/pay': buttonRow('paid', ({ sandbox, id }) => sandbox.invoices.pay(id)),
}

async function invoiceParts({ sandbox }: PageContext, invoice: Invoice) {
  const { invoice_id: id, lines, attempts, currency, amount_due: due } = invoice
  return [
    <Table
      title="Lines"
      rows={lines.map((line) => ({ ...line, currency }))}
      columns={['description', 'plan', 'period_start', 'period_end', 'amount']}
    >
      <Sums caption="How the amount due adds up" rows={totalRows(invoice)} />
    </Table>,
    <Table
      title="Payment attempts"
      rows={attempts.map(({ at, outcome }) => {
        const hasFailed = outcome !== 'succeeded'
        return { at, status: hasFailed ? 'failed' : outcome, reason: hasFailed ? outcome : null }
      })}
      columns={['at', field('status', 'Outcome'), 'reason']}
      empty={due === 0 ? 'Nothing was due, so no payment was tried.' : 'No payment was tried.'}
    />,
    <Derivation explanation={await sandbox.invoices.explain(id)} />,
  ]
}

export async function newestInvoices(page: PageContext, filter: Query): Promise<Child> {
  const query = { ...filter, limit: SHOWN_BESIDE, order: NEWEST }
  const { data } = await page.list('/sandbox/invoices', query)
  return (
    <Table
      title="Invoices"
      caption="Invoices, newest first"
      actions={linkWith(filter, 'Show all', 'invoices')}
      rows={data}
      columns={['invoice_id', 'created_at', 'amount_due', 'status', 'next_attempt_at', lineTexts]}
      empty="No invoice yet."
      hasSums
    />
  )
}

/** What an invoice is for, by its lines. */
export const lineTexts: Column<Pick<Invoice, 'lines'>> = column(
  'Lines',
  ({ lines }) => lines.map((line) => line.description).join(', '),
  { field: 'lines', wraps: true },
)
