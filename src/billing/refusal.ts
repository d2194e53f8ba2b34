/**
 * Refusals: well-formed requests that the state does not allow. They are values, never exceptions; what status and
 * title each becomes is decided once, in http/errors.
 */
import type { AssumptionSlug } from '../assumptions/register.ts'

/** Every reason for which a well-formed request is refused. */
export type RefusalCode =
  | 'unauthorized'
  | 'invalid_grant'
  | 'not_found'
  | 'clock_backwards'
  | 'clock_limit'
  | 'sandbox_limit'
  | 'sandbox_full'
  | 'checkpoint_limit'
  | 'pact_limit'
  | 'checkpoint_unusable'
  | 'storage_unavailable'
  | 'storage_damaged'
  | 'exists'
  | 'in_use'
  | 'invalid_transition'
  | 'coupon_expired'
  | 'coupon_exhausted'
  | 'coupon_not_applicable'
  | 'currency_mismatch'

/** A command that changes nothing, and why: `message` names the field, the rule and the value. */
export interface Refusal {
  readonly refused: RefusalCode
  readonly message: string
  readonly assumptions: readonly AssumptionSlug[]
}

/** Refuses, with the assumptions that led to it. */
export function refuse(
  refused: RefusalCode,
  message: string,
  assumptions: readonly AssumptionSlug[] = [],
): Refusal {
  return { refused, message, assumptions }
}

/** Whether an answer is a refusal. */
export function isRefusal(answer: unknown): answer is Refusal {
  return typeof answer === 'object' && answer !== null && 'refused' in answer
}
