/**
 * Commands on tokens. Owns how tokens are created, digested and recognised; the token family decides what they grant.
 * Only the SHA-256 digest of a token is stored. (Interface sections 4 and 5)
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { type AssumptionSlug, settingsInForce } from '../../assumptions/register.ts'
import { numberedId } from '../../billing/id.ts'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import { plus } from '../../time/instant.ts'
import {
  isLive,
  issue,
  type Minted,
  refuseGrant,
  revoke,
  rotate,
  type Token,
  type TokenFamily,
} from '../../tokens/family.ts'
import { type Executed, executed, find } from '../answer.ts'
import { refuseWhenFull } from '../capacity.ts'
import type { Cause, Fact } from '../event.ts'
import type { Refusal } from '../refusal.ts'
import { record, type World } from '../world.ts'

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

/** A login creates a family and two tokens. */
const FAMILY_RECORDS = 3

/** Issues the tokens of a new login. The interface has no such operation. */
export function issueTokens(
  world: World,
  { subject, refreshToken }: Login,
  cause: Cause,
): Executed<Grant> | Refusal {
  const full = refuseWhenFull(world, FAMILY_RECORDS)
  if (full !== null) return full
  const now = world.clock.now()
  world.sequences.tokenFamilies += 1
  const familyId = numberedId('fam_', world.sequences.tokenFamilies)
  const access = mint(world, 'access')
  const refresh = mint(world, 'refresh', refreshToken)
  const issued = issue(
    { familyId, issuedBy: world.sandboxId, subject, issuedAt: now },
    { access, refresh },
  )
  world.tokenFamilies.put(issued.family)
  for (const token of issued.tokens) world.tokens.put(token)
  report(world, { type: 'token.issued', familyId, detail: { subject } }, cause)
  return executed({
    familyId,
    accessToken: access.token,
    refreshToken: refresh.token,
    expiresIn: settingsInForce(world.settings).accessTokenLifetime,
  })
}

/** Exchanges a refresh token, sent in header and body alike, for a new access token. (Interface section 4, rule 6) */
export function refreshTokens(
  world: World,
  presented: { readonly header: string; readonly body: string },
  cause: Cause,
): Executed<Grant> | Refusal {
  const token = issuedToken(world, presented.body)
  if (!sameToken(presented.header, presented.body)) {
    return unauthorized('refresh_token is not the token of the Authorization header')
  }
  if (token === undefined) return unauthorized('refresh_token was never issued by this sandbox')
  if (token.kind !== 'refresh') return unauthorized('refresh_token is an access token')
  const family = familyOf(world, token)
  const { refreshReuseLeeway: leewaySeconds } = settingsInForce(world.settings)
  const refusal = refuseGrant(token, family, { now: world.clock.now(), leewaySeconds })
  if (refusal !== null) {
    if (refusal === 'reused') noteReuse(world, family, cause)
    const why = refusal === 'expired' ? `expired at ${token.expiresAt}` : 'is revoked'
    return refuse(
      'invalid_grant',
      `refresh_token ${why}. Log in again for a new one.`,
      refusal === 'reused'
        ? ['invalid-grant-status', 'refresh-reuse-leeway', 'refresh-reuse-revokes-family']
        : ['invalid-grant-status'],
    )
  }
  return grantAgain(world, token, cause)
}

/** Revokes every token of one login, identified by its id or by one of its refresh tokens. */
export function revokeTokens(
  world: World,
  named: { readonly familyId: string | null; readonly refreshToken: string | null },
  cause: Cause,
): Executed<TokenFamily> | Refusal {
  const token = named.refreshToken === null ? undefined : issuedToken(world, named.refreshToken)
  if (named.refreshToken !== null && token?.kind !== 'refresh') {
    return refuse('not_found', 'refresh_token must be one that this sandbox issued.')
  }
  const familyId = token?.familyId ?? named.familyId ?? ''
  const family = find(world.tokenFamilies, { field: 'family_id', id: familyId })
  if (isRefusal(family)) return family
  if (family.issuedBy !== world.sandboxId) {
    return refuse('not_found', `family_id "${familyId}" was issued by another sandbox.`)
  }
  return executed(revokeFamily(world, family, cause))
}

/** Whether this sandbox accepts an access token for subscription calls now. */
export function acceptsAccessToken(world: World, presented: string): boolean {
  const token = issuedToken(world, presented)
  if (token === undefined || token.kind !== 'access') return false
  return isLive(token, familyOf(world, token), world.clock.now())
}

/** The id of the sandbox in a token; null if the text does not look like a token. */
export function sandboxOfToken(presented: string): string | null {
  return /^[ar]t_([a-z0-9][a-z0-9-]{0,62})_[A-Za-z0-9_-]{43}$/.exec(presented)?.[1] ?? null
}

function grantAgain(world: World, presented: Token, cause: Cause): Executed<Grant> | Refusal {
  const now = world.clock.now()
  const { refreshRotation, accessTokenLifetime } = settingsInForce(world.settings)
  const full = refuseWhenFull(world, refreshRotation === 'rotate' ? 2 : 1)
  if (full !== null) return full
  const access = mint(world, 'access')
  const refresh = refreshRotation === 'rotate' ? mint(world, 'refresh') : null
  for (const token of rotate(presented, { access, refresh }, now)) {
    world.tokens.put(token)
  }
  const { familyId } = presented
  const detail = { rotated: refresh !== null }
  report(world, { type: 'token.refreshed', familyId, detail }, cause)
  const assumptions: AssumptionSlug[] = ['access-token-lifetime', 'refresh-rotation']
  if (presented.rotatedAt !== null) assumptions.push('refresh-reuse-leeway')
  return executed(
    {
      familyId,
      accessToken: access.token,
      refreshToken: refresh?.token ?? null,
      expiresIn: accessTokenLifetime,
    },
    assumptions,
  )
}

function noteReuse(world: World, family: TokenFamily, cause: Cause): void {
  if (!settingsInForce(world.settings).refreshReuseRevokesFamily || family.revokedAt !== null)
    return
  report(world, { type: 'token.reuse_detected', familyId: family.familyId, detail: {} }, cause)
  revokeFamily(world, family, cause)
}

function revokeFamily(world: World, family: TokenFamily, cause: Cause): TokenFamily {
  if (family.revokedAt !== null) return family
  const revoked = revoke(family, world.clock.now())
  world.tokenFamilies.put(revoked)
  report(world, { type: 'token.revoked', familyId: family.familyId, detail: {} }, cause)
  return revoked
}

/** The text of a new token. It contains the sandbox's id, so that a request finds its sandbox; the rest is random. */
function tokenText(sandboxId: string, kind: Token['kind']): string {
  const prefix = kind === 'access' ? 'at' : 'rt'
  return `${prefix}_${sandboxId}_${randomBytes(32).toString('base64url')}`
}

/** Whether the world issued this token. */
export function knowsToken(world: World, text: string): boolean {
  return issuedToken(world, text) !== undefined
}

/** Whether a refresh replaced this token. */
export function wasRotated(world: World, text: string): boolean {
  return (issuedToken(world, text)?.rotatedAt ?? null) !== null
}

function mint(
  world: World,
  kind: Token['kind'],
  token = tokenText(world.sandboxId, kind),
): Minted & { token: string } {
  const { accessTokenLifetime, refreshTokenLifetime } = settingsInForce(world.settings)
  const seconds = kind === 'access' ? accessTokenLifetime : refreshTokenLifetime
  return { token, digest: digestOf(token), expiresAt: plus(world.clock.now(), seconds * 1000) }
}

function digestOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

function sameToken(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(digestOf(one)), Buffer.from(digestOf(other)))
}

/** The token with this text, if this sandbox issued it. Tokens copied by a fork or an import are unknown. */
function issuedToken(world: World, text: string): Token | undefined {
  const token = world.tokens.get(digestOf(text))
  const isOwn = token !== undefined && familyOf(world, token).issuedBy === world.sandboxId
  return isOwn ? token : undefined
}

function familyOf(world: World, token: Token): TokenFamily {
  const family = world.tokenFamilies.get(token.familyId)
  if (family === undefined) throw new Error(`${token.familyId} is gone`)
  return family
}

function unauthorized(why: string): Refusal {
  return refuse(
    'unauthorized',
    `${why}; send the same refresh token in the header and in the body.`,
    ['refresh-error-statuses'],
  )
}

function report(
  world: World,
  fact: Pick<Fact, 'type' | 'detail'> & { readonly familyId: string },
  cause: Cause,
): void {
  const { type, familyId, detail } = fact
  record(world, [{ type, subject: { kind: 'token_family', id: familyId }, detail }], cause)
}
