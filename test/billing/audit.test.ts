import { describe, expect, it } from 'vitest'
import { type Books, type Invariant, invariants } from '../../src/billing/audit.ts'
import type { Invoice } from '../../src/billing/invoice.ts'
import type { Subscription } from '../../src/billing/subscription.ts'
import { cancelNow, pause, paymentsAlways, selling, subscribe } from '../support/actions.ts'
import { audit } from '../support/audit.ts'
import { instant, plan } from '../support/catalog.ts'
import { advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const basic = selling(plan('basic', 1000))
const renewed = given(NOW, basic, subscribe('basic'), advanceTo('2027-04-10'))
const owing = given(NOW, basic, paymentsAlways('card_declined'), subscribe('basic'))
const ended = when(renewed, cancelNow)
const paused = when(renewed, pause)
const trialing = given(NOW, basic, subscribe('basic', { trialPeriodDays: 14 }))

function booksOf({ now, customers, subscriptions, invoices, facts }: Scenario): Books {
  const cause = { kind: 'clock', requestId: null } as const
  const events = facts.map((fact, at) => ({ ...fact, seq: at + 1, cause }))
  return { now, customers, subscriptions, invoices, events }
}

function withSubscription(scenario: Scenario, terms: Partial<Subscription>): Scenario {
  const subscriptions = scenario.subscriptions.map((each) => ({ ...each, ...terms }))
  return { ...scenario, subscriptions }
}

function withInvoice(scenario: Scenario, terms: Partial<Invoice>): Scenario {
  return { ...scenario, invoices: scenario.invoices.map((each) => ({ ...each, ...terms })) }
}

describe('the audit', () => {
  it.each([renewed, owing, ended, paused, trialing])(
    '10.9: finds books in order (%#)',
    (scenario) => {
      expect(audit(booksOf(scenario))).toEqual([])
    },
  )

  it.each<[string, Invariant, Scenario]>([
    [
      'a sum of lines that is not theirs',
      'invoice_totals',
      withInvoice(renewed, { subtotal: 999 }),
    ],
    [
      'an amount due that does not add up',
      'invoice_totals',
      withInvoice(owing, { amountDue: 999 }),
    ],
    [
      'an invoice below zero',
      'invoice_totals',
      withInvoice(owing, { balanceUsed: 1001, amountDue: -1 }),
    ],
    ['a paid invoice paid in part', 'invoice_payment', withInvoice(renewed, { amountPaid: 1 })],
    ['an open invoice paid in part', 'invoice_payment', withInvoice(owing, { amountPaid: 1 })],
    [
      'a balance from nowhere',
      'customer_balance',
      { ...renewed, customers: renewed.customers.map((each) => ({ ...each, balance: 1 })) },
    ],
    [
      'an end without an instant',
      'subscription_status',
      withSubscription(ended, { endedAt: null }),
    ],
    [
      'an instant of an end that was not',
      'subscription_status',
      withSubscription(renewed, { endedAt: renewed.now }),
    ],
    [
      'a pause without an instant',
      'subscription_status',
      withSubscription(paused, { pausedAt: null }),
    ],
    [
      'an ended one with a plan pending',
      'subscription_status',
      withSubscription(ended, { pendingPlanId: 'basic' }),
    ],
    [
      'a trial that ends apart from its period',
      'subscription_status',
      withSubscription(trialing, { trialEnd: instant('2027-03-16') }),
    ],
    [
      'an active one that owes',
      'subscription_status',
      withSubscription(owing, { status: 'active' }),
    ],
    [
      'one that is past due and owes nothing',
      'subscription_status',
      withSubscription(renewed, { status: 'past_due' }),
    ],
    [
      'a period that no event tells of',
      'subscription_periods',
      withSubscription(renewed, { currentPeriodEnd: instant('2027-06-01') }),
    ],
    [
      'a gap between two periods',
      'subscription_periods',
      { ...renewed, facts: renewed.facts.map(startingLate) },
    ],
    [
      'a period end that was passed over',
      'nothing_overdue',
      { ...renewed, now: instant('2027-05-01') },
    ],
    ['a retry that was passed over', 'nothing_overdue', { ...owing, now: instant('2027-03-02') }],
    ['an event out of its time', 'event_stream', { ...renewed, facts: renewed.facts.toReversed() }],
    ['an event of the future', 'event_stream', { ...renewed, now: instant('2027-03-15') }],
  ])('10.9: finds %s', (_, invariant, scenario) => {
    expect(audit(booksOf(scenario)).map((violation) => violation.invariant)).toContain(invariant)
  })

  it('10.6: finds a gap in the numbers of events', () => {
    const books = booksOf(renewed)
    const events = [...books.events].filter((event) => event.seq !== 2)
    expect(audit({ ...books, events }).map(({ id, invariant }) => [id, invariant])).toEqual([
      ['event 3', 'event_stream'],
    ])
  })

  it('10.9: names the record that breaks a promise, and every promise has its words', () => {
    const [violation] = audit(booksOf(withInvoice(renewed, { amountPaid: 1 })))
    expect(violation).toMatchObject({ id: 'inv_000001', message: '1 of 1000 paid' })
    expect(Object.keys(invariants)).toHaveLength(7)
  })
})

function startingLate(fact: Scenario['facts'][number]): Scenario['facts'][number] {
  if (fact.type !== 'subscription.renewed') return fact
  return {
    ...fact,
    detail: { ...fact.detail, periodStart: instant('2027-04-02') } as typeof fact.detail,
  }
}
