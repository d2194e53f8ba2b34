import { describe, expect, it } from 'vitest'
import { Subscription } from '../../src/billing/subscription.ts'
import { customerHas, knowing, paymentsAnswer, selling, subscribe } from '../support/actions.ts'
import { customer, plan, yearly } from '../support/catalog.ts'
import {
  adaIn,
  attemptsOf,
  duesIn,
  eventsIn,
  invoiceIn,
  linesOf,
  periodIn,
  statusIn,
  subscriptionIn,
} from '../support/readings.ts'
import { given, when } from '../support/scenario.ts'

const basic = plan('basic', 1000)
const yen = plan('yen', 1000, { currency: 'JPY' })
const NOW = '2027-01-31T10:00:00Z'

describe('creating a subscription', () => {
  it('3.2: refuses a plan in another currency than the customer is billed in', () => {
    const before = given(NOW, selling(basic, yen), subscribe('basic'))
    const scenario = when(before, subscribe('yen'))
    expect(scenario.refusal?.refused).toBe('currency_mismatch')
    expect(scenario.subscriptions).toEqual(before.subscriptions)
  })

  it('9.1: names the plan, the customer and the currency', () => {
    const scenario = given(NOW, selling(yen), subscribe('yen'))
    expect(scenario.refusal?.message).toContain('"yen"')
    expect(scenario.refusal?.message).toContain('"cus_ada"')
    expect(scenario.refusal?.message).toContain('USD')
    expect(scenario.refusal?.assumptions).toEqual(['currency-match'])
  })

  it('3.2: a customer without a currency takes that of its first subscription', () => {
    const scenario = given(NOW, selling(yen), customerHas({ currency: null }), subscribe('yen'))
    expect(adaIn(scenario).currency).toBe('JPY')
    expect(statusIn(scenario)).toBe('active')
  })

  it('3.2: a customer without a currency takes that of its first subscription in a trial, too', () => {
    const free = subscribe('yen', { trialPeriodDays: 14 })
    const scenario = given(NOW, selling(yen, basic), customerHas({ currency: null }), free)
    expect(adaIn(scenario).currency).toBe('JPY')
    expect(when(scenario, subscribe('basic')).refusal?.refused).toBe('currency_mismatch')
  })

  it.each([0, null])(
    '3.3: a trial of %s days is no trial, and stays on the record as given',
    (days) => {
      const scenario = given(NOW, selling(basic), subscribe('basic', { trialPeriodDays: days }))
      expect(subscriptionIn(scenario)).toMatchObject({
        status: 'active',
        trialPeriodDays: days,
        trialEnd: null,
      })
      expect(duesIn(scenario)).toEqual([1000])
    },
  )

  it.each([
    [1, '2027-02-01T10:00:00.000Z'],
    [14, '2027-02-14T10:00:00.000Z'],
    [730, '2029-01-30T10:00:00.000Z'],
  ])(
    '3.4: a trial of %i days ends after as many times 24 hours, and its period is the trial',
    (days, end) => {
      const scenario = given(NOW, selling(basic), subscribe('basic', { trialPeriodDays: days }))
      expect(subscriptionIn(scenario)).toMatchObject({
        status: 'trialing',
        trialPeriodDays: days,
        trialEnd: end,
        currentPeriodStart: '2027-01-31T10:00:00.000Z',
        currentPeriodEnd: end,
      })
    },
  )

  it.each([
    [0, true],
    [730, true],
    [731, false],
    [-1, false],
    [1.5, false],
  ])('3.3: a record can have a trial of %d days: %s', (days, isTaken) => {
    const trialPeriodDays = Subscription.shape.trialPeriodDays
    expect(trialPeriodDays.safeParse(days).success).toBe(isTaken)
  })

  it('3.4: a trial starts without an invoice and without a payment attempt', () => {
    const free = subscribe('basic', { trialPeriodDays: 14 })
    const scenario = given(NOW, selling(basic), paymentsAnswer(['card_declined']), free)
    expect(scenario.invoices).toEqual([])
    expect(scenario.scripts.at(0)?.outcomes).toEqual(['card_declined'])
    expect(eventsIn(scenario)).toEqual(['subscription.created'])
  })

  it('3.5: without a trial it is active, anchored now, and billed and paid at once', () => {
    const scenario = given(NOW, selling(basic), subscribe('basic'))
    expect(subscriptionIn(scenario)).toMatchObject({ status: 'active', anchor: scenario.now })
    expect(periodIn(scenario)).toEqual(['2027-01-31T10:00:00.000Z', '2027-02-28T10:00:00.000Z'])
    expect(invoiceIn(scenario)).toMatchObject({
      status: 'paid',
      reason: 'period',
      amountDue: 1000,
      amountPaid: 1000,
      createdAt: scenario.now,
      paidAt: scenario.now,
    })
    expect(attemptsOf(invoiceIn(scenario))).toEqual(['2027-01-31 succeeded'])
    expect(invoiceIn(scenario).lines).toMatchObject([
      { kind: 'period', planId: 'basic', amount: 1000, periodEnd: '2027-02-28T10:00:00.000Z' },
    ])
  })

  it('3.5: reports the creation, the invoice, the payment and that it is paid, in this order', () => {
    const scenario = given(NOW, selling(basic), subscribe('basic'))
    const paid = ['subscription.created', 'invoice.created', 'payment.succeeded', 'invoice.paid']
    expect(eventsIn(scenario)).toEqual(paid)
  })

  it('3.6: a failed first attempt leaves it past due, with the invoice open', () => {
    const scenario = given(
      NOW,
      selling(basic),
      paymentsAnswer(['card_declined']),
      subscribe('basic'),
    )
    expect(statusIn(scenario)).toBe('past_due')
    expect(invoiceIn(scenario)).toMatchObject({ status: 'open', amountPaid: 0, paidAt: null })
    expect(attemptsOf(invoiceIn(scenario))).toEqual(['2027-01-31 card_declined'])
  })

  it('1.1: bills yen and dinars in their own minor units, without assuming a hundred', () => {
    const scenario = given(
      NOW,
      selling(yen, plan('dinar', 1500, { currency: 'KWD' })),
      knowing(customer('cus_hana', { currency: 'JPY' }), customer('cus_ali', { currency: 'KWD' })),
      subscribe('yen', { customerId: 'cus_hana' }),
      subscribe('dinar', { customerId: 'cus_ali' }),
    )
    expect(scenario.invoices.map(({ currency, amountDue }) => [currency, amountDue])).toEqual([
      ['JPY', 1000],
      ['KWD', 1500],
    ])
  })

  it('2.1: counts subscriptions and invoices per sandbox, so that a script run twice gives the same', () => {
    const script = [selling(basic, yearly('year', 10_000)), subscribe('basic'), subscribe('year')]
    const scenario = given(NOW, ...script)
    expect(scenario.invoices.map((each) => each.invoiceId)).toEqual(['inv_000001', 'inv_000002'])
    expect(given(NOW, ...script)).toEqual(scenario)
    expect(linesOf(invoiceIn(scenario))).toEqual([10_000])
  })
})
