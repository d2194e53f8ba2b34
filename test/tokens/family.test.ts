import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/time/instant.ts'
import {
  checkGrant,
  issueFamily,
  isTokenValid,
  revoke,
  rotateToken,
  Token,
  TokenFamily,
} from '../../src/tokens/family.ts'
import { instant } from '../support/catalog.ts'

const NOW = instant('2027-03-01T00:00:00Z')
const HOUR_LATER = instant('2027-03-01T01:00:00Z')
const MONTH_LATER = instant('2027-03-31T00:00:00Z')

/** The digest of the nth token of a test. */
function digest(number: number): string {
  return String(number).padStart(64, '0')
}

/** A login at `NOW`: an access token for an hour, and a refresh token for 30 days. */
function login(): { family: TokenFamily; access: Token; refresh: Token } {
  const { family, tokens } = issueFamily(
    { familyId: 'fam_000001', issuedBy: 'default', subject: 'cus_ada', issuedAt: NOW },
    {
      access: { digest: digest(1), expiresAt: HOUR_LATER },
      refresh: { digest: digest(2), expiresAt: MONTH_LATER },
    },
  )
  return { family, access: first(tokens, 'access'), refresh: first(tokens, 'refresh') }
}

function first(tokens: readonly Token[], kind: Token['kind']): Token {
  const token = tokens.find((each) => each.kind === kind)
  if (token === undefined) throw new Error(`There is no ${kind} token`)
  return token
}

function refresh(presented: Token, now: Instant): Token[] {
  const made = {
    access: { digest: digest(3), expiresAt: HOUR_LATER },
    refresh: { digest: digest(4), expiresAt: MONTH_LATER },
  }
  return rotateToken(presented, made, now)
}

/** When a token is presented, and the leeway of the sandbox. */
function at(now: Instant, leewaySeconds = 0) {
  return { now, leewaySeconds }
}

describe('what is stored', () => {
  it.each([
    ['revoked when it was issued', { revokedAt: NOW }, true],
    ['revoked later', { revokedAt: HOUR_LATER }, true],
    ['revoked before it was issued', { issuedAt: HOUR_LATER, revokedAt: NOW }, false],
  ])('is a family %s: %o, %s', (_, changed, isValid) => {
    expect(TokenFamily.safeParse({ ...login().family, ...changed }).success).toBe(isValid)
  })

  it('is a refresh token with another in its place, and no access token', () => {
    const { access, refresh } = login()
    const isValid = (token: Token, rotatedAt: Instant | null) =>
      Token.safeParse({ ...token, rotatedAt }).success
    expect([isValid(refresh, null), isValid(refresh, NOW)]).toEqual([true, true])
    expect([isValid(access, null), isValid(access, NOW)]).toEqual([true, false])
  })
})

describe('a login', () => {
  it('8.1: issues an access and a refresh token of one family, neither revoked nor rotated', () => {
    const { family, access, refresh: issued } = login()
    expect(family).toEqual({
      familyId: 'fam_000001',
      issuedBy: 'default',
      subject: 'cus_ada',
      issuedAt: NOW,
      revokedAt: null,
    })
    const fresh = { familyId: 'fam_000001', rotatedAt: null }
    expect(access).toEqual({ ...fresh, kind: 'access', digest: digest(1), expiresAt: HOUR_LATER })
    expect(issued).toEqual({ ...fresh, kind: 'refresh', digest: digest(2), expiresAt: MONTH_LATER })
  })
})

describe('an access token', () => {
  it.each([
    ['2027-03-01T00:00:00.000Z', true],
    ['2027-03-01T00:59:59.999Z', true],
    ['2027-03-01T01:00:00.000Z', false],
    ['2027-03-01T01:00:00.001Z', false],
  ])('8.3: at %s opens something: %s, since at the expiry instant it is expired', (now, opens) => {
    const { family, access } = login()
    expect(isTokenValid(access, family, instant(now))).toBe(opens)
  })

  it('8.7: opens nothing once its family is revoked', () => {
    const { family, access } = login()
    expect(isTokenValid(access, revoke(family, NOW), NOW)).toBe(false)
  })

  it('8.6: stays valid when its family is refreshed', () => {
    const { family, access, refresh: presented } = login()
    refresh(presented, NOW)
    expect(isTokenValid(access, family, NOW)).toBe(true)
  })
})

describe('a refresh token', () => {
  it.each([
    ['2027-03-01T00:00:00.000Z', null],
    ['2027-03-30T23:59:59.999Z', null],
    ['2027-03-31T00:00:00.000Z', 'expired'],
    ['2028-01-01T00:00:00.000Z', 'expired'],
  ])('8.3: at %s is refused as %s, since at the expiry instant it is expired', (now, refusal) => {
    const { family, refresh: presented } = login()
    expect(checkGrant(presented, family, at(instant(now)))).toBe(refusal)
  })

  it('8.5: is refused as revoked once its family is', () => {
    const { family, refresh: presented } = login()
    expect(checkGrant(presented, revoke(family, NOW), at(HOUR_LATER))).toBe('revoked')
  })

  it('8.6: with rotation gives a new access token and a successor, and is rotated itself', () => {
    const { refresh: presented } = login()
    const tokens = refresh(presented, HOUR_LATER)
    expect(tokens).toHaveLength(3)
    expect(tokens.find((token) => token.digest === digest(2))).toEqual({
      ...presented,
      rotatedAt: HOUR_LATER,
    })
    expect(tokens.find((token) => token.digest === digest(3))?.kind).toBe('access')
    expect(tokens.find((token) => token.digest === digest(4))?.kind).toBe('refresh')
    expect(new Set(tokens.map((token) => token.familyId))).toEqual(new Set(['fam_000001']))
  })

  it('8.6: with rotation hands over to its successor, which is granted', () => {
    const { family, refresh: presented } = login()
    const successor = refresh(presented, HOUR_LATER).find((token) => token.digest === digest(4))
    expect(successor && checkGrant(successor, family, at(HOUR_LATER))).toBeNull()
  })

  it('8.6: without rotation gives an access token alone, and stays valid', () => {
    const { family, refresh: presented } = login()
    const made = { access: { digest: digest(3), expiresAt: HOUR_LATER }, refresh: null }
    expect(rotateToken(presented, made, NOW).map(({ kind }) => kind)).toEqual(['access'])
    expect(checkGrant(presented, family, at(NOW))).toBeNull()
  })

  it.each([
    ['before it would expire', HOUR_LATER],
    ['at its expiry', MONTH_LATER],
    ['long after it expired', instant('2028-01-01')],
  ])('8.7: presented again after a rotation counts as reused %s', (_, now) => {
    const { family, refresh: presented } = login()
    const [rotated = presented] = refresh(presented, NOW)
    expect(checkGrant(rotated, family, at(now))).toBe('reused')
  })

  it('8.7: counts as reused even where its family is revoked already', () => {
    const { family, refresh: presented } = login()
    const [rotated = presented] = refresh(presented, NOW)
    expect(checkGrant(rotated, revoke(family, NOW), at(HOUR_LATER))).toBe('reused')
  })

  it.each([
    ['at its rotation', '2027-03-01T00:00:00.000Z', null],
    ['in the last millisecond of the leeway', '2027-03-01T00:00:59.999Z', null],
    ['at the end of the leeway', '2027-03-01T00:01:00.000Z', 'reused'],
  ])('8.7: presented again %s, with a leeway of 60 seconds: %s, %s', (_, now, refusal) => {
    const { family, refresh: presented } = login()
    const [rotated = presented] = refresh(presented, NOW)
    expect(checkGrant(rotated, family, at(instant(now), 60))).toBe(refusal)
  })

  it('8.7: the leeway is not renewed by a second use', () => {
    const { refresh: presented } = login()
    const [rotated = presented] = refresh(presented, NOW)
    const [again = rotated] = refresh(rotated, HOUR_LATER)
    expect(again.rotatedAt).toBe(NOW)
  })

  it('8.7: within the leeway expiry and a revoked family apply as to a first use', () => {
    const { family, refresh: presented } = login()
    const [rotated = presented] = refresh(presented, NOW)
    const leeway = 100 * 86_400
    expect(checkGrant(rotated, family, at(MONTH_LATER, leeway))).toBe('expired')
    expect(checkGrant(rotated, revoke(family, NOW), at(HOUR_LATER, leeway))).toBe('revoked')
  })

  it('8.7: its reuse revokes the whole family, access tokens included', () => {
    const { family, access, refresh: presented } = login()
    const tokens = refresh(presented, NOW)
    const revoked = revoke(family, NOW)
    for (const token of [access, ...tokens]) expect(isTokenValid(token, revoked, NOW)).toBe(false)
    const successor = tokens.find((token) => token.digest === digest(4))
    expect(successor && checkGrant(successor, revoked, at(NOW))).toBe('revoked')
  })

  it('8.6: is left as it was by a refresh, which answers new records', () => {
    const { refresh: presented } = login()
    refresh(Object.freeze(presented), NOW)
    expect(presented.rotatedAt).toBeNull()
  })
})

describe('a family', () => {
  it('8.8: keeps the instant at which it was first revoked', () => {
    const { family } = login()
    const revoked = revoke(family, NOW)
    expect(revoked.revokedAt).toBe(NOW)
    expect(revoke(revoked, HOUR_LATER)).toBe(revoked)
  })
})
