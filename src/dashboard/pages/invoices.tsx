/** Invoices: the list of them, and one with its lines, its attempts and how its amount came about. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { addForm, formPage, page, withNotice } from '../page.tsx'
import type { Sent } from '../sent.ts'
import { asked, Filter } from '../ui/filter.tsx'
import { PostButton, Refused, SelectField, TextField } from '../ui/form.tsx'
import { linkCell, RecordLink, recordAddress } from '../ui/links.tsx'
import { Sums } from '../ui/sums.tsx'
import { Empty, Facts, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { Derivation, totals } from './derivation.tsx'

type Invoice = Schemas['Invoice']

const PAGE = 50

const nothingFound: Schemas['InvoiceList'] = { data: [], has_more: false, next_after: null }

/** Those that can be paid by hand. */
const payable: readonly Invoice['status'][] = ['open', 'uncollectible']

const statuses = ['open', 'paid', 'void', 'uncollectible'] as const

export function invoicePages(pages: Hono): void {
  pages.get('/invoices', page(listPage))
  pages.get('/invoices/:id', formPage(invoicePage))
  // Where the clock leads back to from a payment that was refused.
  addForm(pages, '/invoices/:id/pay', { act: pay, show: invoicePage })
}

async function pay(visit: Visit): Promise<string> {
  const { sandbox, id } = visit
  await sandbox.invoices.pay(id)
  return withNotice(recordAddress(visit, 'invoices', id), 'paid')
}

async function listPage(visit: Visit): Promise<View> {
  const { control, given, cursor, to } = visit
  const filter = given('status', 'customer_id', 'subscription_id')
  const query: object = { ...filter, ...cursor(PAGE) }
  const { found, sent } = await asked(visit, {
    find: () => answered(control.GET('/sandbox/invoices', { params: { query } })),
    otherwise: nothingFound,
  })
  const isFiltered = Object.keys(filter).length > 0
  const body = (
    <>
      <Heading title="Invoices" />
      <Filter visit={visit} path="invoices" sent={sent} label="Filter invoices">
        <SelectField name="status" label="Status" none="Any" options={statuses} sent={sent} />
        <TextField name="customer_id" label="Customer" placeholder="cus_ada" sent={sent} />
        <TextField
          name="subscription_id"
          label="Subscription"
          placeholder="sub_000001"
          sent={sent}
        />
      </Filter>
      {sent.refusal === null && (
        <Table
          caption="Invoices, oldest first"
          rows={found.data}
          columns={columnsOf(visit)}
          empty={
            isFiltered ? (
              <Empty>
                <p>No invoice matches the filter.</p>
                <p>
                  <a href={to('invoices')}>Show all</a>
                </p>
              </Empty>
            ) : (
              <Empty>
                <p>No invoice yet. A subscription without a trial makes one at once.</p>
                <p>
                  <a href={to('subscriptions/~new')}>Create a subscription</a>
                </p>
              </Empty>
            )
          }
        />
      )}
      <Pager visit={visit} path="invoices" query={filter} next={found.next_after} />
    </>
  )
  return { title: 'Invoices', body }
}

function columnsOf(visit: Visit) {
  return [
    { name: 'Invoice', cell: linkCell(visit, 'invoices', 'invoice_id') },
    { name: 'Status', cell: (each: Invoice) => <StatusBadge status={each.status} /> },
    {
      name: 'Due',
      cell: (each: Invoice) => <MoneyText amount={each.amount_due} currency={each.currency} />,
      isNumber: true,
    },
    { name: 'Customer', cell: linkCell(visit, 'customers', 'customer_id') },
    { name: 'Subscription', cell: linkCell(visit, 'subscriptions', 'subscription_id') },
    { name: 'For', cell: (each: Invoice) => reasons[each.reason] },
    { name: 'Created', cell: (each: Invoice) => <At instant={each.created_at} /> },
    { name: 'Next attempt', cell: (each: Invoice) => <At instant={each.next_attempt_at} /> },
  ]
}

const reasons: Readonly<Record<Invoice['reason'], string>> = {
  period: 'a period',
  proration: 'a change of plan',
}

async function invoicePage(visit: Visit, sent: Sent): Promise<View> {
  const id = visit.id
  const explanation = await visit.sandbox.invoices.explain(id)
  const { invoice } = explanation
  const { currency, next_attempt_at: next } = invoice
  const body = (
    <>
      <Heading title={id} note={<StatusBadge status={invoice.status} />}>
        {payable.includes(invoice.status) && (
          <PostButton action={`${recordAddress(visit, 'invoices', id)}/pay`}>
            Try the payment now
          </PostButton>
        )}
        <a href={visit.to('payments', { subscription_id: invoice.subscription_id })}>
          Set the outcome of the next payments
        </a>
        <a href={visit.to('events', { subject_id: id })}>Events</a>
      </Heading>
      <Refused sent={sent} />
      <Facts
        facts={[
          ['Due', <MoneyText amount={invoice.amount_due} currency={currency} />],
          ['Paid', <MoneyText amount={invoice.amount_paid} currency={currency} />],
          ['Customer', <RecordLink visit={visit} place="customers" id={invoice.customer_id} />],
          [
            'Subscription',
            <RecordLink visit={visit} place="subscriptions" id={invoice.subscription_id} />,
          ],
          ['For', reasons[invoice.reason]],
          ['Created', <At instant={invoice.created_at} />],
          ['Paid at', <At instant={invoice.paid_at} />],
          ['Next attempt', next === null ? <Nothing /> : <At instant={next} />],
        ]}
      />
      <Section title="Lines">
        <Lines visit={visit} invoice={invoice} />
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

const Lines: FC<{ visit: Visit; invoice: Invoice }> = ({ visit, invoice }) => (
  <Table
    caption="Lines"
    rows={invoice.lines}
    columns={[
      { name: 'What', cell: ({ description }) => description },
      { name: 'Plan', cell: linkCell(visit, 'plans', 'plan') },
      { name: 'From', cell: ({ period_start }) => <At instant={period_start} /> },
      { name: 'Until', cell: ({ period_end }) => <At instant={period_end} /> },
      {
        name: 'Amount',
        cell: ({ amount }) => <MoneyText amount={amount} currency={invoice.currency} />,
        isNumber: true,
      },
    ]}
  />
)

const Attempts: FC<{ invoice: Invoice }> = ({ invoice }) => (
  <Table
    caption="Payment attempts"
    rows={invoice.attempts}
    columns={[
      { name: 'At', cell: ({ at }) => <At instant={at} /> },
      {
        name: 'Outcome',
        cell: ({ outcome }) => (
          <StatusBadge status={outcome === 'succeeded' ? 'succeeded' : 'failed'} />
        ),
      },
      {
        name: 'Reason',
        cell: ({ outcome }) => (outcome === 'succeeded' ? <Nothing /> : <code>{outcome}</code>),
      },
    ]}
    empty={
      <Empty>
        <p>
          {invoice.amount_due === 0
            ? 'Nothing was due, so no payment was tried.'
            : 'No payment was tried.'}
        </p>
      </Empty>
    }
  />
)
