/**
 * Errors on the wire: every code, its status and title, in one table. Owns the one exception of this product, which
 * carries a refusal from wherever it was found to the one place that answers it.
 */
import type { AssumptionSlug, Settings } from '../assumptions/register.ts'
import { isRefusal } from '../billing/refusal.ts'
import type { Code } from '../wire/errors.ts'
import type { Refusal } from '../world/refusal.ts'

/** The statuses that a refusal can have. */
export type RefusalStatus = 400 | 401 | 403 | 404 | 405 | 409 | 413 | 415 | 500 | 503

interface CodeEntry {
  readonly status: RefusalStatus
  readonly title: string
  readonly assumptions: readonly AssumptionSlug[]
}

/** A code that the interface does not show: status, title, and what beside the envelope it rests on. */
const assumed = (
  status: RefusalStatus,
  title: string,
  source: AssumptionSlug = 'error-codes',
): CodeEntry => ({ status, title, assumptions: [source, 'error-envelope'] })

const conflict = (title: string) => assumed(409, title)

/** How the redemption of a coupon can be refused. */
export const couponRefusals = [
  'currency_mismatch',
  'coupon_expired',
  'coupon_exhausted',
  'coupon_not_applicable',
] as const satisfies readonly Code[]

/** The status, the title and the assumptions of every code. */
export const codeTable = {
  invalid_request: assumed(400, 'The request is malformed'),
  unauthorized: assumed(401, 'The credentials are missing or invalid'),
  invalid_grant: {
    status: 403,
    title: 'The refresh token is expired or revoked',
    assumptions: ['invalid-grant-status'],
  },
  not_found: assumed(404, 'There is no such thing'),
  method_not_allowed: assumed(405, 'The path does not take this method', 'method-not-allowed'),
  exists: conflict('It exists already'),
  in_use: conflict('Something refers to it'),
  invalid_transition: conflict('The status does not allow this'),
  coupon_expired: conflict('The coupon has expired'),
  coupon_exhausted: conflict('The coupon is used up'),
  coupon_not_applicable: conflict('The coupon does not apply'),
  currency_mismatch: conflict('The currencies differ'),
  sandbox_limit: conflict('There are as many sandboxes as allowed'),
  sandbox_full: assumed(409, 'The sandbox holds as many records as allowed', 'record-limit'),
  pact_limit: conflict('There are as many pacts as allowed'),
  checkpoint_limit: conflict('There are as many checkpoints as allowed'),
  checkpoint_unusable: conflict('The checkpoint cannot be used'),
  clock_backwards: conflict('The clock does not run backwards'),
  clock_limit: conflict('The clock goes no further'),
  payload_too_large: assumed(413, 'The body is too large', 'body-limit'),
  unsupported_media_type: assumed(415, 'The media type of the body is not taken'),
  storage_unavailable: assumed(503, 'The disk does not take the change'),
  storage_damaged: assumed(500, 'What is kept of the sandbox is damaged'),
  internal: { status: 500, title: 'The sandbox has a defect', assumptions: [] },
} as const satisfies Record<Code, CodeEntry>

/** One field at fault, and why; `field` is its path as a reader would write it, such as `outcomes[1]`. */
export interface FieldProblem {
  readonly field: string
  readonly message: string
  /** The assumption that set the bounds which the value breaks. */
  readonly assumption?: AssumptionSlug
}

/** What a refusal carries beside its code and message. */
export interface RefusalContext {
  readonly fields?: readonly FieldProblem[]
  readonly assumptions?: readonly AssumptionSlug[]
  readonly headers?: Readonly<Record<string, string>>
}

/** A refusal on its way to the error envelope of the surface that it is answered on. */
export class RefusalError extends Error {
  readonly code: Code
  readonly fields: readonly FieldProblem[]
  readonly assumptions: readonly AssumptionSlug[]
  readonly headers: Readonly<Record<string, string>>

  constructor(code: Code, message: string, context: RefusalContext = {}) {
    super(masked(message))
    this.name = 'RefusalError'
    this.code = code
    this.fields = (context.fields ?? []).map((problem) => ({
      ...problem,
      field: shortened(problem.field),
      message: masked(problem.message),
    }))
    this.assumptions = [...codeTable[code].assumptions, ...(context.assumptions ?? [])]
    this.headers = context.headers ?? {}
  }
}

/**
 * A key or token that was sent in the wrong place is not repeated; the one key that everybody knows may be. In a path an
 * underscore may be escaped.
 */
function masked(message: string): string {
  return message
    .replace(/\bsk(?:_|%5f)(?!sandbox_default(?![\w%-]))[\w%-]{4,}/gi, 'sk_...')
    .replace(/\b([ar]t)(?:_|%5f)[a-z0-9-]+(?:_|%5f)[\w%-]{20,}/gi, '$1_...')
}

/** The most characters of a value or a name that are repeated. */
export const SHOWN_MAX = 100
/** Longer than any token: one that begins where the text is cut is recognized as a whole. */
export const LOOKED_AT_MAX = 1000

/** The beginning of a text from a request, for messages; masked before it is cut, so that no half of a token is left. */
export function shortened(text: string): string {
  return masked(text.slice(0, LOOKED_AT_MAX)).slice(0, SHOWN_MAX)
}

/** The status of a code; that of `invalid_grant` is a setting. (Interface section 7) */
export function statusOf(
  code: Code,
  settings: Pick<Settings, 'invalidGrantStatus'>,
): RefusalStatus {
  return code === 'invalid_grant' ? settings.invalidGrantStatus : codeTable[code].status
}

/** What billing answered, unless it refused: then throws the refusal. */
export function orThrow<Answer>(answer: Answer | Refusal): Answer {
  if (isRefusal(answer)) throw refusalFor(answer)
  return answer as Answer
}

/** A refusal of the sandbox as it travels to its envelope. */
export function refusalFor({ refused, message, assumptions }: Refusal): RefusalError {
  return new RefusalError(refused, message, { assumptions })
}
