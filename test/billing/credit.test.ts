import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  cancelNow,
  changePlan,
  customerHas,
  offering,
  pay,
  paymentsAlways,
  paymentsAnswer,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { fixedOff, percentage, plan, yearly } from '../support/catalog.ts'
import {
  adaIn,
  eventsSince,
  invoiceIn,
  invoiceStatusesIn,
  linesOf,
  statusIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T00:00:00Z'
const plans = selling(
  plan('basic', 1000),
  plan('pro', 2000),
  plan('weekly', 600, { interval: 'week' }),
  yearly('year', 12_000),
  yearly('pro_year', 25_000),
)
const slowly = setting({ retrySchedule: ['P200D'] })
const declined = paymentsAlways('card_declined')
const accepted = paymentsAlways(null)

/** A subscription with unpaid invoices, whose next payments succeed. */
function owing(...actions: readonly Action[]): Scenario {
  return given(NOW, plans, slowly, declined, ...actions, accepted)
}

/** What the customer has paid, less what the service owes them. */
function paidLessBalance(scenario: Scenario): number {
  const paid = scenario.invoices.reduce((sum, invoice) => sum + invoice.amountPaid, 0)
  return paid - adaIn(scenario).balance
}

const payWhatIsOpen: Action = (scenario) =>
  when(
    scenario,
    ...scenario.invoices
      .filter(({ status }) => status === 'open')
      .map(({ invoiceId }) => pay(invoiceId)),
  )

describe('a credit that is larger than the charge', () => {
  it('5.12: pays part of an open invoice, whose rest is still due', () => {
    const before = owing(subscribe('pro'))
    const scenario = when(before, changePlan('weekly'))
    expect(linesOf(invoiceIn(scenario))).toEqual([-2000, 600])
    expect(invoiceIn(scenario, 1)).toMatchObject({
      status: 'open',
      balanceUsed: 1400,
      amountDue: 600,
    })
    expect(adaIn(scenario).balance).toBe(0)
    expect(statusIn(scenario)).toBe('past_due')
    expect(eventsSince(before, scenario)).toEqual([
      'subscription.plan_changed',
      'invoice.created',
      'invoice.paid',
      'invoice.credited',
    ])
    expect(scenario.facts.at(-1)).toMatchObject({
      subject: { id: 'inv_000001' },
      detail: { amount: 1400, currency: 'USD' },
    })
  })

  it('5.12: pays the oldest open invoice first', () => {
    const before = owing(subscribe('pro'), advanceTo('2027-04-01'))
    const scenario = when(before, changePlan('weekly'))
    expect(scenario.invoices.map(({ status, amountDue }) => [status, amountDue])).toEqual([
      ['open', 600],
      ['open', 2000],
      ['paid', 0],
    ])
  })

  it('5.12: pays several open invoices, as far as it reaches', () => {
    const before = owing(subscribe('basic'), advanceTo('2027-03-16T12:00:00Z'), changePlan('pro'))
    const later = when(before, changePlan('pro_year'))
    expect(invoiceStatusesIn(later)).toEqual(['open', 'open', 'paid'])
    const scenario = when(later, changePlan('weekly'))
    expect(invoiceStatusesIn(scenario)).toEqual(['paid', 'paid', 'paid', 'paid'])
    expect([statusIn(scenario), adaIn(scenario).balance]).toEqual(['active', 24_400 - 1500])
  })

  it('5.12: an invoice that a credit pays has no retry left, and what is left goes to the balance', () => {
    const actions = [subscribe('basic'), accepted, changePlan('year'), advanceTo('2027-03-02')]
    const before = owing(...actions)
    expect(invoiceStatusesIn(before)).toEqual(['open', 'paid'])
    const scenario = when(before, changePlan('pro'))
    expect(invoiceIn(scenario, 1)).toMatchObject({
      status: 'paid',
      amountDue: 0,
      amountPaid: 0,
      balanceUsed: 1000,
      paidAt: scenario.now,
      nextAttemptAt: null,
    })
    expect(invoiceIn(scenario, 1).attempts).toHaveLength(1)
    expect(adaIn(scenario).balance).toBe(11_967 - 2000 - 1000)
    expect(statusIn(scenario)).toBe('active')
    expect(eventsSince(before, scenario)).toEqual([
      'subscription.plan_changed',
      'invoice.created',
      'invoice.paid',
      'invoice.credited',
      'invoice.paid',
      'subscription.recovered',
    ])
  })

  it('5.12: spends the credit alone, and no other balance', () => {
    const before = owing(subscribe('pro'), customerHas({ balance: 5000 }))
    const scenario = when(before, changePlan('weekly'))
    expect(invoiceIn(scenario, 1)).toMatchObject({ status: 'open', amountDue: 600 })
    expect(adaIn(scenario).balance).toBe(5000)
  })

  it('4.17: goes back to the balance where the invoice that it paid in part is void', () => {
    const scenario = when(owing(subscribe('pro')), changePlan('weekly'), cancelNow)
    expect(invoiceStatusesIn(scenario)).toEqual(['void', 'paid'])
    expect(adaIn(scenario).balance).toBe(1400)
  })

  it('5.12: leaves the open invoices of another subscription of the customer alone', () => {
    const before = owing(subscribe('basic'), accepted, subscribe('pro'))
    const scenario = when(before, changePlan('weekly', 'sub_000002'))
    expect(invoiceIn(scenario, 1)).toMatchObject({ status: 'open', amountDue: 1000 })
    expect(adaIn(scenario).balance).toBe(1400)
  })
})

const planId = fc.constantFrom('basic', 'pro', 'weekly', 'year', 'pro_year')
const coupons = offering(percentage('WELCOME', 50), fixedOff('TAKE3', 300, { duration: 'forever' }))

/** What a customer and the time do before there is something to pay and to change. */
const act: fc.Arbitrary<(day: number) => readonly Action[]> = fc.oneof(
  planId.map((id) => () => [changePlan(id)]),
  fc.integer({ min: 0, max: 3000 }).map((balance) => () => [customerHas({ balance })]),
  fc
    .array(fc.constantFrom('card_declined', 'succeed'), { maxLength: 3 })
    .map((outcomes) => () => [paymentsAnswer(outcomes)]),
  fc.constant((day: number) => [
    advanceTo(new Date(Date.parse(NOW) + day * 86_400_000).toISOString()),
  ]),
)

describe('the order of two honest acts', () => {
  it('5.12: to pay first or to change the plan first leaves the same paid less balance', () => {
    let credited = 0
    const history = fc.record({
      start: planId,
      couponId: fc.constantFrom(undefined, 'WELCOME', 'TAKE3'),
      acts: fc.array(act, { maxLength: 12 }),
      to: planId,
    })
    fc.assert(
      fc.property(history, ({ start, couponId, acts, to }) => {
        const order = couponId === undefined ? {} : { couponId }
        const steps = acts.flatMap((each, at) => each(at * 5))
        const before = given(
          NOW,
          plans,
          coupons,
          slowly,
          subscribe(start, order),
          ...steps,
          (scenario) => ({
            ...scenario,
            scripts: [],
          }),
        )
        const paidFirst = when(before, payWhatIsOpen, changePlan(to), payWhatIsOpen)
        const changedFirst = when(before, changePlan(to), payWhatIsOpen)
        if (changedFirst.facts.some(({ type }) => type === 'invoice.credited')) credited += 1
        expect(paidLessBalance(changedFirst)).toBe(paidLessBalance(paidFirst))
      }),
      { numRuns: 4000 },
    )
    // Some 60 of them: so many histories that chance does not leave ten.
    expect(credited).toBeGreaterThan(10)
  })
})
