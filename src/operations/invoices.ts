/** Invoices: reading them, paying one by hand, and how their amounts came about. */
import { explain } from '../billing/explain.ts'
import { answers, endpoints, lists } from '../surface/declarations.ts'
import {
  invoiceFilter,
  presentExplanation,
  presentInvoice,
  WireExplanation,
  WireInvoice,
} from '../wire/invoice.ts'
import { payInvoice } from '../world/commands/subscriptions.ts'
import { change, worldQuery } from './operation.ts'
import { takeOne, takePage } from './page.ts'

const { get, post } = endpoints('Invoices')

export const invoiceOperations = [
  worldQuery({
    ...get('/sandbox/invoices', 'listInvoices'),
    ...lists('Invoice', WireInvoice, invoiceFilter),
    summary: 'List invoices',
    read: ({ invoices }, query) => takePage(invoices, query, presentInvoice),
  }),
  worldQuery({
    ...get('/sandbox/invoices/{invoice_id}', 'retrieveInvoice'),
    summary: 'Retrieve an invoice',
    description: 'As it stands.',
    replies: answers('The invoice.', WireInvoice),
    read: ({ invoices }, named) => takeOne(invoices, named, presentInvoice),
  }),
  change({
    ...post('/sandbox/invoices/{invoice_id}/pay', 'payInvoice'),
    summary: 'Attempt to pay an open or uncollectible invoice',
    description: 'One more attempt, outside the schedule of retries. A failure is an answer.',
    replies: answers('The invoice.', WireInvoice),
    refusals: ['not_found', 'invalid_transition'],
    perform: (world, { invoice_id: id }, cause) => payInvoice(world, id, cause),
    present: presentInvoice,
  }),
  worldQuery({
    ...get('/sandbox/invoices/{invoice_id}/explain', 'explainInvoice'),
    summary: 'Explain an invoice',
    description: 'Every amount with its seconds, its fraction, and how it was rounded.',
    replies: answers('The explanation.', WireExplanation),
    read: ({ invoices }, named) =>
      takeOne(invoices, named, (invoice) => presentExplanation(explain(invoice))),
  }),
]
