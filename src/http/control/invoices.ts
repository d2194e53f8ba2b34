/** Invoices: looking at them, paying one by hand, and how their amounts came about. */
import * as z from 'zod'
import { explain } from '../../billing/explain.ts'
import { ok, route } from '../../surface/operation.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import {
  invoiceFilter,
  presentExplanation,
  presentInvoice,
  WireExplanation,
  WireInvoice,
  WireInvoiceList,
} from '../../wire/invoice.ts'
import { find } from '../../world/answer.ts'
import { payInvoice } from '../../world/commands/subscriptions.ts'
import type { World } from '../../world/world.ts'
import { answers, controlPlane, executeInWorld, readWorld, takePage } from './calls.ts'

const shared = { ...controlPlane, tag: 'Invoices' } as const
const filter = PageQuery.extend(invoiceFilter)
const params = z.strictObject({ invoice_id: Reference })
const one = {
  200: { description: 'The invoice.', schema: WireInvoice, source: 'sandbox' },
} as const

export const invoiceRoutes = [
  route(
    {
      ...shared,
      operationId: 'listInvoices',
      method: 'get',
      path: '/sandbox/invoices',
      summary: 'List invoices',
      description: 'Oldest first.',
      query: filter,
      replies: answers('One page of them.', WireInvoiceList),
    },
    async ({ query, c }) => ok(await readWorld(c, (world) => page(world, query))),
  ),
  route(
    {
      ...shared,
      operationId: 'retrieveInvoice',
      method: 'get',
      path: '/sandbox/invoices/{invoice_id}',
      summary: 'Retrieve an invoice',
      description: 'As it stands.',
      params,
      replies: one,
      refusals: ['not_found'],
    },
    async ({ params, c }) => {
      const { invoice_id: id } = params
      return ok(presentInvoice(await readWorld(c, (world) => invoiceNamed(world, id))))
    },
  ),
  route(
    {
      ...shared,
      operationId: 'payInvoice',
      method: 'post',
      path: '/sandbox/invoices/{invoice_id}/pay',
      summary: 'Attempt to pay an open invoice',
      description: 'One more attempt, outside the schedule of retries. A failure is an answer.',
      params,
      replies: one,
      refusals: ['not_found', 'invalid_transition'],
    },
    async ({ params, c }) => {
      const { invoice_id: id } = params
      return ok(
        presentInvoice(await executeInWorld(c, (world, cause) => payInvoice(world, id, cause))),
      )
    },
  ),
  route(
    {
      ...shared,
      operationId: 'explainInvoice',
      method: 'get',
      path: '/sandbox/invoices/{invoice_id}/explain',
      summary: 'Explain an invoice',
      description: 'Every amount with its seconds, its fraction, and how it was rounded.',
      params,
      replies: answers('The explanation.', WireExplanation),
      refusals: ['not_found'],
    },
    async ({ params, c }) => {
      const { invoice_id: id } = params
      return ok(presentExplanation(explain(await readWorld(c, (world) => invoiceNamed(world, id)))))
    },
  ),
]

function page({ invoices }: World, query: z.output<typeof filter>) {
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
