/**
 * Error envelopes: how a refusal reads on each surface. /v1 has the documented one; the control plane answers problems
 * as RFC 9457 describes them.
 */
import type { RefusalError } from '../surface/refusals.ts'
import { codeTable, type RefusalStatus, type WireError, type WireProblem } from '../wire/errors.ts'

/** A body for a refusal, and its media type. */
export interface Envelope {
  readonly mediaType: string
  readonly body: WireError | WireProblem
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
