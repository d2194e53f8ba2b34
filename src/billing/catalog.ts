/**
 * The catalog: products, and the plans that price them. Owns their shape and how two plans' prices compare.
 */
import * as z from 'zod'
import { type Interval, IntervalUnit } from '../time/period.ts'
import { Id, Name } from './id.ts'
import { CurrencyCode, MinorUnits } from './money.ts'

export const Product = z.strictObject({ productId: Id, name: Name })
export type Product = z.infer<typeof Product>

/** The most units one billing interval may span. */
const INTERVAL_COUNT_MAX = 366

/** The price of a product, and its interval. */
export const Plan = z.strictObject({
  planId: Id,
  productId: z.string(),
  name: Name,
  amount: MinorUnits,
  currency: CurrencyCode,
  interval: IntervalUnit,
  intervalCount: z.int().min(1).max(INTERVAL_COUNT_MAX),
})
export type Plan = z.infer<typeof Plan>

export const unitsPerYear = { day: 365n, week: 52n, month: 12n, year: 1n } as const

export function intervalOf(plan: Plan): Interval {
  return { unit: plan.interval, count: plan.intervalCount }
}

/** Compares two plans' yearly rates exactly: negative if `one` is cheaper, zero if equal. */
export function compareRates(one: Plan, other: Plan): number {
  const left = BigInt(one.amount) * unitsPerYear[one.interval] * BigInt(other.intervalCount)
  const right = BigInt(other.amount) * unitsPerYear[other.interval] * BigInt(one.intervalCount)
  if (left === right) return 0
  return left < right ? -1 : 1
}
