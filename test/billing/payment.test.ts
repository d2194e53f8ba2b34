import { describe, expect, it } from 'vitest'
import {
  type AttemptOutcome,
  decideAttempt,
  FailureReason,
  PaymentScript,
  type PaymentScripts,
  type ScriptedOutcome,
} from '../../src/billing/payment.ts'
import {
  customerHas,
  paymentsAlways,
  paymentsAnswer,
  selling,
  subscribe,
} from '../support/actions.ts'
import { customer, plan } from '../support/catalog.ts'
import { attemptsOf, invoiceIn } from '../support/readings.ts'
import { advanceTo, FIRST, given, when } from '../support/scenario.ts'

it('a script speaks of a subscription or of a customer', () => {
  const scopes = [null, 'sub_000001'].flatMap((subscriptionId) =>
    [null, 'cus_ada'].map((customerId) => ({ subscriptionId, customerId })),
  )
  const isValid = scopes.map((scope) => PaymentScript.safeParse({ ...queued(), scope }).success)
  expect(isValid).toEqual([true, true, true, false])
})

const ada = customer('cus_ada')
const broke = customer('cus_grace', { paymentMethod: 'none' })
const silent: PaymentScripts = { subscription: null, customer: null, sandbox: null }

function queued(...outcomes: ScriptedOutcome[]): PaymentScript {
  return { scope: { subscriptionId: null, customerId: null }, outcomes, always: null }
}

function sticky(always: ScriptedOutcome, ...outcomes: ScriptedOutcome[]): PaymentScript {
  return { ...queued(...outcomes), always }
}

describe('the outcome of a payment attempt', () => {
  it('4.9: succeeds where nothing was scripted and there is a payment method', () => {
    expect(decideAttempt(silent, ada).outcome).toBe('succeeded')
  })

  it('4.9: fails with no_payment_method where nothing was scripted and there is none', () => {
    expect(decideAttempt(silent, broke).outcome).toBe('no_payment_method')
  })

  it.each(FailureReason.options)('4.10: can be scripted to fail with %s', (reason) => {
    const scripts = { ...silent, sandbox: queued(reason) }
    expect(decideAttempt(scripts, ada).outcome).toBe(reason)
  })

  it.each<[string, Partial<PaymentScripts>, AttemptOutcome]>([
    [
      'the queue of the subscription comes before that of the customer',
      { subscription: queued('expired_card'), customer: queued('card_declined') },
      'expired_card',
    ],
    [
      'the queue of the customer comes before that of the sandbox',
      { customer: queued('card_declined'), sandbox: queued('succeed') },
      'card_declined',
    ],
    [
      'the queue of the sandbox comes before a standing rule of the subscription',
      { subscription: sticky('succeed'), sandbox: queued('processing_error') },
      'processing_error',
    ],
    [
      'the standing rule of the subscription comes before that of the customer',
      { subscription: sticky('expired_card'), customer: sticky('succeed') },
      'expired_card',
    ],
    [
      'the standing rule of the customer comes before that of the sandbox',
      { customer: sticky('succeed'), sandbox: sticky('card_declined') },
      'succeeded',
    ],
    [
      'a queue comes before the standing rule of its own scope',
      { customer: sticky('succeed', 'card_declined') },
      'card_declined',
    ],
    [
      'an empty queue leaves the word to the next scope',
      { subscription: queued(), customer: queued('insufficient_funds') },
      'insufficient_funds',
    ],
  ])('4.9: %s', (_, scripts, outcome) => {
    expect(decideAttempt({ ...silent, ...scripts }, ada).outcome).toBe(outcome)
  })

  it('4.9: what is scripted comes before a missing payment method', () => {
    expect(decideAttempt({ ...silent, sandbox: queued('succeed') }, broke).outcome).toBe(
      'succeeded',
    )
    expect(decideAttempt({ ...silent, sandbox: sticky('succeed') }, broke).outcome).toBe(
      'succeeded',
    )
  })

  it('4.9: consumes one queued outcome, and only from the scope that answered', () => {
    const before = {
      subscription: queued('succeed', 'card_declined'),
      customer: queued('expired_card'),
      sandbox: null,
    }
    const { scripts } = decideAttempt(before, ada)
    expect(scripts.subscription?.outcomes).toEqual(['card_declined'])
    expect(scripts.customer).toBe(before.customer)
    expect(before.subscription.outcomes).toHaveLength(2)
  })

  it('4.9: a standing rule is not consumed', () => {
    const before = { ...silent, sandbox: sticky('card_declined') }
    expect(decideAttempt(before, ada).scripts).toEqual(before)
  })
})

describe('scripted outcomes in a scenario', () => {
  const plans = selling(plan('basic', 1000), plan('free', 0))

  it('4.9: are consumed in order, one for each attempt, and then payments succeed', () => {
    const start = given('2027-03-01', plans, paymentsAnswer(['card_declined', 'expired_card']))
    const scenario = when(start, subscribe('basic'), advanceTo('2027-03-05'))
    expect(attemptsOf(invoiceIn(scenario))).toEqual([
      '2027-03-01 card_declined',
      '2027-03-02 expired_card',
      '2027-03-04 succeeded',
    ])
  })

  it('4.8: an invoice with nothing due is paid without an attempt and consumes no outcome', () => {
    const start = given('2027-03-01', plans, paymentsAnswer(['card_declined']))
    const scenario = when(start, subscribe('free'), subscribe('basic'))
    expect(invoiceIn(scenario, 1)).toMatchObject({ status: 'paid', attempts: [] })
    expect(attemptsOf(invoiceIn(scenario, 2))).toEqual(['2027-03-01 card_declined'])
  })

  it('4.8: an invoice that the balance pays in full consumes no outcome', () => {
    const start = given('2027-03-01', plans, customerHas({ balance: 1000 }))
    const scenario = when(start, paymentsAnswer(['card_declined']), subscribe('basic'))
    expect(invoiceIn(scenario)).toMatchObject({ status: 'paid', balanceUsed: 1000, attempts: [] })
    expect(scenario.scripts.at(0)?.outcomes).toEqual(['card_declined'])
  })

  it('4.9: those of a subscription leave another subscription of the customer alone', () => {
    const start = given('2027-03-01', plans, subscribe('basic'), subscribe('basic'))
    const declined = paymentsAlways('card_declined', { subscriptionId: FIRST })
    const scenario = when(start, declined, advanceTo('2027-04-01'))
    expect(attemptsOf(invoiceIn(scenario, 3))).toEqual(['2027-04-01 card_declined'])
    expect(attemptsOf(invoiceIn(scenario, 4))).toEqual(['2027-04-01 succeeded'])
  })
})
