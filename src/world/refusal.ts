/** The refusals of a sandbox: those of billing, and those about records, clocks, limits, tokens and storage. */
import type { BillingRefusalCode, RefusalOf } from '../billing/refusal.ts'

/** Every reason to refuse a well-formed request; wire/common/error-codes has the status of each. */
export type RefusalCode =
  | BillingRefusalCode
  | 'invalid_request'
  | 'unauthorized'
  | 'invalid_grant'
  | 'not_found'
  | 'clock_backwards'
  | 'clock_limit'
  | 'clock_busy'
  | 'clock_running'
  | 'sandbox_limit'
  | 'sandbox_full'
  | 'checkpoint_limit'
  | 'webhook_limit'
  | 'pact_limit'
  | 'fault_limit'
  | 'checkpoint_unusable'
  | 'fixture_unusable'
  | 'recording_incomplete'
  | 'storage_unavailable'
  | 'storage_damaged'
  | 'exists'
  | 'in_use'

export type Refusal = RefusalOf<RefusalCode>
