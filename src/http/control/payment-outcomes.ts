/** Payment outcomes: how payment attempts will end, said in advance. */

import { noContent, ok, route } from '../../surface/operation.ts'
import {
  PaymentOutcomesCreate,
  presentPaymentScript,
  scriptOrder,
  WirePaymentScript,
} from '../../wire/charge.ts'
import { PageQuery } from '../../wire/fields.ts'
import { clearPaymentScripts, scriptPayments } from '../../world/commands/payments.ts'
import { executeInWorld, readInWorld, takePage } from './calls.ts'
import { answers, controlPlane, json, pages } from './declarations.ts'

const shared = { ...controlPlane, path: '/sandbox/payment-outcomes', tag: 'Payments' } as const

export const paymentOutcomeRoutes = [
  route({
    ...shared,
    operationId: 'listPaymentOutcomes',
    method: 'get',
    summary: 'List the payment outcomes to come',
    description: 'For each scope, what is left of its script, and its standing rule.',
    query: PageQuery,
    replies: pages('PaymentScript', WirePaymentScript),
    answer: async ({ query, c }) =>
      ok(
        await readInWorld(c, ({ paymentScripts }) =>
          takePage(paymentScripts, query, presentPaymentScript),
        ),
      ),
  }),
  route({
    ...shared,
    operationId: 'scriptPaymentOutcomes',
    method: 'post',
    summary: 'Script payment outcomes',
    description:
      'Outcomes are appended to those of the same scope; a standing rule takes the place of the one before.',
    body: {
      ...json,
      schema: PaymentOutcomesCreate,
    },
    replies: answers('What the scope holds.', WirePaymentScript),
    refusals: ['not_found', 'sandbox_full'],
    answer: async ({ body, c }) => {
      const order = scriptOrder(body)
      return ok(
        presentPaymentScript(await executeInWorld(c, (world) => scriptPayments(world, order))),
      )
    },
  }),
  route({
    ...shared,
    operationId: 'clearPaymentOutcomes',
    method: 'delete',
    summary: 'Clear all payment outcomes',
    description: 'Scripts and standing rules of every scope.',
    replies: { 204: { description: 'They are gone.', schema: null, source: 'sandbox' } },
    answer: async ({ c }) => {
      await executeInWorld(c, clearPaymentScripts)
      return noContent()
    },
  }),
]
