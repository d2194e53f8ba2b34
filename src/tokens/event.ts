/** The events of tokens: every type with the schema of its detail. */
import * as z from 'zod'

/** Every event type of tokens, with its detail. */
export const tokenEvents = {
  'token.issued': z.strictObject({ subject: z.string().nullable() }),
  'token.refreshed': z.strictObject({ rotated: z.boolean() }),
  'token.revoked': z.strictObject({}),
  'token.reuse_detected': z.strictObject({}),
}
