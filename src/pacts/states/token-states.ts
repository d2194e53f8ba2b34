/** Provider states about refresh tokens, under a text that the contract chose or one that is made up. */
import * as z from 'zod'
import { settingsInForce } from '../../assumptions/register.ts'
import { Label } from '../../wire/fields.ts'
import {
  issueTokens,
  knowsToken,
  refreshTokens,
  revokeTokens,
  wasRotated,
} from '../../world/commands/tokens.ts'
import { before, type Draft, moveClockTo, type Named, noRequest, startAt } from './draft.ts'
import { must, stop } from './refused.ts'
import { providerState } from './state.ts'

const params = z.strictObject({
  refresh_token: z
    .string()
    .regex(/^[\x21-\x7e]{1,4096}$/)
    .optional()
    .meta({
      accepts: '1 to 4096 visible ASCII characters without spaces',
      description: 'Its text, as the contract holds it in header and body; made up unless given.',
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
  wordings: [{ text: 'the refresh token {refresh_token} is fresh' }],
  description: 'The token was issued now, and can be exchanged.',
  apply: issue,
})

const expired = providerState({
  ...about,
  name: 'a refresh token is expired',
  wordings: [{ text: 'the refresh token {refresh_token} is expired' }],
  description:
    'The token was issued so long ago that it expires at this very instant. It comes before any state that makes a subscription or a token.',
  apply: async (draft, asked) => {
    const now = draft.world.clock.now()
    startAt(draft, before(now, settingsInForce(draft.world.settings).refreshTokenLifetime * 1000))
    const { refresh_token } = issue(draft, asked)
    await moveClockTo(draft, now)
    return { refresh_token }
  },
})

const revoked = providerState({
  ...about,
  name: 'a refresh token is revoked',
  wordings: [{ text: 'the refresh token {refresh_token} is revoked' }],
  description: 'The token was issued now, and its login was revoked.',
  apply: (draft, asked) => {
    const { refresh_token } = issue(draft, asked)
    must(revokeTokens(draft.world, { familyId: null, refreshToken: refresh_token }, noRequest))
    return { refresh_token }
  },
})

const used = providerState({
  ...about,
  name: 'a refresh token is already used',
  wordings: [{ text: 'the refresh token {refresh_token} is already used' }],
  description:
    'The token was issued now and exchanged for another: who presents it again reuses it. Not where the setting `refresh_rotation` is `keep`, or `refresh_reuse_leeway` is not 0.',
  apply: (draft, asked) => {
    const { world } = draft
    const { refresh_token } = issue(draft, asked)
    if (settingsInForce(world.settings).refreshReuseLeeway > 0) {
      stop(
        'invalid_transition',
        'refresh_token counts as unused for a while after its use, because of the setting refresh_reuse_leeway; this state needs 0.',
      )
    }
    must(refreshTokens(world, { header: refresh_token, body: refresh_token }, noRequest))
    if (wasRotated(world, refresh_token)) return { refresh_token }
    return stop(
      'invalid_transition',
      'refresh_token stays fresh when it is used, because the setting refresh_rotation is keep; this state needs rotate.',
    )
  },
})

export const tokenStates = [fresh, expired, revoked, used]

type Tokens = Required<Pick<Named, 'refresh_token' | 'access_token'>>

/** Issues a token now. */
function issue({ world }: Draft, asked: Params): Tokens {
  const { refresh_token, subject = null } = asked
  if (refresh_token !== undefined && knowsToken(world, refresh_token)) {
    stop('exists', 'refresh_token was named by an earlier state; choose another text.')
  }
  const issued = must(issueTokens(world, { subject, refreshToken: refresh_token }, noRequest))
  const { accessToken, refreshToken } = issued.value
  if (refreshToken === null) throw new Error('A login was issued without a refresh token')
  return { refresh_token: refreshToken, access_token: accessToken }
}
