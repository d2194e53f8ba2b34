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
} from '../../wire/invoice.ts'
import { find } from '../../world/answer.ts'
import { payInvoice } from '../../world/commands/subscriptions.ts'
import type { World } from '../../world/world.ts'
import { executeInWorld, readInWorld, takePage } from './calls.ts'
import { answers, controlPlane, pages } from './declarations.ts'

const shared = { ...controlPlane, tag: 'Invoices' } as const
const params = z.strictObject({ invoice_id: Reference })
const one = answers('The invoice.', WireInvoice)

export const invoiceRoutes = [
  route({
    ...shared,
    operationId: 'listInvoices',
    method: 'get',
    path: '/sandbox/invoices',
    summary: 'List invoices',
    description: 'Oldest first.',
    query: PageQuery.extend(invoiceFilter),
    replies: pages('Invoice', WireInvoice),
    answer: async ({ query, c }) =>
      ok(await readInWorld(c, ({ invoices }) => takePage(invoices, query, presentInvoice))),
  }),
  route({
    ...shared,
    operationId: 'retrieveInvoice',
    method: 'get',
    path: '/sandbox/invoices/{invoice_id}',
    summary: 'Retrieve an invoice',
    description: 'As it stands.',
    params,
    replies: one,
    refusals: ['not_found'],
    answer: async ({ params, c }) => {
      const { invoice_id: id } = params
      return ok(presentInvoice(await readInWorld(c, (world) => invoiceNamed(world, id))))
    },
  }),
  route({
    ...shared,
    operationId: 'payInvoice',
    method: 'post',
    path: '/sandbox/invoices/{invoice_id}/pay',
    summary: 'Attempt to pay an open or uncollectible invoice',
    description: 'One more attempt, outside the schedule of retries. A failure is an answer.',
    params,
    replies: one,
    refusals: ['not_found', 'invalid_transition'],
    answer: async ({ params, c }) => {
      const { invoice_id: id } = params
      return ok(
        presentInvoice(await executeInWorld(c, (world, cause) => payInvoice(world, id, cause))),
      )
    },
  }),
  route({
    ...shared,
    operationId: 'explainInvoice',
    method: 'get',
    path: '/sandbox/invoices/{invoice_id}/explain',
    summary: 'Explain an invoice',
    description: 'Every amount with its seconds, its fraction, and how it was rounded.',
    params,
    replies: answers('The explanation.', WireExplanation),
    refusals: ['not_found'],
    answer: async ({ params, c }) => {
      const { invoice_id: id } = params
      return ok(
        presentExplanation(explain(await readInWorld(c, (world) => invoiceNamed(world, id)))),
      )
    },
  }),
]

function invoiceNamed({ invoices }: World, id: string) {
  return find(invoices, { field: 'invoice_id', id })
}
