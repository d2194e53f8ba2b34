/** Customers, with their subscriptions and invoices. */
import type { Schemas } from '../../library/sandbox.ts'
import { CustomerCreate, CustomerPatch } from '../../wire/billing/catalog.ts'
import { type FieldTexts, formFieldsOf, generatedIfEmpty, searchField } from '../forms/field.ts'
import { collection } from '../page-kinds/collection.tsx'
import { button } from '../ui/links.tsx'
import type { PageContext } from '../ui/page-context.ts'
import { Table } from '../ui/table.tsx'
import { newestInvoices } from './invoices.tsx'

/** What lists of customers show beside their ids. */
export const customerColumns = ['name', 'email', 'balance', 'payment_method'] as const

const changeable = {
  name: {},
  email: {},
  payment_method: { options: { valid: 'valid: payments succeed', none: 'none: payments fail' } },
  balance: 'Such as 12.50, in minor units if there is no currency; the next invoices use it first',
} as const satisfies Record<string, FieldTexts>

/** The fields of a new customer beside its id. */
export const customerFields = formFieldsOf(CustomerCreate, changeable)

export const customerPages = collection('customers', {
  list: {
    filter: [searchField],
    columns: ['customer_id', ...customerColumns],
    empty: 'No customer yet. A customer is who subscribes and pays.',
  },
  titleOf: ({ name, customer_id: id }) => name ?? id,
  facts: ['email', 'currency', 'balance', 'payment_method'],
  below: subscriptionsAndInvoices,
  create: {
    fields: formFieldsOf(CustomerCreate, {
      customer_id: ['Customer id', generatedIfEmpty],
      ...changeable,
      currency: 'The currency of the first bill if empty',
    }),
  },
  change: { label: 'Edit', fields: formFieldsOf(CustomerPatch, changeable) },
  remove:
    'The customer is deleted, with its balance and its scripted payment outcomes. The sandbox refuses that if the customer was ever billed.',
})

async function subscriptionsAndInvoices(page: PageContext, { customer_id }: Schemas['Customer']) {
  const filter = { customer_id }
  const [subscriptions, invoices] = await Promise.all([
    page.list('/sandbox/subscriptions', { ...filter, ...page.cursor() }),
    newestInvoices(page, filter),
  ])
  return [
    <Table
      title="Subscriptions"
      actions={button('New subscription', 'subscriptions/~new/product', filter)}
      rows={subscriptions}
      columns={['subscription_id', 'plan', 'status', 'current_period_end']}
      empty="No subscription yet."
    />,
    invoices,
  ]
}
