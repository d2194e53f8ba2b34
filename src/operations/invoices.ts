/** Invoices: reading them, paying one by hand, and how their amounts came about. */
import { explain } from '../billing/explain.ts'
import { endpoints, listParts, reply } from '../surface/declarations.ts'
import {
  invoiceFilter,
  presentExplanation,
  presentInvoice,
  WireExplanation,
  WireInvoice,
} from '../wire/billing/invoice.ts'
import { payInvoice } from '../world/commands/subscriptions.ts'
import { settingsOf } from '../world/world.ts'
import { worldQuery, worldWrite } from './operation.ts'
import { findOne, readPage } from './page.ts'

const { get, post } = endpoints('Invoices')

export const invoiceOperations = [
  worldQuery({
    ...get('/sandbox/invoices', 'listInvoices'),
    ...listParts('Invoice', WireInvoice, invoiceFilter),
    summary: 'List invoices',
    read: ({ invoices }, query) => readPage(invoices, query, presentInvoice),
  }),
  worldQuery({
    ...get('/sandbox/invoices/{invoice_id}', 'retrieveInvoice'),
    summary: 'Retrieve an invoice',
    description: 'Returns the invoice as it is now.',
    replies: reply.ok('The invoice.', WireInvoice),
    read: ({ invoices }, named) => findOne(invoices, named, presentInvoice),
  }),
  worldWrite({
    ...post('/sandbox/invoices/{invoice_id}/pay', 'payInvoice'),
    summary: 'Attempt to pay an open or uncollectible invoice',
    description:
      'Makes one payment attempt now, in addition to the retry schedule. A failed attempt is answered with status 200 as well; `attempts` has its outcome.',
    replies: reply.ok('The invoice after the attempt.', WireInvoice),
    refusals: ['not_found', 'invalid_transition'],
    perform: (world, { invoice_id: id }, cause) => payInvoice(world, id, cause),
    present: presentInvoice,
  }),
  worldQuery({
    ...get('/sandbox/invoices/{invoice_id}/explain', 'explainInvoice'),
    summary: 'Explain an invoice',
    description:
      'Explains each amount of the invoice: its seconds, its fraction, and its rounding.',
    replies: reply.ok('The explanation.', WireExplanation),
    read: (world, named) =>
      findOne(world.invoices, named, (each) =>
        presentExplanation(explain(each, settingsOf(world))),
      ),
  }),
]
