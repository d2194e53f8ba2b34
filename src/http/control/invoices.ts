/** Invoices: looking at them, paying one by hand, and how their amounts came about. */
import * as z from 'zod'
import { explain } from '../../billing/explain.ts'
import { find } from '../../sandbox/answer.ts'
import { payInvoice } from '../../sandbox/commands/subscriptions.ts'
import type { World } from '../../sandbox/world.ts'
import { ok, operation, route } from '../../surface/operation.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import { invoiceFilter, WireExplanation, WireInvoice, WireInvoiceList } from '../../wire/invoice.ts'
import { presentExplanation, presentInvoice } from '../present/billing.ts'
import { askWorld, controlPlane, takePage, tellWorld } from './calls.ts'

const shared = { ...controlPlane, tag: 'Invoices' } as const
const params = z.strictObject({ invoice_id: Reference })
const one = {
  200: { description: 'The invoice.', schema: WireInvoice, source: 'sandbox' },
} as const

const list = operation({
  ...shared,
  operationId: 'listInvoices',
  method: 'get',
  path: '/sandbox/invoices',
  summary: 'List invoices',
  description: 'Oldest first.',
  query: PageQuery.extend(invoiceFilter),
  replies: {
    200: { description: 'One page of them.', schema: WireInvoiceList, source: 'sandbox' },
  },
  refusals: [],
})

const retrieve = operation({
  ...shared,
  operationId: 'retrieveInvoice',
  method: 'get',
  path: '/sandbox/invoices/{invoice_id}',
  summary: 'Retrieve an invoice',
  description: 'As it stands.',
  params,
  replies: one,
  refusals: ['not_found'],
})

const pay = operation({
  ...shared,
  operationId: 'payInvoice',
  method: 'post',
  path: '/sandbox/invoices/{invoice_id}/pay',
  summary: 'Attempt to pay an open invoice',
  description: 'One more attempt, outside the schedule of retries. A failure is an answer.',
  params,
  replies: one,
  refusals: ['not_found', 'invalid_transition'],
})

const account = operation({
  ...shared,
  operationId: 'explainInvoice',
  method: 'get',
  path: '/sandbox/invoices/{invoice_id}/explain',
  summary: 'Explain an invoice',
  description: 'Every amount with its seconds, its fraction, and how it was rounded.',
  params,
  replies: {
    200: { description: 'The explanation.', schema: WireExplanation, source: 'sandbox' },
  },
  refusals: ['not_found'],
})

export const invoiceRoutes = [
  route(list, async ({ query, c }) => ok(await askWorld(c, (world) => page(world, query)))),
  route(retrieve, async ({ params, c }) => {
    const { invoice_id: id } = params
    return ok(presentInvoice(await askWorld(c, (world) => invoiceNamed(world, id))))
  }),
  route(pay, async ({ params, c }) => {
    const { invoice_id: id } = params
    return ok(presentInvoice(await tellWorld(c, (world, cause) => payInvoice(world, id, cause))))
  }),
  route(account, async ({ params, c }) => {
    const { invoice_id: id } = params
    return ok(presentExplanation(explain(await askWorld(c, (world) => invoiceNamed(world, id)))))
  }),
]

function page({ invoices }: World, query: z.output<typeof list.query>) {
  const { subscription_id: subscriptionId, customer_id: customerId, status, ...order } = query
  return takePage(invoices, order, {
    keeps: (each) =>
      (subscriptionId === undefined || each.subscriptionId === subscriptionId) &&
      (customerId === undefined || each.customerId === customerId) &&
      (status === undefined || each.status === status),
    present: presentInvoice,
  })
}

function invoiceNamed({ invoices }: World, id: string) {
  return find(invoices, { field: 'invoice_id', id })
}
