/** Tokens on the wire: the documented refresh, and the login that stands in for the one that is not shown. */
import * as z from 'zod'
import { strictObject } from 'zod'
import { camelKeys } from './case.ts'
import { InstantOut, Label, Reference, sandbox } from './fields.ts'

const RefreshToken = z.string().min(1).max(4096).meta({
  accepts: 'a refresh token, a string',
  description: 'The refresh token, issued at login or token exchange.',
  secret: true,
  source: '4',
})

export const RefreshRequest = strictObject({ refresh_token: RefreshToken }).meta({
  id: 'RefreshRequest',
  source: '4',
  bounds: 'unknown-fields',
})

const accessFields = {
  access_token: z.string().meta({ description: 'New access token for later calls.', source: '2' }),
  token_type: z.literal('Bearer').meta({ description: 'Always Bearer.', source: '2' }),
  expires_in: z
    .int()
    .min(1)
    .meta({ description: 'Lifetime of the access token in seconds.', source: '2' }),
}

export const WireTokenResponse = strictObject({
  ...accessFields,
  refresh_token: z.string().optional().meta({
    description: 'New refresh token; the one that was sent is then revoked.',
    source: '2',
  }),
}).meta({ id: 'TokenResponse', source: '2' })
export type WireTokenResponse = z.input<typeof WireTokenResponse>

export const TokenIssue = strictObject({
  subject: Label.optional().describe('Who logs in, for the reader of the list.'),
}).meta({ id: 'TokenIssue', ...sandbox })

export const WireIssuedTokens = strictObject({
  ...accessFields,
  refresh_token: z.string().meta({ description: 'The refresh token.', source: '2' }),
  family_id: z.string().describe('What to revoke the login by.').meta(sandbox),
}).meta({ id: 'IssuedTokens', ...sandbox })
export type WireIssuedTokens = z.input<typeof WireIssuedTokens>

export const TokenRevoke = z
  .xor([
    strictObject({ refresh_token: RefreshToken }).meta({ id: 'TokenRevokeByToken' }),
    strictObject({
      family_id: Reference.meta({ accepts: 'the identifier of a token family' }),
    }).meta({ id: 'TokenRevokeByFamily' }),
  ])
  .meta({
    id: 'TokenRevoke',
    accepts: 'an object with refresh_token or family_id',
    ...sandbox,
  })

export const WireTokenFamily = strictObject({
  family_id: z.string().describe('Its identifier.'),
  issued_by: z.string().describe('The sandbox that issued it; it works in no other.'),
  subject: z.string().nullable().describe('Who logged in, or null.'),
  issued_at: InstantOut.describe('When.'),
  revoked_at: InstantOut.nullable().describe('When it was revoked, or null.'),
}).meta({ id: 'TokenFamily', description: 'Everything that stems from one login.', ...sandbox })

/** New tokens; without rotation a refresh has no new refresh token. */
interface NewTokens {
  readonly familyId: string
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly expiresIn: number
}

/** What a refresh answers; without a new refresh token the field is absent. (Interface section 2) */
export function presentTokens(tokens: NewTokens): WireTokenResponse {
  const { accessToken, refreshToken, expiresIn } = tokens
  const access = { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn }
  return refreshToken === null ? access : { ...access, refresh_token: refreshToken }
}

/** What a login answers: always both tokens, and the family they belong to. */
export function presentLogin(tokens: NewTokens): WireIssuedTokens {
  const { refreshToken, familyId } = tokens
  if (refreshToken === null) throw new Error(`${familyId} was issued one token only`)
  return { ...presentTokens(tokens), refresh_token: refreshToken, family_id: familyId }
}

/** Which login to revoke. */
export function revocationOrder(body: z.output<typeof TokenRevoke>) {
  return { familyId: null, refreshToken: null, ...camelKeys(body) }
}
