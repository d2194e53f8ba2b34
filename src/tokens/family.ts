/**
 * Token families: all tokens of one login. Owns issuing, refreshing and revoking, by the digests of tokens alone: this
 * module never sees a token. Times are instants of the virtual clock. (Interface section 5)
 */
import * as z from 'zod'
import { addMillis, Instant } from '../time/instant.ts'

/**
 * One login, and whether its tokens were revoked. `issuedBy` is the sandbox of the login: forks and imports copy the
 * record, and its tokens are invalid there.
 */
export const TokenFamily = z
  .strictObject({
    familyId: z.string().min(1),
    issuedBy: z.string(),
    subject: z.string().min(1).max(200).nullable(),
    issuedAt: Instant,
    revokedAt: Instant.nullable(),
  })
  .refine(
    ({ issuedAt, revokedAt }) => revokedAt === null || issuedAt <= revokedAt,
    'was revoked before it was issued',
  )
export type TokenFamily = z.infer<typeof TokenFamily>

/** One token, identified by its SHA-256 digest. `rotatedAt` is when a refresh replaced it. */
export const Token = z
  .strictObject({
    digest: z.string().regex(/^[0-9a-f]{64}$/),
    familyId: z.string(),
    kind: z.enum(['access', 'refresh']),
    expiresAt: Instant,
    rotatedAt: Instant.nullable(),
  })
  .refine(
    ({ kind, rotatedAt }) => kind === 'refresh' || rotatedAt === null,
    'is an access token with another in its place',
  )
export type Token = z.infer<typeof Token>

/** The digest and the expiry of a token to issue. */
export interface NewToken {
  readonly digest: string
  readonly expiresAt: Instant
}

export type GrantRefusal = 'expired' | 'revoked' | 'reused'

/** The family of a new login, and its two tokens. */
export function issueFamily(
  family: Omit<TokenFamily, 'revokedAt'>,
  made: { readonly access: NewToken; readonly refresh: NewToken },
): { family: TokenFamily; tokens: Token[] } {
  const { familyId } = family
  return {
    family: { ...family, revokedAt: null },
    tokens: [token(familyId, 'access', made.access), token(familyId, 'refresh', made.refresh)],
  }
}

/** Whether an access token is valid at `now`; at the instant of its expiry it is not. */
export function isTokenValid(presented: Token, family: TokenFamily, now: Instant): boolean {
  return family.revokedAt === null && now < presented.expiresAt
}

/**
 * Why a refresh token is invalid at `now`; null if it is valid. A rotated token counts as reused, expired or not: its
 * return is the sign of a leak. For `leewaySeconds` after its rotation it counts as unused, because the answer may have
 * been lost.
 */
export function checkGrant(
  presented: Token,
  family: TokenFamily,
  { now, leewaySeconds }: { readonly now: Instant; readonly leewaySeconds: number },
): GrantRefusal | null {
  const { rotatedAt } = presented
  if (rotatedAt !== null && now >= addMillis(rotatedAt, leewaySeconds * 1000)) return 'reused'
  if (family.revokedAt !== null) return 'revoked'
  return now < presented.expiresAt ? null : 'expired'
}

/** The tokens that a refresh changes or adds. A token that was rotated before keeps that instant. */
export function rotateToken(
  presented: Token,
  made: { readonly access: NewToken; readonly refresh: NewToken | null },
  now: Instant,
): Token[] {
  const access = token(presented.familyId, 'access', made.access)
  if (made.refresh === null) return [access]
  const successor = token(presented.familyId, 'refresh', made.refresh)
  return [{ ...presented, rotatedAt: presented.rotatedAt ?? now }, access, successor]
}

/** Revokes a family at `now`; one that is revoked already keeps its instant. */
export function revoke(family: TokenFamily, now: Instant): TokenFamily {
  return family.revokedAt === null ? { ...family, revokedAt: now } : family
}

function token(familyId: string, kind: Token['kind'], { digest, expiresAt }: NewToken): Token {
  return { digest, familyId, kind, expiresAt, rotatedAt: null }
}
