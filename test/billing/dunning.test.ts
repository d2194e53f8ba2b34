import { describe, expect, it } from 'vitest'
import {
  cancelNow,
  changePlan,
  pay,
  paymentsAlways,
  paymentsAnswer,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { plan } from '../support/catalog.ts'
import {
  attemptsOf,
  eventsSince,
  invoiceIn,
  invoiceStatusesIn,
  linesOf,
  recordsIn,
  statusIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T09:00:00Z'
const plans = selling(
  plan('basic', 1000),
  plan('pro', 2000),
  plan('weekly', 250, { interval: 'week' }),
)
const declined = paymentsAlways('card_declined')

function failing(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, declined, ...actions)
}

describe('retrying a failed payment', () => {
  it('4.12: retries at hours, minutes and seconds where the schedule says so', () => {
    const schedule = setting({ retrySchedule: ['PT30S', 'PT5M', 'P1DT12H'] })
    const scenario = when(failing(schedule, subscribe('basic')), advanceTo('2027-03-31'))
    expect(invoiceIn(scenario).attempts.map((attempt) => attempt.at)).toEqual([
      '2027-03-01T09:00:00.000Z',
      '2027-03-01T09:00:30.000Z',
      '2027-03-01T09:05:00.000Z',
      '2027-03-02T21:00:00.000Z',
    ])
  })

  it('4.15: a retry that succeeds pays the invoice, and the subscription is active again', () => {
    const before = given(NOW, plans, paymentsAnswer(['card_declined']), subscribe('basic'))
    const scenario = when(before, advanceTo('2027-03-02T09:00:00Z'))
    expect(statusIn(scenario)).toBe('active')
    expect(invoiceIn(scenario)).toMatchObject({
      status: 'paid',
      amountPaid: 1000,
      paidAt: scenario.now,
    })
    const recovered = ['payment.succeeded', 'invoice.paid', 'subscription.recovered']
    expect(eventsSince(before, scenario)).toEqual(recovered)
  })

  it('4.13: an invoice keeps the schedule that was set at its first failure', () => {
    const start = failing(subscribe('basic'), setting({ retrySchedule: ['P2D'] }))
    const scenario = when(start, advanceTo('2027-03-31'))
    expect(attemptsOf(invoiceIn(scenario))).toHaveLength(5)
  })

  it('4.13: a schedule set under way is that of the next invoice that fails', () => {
    const start = given(NOW, plans, subscribe('basic'), setting({ retrySchedule: ['P2D'] }))
    const scenario = when(start, declined, advanceTo('2027-04-30'))
    expect(attemptsOf(invoiceIn(scenario))).toEqual([
      '2027-04-01 card_declined',
      '2027-04-03 card_declined',
    ])
  })

  it('4.13: each invoice runs its own schedule', () => {
    const actions = [setting({ retrySchedule: ['P4D', 'P10D'], afterRetries: 'keep_past_due' })]
    const scenario = when(failing(...actions, subscribe('weekly')), advanceTo('2027-03-14'))
    expect(attemptsOf(invoiceIn(scenario, 1))).toEqual([
      '2027-03-01 card_declined',
      '2027-03-05 card_declined',
      '2027-03-11 card_declined',
    ])
    expect(attemptsOf(invoiceIn(scenario, 2))).toEqual([
      '2027-03-08 card_declined',
      '2027-03-12 card_declined',
    ])
  })

  it('4.15: is active again only once no open invoice is left', () => {
    const keep = setting({ retrySchedule: ['P20D'] })
    const start = failing(keep, subscribe('weekly'), advanceTo('2027-03-08T09:00:00Z'))
    const oneLeft = when(start, paymentsAlways(null), pay('inv_000002'))
    expect([statusIn(oneLeft), ...invoiceStatusesIn(oneLeft)]).toEqual(['past_due', 'open', 'paid'])
    const noneLeft = when(oneLeft, pay('inv_000001'))
    expect([statusIn(noneLeft), ...invoiceStatusesIn(noneLeft)]).toEqual(['active', 'paid', 'paid'])
  })
})

describe('paying an uncollectible invoice by hand', () => {
  const keep = setting({ retrySchedule: [], afterRetries: 'keep_past_due' })

  it('4.15: recovers a past due subscription, which owes nothing then', () => {
    const before = failing(keep, subscribe('basic'), paymentsAlways(null))
    expect([statusIn(before), ...invoiceStatusesIn(before)]).toEqual(['past_due', 'uncollectible'])
    const scenario = when(before, pay('inv_000001'))
    expect([statusIn(scenario), ...invoiceStatusesIn(scenario)]).toEqual(['active', 'paid'])
    expect(eventsSince(before, scenario)).toEqual([
      'payment.succeeded',
      'invoice.paid',
      'subscription.recovered',
    ])
  })

  it('4.14: leaves it uncollectible where the payment fails, and changes nothing else', () => {
    const active = failing(
      keep,
      subscribe('weekly'),
      paymentsAlways(null),
      advanceTo('2027-03-08T09:00:00Z'),
    )
    expect([statusIn(active), ...invoiceStatusesIn(active)]).toEqual([
      'active',
      'uncollectible',
      'paid',
    ])
    const scenario = when(active, declined, pay('inv_000001'))
    expect(scenario.refusal).toBeNull()
    expect(statusIn(scenario)).toBe('active')
    expect(eventsSince(active, scenario)).toEqual(['payment.failed'])
    expect(attemptsOf(invoiceIn(scenario, 1))).toEqual([
      '2027-03-01 card_declined',
      '2027-03-08 card_declined',
    ])
    expect(invoiceIn(scenario, 1)).toMatchObject({ status: 'uncollectible', nextAttemptAt: null })
  })

  it('4.14: pays one of a subscription that ended, which stays ended', () => {
    const before = failing(setting({ retrySchedule: [] }), subscribe('basic'), paymentsAlways(null))
    const scenario = when(before, pay('inv_000001'))
    expect([statusIn(scenario), ...invoiceStatusesIn(scenario)]).toEqual(['canceled', 'paid'])
    expect(eventsSince(before, scenario)).toEqual(['payment.succeeded', 'invoice.paid'])
  })

  it('5.7: a paid one counts as billed again in the credit of an upgrade', () => {
    const before = failing(keep, subscribe('basic'), paymentsAlways(null))
    const [unpaid, paid] = [[], [pay('inv_000001')]].map(
      (actions) => linesOf(invoiceIn(when(before, ...actions, changePlan('pro'))))[0],
    )
    expect([unpaid, paid]).toEqual([0, -1000])
  })
})

describe('paying an open invoice by hand', () => {
  it('4.14: fails as an answer and not as a refusal, and leaves the schedule as it was', () => {
    const start = failing(subscribe('basic'), advanceTo('2027-03-01T12:00:00Z'))
    const scenario = when(start, pay('inv_000001'), pay('inv_000001'))
    expect(scenario.refusal).toBeNull()
    expect(invoiceIn(scenario).nextAttemptAt).toBe('2027-03-02T09:00:00.000Z')
    expect(attemptsOf(invoiceIn(when(scenario, advanceTo('2027-03-31'))))).toEqual([
      '2027-03-01 card_declined',
      '2027-03-01 card_declined',
      '2027-03-01 card_declined',
      '2027-03-02 card_declined',
      '2027-03-04 card_declined',
      '2027-03-06 card_declined',
      '2027-03-08 card_declined',
    ])
  })

  it('4.14: a failure by hand after the last but one retry does not give the invoice up', () => {
    const start = failing(subscribe('basic'), advanceTo('2027-03-07'), pay('inv_000001'))
    expect(invoiceIn(start).status).toBe('open')
    expect(statusIn(start)).toBe('past_due')
  })

  it('4.9: consumes a scripted outcome', () => {
    const start = given(NOW, plans, paymentsAnswer(['card_declined', 'expired_card']))
    const scenario = when(start, subscribe('basic'), pay('inv_000001'))
    expect(scenario.scripts.at(0)?.outcomes).toEqual([])
  })

  it('4.14: refuses one that is paid or void, and changes nothing', () => {
    const paid = given(NOW, plans, subscribe('basic'))
    const voided = failing(subscribe('basic'), cancelNow)
    expect([paid, voided].flatMap(invoiceStatusesIn)).toEqual(['paid', 'void'])
    for (const start of [paid, voided]) {
      const scenario = when(start, pay('inv_000001'))
      expect(scenario.refusal?.refused).toBe('invalid_transition')
      expect(recordsIn(scenario)).toEqual(recordsIn(start))
    }
  })
})
