/** One customer, with its subscriptions and invoices: looking at it, changing and deleting it. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { newestInvoicesOf } from '../newest.ts'
import { addForm, page, withNotice } from '../page.tsx'
import { addDeletion } from '../question.tsx'
import { nothingSent, type Sent, startingWith, type Values } from '../sent.ts'
import { CustomerBalance, CustomerFields } from '../ui/customer.tsx'
import { Form } from '../ui/form.tsx'
import { ButtonLink, DangerLink, linkCell, recordAddress, recordPath } from '../ui/links.tsx'
import { InvoiceTable } from '../ui/record-tables.tsx'
import { Empty, Facts, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { At, StatusBadge, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

/** How many subscriptions stand on one page. */
const PAGE = 50

/** How many of its invoices are shown; the list has them all. */
const SHOWN = 12

export function oneCustomerPages(pages: Hono): void {
  pages.get('/customers/:id', page(customerPage))
  addForm(pages, '/customers/:id/edit', { act: edit, show: editPage })
  addDeletion(pages, 'customers', {
    name: 'customer',
    list: 'customers',
    text: 'The customer is deleted, with its balance and its scripted payment outcomes. The sandbox refuses that if the customer was ever billed.',
  })
}

async function customerPage(visit: Visit): Promise<View> {
  const customer = await visit.sandbox.customers.get(visit.id)
  const { customer_id: id } = customer
  const filter = { customer_id: id }
  const query = { ...filter, ...visit.cursor(PAGE) }
  const [subscriptions, invoices] = await Promise.all([
    answered(visit.control.GET('/sandbox/subscriptions', { params: { query } })),
    newestInvoicesOf(visit, filter, SHOWN),
  ])
  const path = recordPath('customers', id)
  const start = visit.to('subscriptions/~new/product', filter)
  const body = (
    <>
      <Heading title={customer.name ?? id}>
        <ButtonLink href={visit.to(`${path}/edit`)}>Edit</ButtonLink>
        <DangerLink href={visit.to(`${path}/delete`)}>Delete…</DangerLink>
      </Heading>
      <Facts
        facts={[
          ['Customer id', id],
          ['Email', <Text value={customer.email} />],
          ['Currency', <Text value={customer.currency} />],
          ['Balance', <CustomerBalance customer={customer} />],
          ['Payment method', customer.payment_method],
        ]}
      />
      <Section
        title="Subscriptions"
        actions={<ButtonLink href={start}>New subscription</ButtonLink>}
      >
        <SubscriptionTable visit={visit} subscriptions={subscriptions.data} />
        <Pager visit={visit} path={path} next={subscriptions.next_after} />
      </Section>
      <Section title="Invoices" actions={<a href={visit.to('invoices', filter)}>Show all</a>}>
        <InvoiceTable visit={visit} {...invoices} empty="No invoice yet." />
      </Section>
    </>
  )
  return { title: id, body }
}

const SubscriptionTable: FC<{
  visit: Visit
  subscriptions: readonly Schemas['SubscriptionRecord'][]
}> = ({ visit, subscriptions }) => (
  <Table
    caption="Subscriptions, oldest first"
    rows={subscriptions}
    columns={[
      { name: 'Subscription', cell: linkCell(visit, 'subscriptions', 'subscription_id') },
      { name: 'Plan', cell: linkCell(visit, 'plans', 'plan') },
      { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
      { name: 'Period until', cell: ({ current_period_end: at }) => <At instant={at} /> },
    ]}
    empty={<Empty>No subscription yet.</Empty>}
  />
)

/** An empty field takes away what was there; a balance is a number, and the sandbox says so of an empty one. */
function changesOf(values: Values): Schemas['CustomerPatch'] {
  return {
    name: values.text('name') ?? null,
    email: values.text('email') ?? null,
    payment_method: values.text('payment_method'),
    balance: values.integer('balance') ?? values.raw('balance'),
  } as Schemas['CustomerPatch']
}

async function edit(visit: Visit, { values }: Sent): Promise<string> {
  const id = visit.id
  await visit.sandbox.customers.update(id, changesOf(values))
  return withNotice(recordAddress(visit, 'customers', id), 'changed')
}

async function editPage(visit: Visit, sent: Sent): Promise<View> {
  const customer = await visit.sandbox.customers.get(visit.id)
  const { customer_id: id, name, email, payment_method, balance } = customer
  const shown = sent === nothingSent ? startingWith({ name, email, payment_method, balance }) : sent
  const address = recordAddress(visit, 'customers', id)
  const body = (
    <>
      <Heading title={`Edit ${id}`} />
      <Form action={`${address}/edit`} sent={shown} submit="Save" cancel={address}>
        <CustomerFields sent={shown} />
      </Form>
    </>
  )
  return { title: `Edit ${id}`, body, live: 'nothing' }
}
