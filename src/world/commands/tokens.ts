/**
 * Commands on tokens. Owns how tokens are issued, digested and recognised; the token family decides what they grant.
 * Only the SHA-256 digest of a token is stored. (Interface sections 4 and 5)
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AssumptionSlug } from '../../assumptions/register.ts'
import { numberedId } from '../../billing/id.ts'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import { addMillis, type Instant } from '../../time/instant.ts'
import {
  checkGrant,
  issueFamily,
  isTokenValid,
  type NewToken,
  revoke,
  rotateToken,
  type Token,
  type TokenFamily,
} from '../../tokens/family.ts'
import { checkCapacity } from '../capacity.ts'
import { getRecord } from '../engine.ts'
import type { Cause, Fact } from '../event.ts'
import type { Refusal } from '../refusal.ts'
import { findRecord, type Success, success } from '../results.ts'
import { circumstancesOf, putRecord, recordFacts, settingsOf, type World } from '../world.ts'

/** The result of a login or a refresh; `expiresIn` in seconds, `refreshToken` null if the old one stays valid. */
export interface Grant {
  readonly familyId: string
  readonly accessToken: string
  readonly refreshToken: string | null
  readonly expiresIn: number
}

/** A new login. Its tokens are random, unless a provider state sets the text of the refresh token. */
export interface Login {
  readonly subject: string | null
  readonly refreshToken?: string | undefined
}

const FAMILY_RECORDS = 3

/** Issues the tokens of a new login. The interface has no such operation. */
export function issueTokens(
  world: World,
  { subject, refreshToken }: Login,
  cause: Cause,
): Success<Grant> | Refusal {
  const full = checkCapacity(world, FAMILY_RECORDS)
  if (full !== null) return full
  world.sequences.tokenFamilies += 1
  const familyId = numberedId('fam_', world.sequences.tokenFamilies)
  const made = { access: issue(world, 'access'), refresh: issue(world, 'refresh', refreshToken) }
  const login = { familyId, issuedBy: world.sandboxId, subject, issuedAt: world.clock.now() }
  const { family, tokens } = issueFamily(login, made)
  putRecord(world, 'tokenFamilies', family)
  for (const token of tokens) putRecord(world, 'tokens', token)
  report(world, { type: 'token.issued', familyId, detail: { subject } }, cause)
  return success(grantOf(world, familyId, made))
}

/** Exchanges a refresh token, sent in header and body alike, for a new access token. (Interface section 4, rule 6) */
export function refreshTokens(
  world: World,
  presented: { readonly header: string; readonly body: string },
  cause: Cause,
): Success<Grant> | Refusal {
  const token = findToken(world, presented.body)
  if (!timingSafeEqual(digestOf(presented.header), digestOf(presented.body))) {
    return unauthorized(
      'is not the token of the Authorization header; send the same refresh token in the header and in the body',
    )
  }
  if (token === undefined) {
    return unauthorized('was never issued by this sandbox; POST /sandbox/tokens issues one')
  }
  if (token.kind !== 'refresh') return unauthorized('is an access token; send its refresh token')
  const family = getRecord(world.tokenFamilies, token.familyId)
  const { now, settings } = circumstancesOf(world)
  const refusal = checkGrant(token, family, { now, leewaySeconds: settings.refreshReuseLeeway })
  if (refusal === null) return grantNewTokens(world, token, cause)
  const assumptions: AssumptionSlug[] = ['invalid-grant-status']
  if (token.rotatedAt !== null) assumptions.push('refresh-reuse-leeway')
  if (refusal === 'reused') {
    assumptions.push('refresh-reuse-revokes-family')
    if (settings.refreshReuseRevokesFamily && family.revokedAt === null) {
      const { familyId } = family
      report(world, { type: 'token.reuse_detected', familyId, detail: {} }, cause)
      revokeFamily(world, family, cause)
    }
  }
  if (refusal === 'expired') assumptions.push('refresh-token-lifetime')
  const why = refusal === 'expired' ? `expired at ${token.expiresAt}` : 'is revoked'
  return refuse('invalid_grant', `refresh_token ${why}. Log in again for a new one.`, assumptions)
}

/** Revokes every token of one login, identified by its id or by one of its refresh tokens. */
export function revokeTokens(
  world: World,
  named: { readonly familyId: string | null; readonly refreshToken: string | null },
  cause: Cause,
): Success<TokenFamily> | Refusal {
  const token = named.refreshToken === null ? undefined : findToken(world, named.refreshToken)
  if (named.refreshToken !== null && token?.kind !== 'refresh') {
    return refuse('not_found', 'refresh_token must be one that this sandbox issued.')
  }
  const familyId = token?.familyId ?? named.familyId ?? ''
  const family = findRecord(world.tokenFamilies, 'family_id', familyId)
  if (isRefusal(family)) return family
  if (family.issuedBy !== world.sandboxId) {
    return refuse('not_found', `family_id "${familyId}" was issued by another sandbox.`)
  }
  return success(revokeFamily(world, family, cause))
}

/** When the newest refresh token of each login expires, in steps: there may be many tokens. */
export function* refreshExpiries({ tokens }: World): Generator<void, ReadonlyMap<string, Instant>> {
  const expiries = new Map<string, Instant>()
  for (const { kind, familyId, rotatedAt, expiresAt } of tokens.values()) {
    const isNewer = kind === 'refresh' && rotatedAt === null
    if (isNewer && expiresAt > (expiries.get(familyId) ?? '')) expiries.set(familyId, expiresAt)
    yield
  }
  return expiries
}

/** Whether this sandbox accepts an access token for subscription calls now; null for a text that it did not issue as one. */
export function accessTokenState(world: World, presented: string) {
  const token = findToken(world, presented)
  if (token?.kind !== 'access') return null
  const [family, now] = [getRecord(world.tokenFamilies, token.familyId), world.clock.now()]
  if (isTokenValid(token, family, now)) return 'live'
  return family.revokedAt === null ? 'expired' : 'revoked'
}

/** What tokens look like: their prefix, the id of the sandbox, and the rest. */
export const tokenShape = /^([ar]t)_([a-z0-9][a-z0-9-]{0,62})_[A-Za-z0-9_-]{43}$/

/** The id of the sandbox in a token; null if the text does not look like a token. */
export function sandboxOfToken(presented: string): string | null {
  return tokenShape.exec(presented)?.[2] ?? null
}

function grantNewTokens(world: World, presented: Token, cause: Cause): Success<Grant> | Refusal {
  const { familyId, rotatedAt } = presented
  const { now, settings } = circumstancesOf(world)
  const rotates = settings.refreshRotation === 'rotate'
  const full = checkCapacity(world, rotates ? 2 : 1)
  if (full !== null) return full
  const made = { access: issue(world, 'access'), refresh: rotates ? issue(world, 'refresh') : null }
  for (const token of rotateToken(presented, made, now)) putRecord(world, 'tokens', token)
  report(world, { type: 'token.refreshed', familyId, detail: { rotated: rotates } }, cause)
  const assumptions: AssumptionSlug[] = ['access-token-lifetime', 'refresh-rotation']
  if (rotatedAt !== null) assumptions.push('refresh-reuse-leeway')
  return success(grantOf(world, familyId, made), assumptions)
}

function grantOf(
  world: World,
  familyId: string,
  { access, refresh }: { readonly access: TokenText; readonly refresh: TokenText | null },
): Grant {
  const { accessTokenLifetime: expiresIn } = settingsOf(world)
  return { familyId, accessToken: access.token, refreshToken: refresh?.token ?? null, expiresIn }
}

function revokeFamily(world: World, family: TokenFamily, cause: Cause): TokenFamily {
  if (family.revokedAt !== null) return family
  const revoked = revoke(family, world.clock.now())
  putRecord(world, 'tokenFamilies', revoked)
  report(world, { type: 'token.revoked', familyId: family.familyId, detail: {} }, cause)
  return revoked
}

type TokenText = NewToken & { readonly token: string }

/** A new token. Its text contains the sandbox's id, so that a request finds its sandbox; the rest is random. */
function issue(world: World, kind: Token['kind'], chosen?: string): TokenText {
  const prefix = kind === 'access' ? 'at' : 'rt'
  const token = chosen ?? `${prefix}_${world.sandboxId}_${randomBytes(32).toString('base64url')}`
  const { now, settings } = circumstancesOf(world)
  const seconds = settings[`${kind}TokenLifetime`]
  return {
    token,
    digest: digestOf(token).toString('hex'),
    expiresAt: addMillis(now, seconds * 1000),
  }
}

export function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The token with this text, if this sandbox issued it. Tokens copied by a fork or an import are unknown. */
export function findToken(world: World, text: string): Token | undefined {
  const token = world.tokens.get(digestOf(text).toString('hex'))
  if (token === undefined) return undefined
  const { issuedBy } = getRecord(world.tokenFamilies, token.familyId)
  return issuedBy === world.sandboxId ? token : undefined
}

function unauthorized(why: string): Refusal {
  return refuse('unauthorized', `refresh_token ${why}.`, ['refresh-error-statuses'])
}

function report(
  world: World,
  fact: Pick<Fact, 'type' | 'detail'> & { readonly familyId: string },
  cause: Cause,
): void {
  const { type, familyId, detail } = fact
  recordFacts(world, [{ type, subject: { kind: 'token_family', id: familyId }, detail }], cause)
}
