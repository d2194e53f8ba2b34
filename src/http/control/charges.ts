/** One-time charges. */
import * as z from 'zod'
import { created, ok, route } from '../../surface/operation.ts'
import { couponRefusals } from '../../surface/refusals.ts'
import { snakeKeys } from '../../wire/case.ts'
import { ChargeCreate, chargeFilter, chargeOrder, WireCharge } from '../../wire/charge.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import { find } from '../../world/answer.ts'
import { charge } from '../../world/commands/charges.ts'
import { executeInWorld, readInWorld, takePage } from './calls.ts'
import { answers, controlPlane, json, makes, pages } from './declarations.ts'

const shared = { ...controlPlane, tag: 'Charges' } as const

export const chargeRoutes = [
  route({
    ...shared,
    operationId: 'listCharges',
    method: 'get',
    path: '/sandbox/charges',
    summary: 'List one-time charges',
    description: 'Oldest first.',
    query: PageQuery.extend(chargeFilter),
    replies: pages('Charge', WireCharge),
    answer: async ({ query, c }) =>
      ok(await readInWorld(c, ({ charges }) => takePage(charges, query, snakeKeys))),
  }),
  route({
    ...shared,
    operationId: 'createCharge',
    method: 'post',
    path: '/sandbox/charges',
    summary: 'Charge a customer once',
    description: 'A failed payment is an answer: the charge then has the status `failed`.',
    body: { ...json, schema: ChargeCreate },
    replies: makes('The charge.', WireCharge),
    refusals: ['not_found', ...couponRefusals, 'sandbox_full'],
    answer: async ({ body, c }) => {
      const order = chargeOrder(body)
      const made = await executeInWorld(c, (world, cause) => charge(world, order, cause))
      return created(`/sandbox/charges/${made.chargeId}`, snakeKeys(made))
    },
  }),
  route({
    ...shared,
    operationId: 'retrieveCharge',
    method: 'get',
    path: '/sandbox/charges/{charge_id}',
    summary: 'Retrieve a charge',
    description: 'As it was made.',
    params: z.strictObject({ charge_id: Reference }),
    replies: answers('The charge.', WireCharge),
    refusals: ['not_found'],
    answer: async ({ params, c }) => {
      const named = { field: 'charge_id', id: params.charge_id }
      return ok(snakeKeys(await readInWorld(c, ({ charges }) => find(charges, named))))
    },
  }),
]
