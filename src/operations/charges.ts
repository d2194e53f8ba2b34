/** Charges, and the outcomes that are scripted for payments. */
import { endpoints, json, listParts, reply } from '../surface/declarations.ts'
import { couponRefusals } from '../surface/refusals.ts'
import {
  ChargeCreate,
  chargeFilter,
  PaymentOutcomesCreate,
  PaymentOutcomesRemove,
  presentPaymentScript,
  scopeOf,
  toNewScript,
  WireCharge,
  WirePaymentScript,
} from '../wire/billing/charge.ts'
import { camelKeys, snakeKeys } from '../wire/common/case.ts'
import {
  clearPaymentScripts,
  createCharge,
  removePaymentScript,
  scriptPayments,
} from '../world/commands/payments.ts'
import { worldQuery, worldWrite } from './operation.ts'
import { findOne, readPage } from './page.ts'

const charges = endpoints('Charges')
const outcomes = endpoints('Payments')

export const chargeOperations = [
  worldQuery({
    ...charges.get('/sandbox/charges', 'listCharges'),
    ...listParts('Charge', WireCharge, chargeFilter),
    summary: 'List one-time charges',
    read: (world, query) => readPage(world.charges, query, snakeKeys),
  }),
  worldWrite({
    ...charges.post('/sandbox/charges', 'createCharge'),
    summary: 'Charge a customer once',
    description:
      'Charges a customer once. A failed payment is answered with status 201 as well; the charge then has the status `failed`.',
    body: { ...json, schema: ChargeCreate },
    replies: reply.created('The charge.', WireCharge),
    locatedBy: 'charge_id',
    refusals: ['not_found', ...couponRefusals, 'sandbox_full'],
    perform: (world, body, cause) =>
      createCharge(world, { couponId: null, ...camelKeys(body) }, cause),
    present: (made) => snakeKeys(made),
  }),
  worldQuery({
    ...charges.get('/sandbox/charges/{charge_id}', 'retrieveCharge'),
    summary: 'Retrieve a charge',
    description: 'Returns the charge as it was made.',
    replies: reply.ok('The charge.', WireCharge),
    read: (world, named) => findOne(world.charges, named, snakeKeys),
  }),
]

export const paymentOperations = [
  worldQuery({
    ...outcomes.get('/sandbox/payment-outcomes', 'listPaymentOutcomes'),
    ...listParts('PaymentScript', WirePaymentScript),
    summary: 'List the payment outcomes to come',
    description:
      'Lists, for each scope, the scripted outcomes that are not used yet, and the outcome of all later attempts.',
    read: ({ paymentScripts }, query) => readPage(paymentScripts, query, presentPaymentScript),
  }),
  worldWrite({
    ...outcomes.post('/sandbox/payment-outcomes', 'scriptPaymentOutcomes'),
    summary: 'Script payment outcomes',
    description:
      'With `outcomes`: appends the outcomes of the next payment attempts to those of the same scope. With `always`: sets the outcome of all attempts without a scripted one.',
    body: { ...json, schema: PaymentOutcomesCreate },
    replies: reply.ok('The payment outcomes of the scope.', WirePaymentScript),
    refusals: ['not_found', 'sandbox_full'],
    perform: (world, body) => scriptPayments(world, toNewScript(body)),
    present: presentPaymentScript,
  }),
  worldWrite({
    ...outcomes.post('/sandbox/payment-outcomes/remove', 'removePaymentOutcomes'),
    summary: 'Remove the payment outcomes of one scope',
    description:
      'Deletes the scripted outcomes and the rule of one subscription, one customer, or the sandbox as a scope. Those of other scopes are unchanged.',
    body: { ...json, schema: PaymentOutcomesRemove },
    replies: reply.deleted('The payment outcomes of the scope are deleted.'),
    refusals: ['not_found'],
    perform: (world, body) => removePaymentScript(world, scopeOf(body)),
    present: () => null,
  }),
  worldWrite({
    ...outcomes.remove('/sandbox/payment-outcomes', 'clearPaymentOutcomes'),
    summary: 'Clear all payment outcomes',
    description: 'Deletes the scripted outcomes and the rules of every scope.',
    replies: reply.deleted('All payment outcomes are deleted.'),
    perform: clearPaymentScripts,
    present: () => null,
  }),
]
