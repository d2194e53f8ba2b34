/** Provider states about refresh tokens, under a text that the contract chose or one that is made up. */
import * as z from 'zod'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import { Label } from '../../wire/fields.ts'
import {
  issueTokens,
  knowsToken,
  refreshTokens,
  revokeTokens,
  wasRotated,
} from '../../world/commands/tokens.ts'
import type { Refusal } from '../../world/refusal.ts'
import { before, type Draft, moveTo, type Named, noRequest, startAt } from './draft.ts'
import { each } from './records.ts'
import { providerState } from './state.ts'

const params = z.strictObject({
  refresh_token: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/)
    .optional()
    .meta({
      accepts: '1 to 4096 visible ASCII characters without spaces',
      description: 'Its text, as the contract holds it in header and body; made up unless told.',
      secret: true,
    }),
  subject: Label.optional().meta({ description: 'Who logged in.' }),
})
type Params = z.output<typeof params>

const about = {
  params,
  example: { refresh_token: 'rt_of_the_contract', subject: 'ada' },
  operations: ['refreshToken'],
} as const

const fresh = providerState({
  ...about,
  name: 'a refresh token is fresh',
  description: 'The token was issued now, and can be exchanged.',
  apply: (draft, asked) => issue(draft, asked),
})

const expired = providerState({
  ...about,
  name: 'a refresh token is expired',
  description:
    'The token was issued so long ago that it expires at this very instant. It comes before any state that makes a subscription or a token.',
  apply: async (draft, asked) => {
    const now = draft.world.clock.now()
    const issuedAt = before(now, draft.world.settings.refreshTokenLifetime * 1000)
    if (isRefusal(issuedAt)) return issuedAt
    const refusal = startAt(draft, issuedAt)
    if (refusal !== null) return refusal
    const named = issue(draft, asked)
    if (isRefusal(named)) return named
    return (await moveTo(draft, now)) ?? withoutAccess(named)
  },
})

const revoked = providerState({
  ...about,
  name: 'a refresh token is revoked',
  description: 'The token was issued now, and its login was revoked.',
  apply: (draft, asked) => {
    const named = issue(draft, asked)
    if (isRefusal(named)) return named
    const revocation = { familyId: null, refreshToken: named.refresh_token }
    return each(() => revokeTokens(draft.world, revocation, noRequest)) ?? withoutAccess(named)
  },
})

const used = providerState({
  ...about,
  name: 'a refresh token is already used',
  description:
    'The token was issued now and exchanged for another: who presents it again reuses it. Not where the setting `refresh_rotation` is `keep`.',
  apply: (draft, asked) => {
    const { world } = draft
    const named = issue(draft, asked)
    if (isRefusal(named)) return named
    const { refresh_token: token } = named
    const refusal = each(() => refreshTokens(world, { header: token, body: token }, noRequest))
    if (refusal !== null) return refusal
    return wasRotated(world, token) ? withoutAccess(named) : refuseKept()
  },
})

export const tokenStates = [fresh, expired, revoked, used]

type Tokens = Required<Pick<Named, 'refresh_token' | 'access_token'>>

/** Issues a token now. */
function issue({ world }: Draft, asked: Params): Tokens | Refusal {
  const { refresh_token, subject = null } = asked
  if (refresh_token !== undefined && knowsToken(world, refresh_token)) {
    return refuse('exists', 'refresh_token was named by an earlier state; choose another text.')
  }
  const issued = issueTokens(world, { subject, refreshToken: refresh_token }, noRequest)
  if (isRefusal(issued)) return issued
  const { accessToken, refreshToken } = issued.value
  if (refreshToken === null) throw new Error('A login was issued without a refresh token')
  return { refresh_token: refreshToken, access_token: accessToken }
}

/** What a state names of a login that is over. */
function withoutAccess({ refresh_token }: Tokens): Named {
  return { refresh_token }
}

function refuseKept(): Refusal {
  return refuse(
    'invalid_transition',
    'refresh_token stays fresh when it is used, because the setting refresh_rotation is keep; this state needs rotate.',
  )
}
