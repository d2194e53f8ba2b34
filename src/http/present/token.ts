/** Tokens and their families as the wire shows them. */
import type { Grant } from '../../sandbox/commands/tokens.ts'
import type { TokenFamily } from '../../tokens/family.ts'
import { snakeKeys } from '../../wire/case.ts'
import type { WireIssuedTokens, WireTokenFamily, WireTokenResponse } from '../../wire/token.ts'

/** What a refresh answers; without a new refresh token the field is absent. (Interface section 2) */
export function presentGrant({ accessToken, refreshToken, expiresIn }: Grant): WireTokenResponse {
  return {
    access_token: accessToken,
    token_type: 'Bearer',
    expires_in: expiresIn,
    ...(refreshToken === null ? {} : { refresh_token: refreshToken }),
  }
}

/** What a login answers: always both tokens, and the family they belong to. */
export function presentLogin(grant: Grant): WireIssuedTokens {
  if (grant.refreshToken === null) throw new Error(`${grant.familyId} was issued one token only`)
  return {
    ...presentGrant(grant),
    refresh_token: grant.refreshToken,
    family_id: grant.familyId,
  }
}

/** A login on the wire; its tokens are never shown again. */
export function presentTokenFamily(family: TokenFamily): WireTokenFamily {
  return snakeKeys(family)
}
