/** Invoices: reading them, paying one by hand, and how their amounts came about. */
import * as z from 'zod'
import { explain } from '../billing/explain.ts'
import type { Invoice } from '../billing/invoice.ts'
import { isRefusal } from '../billing/refusal.ts'
import { answers, controlPlane, pages } from '../surface/declarations.ts'
import { PageQuery, Reference } from '../wire/fields.ts'
import {
  invoiceFilter,
  presentExplanation,
  presentInvoice,
  WireExplanation,
  WireInvoice,
} from '../wire/invoice.ts'
import { find } from '../world/answer.ts'
import { payInvoice } from '../world/commands/subscriptions.ts'
import type { Refusal } from '../world/refusal.ts'
import type { World } from '../world/world.ts'
import { change, worldQuery } from './operation.ts'
import { takePage } from './page.ts'

const shared = { ...controlPlane, tag: 'Invoices' } as const
const params = z.strictObject({ invoice_id: Reference })
const path = '/sandbox/invoices/{invoice_id}'
const one = answers('The invoice.', WireInvoice)

export const invoiceOperations = [
  worldQuery({
    ...shared,
    operationId: 'listInvoices',
    method: 'get',
    path: '/sandbox/invoices',
    summary: 'List invoices',
    description: 'Oldest first.',
    query: PageQuery.extend(invoiceFilter),
    replies: pages('Invoice', WireInvoice),
    read: ({ invoices }, query) => takePage(invoices, query, presentInvoice),
  }),
  worldQuery({
    ...shared,
    operationId: 'retrieveInvoice',
    method: 'get',
    path,
    summary: 'Retrieve an invoice',
    description: 'As it stands.',
    params,
    replies: one,
    refusals: ['not_found'],
    read: (world, { invoice_id: id }) => presentFound(world, id, presentInvoice),
  }),
  change({
    ...shared,
    operationId: 'payInvoice',
    method: 'post',
    path: `${path}/pay`,
    summary: 'Attempt to pay an open or uncollectible invoice',
    description: 'One more attempt, outside the schedule of retries. A failure is an answer.',
    params,
    replies: one,
    refusals: ['not_found', 'invalid_transition'],
    perform: (world, { invoice_id: id }, cause) => payInvoice(world, id, cause),
    present: presentInvoice,
  }),
  worldQuery({
    ...shared,
    operationId: 'explainInvoice',
    method: 'get',
    path: `${path}/explain`,
    summary: 'Explain an invoice',
    description: 'Every amount with its seconds, its fraction, and how it was rounded.',
    params,
    replies: answers('The explanation.', WireExplanation),
    refusals: ['not_found'],
    read: (world, { invoice_id: id }) =>
      presentFound(world, id, (invoice) => presentExplanation(explain(invoice))),
  }),
]

function presentFound<Wire>(
  { invoices }: World,
  id: string,
  present: (invoice: Invoice) => Wire,
): Wire | Refusal {
  const found = find(invoices, { field: 'invoice_id', id })
  return isRefusal(found) ? found : present(found)
}
