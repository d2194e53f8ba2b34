/** Charges, and the outcomes that are scripted for payments. */
import { answers, deletesAll, endpoints, json, lists, makes } from '../surface/declarations.ts'
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
import { charge, clearPaymentScripts, scriptPayments } from '../world/commands/payments.ts'
import { change, worldQuery } from './operation.ts'
import { takeOne, takePage } from './page.ts'

const charges = endpoints('Charges')
const outcomes = endpoints('Payments')

export const chargeOperations = [
  worldQuery({
    ...charges.get('/sandbox/charges', 'listCharges'),
    ...lists('Charge', WireCharge, chargeFilter),
    summary: 'List one-time charges',
    read: (world, query) => takePage(world.charges, query, snakeKeys),
  }),
  change({
    ...charges.post('/sandbox/charges', 'createCharge'),
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
    ...charges.get('/sandbox/charges/{charge_id}', 'retrieveCharge'),
    summary: 'Retrieve a charge',
    description: 'As it was made.',
    replies: answers('The charge.', WireCharge),
    read: (world, named) => takeOne(world.charges, named, snakeKeys),
  }),
]

export const paymentOperations = [
  worldQuery({
    ...outcomes.get('/sandbox/payment-outcomes', 'listPaymentOutcomes'),
    ...lists('PaymentScript', WirePaymentScript),
    summary: 'List the payment outcomes to come',
    description: 'For each scope, what is left of its script, and its standing rule.',
    read: ({ paymentScripts }, query) => takePage(paymentScripts, query, presentPaymentScript),
  }),
  change({
    ...outcomes.post('/sandbox/payment-outcomes', 'scriptPaymentOutcomes'),
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
    ...outcomes.remove('/sandbox/payment-outcomes', 'clearPaymentOutcomes'),
    summary: 'Clear all payment outcomes',
    description: 'Scripts and standing rules of every scope.',
    replies: deletesAll,
    perform: clearPaymentScripts,
    present: () => null,
  }),
]
