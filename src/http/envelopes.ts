/**
 * Error envelopes: how a refusal reads on each surface. /v1 has the documented one; the control plane answers problems
 * as RFC 9457 describes them.
 */
import type { Context } from 'hono'
import type { RefusalError } from '../surface/refusals.ts'
import { codeTable, type RefusalStatus } from '../wire/common/error-codes.ts'
import type { HalProblem, WireError, WireProblem } from '../wire/common/errors.ts'

/** A body for a refusal, and its media type. */
export interface Envelope {
  readonly mediaType: string
  readonly body: WireError | WireProblem | HalProblem
}

/** The envelope of /v1: code and text. (Interface section 7, assumption error-envelope) */
export function errorEnvelope({ code, message }: RefusalError): Envelope {
  return { mediaType: 'application/json', body: { error: code, message } }
}

/** The envelope of the control plane: a problem, with the fields at fault where there are some. (RFC 9457) */
export function problemEnvelope(refusal: RefusalError, status: RefusalStatus): Envelope {
  const { code, message, fields } = refusal
  const errors = fields.map(({ field, message }) => ({ field, message }))
  return {
    mediaType: 'application/problem+json',
    body: {
      type: 'about:blank',
      title: codeTable[code].title,
      status,
      detail: message,
      code,
      ...(errors.length === 0 ? {} : { errors }),
    },
  }
}

/** What refuses a call that only a real broker takes. */
export const ELSEWHERE =
  'The broker of a sandbox keeps pacts, results, branches and tags, and answers the matrix; for environments, deployments, releases, webhooks and everything else use a Pact Broker or PactFlow.'

/** A problem, or for tools of Pact, which ask for HAL and read no problems, the same with its sentences in `errors`. */
export function controlEnvelope(
  refusal: RefusalError,
  status: RefusalStatus,
  c: Context,
): Envelope {
  const problem = problemEnvelope(refusal, status)
  if (!c.req.header('accept')?.includes('application/hal+json')) return problem
  const { code, fields, message } = refusal
  const sentences = fields.length === 0 ? [message] : fields.map((field) => field.message)
  const errors = code === 'method_not_allowed' ? [...sentences, ELSEWHERE] : sentences
  return { mediaType: 'application/hal+json', body: { ...problem.body, errors } }
}
