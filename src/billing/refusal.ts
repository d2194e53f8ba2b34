/**
 * Refusals: well-formed requests that the state does not allow. They are values, never exceptions. Owns the codes of
 * billing; callers add theirs.
 */
import type { AssumptionSlug } from '../assumptions/register.ts'

export type BillingRefusalCode =
  | 'invalid_transition'
  | 'coupon_expired'
  | 'coupon_exhausted'
  | 'coupon_not_applicable'
  | 'currency_mismatch'

/** A command that changes nothing, and why: `message` names the field, the value and the allowed values. */
export interface RefusalOf<Code extends string> {
  readonly refused: Code
  readonly message: string
  readonly assumptions: readonly AssumptionSlug[]
}

export type BillingRefusal = RefusalOf<BillingRefusalCode>

/** Refuses, with the assumptions that led to it. */
export function refuse<const Code extends string>(
  refused: Code,
  message: string,
  assumptions: readonly AssumptionSlug[] = [],
): RefusalOf<Code> {
  return { refused, message, assumptions }
}

export function isRefusal(answer: unknown): answer is RefusalOf<string> {
  return typeof answer === 'object' && answer !== null && 'refused' in answer
}
