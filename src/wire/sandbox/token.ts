/** Tokens on the wire: the documented refresh, and a login in place of the one that is not shown. */
import type * as z from 'zod'
import { int, literal, strictObject, string, xor } from 'zod'
import type { TokenFamily } from '../../tokens/family.ts'
import type { Grant } from '../../world/commands/tokens.ts'
import { snakeKeys } from '../common/case.ts'
import { InstantOut, inSandbox, Label, named, referenceTo, sourced } from '../common/fields.ts'

const RefreshToken = string().min(1).max(4096).meta({
  accepts: 'a refresh token, a string',
  description: 'The refresh token, issued at login or token exchange.',
  secret: true,
  source: '4',
})

export const RefreshRequest = strictObject({ refresh_token: RefreshToken }).meta({
  id: 'RefreshRequest',
  description: 'The refresh token to exchange.',
  source: '4',
  bounds: 'unknown-fields',
})

const accessFields = {
  access_token: sourced('2', string()).describe('The new access token, for later calls.'),
  token_type: sourced('2', literal('Bearer')).describe(
    'The type of the access token: always Bearer.',
  ),
  expires_in: sourced('2', int().min(1)).describe('The lifetime of the access token, in seconds.'),
}

export const WireTokenResponse = strictObject({
  ...accessFields,
  refresh_token: sourced('2', string().optional()).describe(
    'The new refresh token; the one that was sent is then revoked.',
  ),
}).meta(named('2', 'TokenResponse', 'The new tokens.'))
export type WireTokenResponse = z.input<typeof WireTokenResponse>

export const TokenIssue = strictObject({
  subject: Label.optional().describe('The person who logs in, as the list of logins shows it.'),
}).meta(inSandbox('TokenIssue', 'The login to issue tokens for.'))

export const WireIssuedTokens = strictObject({
  ...accessFields,
  refresh_token: sourced('2', string()).describe('The refresh token.'),
  family_id: sourced('sandbox', string()).describe(
    'The identifier of the token family, by which the login can be revoked.',
  ),
}).meta(inSandbox('IssuedTokens', 'The tokens of a login.'))
export type WireIssuedTokens = z.input<typeof WireIssuedTokens>

export const TokenRevoke = xor([
  strictObject({
    refresh_token: RefreshToken.meta({ examples: ['rt_default_of-a-login'] }),
  }).meta({
    id: 'TokenRevokeByToken',
    description: 'The login to revoke, by one of its refresh tokens.',
  }),
  strictObject({
    family_id: referenceTo('token family'),
  }).meta({ id: 'TokenRevokeByFamily', description: 'The login to revoke, by its token family.' }),
]).meta({
  ...inSandbox('TokenRevoke', 'The login to revoke.'),
  accepts: 'an object with refresh_token or family_id',
})

export const WireTokenFamily = strictObject({
  family_id: string().describe('The identifier of the token family.'),
  issued_by: string().describe(
    'The identifier of the sandbox that issued the tokens; they work in no other.',
  ),
  subject: string().nullable().describe('The person who logged in, or null.'),
  issued_at: InstantOut.describe('The instant of the login.'),
  revoked_at: InstantOut.nullable().describe(
    'The instant at which the login was revoked, or null.',
  ),
  refresh_token_expires_at: InstantOut.nullable().describe(
    'The instant at which its newest refresh token expires; null for a revoked login.',
  ),
}).meta(inSandbox('TokenFamily', 'A token family: all tokens of one login.'))

/** A login, and the expiry of its newest refresh token while it is not revoked. */
export function presentFamily(family: TokenFamily, expiry: string | null = null) {
  const expiresAt = family.revokedAt === null ? expiry : null
  return { ...snakeKeys(family), refresh_token_expires_at: expiresAt }
}

/** What a refresh answers; without a new refresh token the field is absent. (Interface section 2) */
export function presentTokens(tokens: Grant): WireTokenResponse {
  const { accessToken, refreshToken, expiresIn } = tokens
  const access = { access_token: accessToken, token_type: 'Bearer' as const, expires_in: expiresIn }
  return refreshToken === null ? access : { ...access, refresh_token: refreshToken }
}

/** What a login answers: always both tokens, and the family they belong to. */
export function presentLogin(tokens: Grant): WireIssuedTokens {
  const { refreshToken, familyId } = tokens
  if (refreshToken === null) throw new Error(`${familyId} was issued one token only`)
  return { ...presentTokens(tokens), refresh_token: refreshToken, family_id: familyId }
}
