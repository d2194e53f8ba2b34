import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { Coupon } from '../../src/billing/coupon.ts'
import { Customer } from '../../src/billing/customer.ts'
import { decide } from '../../src/billing/decide.ts'
import { CheckedInvoice } from '../../src/billing/invoice-checks.ts'
import { PaymentScript } from '../../src/billing/payment.ts'
import { isRefusal } from '../../src/billing/refusal.ts'
import { settle } from '../../src/billing/settle.ts'
import { Subscription } from '../../src/billing/subscription.ts'
import { frozen } from '../support/frozen.ts'
import { adaIn, recordsIn, subscriptionIn } from '../support/readings.ts'
import { beginning, deed, script, shop, waiting } from '../support/scripts.ts'
import { accountOf, advanceTo, FIRST, nextDue, type Story, when } from '../support/story.ts'

const RUNS = { numRuns: 1000 }

/** Checks something that holds after every deed of any script. */
function always(check: (before: Story, after: Story) => void): void {
  const holds = fc.property(beginning, script, (start, deeds) => {
    deeds.reduce(
      (before, next) => {
        const after = when(before, next)
        check(before, after)
        return after
      },
      when(shop, start),
    )
  })
  fc.assert(holds, RUNS)
}

describe('whatever happens to a subscription', () => {
  it('10.3: lines less discounts less balance is what is due, and none is below zero', () => {
    always((_, { invoices }) => {
      for (const { lines, discounts, ...invoice } of invoices) {
        expect(invoice.subtotal).toBe(sum(lines))
        expect(invoice.discountTotal).toBe(sum(discounts))
        const due = invoice.subtotal - invoice.discountTotal - invoice.balanceUsed
        expect(invoice.amountDue).toBe(due)
        expect(invoice.amountDue).toBeGreaterThanOrEqual(0)
        expect(invoice.amountPaid).toBe(invoice.status === 'paid' ? invoice.amountDue : 0)
      }
    })
  })

  it('10.3: the balance of the customer is what invoices gave, less what they took and kept', () => {
    always((_, story) => {
      const kept = story.invoices.map(({ status, balanceUsed }) => {
        return status === 'void' ? Math.min(balanceUsed, 0) : balanceUsed
      })
      const { balance } = adaIn(story)
      expect(balance + kept.reduce((total, each) => total + each, 0)).toBe(0)
      expect(balance).toBeGreaterThanOrEqual(0)
    })
  })

  it('10.4: its periods never overlap: each is billed as it starts, and none starts before another', () => {
    always((before, after) => {
      const [old, now] = [subscriptionIn(before), subscriptionIn(after)]
      expect(now.currentPeriodStart < now.currentPeriodEnd).toBe(true)
      expect(now.currentPeriodStart >= old.currentPeriodStart).toBe(true)
      for (const { createdAt, lines } of after.invoices) {
        for (const { periodStart, periodEnd } of lines) {
          expect(periodStart).toBe(createdAt)
          expect(periodStart < periodEnd).toBe(true)
        }
      }
    })
  })

  it('10.4: every renewal starts at the instant at which the period before ended', () => {
    const renews = fc.property(beginning, script, (start, deeds) => {
      const story = when(shop, start, ...deeds)
      const item = nextDue(story)
      if (item === null || item.due.kind === 'payment_retry') return
      const { currentPeriodEnd } = subscriptionIn(story)
      const after = subscriptionIn(when(story, advanceTo(item.at)))
      if (after.endedAt === null) expect(after.currentPeriodStart).toBe(currentPeriodEnd)
    })
    fc.assert(renews, RUNS)
  })

  it('9.7: a refused deed changes nothing at all', () => {
    always((before, after) => {
      if (after.refusal !== null) expect(recordsIn(after)).toEqual(recordsIn(before))
    })
  })

  it('10.9: every record that it leaves is one that its schema takes', () => {
    const fits = fc.property(beginning, script, (start, deeds) => {
      const story = when(shop, start, ...deeds)
      expect(z.array(Subscription).parse(story.subscriptions)).toEqual(story.subscriptions)
      expect(z.array(CheckedInvoice).parse(story.invoices)).toEqual(story.invoices)
      expect(z.array(Customer).parse(story.customers)).toEqual(story.customers)
      expect(z.array(Coupon).parse(story.coupons)).toEqual(story.coupons)
      expect(z.array(PaymentScript).parse(story.scripts)).toEqual(story.scripts)
    })
    fc.assert(fits, RUNS)
  })

  it('6.3: an active subscription has no open invoice, and an ended one neither', () => {
    always((_, story) => {
      const { status } = subscriptionIn(story)
      const isOpen = story.invoices.some((invoice) => invoice.status === 'open')
      if (status !== 'past_due') expect(isOpen).toBe(false)
    })
  })

  it('2.3: what has ended stays as it is', () => {
    always((before, after) => {
      if (subscriptionIn(before).endedAt === null) return
      expect(subscriptionIn(after)).toEqual(subscriptionIn(before))
      expect(after.invoices).toEqual(before.invoices)
    })
  })

  it('5.9: a credit is never more than what the line cost, nor a charge than the new price', () => {
    always((_, { invoices, plans }) => {
      const dearest = Math.max(...plans.map((plan) => plan.amount))
      for (const { kind, amount, basis, cut } of invoices.flatMap(({ lines }) => lines)) {
        if (basis === null) continue
        expect(basis.remainingMs).toBeLessThanOrEqual(basis.lengthMs)
        expect(Math.abs(amount) + cut).toBeLessThanOrEqual(basis.amount)
        expect(basis.amount).toBeLessThanOrEqual(dearest)
        expect(kind === 'proration_credit' ? -amount : amount).toBeGreaterThanOrEqual(0)
      }
    })
  })

  it('10.1: a long jump comes to the same as two shorter ones', () => {
    const span = fc.integer({ min: 0, max: 200 * 86_400_000 })
    const jumps = fc.tuple(span, span)
    const agree = fc.property(beginning, script, jumps, (start, deeds, [one, other]) => {
      const story = when(shop, start, ...deeds)
      const twice = when(story, waiting(one), waiting(other))
      expect(twice).toEqual(when(story, waiting(one + other)))
    })
    fc.assert(agree, RUNS)
  })
})

describe('a step', () => {
  it('9.7: leaves the account that it is given untouched, and answers the same each time', () => {
    const isPure = fc.property(beginning, script, (start, deeds) => {
      const story = frozen(when(shop, start, ...deeds))
      const item = nextDue(story)
      const account = frozen(accountOf(story, FIRST))
      const commands = [
        { kind: 'cancel_now' },
        { kind: 'pause' },
        { kind: 'resume' },
        ...story.plans.map((plan) => ({ kind: 'change_plan', plan }) as const),
        ...story.coupons.map((coupon) => ({ kind: 'apply_coupon', coupon }) as const),
      ] as const
      for (const command of commands) {
        const answer = decide(account, command, story)
        expect(decide(account, command, story)).toEqual(answer)
        if (isRefusal(answer)) expect(answer.message).not.toBe('')
      }
      if (item !== null) {
        const circumstances = { now: item.at, settings: story.settings }
        expect(settle(account, item.due, circumstances)).toEqual(
          settle(account, item.due, circumstances),
        )
      }
    })
    fc.assert(isPure, RUNS)
  })

  it('10.5: never throws, whatever is asked in whatever order', () => {
    const runs = fc.property(beginning, fc.array(deed, { maxLength: 40 }), (start, deeds) => {
      expect(() => when(shop, start, ...deeds)).not.toThrow()
    })
    fc.assert(runs, RUNS)
  })
})

function sum(rows: readonly { readonly amount: number }[]): number {
  return rows.reduce((total, row) => total + row.amount, 0)
}
