/** What two settings of billing do together, where each was decided for itself. */
import { describe, expect, it } from 'vitest'
import type { Settings } from '../../src/assumptions/register.ts'
import { explain } from '../../src/billing/explain.ts'
import { CheckedInvoice } from '../../src/billing/invoice-checks.ts'
import {
  cancelNow,
  changePlan,
  customerHas,
  paymentsAlways,
  paymentsAnswer,
  selling,
  setting,
  subscribe,
} from '../support/actions.ts'
import { plan, yearly } from '../support/catalog.ts'
import {
  adaIn,
  duesIn,
  invoiceIn,
  invoiceStatusesIn,
  linesOf,
  statusIn,
  subscriptionIn,
} from '../support/readings.ts'
import { type Action, advanceTo, given, type Scenario, when } from '../support/scenario.ts'

const NOW = '2027-03-01T09:00:00Z'
const MIDDLE = '2027-03-17T00:00:00Z'
const plans = selling(plan('basic', 1000), plan('pro', 2000), yearly('pro_year', 24_000))

function shop(settings: Partial<Settings>, ...actions: readonly Action[]): Scenario {
  return given(NOW, plans, setting({ retrySchedule: ['P20D'], ...settings }), ...actions)
}

describe('6.7: a cancellation with credit', () => {
  const credit = { cancelWithoutRefund: 'credit' } as const

  it.each([NOW, '2027-03-01T10:00:00Z', MIDDLE])(
    'gives nothing at %s to a customer who never paid',
    (at) => {
      const never = shop(
        credit,
        paymentsAlways('card_declined'),
        subscribe('basic'),
        advanceTo(at),
        cancelNow,
      )
      expect(statusIn(never)).toBe('canceled')
      expect(adaIn(never).balance).toBe(0)
    },
  )

  it('gives back the balance that a void invoice had used, and no more', () => {
    const unpaid = [paymentsAlways('card_declined'), customerHas({ balance: 300 })]
    const ended = shop(credit, ...unpaid, subscribe('basic'), advanceTo(MIDDLE), cancelNow)
    expect(invoiceStatusesIn(ended)).toEqual(['void'])
    expect(adaIn(ended).balance).toBe(300)
  })

  it('pays whole what it can pay, and is cut by what would pay a part of a void invoice', () => {
    const answers = paymentsAnswer(['card_declined', 'succeed'])
    const start = [answers, subscribe('basic'), advanceTo(MIDDLE), changePlan('pro')]
    const ended = shop(credit, ...start, cancelNow)
    expect(invoiceStatusesIn(ended)).toEqual(['void', 'paid'])
    expect(adaIn(ended).balance).toBe(0)
    const both = shop(credit, ...start, paymentsAnswer(['card_declined']), changePlan('pro_year'))
    const cut = when(both, cancelNow)
    expect(invoiceStatusesIn(cut)).toEqual(['paid', 'paid', 'void', 'paid'])
    expect(adaIn(cut).balance).toBe(0)
    expect(CheckedInvoice.safeParse(invoiceIn(cut, 4)).success).toBe(true)
    expect(explain(invoiceIn(cut, 4), cut.settings).lines[0]?.text).toMatch(
      /cut by \d+: it is never more than the line that it credits, and pays no part of an invoice that is void afterwards\.$/,
    )
  })

  it('reduces what is still owed, where open invoices are uncollectible', () => {
    const owed = { ...credit, openInvoicesOnCancellation: 'uncollectible' } as const
    const never = shop(
      owed,
      paymentsAlways('card_declined'),
      subscribe('basic'),
      advanceTo(MIDDLE),
      cancelNow,
    )
    expect(invoiceStatusesIn(never)).toEqual(['uncollectible', 'paid'])
    expect([duesIn(never)[0], adaIn(never).balance]).toEqual([504, 0])
  })

  it('is not cut by credit_to_balance, because nothing is charged beside it', () => {
    const forfeits = { ...credit, creditToBalance: 'forfeit' } as const
    const ended = shop(forfeits, subscribe('basic'), advanceTo(MIDDLE), cancelNow)
    expect(linesOf(invoiceIn(ended))).toEqual([-496])
    expect(adaIn(ended).balance).toBe(496)
  })
})

describe('3.5: in a first period without an invoice, a plan changes as in any other', () => {
  it.each([
    [{}, 'pro', ['pro', null]],
    [{ planChangeInTrial: 'at_trial_end' }, 'pro', ['pro', null]],
    [{ planChangeInTrial: 'at_trial_end' }, 'pro_year', ['pro_year', null]],
    [{ intervalChange: 'at_period_end' }, 'pro_year', ['basic', 'pro_year']],
  ] as const)('with %j, to %s', (settings, to, expected) => {
    const free = { firstInvoice: 'first_boundary', ...settings } as const
    const changed = shop(free, subscribe('basic'), advanceTo(MIDDLE), changePlan(to))
    const { planId, pendingPlanId } = subscriptionIn(changed)
    expect([planId, pendingPlanId]).toEqual(expected)
    const later = when(changed, advanceTo('2027-04-01T09:00:00Z'))
    expect(subscriptionIn(later).planId).toBe(to)
    expect(duesIn(later)).toEqual([to === 'pro' ? 2000 : 24_000])
  })
})
