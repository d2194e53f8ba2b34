import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyDiscounts, type NamedReduction } from '../../src/billing/discount.ts'
import { totalsOf } from '../../src/billing/invoice.ts'
import { AMOUNT_MAX, percentOf, round, share } from '../../src/billing/money.ts'
import { addMonths, instantAt } from '../../src/time/instant.ts'
import { boundary, IntervalUnit } from '../../src/time/period.ts'

const RUNS = { numRuns: 1000 }

const amount = fc.oneof(fc.integer({ min: 0, max: AMOUNT_MAX }), fc.integer({ min: 0, max: 5000 }))
const percent = fc.integer({ min: 1, max: 1_000_000 }).map((scaled) => scaled / 10_000)
const anyAnchor = fc
  .integer({ min: 0, max: Date.UTC(2100, 0, 1) })
  .map((millis) => instantAt(millis))
const endOfMonth = fc
  .tuple(fc.integer({ min: 0, max: 1500 }), fc.integer({ min: 0, max: 86_399_999 }))
  .map(([month, time]) => instantAt(Date.UTC(1970, month + 1, 0) + time))
const anchor = fc.oneof(anyAnchor, endOfMonth)
const interval = fc.record({
  unit: fc.constantFrom(...IntervalUnit.options),
  count: fc.integer({ min: 1, max: 24 }),
})
const reduction: fc.Arbitrary<NamedReduction> = fc.oneof(
  percent.map((value) => ({ couponId: 'P', type: 'percentage' as const, value })),
  fc
    .integer({ min: 1, max: 5000 })
    .map((value) => ({ couponId: 'F', type: 'fixed' as const, value })),
)
const order = fc.constantFrom('percentage_first', 'fixed_first', 'application')

describe('rounding', () => {
  it('1.2: is half away from zero of the exact rational, for every fraction', () => {
    const numerator = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n })
    const denominator = fc.bigInt({ min: 1n, max: 10n ** 9n })
    const isNearest = fc.property(numerator, denominator, (over, under) => {
      const rounded = BigInt(round({ numerator: over, denominator: under }, 'half_away'))
      const distance = magnitude(2n * (rounded * under - over))
      expect(distance <= under).toBe(true)
      if (distance === under) expect(magnitude(rounded * under) > magnitude(over)).toBe(true)
    })
    fc.assert(isNearest, RUNS)
  })

  it('1.2: of a credit is the rounding of the charge, negated', () => {
    const isSymmetric = fc.property(amount, fc.integer({ min: 0, max: 1000 }), (whole, part) => {
      const { numerator, denominator } = share(whole, part, 1000)
      const charge = round({ numerator, denominator }, 'half_away')
      expect(round({ numerator: -numerator, denominator }, 'half_away')).toBe(0 - charge)
    })
    fc.assert(isSymmetric, RUNS)
  })

  it('1.2: of a percentage never leaves the range from nothing to all', () => {
    const isWithin = fc.property(amount, percent, (whole, value) => {
      const off = round(percentOf(whole, value), 'half_away')
      expect(off).toBeGreaterThanOrEqual(0)
      expect(off).toBeLessThanOrEqual(whole)
    })
    fc.assert(isWithin, RUNS)
  })

  it('1.3: takes the four decimals of a percent exactly as written', () => {
    const scaled = fc.integer({ min: 1, max: 1_000_000 })
    const isExact = fc.property(scaled, (tenThousandths) => {
      const written = Number(`${tenThousandths / 10_000}`)
      expect(percentOf(1, written)).toEqual({
        numerator: BigInt(tenThousandths),
        denominator: 1_000_000n,
      })
    })
    fc.assert(isExact, RUNS)
  })
})

describe('discounts', () => {
  it('7.19: never take more than the amount, each from what the one before left', () => {
    const discounts = fc.array(reduction, { maxLength: 6 })
    const isBounded = fc.property(amount, discounts, order, (whole, list, by) => {
      const taken = applyDiscounts(whole, list, { stackingOrder: by, amountRounding: 'half_away' })
      let left = whole
      for (const each of taken) {
        expect(each.base).toBe(left)
        expect(each.amount).toBeGreaterThanOrEqual(0)
        left -= each.amount
        expect(left).toBeGreaterThanOrEqual(0)
      }
      expect(taken).toHaveLength(list.length)
    })
    fc.assert(isBounded, RUNS)
  })

  it('7.19: are each listed once, and within a kind in the order of application', () => {
    const numbered = fc
      .array(reduction, { maxLength: 6 })
      .map((list) => list.map((each, at) => ({ ...each, couponId: `${each.type} ${at}` })))
    const isStable = fc.property(amount, numbered, order, (whole, list, by) => {
      const ids = applyDiscounts(whole, list, {
        stackingOrder: by,
        amountRounding: 'half_away',
      }).map((each) => each.couponId)
      const applied = list.map((each) => each.couponId)
      for (const kind of ['percentage', 'fixed']) {
        const ofKind = (id: string) => id.startsWith(kind)
        expect(ids.filter(ofKind)).toEqual(applied.filter(ofKind))
      }
      if (by === 'application') expect(ids).toEqual(applied)
    })
    fc.assert(isStable, RUNS)
  })
})

describe('totals', () => {
  it('2.7: lines less discounts less balance is what is due, which is never below zero', () => {
    const signed = fc.integer({ min: -5000, max: 5000 })
    const balances = fc.property(fc.array(signed), amount, (amounts, balance) => {
      const lines = amounts.map((each) => ({ ...line, amount: each }))
      const totals = totalsOf(lines, [], balance)
      expect(totals.subtotal - totals.discountTotal - totals.balanceUsed).toBe(totals.amountDue)
      expect(totals.amountDue).toBeGreaterThanOrEqual(0)
      expect(balance - totals.balanceUsed).toBeGreaterThanOrEqual(0)
      if (totals.amountDue > 0) expect(totals.balanceUsed).toBe(balance)
    })
    fc.assert(balances, RUNS)
  })
})

describe('boundaries', () => {
  it('1.6: rise strictly, from the anchor on', () => {
    const rises = fc.property(anchor, interval, fc.integer({ min: 0, max: 48 }), (at, each, n) => {
      expect(boundary(at, each, n) < boundary(at, each, n + 1)).toBe(true)
      expect(boundary(at, each, 0)).toBe(at)
    })
    fc.assert(rises, RUNS)
  })

  it('1.6: keep the day of the anchor, or the last of a shorter month, and the time of day', () => {
    const keeps = fc.property(anchor, fc.integer({ min: 0, max: 600 }), (at, months) => {
      const from = new Date(at)
      const to = new Date(addMonths(at, months))
      const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
      expect(to.getUTCDate()).toBe(Math.min(from.getUTCDate(), lastDay))
      expect(monthOf(to)).toBe(monthOf(from) + months)
      expect(to.toISOString().slice(11)).toBe(from.toISOString().slice(11))
    })
    fc.assert(keeps, RUNS)
  })

  it('1.7: of days and weeks are exactly so many times 24 hours apart', () => {
    const counts = fc.integer({ min: 1, max: 60 })
    const isExact = fc.property(anchor, counts, fc.integer({ min: 1, max: 99 }), (at, count, n) => {
      const days =
        (Date.parse(boundary(at, { unit: 'day', count }, n)) - Date.parse(at)) / 86_400_000
      const weeks = boundary(at, { unit: 'week', count }, n)
      expect(days).toBe(count * n)
      expect(weeks).toBe(boundary(at, { unit: 'day', count: count * 7 }, n))
    })
    fc.assert(isExact, RUNS)
  })

  it('1.7: of years are those of twelve times as many months', () => {
    const agree = fc.property(anchor, fc.integer({ min: 1, max: 50 }), (at, n) => {
      const years = boundary(at, { unit: 'year', count: 1 }, n)
      expect(years).toBe(boundary(at, { unit: 'month', count: 12 }, n))
    })
    fc.assert(agree, RUNS)
  })
})

const line = {
  kind: 'period',
  planId: 'basic',
  description: 'basic',
  periodStart: instantAt(0),
  periodEnd: instantAt(1),
  basis: null,
  cut: 0,
} as const

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value
}

function monthOf(date: Date): number {
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}
