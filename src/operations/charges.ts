/** Charges, and the outcomes that are scripted for payments. */
import * as z from 'zod'
import { isRefusal } from '../billing/refusal.ts'
import { answers, controlPlane, json, makes, pages } from '../surface/declarations.ts'
import { couponRefusals } from '../surface/refusals.ts'
import { camelKeys, snakeKeys } from '../wire/case.ts'
import {
  ChargeCreate,
  chargeFilter,
  PaymentOutcomesCreate,
  presentPaymentScript,
  scriptOrder,
  WireCharge,
  WirePaymentScript,
} from '../wire/charge.ts'
import { PageQuery, Reference } from '../wire/fields.ts'
import { find } from '../world/answer.ts'
import { charge } from '../world/commands/charges.ts'
import { clearPaymentScripts, scriptPayments } from '../world/commands/payments.ts'
import { change, worldQuery } from './operation.ts'
import { takePage } from './page.ts'

const charges = { ...controlPlane, path: '/sandbox/charges', tag: 'Charges' } as const
const outcomes = { ...controlPlane, path: '/sandbox/payment-outcomes', tag: 'Payments' } as const

export const chargeOperations = [
  worldQuery({
    ...charges,
    operationId: 'listCharges',
    method: 'get',
    summary: 'List one-time charges',
    description: 'Oldest first.',
    query: PageQuery.extend(chargeFilter),
    replies: pages('Charge', WireCharge),
    read: (world, query) => takePage(world.charges, query, snakeKeys),
  }),
  change({
    ...charges,
    operationId: 'createCharge',
    method: 'post',
    summary: 'Charge a customer once',
    description: 'A failed payment is an answer: the charge then has the status `failed`.',
    body: { ...json, schema: ChargeCreate },
    replies: makes('The charge.', WireCharge),
    locatedBy: 'charge_id',
    refusals: ['not_found', ...couponRefusals, 'sandbox_full'],
    perform: (world, body, cause) => charge(world, { couponId: null, ...camelKeys(body) }, cause),
    present: (made) => snakeKeys(made),
  }),
  worldQuery({
    ...charges,
    operationId: 'retrieveCharge',
    method: 'get',
    path: '/sandbox/charges/{charge_id}',
    summary: 'Retrieve a charge',
    description: 'As it was made.',
    params: z.strictObject({ charge_id: Reference }),
    replies: answers('The charge.', WireCharge),
    refusals: ['not_found'],
    read: (world, { charge_id: id }) => {
      const found = find(world.charges, { field: 'charge_id', id })
      return isRefusal(found) ? found : snakeKeys(found)
    },
  }),
]

export const paymentOperations = [
  worldQuery({
    ...outcomes,
    operationId: 'listPaymentOutcomes',
    method: 'get',
    summary: 'List the payment outcomes to come',
    description: 'For each scope, what is left of its script, and its standing rule.',
    query: PageQuery,
    replies: pages('PaymentScript', WirePaymentScript),
    read: ({ paymentScripts }, query) => takePage(paymentScripts, query, presentPaymentScript),
  }),
  change({
    ...outcomes,
    operationId: 'scriptPaymentOutcomes',
    method: 'post',
    summary: 'Script payment outcomes',
    description:
      'Outcomes are appended to those of the same scope; a standing rule takes the place of the one before.',
    body: { ...json, schema: PaymentOutcomesCreate },
    replies: answers('What the scope holds.', WirePaymentScript),
    refusals: ['not_found', 'sandbox_full'],
    perform: (world, body) => scriptPayments(world, scriptOrder(body)),
    present: presentPaymentScript,
  }),
  change({
    ...outcomes,
    operationId: 'clearPaymentOutcomes',
    method: 'delete',
    summary: 'Clear all payment outcomes',
    description: 'Scripts and standing rules of every scope.',
    replies: { 204: { description: 'They are gone.', schema: null, source: 'sandbox' } },
    perform: clearPaymentScripts,
    present: () => null,
  }),
]
