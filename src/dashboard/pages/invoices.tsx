/** Invoices: the list of them, and one with its lines, its attempts and the calculation of its amount. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { PostButton, Refused } from '../forms/form.tsx'
import { listPage } from '../page-kinds/list-page.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { Derivation, totals } from '../subscription/derivation.tsx'
import { type Column, factsOf, instant, link, money, status, text } from '../ui/columns.tsx'
import type { FormState } from '../ui/form-state.ts'
import { linkWith, PageLink, recordAddress, recordPath } from '../ui/links.tsx'
import { type PageContext, type View, withNotice } from '../ui/page-context.ts'
import { Empty, Facts, Heading, Section, Sums, Table } from '../ui/table.tsx'
import { Nothing, StatusBadge } from '../ui/values.tsx'

type Invoice = Schemas['Invoice']

/** Those that can be paid by hand. */
const payable: readonly Invoice['status'][] = ['open', 'uncollectible']

const due = money('Due', 'amount_due')
const created = instant('Created', 'created_at')
const nextAttempt = instant('Next attempt', 'next_attempt_at')
const parties = [
  link('Customer', 'customers', 'customer_id'),
  link('Subscription', 'subscriptions', 'subscription_id'),
] as const

const reasons = { period: 'a period', proration: 'a change of plan' } as const
const reason: Column<Invoice> = { name: 'For', cell: (each) => reasons[each.reason] }

export const invoicePages: PageTable = {
  invoices: listPage({
    path: 'invoices',
    title: 'Invoices',
    find: (page, query) => page.list('/sandbox/invoices', query),
    filter: {
      label: 'Filter invoices',
      fields: [
        { name: 'status', none: 'Any', options: ['open', 'paid', 'void', 'uncollectible'] },
        { name: 'customer_id', placeholder: 'cus_ada' },
        { name: 'subscription_id', placeholder: 'sub_000001' },
      ],
    },
    columns: [
      link('Invoice', 'invoices', 'invoice_id'),
      status(),
      due,
      ...parties,
      reason,
      created,
      nextAttempt,
    ],
    empty: {
      none: 'No invoice yet. A subscription without a trial makes one at once.',
      unmatched: 'No invoice matches the filter.',
      next: <PageLink to="subscriptions/~new">Create a subscription</PageLink>,
    },
  }),
  'invoices/:id': { show: invoicePage },
  // The clock leads back here from a payment that was refused.
  'invoices/:id/pay': {
    show: invoicePage,
    act: async (page) => {
      await page.sandbox.invoices.pay(page.id)
      return withNotice(recordAddress(page, 'invoices', page.id), 'paid')
    },
  },
}

async function invoicePage(page: PageContext, form: FormState): Promise<View> {
  const id = page.id
  const explanation = await page.sandbox.invoices.explain(id)
  const { invoice } = explanation
  const { subscription_id, currency } = invoice
  const body = (
    <>
      <Heading title={id} note={<StatusBadge status={invoice.status} />}>
        {payable.includes(invoice.status) && (
          <PostButton to={`${recordPath('invoices', id)}/pay`}>Try the payment now</PostButton>
        )}
        {linkWith({ subscription_id }, 'Set the outcome of the next payments', 'payments')}
        {linkWith({ subject_id: id }, 'Events', 'events')}
      </Heading>
      <Refused form={form} />
      <Facts
        facts={factsOf(invoice, [
          due,
          money('Paid', 'amount_paid'),
          ...parties,
          reason,
          created,
          instant('Paid at', 'paid_at'),
          nextAttempt,
        ])}
      />
      <Section title="Lines">
        <Table
          caption="Lines"
          rows={invoice.lines.map((line) => ({ ...line, currency }))}
          columns={[
            text('What', 'description'),
            link('Plan', 'plans', 'plan'),
            instant('From', 'period_start'),
            instant('Until', 'period_end'),
            money('Amount', 'amount'),
          ]}
        />
        <Sums caption="How the amount due adds up" rows={totals(invoice)} />
      </Section>
      <Section title="Payment attempts">
        <Attempts invoice={invoice} />
      </Section>
      <Derivation explanation={explanation} />
    </>
  )
  return { title: id, body }
}

const Attempts: FC<{ invoice: Invoice }> = ({ invoice: { attempts, amount_due } }) => (
  <Table
    caption="Payment attempts"
    rows={attempts.map(({ at, outcome }) => ({
      at,
      status: outcome === 'succeeded' ? outcome : 'failed',
      outcome,
    }))}
    columns={[
      instant('At', 'at'),
      status('Outcome'),
      {
        name: 'Reason',
        cell: ({ outcome }) => (outcome === 'succeeded' ? <Nothing /> : <code>{outcome}</code>),
      },
    ]}
    empty={
      <Empty>
        <p>
          {amount_due === 0 ? 'Nothing was due, so no payment was tried.' : 'No payment was tried.'}
        </p>
      </Empty>
    }
  />
)

/** Invoices of one subscription or customer. */
export const InvoiceTable: FC<{ caption: string; invoices: readonly Invoice[] }> = ({
  caption,
  invoices,
}) => (
  <Table
    caption={caption}
    rows={invoices}
    columns={[
      link('Invoice', 'invoices', 'invoice_id'),
      created,
      due,
      status(),
      nextAttempt,
      lineTexts,
    ]}
    empty={<Empty>No invoice yet.</Empty>}
  />
)

/** What an invoice is for, by its lines. */
export const lineTexts: Column<Pick<Invoice, 'lines'>> = {
  name: 'For',
  cell: ({ lines }) => lines.map((line) => line.description).join(', '),
}
