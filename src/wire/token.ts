/** Tokens on the wire: the documented refresh, and a login in place of the one that is not shown. */
import type * as z from 'zod'
import { int, literal, strictObject, string, xor } from 'zod'
import { InstantOut, inSandbox, Label, Reference, sandbox, sourced } from './fields.ts'

const RefreshToken = string().min(1).max(4096).meta({
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
  access_token: sourced('2', string()).describe('New access token for later calls.'),
  token_type: sourced('2', literal('Bearer')).describe('Always Bearer.'),
  expires_in: sourced('2', int().min(1)).describe('Lifetime of the access token in seconds.'),
}

export const WireTokenResponse = strictObject({
  ...accessFields,
  refresh_token: sourced('2', string().optional()).describe(
    'New refresh token; the one that was sent is then revoked.',
  ),
}).meta({ id: 'TokenResponse', source: '2' })
export type WireTokenResponse = z.input<typeof WireTokenResponse>

export const TokenIssue = strictObject({
  subject: Label.optional().describe('Who logs in, for the reader of the list.'),
}).meta(inSandbox('TokenIssue'))

export const WireIssuedTokens = strictObject({
  ...accessFields,
  refresh_token: sourced('2', string()).describe('The refresh token.'),
  family_id: string().describe('What to revoke the login by.').meta(sandbox),
}).meta(inSandbox('IssuedTokens'))
export type WireIssuedTokens = z.input<typeof WireIssuedTokens>

export const TokenRevoke = xor([
  strictObject({ refresh_token: RefreshToken }).meta({ id: 'TokenRevokeByToken' }),
  strictObject({
    family_id: Reference.meta({ accepts: 'the identifier of a token family' }),
  }).meta({ id: 'TokenRevokeByFamily' }),
]).meta({
  id: 'TokenRevoke',
  accepts: 'an object with refresh_token or family_id',
  ...sandbox,
})

export const WireTokenFamily = strictObject({
  family_id: string().describe('Its identifier.'),
  issued_by: string().describe('The sandbox that issued it; it works in no other.'),
  subject: string().nullable().describe('Who logged in, or null.'),
  issued_at: InstantOut.describe('When.'),
  revoked_at: InstantOut.nullable().describe('When it was revoked, or null.'),
}).meta(inSandbox('TokenFamily', 'Everything that stems from one login.'))

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
