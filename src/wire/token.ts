/** Tokens on the wire: the documented refresh, and the login that stands in for the one that is not shown. */
import * as z from 'zod'
import { InstantOut, Label, Reference } from './fields.ts'

const sandbox = { source: 'sandbox' }

const RefreshToken = z.string().min(1).max(4096).meta({
  accepts: 'a refresh token, a string',
  description: 'The refresh token, issued at login or token exchange.',
  secret: true,
  source: '4',
})

export const RefreshRequest = z
  .strictObject({ refresh_token: RefreshToken })
  .meta({ id: 'RefreshRequest', source: '4' })

const granted = {
  access_token: z.string().meta({ description: 'New access token for later calls.', source: '2' }),
  token_type: z.literal('Bearer').meta({ description: 'Always Bearer.', source: '2' }),
  expires_in: z
    .int()
    .min(1)
    .meta({ description: 'Lifetime of the access token in seconds.', source: '2' }),
}

export const WireTokenResponse = z
  .strictObject({
    ...granted,
    refresh_token: z.string().optional().meta({
      description: 'New refresh token; the one that was sent is then revoked.',
      source: '2',
    }),
  })
  .meta({ id: 'TokenResponse', source: '2' })
export type WireTokenResponse = z.input<typeof WireTokenResponse>

export const TokenIssue = z
  .strictObject({
    subject: Label.optional().meta({ description: 'Who logs in, for the reader of the list.' }),
  })
  .meta({ id: 'TokenIssue', ...sandbox })

export const WireIssuedTokens = z
  .strictObject({
    ...granted,
    refresh_token: z.string().meta({ description: 'The refresh token.', source: '2' }),
    family_id: z.string().meta({ description: 'What to revoke the login by.', ...sandbox }),
  })
  .meta({ id: 'IssuedTokens', ...sandbox })
export type WireIssuedTokens = z.input<typeof WireIssuedTokens>

export const TokenRevoke = z
  .union([
    z.strictObject({ refresh_token: RefreshToken }),
    z.strictObject({ family_id: Reference.meta({ accepts: 'the identifier of a token family' }) }),
  ])
  .meta({
    id: 'TokenRevoke',
    accepts: 'an object with refresh_token or family_id',
    ...sandbox,
  })

export const WireTokenFamily = z
  .strictObject({
    family_id: z.string().meta({ description: 'Its identifier.' }),
    issued_by: z
      .string()
      .meta({ description: 'The sandbox that issued it; it works in no other.' }),
    subject: z.string().nullable().meta({ description: 'Who logged in, or null.' }),
    issued_at: InstantOut.meta({ description: 'When.' }),
    revoked_at: InstantOut.nullable().meta({ description: 'When it was revoked, or null.' }),
  })
  .meta({ id: 'TokenFamily', description: 'Everything that stems from one login.', ...sandbox })
export type WireTokenFamily = z.input<typeof WireTokenFamily>
