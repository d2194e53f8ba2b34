/** Why requests are refused: every code with its status, its title and what it rests on. */
import type { AssumptionSlug } from '../../assumptions/register.ts'

type ClientErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 417 | 431

/** The statuses that a refusal can have. */
export type RefusalStatus = ClientErrorStatus | 500 | 501 | 503

export interface CodeEntry {
  readonly status: RefusalStatus
  readonly title: string
  /** What every answer with the code rests on, where its operation does not say otherwise. */
  readonly assumptions: readonly AssumptionSlug[]
  /** What only some of them rest on. */
  readonly sometimes?: readonly AssumptionSlug[]
}

/** A code that the interface does not show: status, title, and what beside the envelope it rests on. */
const assumed = (
  status: RefusalStatus,
  title: string,
  source: AssumptionSlug = 'error-codes',
): CodeEntry => ({ status, title, assumptions: [source, 'error-envelope'] })

/** A conflict, and what every answer with its code rests on beside the code. */
const conflict = (title: string, ...sources: AssumptionSlug[]): CodeEntry => {
  const entry = assumed(409, title)
  return { ...entry, assumptions: [...entry.assumptions, ...sources] }
}

const ofStatuses = ['paused-status-name', 'unlisted-transitions'] as const

/** The status, the title and the assumptions of every code. */
export const codeTable = {
  invalid_request: assumed(400, 'The request is malformed'),
  unauthorized: assumed(401, 'The credentials are missing or invalid'),
  invalid_grant: {
    status: 403,
    title: 'The refresh token is expired or revoked',
    assumptions: ['invalid-grant-status'],
    sometimes: ['refresh-reuse-leeway', 'refresh-reuse-revokes-family', 'refresh-token-lifetime'],
  },
  not_found: assumed(404, 'The resource does not exist'),
  method_not_allowed: assumed(405, 'The path does not support this method', 'method-not-allowed'),
  exists: conflict('The identifier is already used'),
  in_use: conflict('The record is in use'),
  invalid_transition: { ...conflict('The status does not allow this'), sometimes: ofStatuses },
  coupon_expired: conflict('The coupon has expired', 'coupon-refusals'),
  coupon_exhausted: conflict('The coupon is used up', 'coupon-refusals', 'redemption-count'),
  coupon_not_applicable: {
    ...conflict('The coupon does not apply', 'coupon-refusals'),
    sometimes: ['coupon-fields', 'reapplied-coupon', 'trial-extension', ...ofStatuses],
  },
  currency_mismatch: conflict('The currencies differ', 'currency-match'),
  sandbox_limit: conflict('The limit of sandboxes is reached'),
  sandbox_full: assumed(409, 'The limit of records is reached', 'record-limit'),
  pact_limit: conflict('The limit of pacts is reached'),
  fault_limit: conflict('The limit of faults is reached'),
  checkpoint_limit: conflict('The limit of checkpoints is reached'),
  follower_limit: conflict('The limit of open streams is reached'),
  webhook_limit: conflict('The limit of webhooks is reached'),
  checkpoint_unusable: conflict('The checkpoint cannot be used'),
  fixture_unusable: conflict('The fixture cannot be used'),
  recording_incomplete: conflict('The recording is incomplete'),
  clock_backwards: conflict('The clock cannot move backwards'),
  clock_limit: conflict('The end of the clock is reached'),
  clock_busy: conflict('An advance in lockstep is running'),
  clock_running: conflict('The clock is running'),
  payload_too_large: assumed(413, 'The body is too large', 'body-limit'),
  unsupported_media_type: assumed(415, 'The media type of the body is not supported'),
  request_timeout: assumed(408, 'The request did not end in time'),
  expectation_failed: assumed(417, 'The expectation cannot be met'),
  headers_too_large: assumed(431, 'The headers are too large'),
  storage_unavailable: assumed(503, 'The change cannot be stored'),
  unavailable: assumed(503, 'The server cannot answer this now'),
  storage_damaged: assumed(500, 'The stored data of the sandbox is damaged'),
  undocumented: {
    status: 501,
    title: 'The interface does not document this, and the sandbox is strict',
    assumptions: ['error-envelope'],
  },
  internal: { status: 500, title: 'The sandbox has a defect', assumptions: [] },
} as const satisfies Record<string, CodeEntry>

/** Why a request is refused. */
export type Code = keyof typeof codeTable
