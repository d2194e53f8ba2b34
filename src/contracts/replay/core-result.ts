/** The messages to and from the process of the Pact core, and the mismatches in them as the report shows them. */
import type { VerifierOptions } from '@pact-foundation/pact-core'
import * as z from 'zod'
import { leadsToSecret } from '../../masking/looks.ts'
import { MASK, maskText } from '../../masking/mask.ts'
import { jsonIn } from '../common/json.ts'
import type { Mismatch } from '../common/report-shape.ts'

/** One verification of a file, or of what a broker offers, as the core takes it. */
export type CoreJob = VerifierOptions

const text = z.unknown().transform((value) => {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
})

const CoreMismatch = z.object({
  type: z.string(),
  mismatch: z.string().default(''),
  path: z.string().optional(),
  key: z.string().optional(),
  expected: text.optional(),
  actual: text.optional(),
})
type CoreMismatch = z.output<typeof CoreMismatch>

const CoreError = z.object({
  interaction: z.string(),
  mismatch: z.object({
    message: z.string().optional(),
    mismatches: z.array(CoreMismatch).default([]),
  }),
})
export type CoreError = z.output<typeof CoreError>

/** The result of the core, as far as it is read. */
export const CoreResult = z.object({
  result: z.boolean(),
  errors: z.array(CoreError),
  pendingErrors: z.array(CoreError),
  interactionResults: z.array(
    z.object({ description: z.string(), result: z.string(), duration: z.string().default('') }),
  ),
})
export type CoreResult = z.output<typeof CoreResult>

/** The reply for each file: the core's result as JSON, or the reason why there is none. */
export const CoreReply = z.union([
  z.object({ result: z.string() }),
  z.object({ failure: z.string() }),
])
export type CoreReply = z.output<typeof CoreReply>

const kinds: Readonly<Record<string, Mismatch['kind']>> = {
  StatusMismatch: 'status',
  HeaderMismatch: 'header',
  BodyMismatch: 'body',
  BodyTypeMismatch: 'body',
}

/** The mismatches of one interaction: the status first, because it often explains the others. */
export function mismatchesOf({ mismatch: { message, mismatches } }: CoreError): Mismatch[] {
  if (message !== undefined) {
    const kind = message.includes('state change') ? 'setup' : 'request'
    return [{ kind, at: '', expected: '', got: '', message: maskText(message) }]
  }
  const place = ({ kind, at }: Mismatch) => `${['status', 'header', 'body'].indexOf(kind)} ${at}`
  return mismatches
    .map(mismatchOf)
    .sort((one, other) => place(one).localeCompare(place(other), 'en'))
}

function mismatchOf({ type, mismatch, path, key, expected, actual }: CoreMismatch): Mismatch {
  const at = key ?? path ?? ''
  const got = actual ?? ''
  const json = jsonIn(got)
  const token = leadsToSecret(at) ? String(typeof json === 'string' ? json : got) : ''
  return {
    kind: kinds[type] ?? 'request',
    at,
    expected: expected ?? '',
    got: token === '' ? maskText(got) : MASK,
    message: maskText(token === '' ? mismatch : mismatch.replaceAll(token, MASK)),
  }
}
