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
import { given, when } from '../support/story.ts'

const basic = plan('basic', 1000)
const yen = plan('yen', 1000, { currency: 'JPY' })
const NOW = '2027-01-31T10:00:00Z'

describe('creating a subscription', () => {
  it('3.2: refuses a plan in another currency than the customer is billed in', () => {
    const before = given(NOW, selling(basic, yen), subscribe('basic'))
    const story = when(before, subscribe('yen'))
    expect(story.refusal?.refused).toBe('currency_mismatch')
    expect(story.subscriptions).toEqual(before.subscriptions)
  })

  it('9.1: names the plan, the customer and the currency', () => {
    const story = given(NOW, selling(yen), subscribe('yen'))
    expect(story.refusal?.message).toContain('"yen"')
    expect(story.refusal?.message).toContain('"cus_ada"')
    expect(story.refusal?.message).toContain('USD')
    expect(story.refusal?.assumptions).toEqual(['currency-match'])
  })

  it('3.2: a customer without a currency takes that of its first subscription', () => {
    const story = given(NOW, selling(yen), customerHas({ currency: null }), subscribe('yen'))
    expect(adaIn(story).currency).toBe('JPY')
    expect(statusIn(story)).toBe('active')
  })

  it('3.2: a customer without a currency takes that of its first subscription in a trial, too', () => {
    const free = subscribe('yen', { trialPeriodDays: 14 })
    const story = given(NOW, selling(yen, basic), customerHas({ currency: null }), free)
    expect(adaIn(story).currency).toBe('JPY')
    expect(when(story, subscribe('basic')).refusal?.refused).toBe('currency_mismatch')
  })

  it.each([0, null])(
    '3.3: a trial of %s days is no trial, and stays on the record as given',
    (days) => {
      const story = given(NOW, selling(basic), subscribe('basic', { trialPeriodDays: days }))
      expect(subscriptionIn(story)).toMatchObject({
        status: 'active',
        trialPeriodDays: days,
        trialEnd: null,
      })
      expect(duesIn(story)).toEqual([1000])
    },
  )

  it.each([
    [1, '2027-02-01T10:00:00.000Z'],
    [14, '2027-02-14T10:00:00.000Z'],
    [730, '2029-01-30T10:00:00.000Z'],
  ])(
    '3.4: a trial of %i days ends after as many times 24 hours, and its period is the trial',
    (days, end) => {
      const story = given(NOW, selling(basic), subscribe('basic', { trialPeriodDays: days }))
      expect(subscriptionIn(story)).toMatchObject({
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
    const story = given(NOW, selling(basic), paymentsAnswer(['card_declined']), free)
    expect(story.invoices).toEqual([])
    expect(story.scripts.at(0)?.outcomes).toEqual(['card_declined'])
    expect(eventsIn(story)).toEqual(['subscription.created'])
  })

  it('3.5: without a trial it is active, anchored now, and billed and paid at once', () => {
    const story = given(NOW, selling(basic), subscribe('basic'))
    expect(subscriptionIn(story)).toMatchObject({ status: 'active', anchor: story.now })
    expect(periodIn(story)).toEqual(['2027-01-31T10:00:00.000Z', '2027-02-28T10:00:00.000Z'])
    expect(invoiceIn(story)).toMatchObject({
      status: 'paid',
      reason: 'period',
      amountDue: 1000,
      amountPaid: 1000,
      createdAt: story.now,
      paidAt: story.now,
    })
    expect(attemptsOf(invoiceIn(story))).toEqual(['2027-01-31 succeeded'])
    expect(invoiceIn(story).lines).toMatchObject([
      { kind: 'period', planId: 'basic', amount: 1000, periodEnd: '2027-02-28T10:00:00.000Z' },
    ])
  })

  it('3.5: reports the creation, the invoice, the payment and that it is paid, in this order', () => {
    const story = given(NOW, selling(basic), subscribe('basic'))
    const paid = ['subscription.created', 'invoice.created', 'payment.succeeded', 'invoice.paid']
    expect(eventsIn(story)).toEqual(paid)
  })

  it('3.6: a failed first attempt leaves it past due, with the invoice open', () => {
    const story = given(NOW, selling(basic), paymentsAnswer(['card_declined']), subscribe('basic'))
    expect(statusIn(story)).toBe('past_due')
    expect(invoiceIn(story)).toMatchObject({ status: 'open', amountPaid: 0, paidAt: null })
    expect(attemptsOf(invoiceIn(story))).toEqual(['2027-01-31 card_declined'])
  })

  it('1.1: bills yen and dinars in their own minor units, without assuming a hundred', () => {
    const story = given(
      NOW,
      selling(yen, plan('dinar', 1500, { currency: 'KWD' })),
      knowing(customer('cus_hana', { currency: 'JPY' }), customer('cus_ali', { currency: 'KWD' })),
      subscribe('yen', { customerId: 'cus_hana' }),
      subscribe('dinar', { customerId: 'cus_ali' }),
    )
    expect(story.invoices.map(({ currency, amountDue }) => [currency, amountDue])).toEqual([
      ['JPY', 1000],
      ['KWD', 1500],
    ])
  })

  it('2.1: counts subscriptions and invoices per sandbox, so that a script run twice gives the same', () => {
    const script = [selling(basic, yearly('year', 10_000)), subscribe('basic'), subscribe('year')]
    const story = given(NOW, ...script)
    expect(story.invoices.map((each) => each.invoiceId)).toEqual(['inv_000001', 'inv_000002'])
    expect(given(NOW, ...script)).toEqual(story)
    expect(linesOf(invoiceIn(story))).toEqual([10_000])
  })
})
