/**
 * Money. Owns exact arithmetic on integer minor units: rounding, shares and percentages. Nothing here assumes a hundred
 * minor units: the currencies are in currency.
 */
import * as z from 'zod'
import type { Settings } from '../assumptions/register.ts'
import { isCurrency } from './currency.ts'

/** The largest amount one record may carry, in minor units; sums of many stay exact integers. */
export const AMOUNT_MAX = 1_000_000_000_000

/** The highest count: far beyond use, and far below the largest exact integer. */
export const COUNT_MAX = 1_000_000_000_000

/** An amount of integer minor units, never negative. */
export const MinorUnits = z.int().min(0).max(AMOUNT_MAX)

/** An amount that may be negative, such as a credit line. */
export const SignedMinorUnits = z.int().min(-AMOUNT_MAX).max(AMOUNT_MAX)

/** The ISO 4217 code of an active currency. */
export const CurrencyCode = z.string().refine(isCurrency)
export type CurrencyCode = z.infer<typeof CurrencyCode>

/** An exact fraction; the denominator is positive. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

export const PERCENT_DECIMALS = 4
const PERCENT_SCALE = 10 ** PERCENT_DECIMALS

/** Rounds an exact fraction to an integer of minor units; a half away from zero, or to the even neighbor. */
export function round(
  { numerator, denominator }: Fraction,
  rule: Settings['amountRounding'],
): number {
  const magnitude = numerator < 0n ? -numerator : numerator
  const doubled = 2n * magnitude + denominator
  const away = doubled / (2n * denominator)
  const isHalf = doubled % (2n * denominator) === 0n
  const rounded = isHalf && rule === 'half_even' ? away - (away % 2n) : away
  return Number(numerator < 0n ? -rounded : rounded)
}

/** Whether an amount is a fraction rounded by either rule. */
export function isRounded(amount: number, exact: Fraction): boolean {
  return amount === round(exact, 'half_away') || amount === round(exact, 'half_even')
}

/** The exact value of `amount x part / whole`, in minor units. */
export function share(amount: number, part: number, whole: number): Fraction {
  return { numerator: BigInt(amount) * BigInt(part), denominator: BigInt(whole) }
}

/** The exact value of `percent` of `amount`, in minor units; a percent has at most four decimals. */
export function percentOf(amount: number, percent: number): Fraction {
  const scaled = BigInt(Math.round(percent * PERCENT_SCALE))
  return { numerator: BigInt(amount) * scaled, denominator: BigInt(100 * PERCENT_SCALE) }
}

/** Whether a percentage has at most four decimals, so that it is computed exactly. */
export function isExactPercent(percent: number): boolean {
  return Math.round(percent * PERCENT_SCALE) / PERCENT_SCALE === percent
}

/** Prints a fraction as a decimal of minor units, truncated (never rounded) after `places` decimals. */
export function decimalText({ numerator, denominator }: Fraction, places: number): string {
  const magnitude = numerator < 0n ? -numerator : numerator
  const whole = magnitude / denominator
  const scaled = ((magnitude % denominator) * 10n ** BigInt(places)) / denominator
  const decimals = scaled.toString().padStart(places, '0').replace(/0+$/, '')
  const sign = numerator < 0n ? '-' : ''
  return decimals === '' ? `${sign}${whole}` : `${sign}${whole}.${decimals}`
}
