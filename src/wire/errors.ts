/** The bodies of errors: the documented envelope on /v1, and problems on the control plane. */
import * as z from 'zod'

/** Every error code, in the order in which documents list them. */
const codes = [
  'invalid_request',
  'unauthorized',
  'invalid_grant',
  'not_found',
  'method_not_allowed',
  'exists',
  'in_use',
  'invalid_transition',
  'coupon_expired',
  'coupon_exhausted',
  'coupon_not_applicable',
  'currency_mismatch',
  'sandbox_limit',
  'sandbox_full',
  'checkpoint_limit',
  'pact_limit',
  'checkpoint_unusable',
  'storage_unavailable',
  'storage_damaged',
  'clock_backwards',
  'clock_limit',
  'payload_too_large',
  'unsupported_media_type',
  'internal',
] as const

/** Why a request is refused. */
export type Code = (typeof codes)[number]

const message = z.string().min(1).meta({
  description: 'Text for people: the field, the rule, the value.',
  source: '7',
})

/** The error body of /v1 for some codes. */
export function errorOf(accepted: readonly [Code, ...Code[]]) {
  return z.strictObject({
    error: z.enum(accepted).meta({ description: 'The error code.', source: '7' }),
    message,
  })
}

/** What every error on /v1 looks like. */
export const WireError = errorOf(codes).meta({ id: 'Error', source: 'error-envelope' })
export type WireError = z.infer<typeof WireError>

/** The problem of the control plane for some codes. (RFC 9457) */
export function problemOf(accepted: readonly [Code, ...Code[]]) {
  return z.strictObject({
    type: z.string().meta({ description: 'Always about:blank; `code` says what it is about.' }),
    title: z.string().meta({ description: 'What the code means.' }),
    status: z.int().min(400).max(599).meta({ description: 'The status of the answer.' }),
    detail: z.string().meta({ description: 'The field, the rule, the value.' }),
    code: z.enum(accepted).meta({ description: 'The error code.' }),
    errors: z
      .array(
        z.strictObject({
          field: z.string().meta({ description: 'The path of the field, such as `outcomes[1]`.' }),
          message: z.string().meta({ description: 'What is wrong with it.' }),
        }),
      )
      .optional()
      .meta({ description: 'The fields at fault, where fields are.' }),
  })
}

/** What every error on the control plane looks like. */
export const WireProblem = problemOf(codes).meta({ id: 'Problem', source: 'sandbox' })
export type WireProblem = z.infer<typeof WireProblem>
