import { describe, expect, it } from 'vitest'
import { boundaryDueAt } from '../../src/billing/subscription.ts'
import {
  cancelAtPeriodEnd,
  cancelNow,
  knowing,
  pause,
  paymentsAlways,
  paymentsAnswer,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { customer, plan } from '../support/catalog.ts'
import { eventsSince, invoiceStatusesIn, subscriptionIn } from '../support/readings.ts'
import { type Action, advanceTo, given, nextDue, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const plans = selling(
  plan('basic', 1000),
  plan('tenDays', 400, { interval: 'day', intervalCount: 10 }),
)

function subjectsSince(before: Scenario, scenario: Scenario): string[] {
  return scenario.facts
    .slice(before.facts.length)
    .map(({ type, subject }) => `${subject.id} ${type}`)
}

function paidSince(before: Scenario, scenario: Scenario): string[] {
  const facts = scenario.facts.slice(before.facts.length)
  return facts.filter(({ type }) => type === 'invoice.paid').map(({ subject }) => subject.id)
}

function shop(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, knowing(customer('cus_bob')), ...actions)
}

describe('what falls due at one instant', () => {
  it('4.2: settles a retry before a period end that is due at the same instant', () => {
    const before = shop(
      setting({ retrySchedule: ['P10D', 'P20D'] }),
      paymentsAnswer(['card_declined']),
      subscribe('tenDays'),
    )
    const scenario = when(before, advanceTo('2027-03-11'))
    expect(subjectsSince(before, scenario)).toEqual([
      'inv_000001 payment.succeeded',
      'inv_000001 invoice.paid',
      'sub_000001 subscription.recovered',
      'sub_000001 subscription.renewed',
      'inv_000002 invoice.created',
      'inv_000002 payment.succeeded',
      'inv_000002 invoice.paid',
    ])
  })

  it('4.2: bills nobody for a period in the instant in which the last retry ends the subscription', () => {
    const before = shop(
      setting({ retrySchedule: ['P10D'] }),
      paymentsAlways('card_declined'),
      subscribe('tenDays'),
    )
    const scenario = when(before, advanceTo('2027-03-11'))
    expect(eventsSince(before, scenario)).toEqual([
      'payment.failed',
      'invoice.uncollectible',
      'subscription.canceled',
    ])
    expect(scenario.invoices).toHaveLength(1)
  })

  it('4.2: retries a payment before the scheduled cancellation of the same instant', () => {
    const before = shop(
      setting({ retrySchedule: ['P10D'] }),
      paymentsAnswer(['card_declined']),
      subscribe('tenDays'),
      cancelAtPeriodEnd,
    )
    const scenario = when(before, advanceTo('2027-03-11'))
    expect(eventsSince(before, scenario)).toEqual([
      'payment.succeeded',
      'invoice.paid',
      'subscription.recovered',
      'subscription.canceled',
    ])
  })

  it('4.2: settles a later subscription’s retry before an earlier one’s period end', () => {
    const before = shop(
      subscribe('tenDays', { customerId: 'cus_bob' }),
      setting({ retrySchedule: ['P10D'] }),
      paymentsAnswer(['card_declined']),
      subscribe('basic'),
    )
    const scenario = when(before, advanceTo('2027-03-11'))
    expect(subjectsSince(before, scenario).at(2)).toBe('sub_000002 subscription.recovered')
    expect(subjectsSince(before, scenario).at(3)).toBe('sub_000001 subscription.renewed')
  })

  it('4.2: settles a trial end and a period end of one instant in the order of creation', () => {
    const before = shop(
      subscribe('basic', { trialPeriodDays: 10 }),
      subscribe('tenDays'),
      subscribe('basic', { trialPeriodDays: 10 }),
    )
    const scenario = when(before, advanceTo('2027-03-11'))
    const subscriptions = scenario.facts
      .slice(before.facts.length)
      .filter((fact) => fact.subject.kind === 'subscription')
    expect(subscriptions.map(({ subject, type }) => `${subject.id} ${type}`)).toEqual([
      'sub_000001 subscription.trial_ended',
      'sub_000001 subscription.activated',
      'sub_000002 subscription.renewed',
      'sub_000003 subscription.trial_ended',
      'sub_000003 subscription.activated',
    ])
  })

  it('4.2: settles retries of one instant in the order of their subscriptions, not of their invoices', () => {
    const before = shop(
      setting({ retrySchedule: ['P5D'] }),
      paymentsAlways('card_declined'),
      subscribe('basic', { customerId: 'cus_bob', trialPeriodDays: 2 }),
      subscribe('basic'),
      setting({ retrySchedule: ['P3D'] }),
      advanceTo('2027-03-03'),
      paymentsAlways(null),
    )
    const scenario = when(before, advanceTo('2027-03-06'))
    expect(paidSince(before, scenario)).toEqual(['inv_000002', 'inv_000001'])
  })

  it('4.2: settles retries of one subscription and instant in the order in which its invoices were made', () => {
    const before = shop(
      setting({ retrySchedule: ['P12D'] }),
      paymentsAlways('card_declined'),
      subscribe('tenDays'),
      setting({ retrySchedule: ['P2D'] }),
      advanceTo('2027-03-11'),
      paymentsAlways(null),
    )
    const scenario = when(before, advanceTo('2027-03-13'))
    expect(paidSince(before, scenario)).toEqual(['inv_000001', 'inv_000002'])
  })

  it('4.2: settles in the order of time before all else', () => {
    const before = shop(subscribe('basic'), subscribe('tenDays'))
    const scenario = when(before, advanceTo('2027-04-01'))
    const at = scenario.facts.map((fact) => fact.at)
    expect(at).toEqual(at.toSorted())
    expect(at.at(-1)).toBe('2027-04-01T00:00:00.000Z')
  })

  it('6.3: nothing falls due while paused, or once ended', () => {
    const active = shop(subscribe('basic'))
    expect(nextDue(active)?.at).toBe('2027-04-01T00:00:00.000Z')
    expect(boundaryDueAt(subscriptionIn(when(active, pause)))).toBeNull()
    expect(nextDue(when(active, pause))).toBeNull()
    expect(nextDue(when(active, cancelNow))).toBeNull()
  })

  it('4.17: an invoice that is void, paid or uncollectible has no retry left', () => {
    const start = shop(paymentsAnswer(['card_declined', 'card_declined']), subscribe('basic'))
    const paid = when(start, advanceTo('2027-03-04'))
    const voided = when(start, cancelNow)
    const lost = when(start, paymentsAlways('card_declined'), advanceTo('2027-03-08'))
    const statuses = [paid, voided, lost].flatMap(invoiceStatusesIn)
    expect(statuses).toEqual(['paid', 'void', 'uncollectible'])
    for (const scenario of [paid, voided, lost]) {
      expect(scenario.invoices.map((each) => each.nextAttemptAt)).toEqual([null])
    }
  })
})
