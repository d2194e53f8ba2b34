/** Provider states about refresh tokens, under a text that the contract chose or one that is made up. */
import * as z from 'zod'
import { orThrow, RefusalError } from '../../surface/refusals.ts'
import { Label } from '../../wire/common/fields.ts'
import { presentLogin } from '../../wire/sandbox/token.ts'
import * as tokens from '../../world/commands/tokens.ts'
import { noRequest } from '../../world/event.ts'
import type { Success } from '../../world/results.ts'
import { settingsOf } from '../../world/world.ts'
import { type Draft, instantBefore, moveClockTo, providerState, setStart } from './state.ts'

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
  subject: Label.optional().describe('Who logged in.'),
})

/** The history of a token: how many milliseconds ago it was issued, and what happened to it since. */
interface Fate {
  readonly age?: (draft: Draft) => number
  readonly happens?: (draft: Draft, token: string) => void
}

export const tokenStates = [
  tokenState('fresh', 'The token was issued now, and can be exchanged.', {}),
  tokenState(
    'expired',
    'The token was issued so long ago that it expires at this very instant. It comes before any state that makes a subscription or a token.',
    { age: ({ world }) => settingsOf(world).refreshTokenLifetime * 1000 },
  ),
  tokenState('revoked', 'The token was issued now, and its login was revoked.', {
    happens: ({ world }, refreshToken) => {
      orThrow(tokens.revokeTokens(world, { familyId: null, refreshToken }, noRequest))
    },
  }),
  tokenState(
    'already used',
    'The token was issued now and exchanged for another: who presents it again reuses it. Not where the setting `refresh_rotation` is `keep`, or `refresh_reuse_leeway` is not 0.',
    {
      happens: ({ world }, token) => {
        if (settingsOf(world).refreshReuseLeeway > 0) {
          throw refreshTokenRefusal(
            'counts as unused for a while after its use, because of the setting refresh_reuse_leeway; this state needs 0',
          )
        }
        orThrow(tokens.refreshTokens(world, { header: token, body: token }, noRequest))
        if (tokens.findToken(world, token)?.rotatedAt) return
        throw refreshTokenRefusal(
          'stays fresh when it is used, because the setting refresh_rotation is keep; this state needs rotate',
        )
      },
    },
  ),
]

function tokenState(condition: string, description: string, { age, happens }: Fate) {
  return providerState({
    name: `a refresh token is ${condition}`,
    description,
    params,
    example: { refresh_token: 'rt_of_the_contract', subject: 'ada' },
    operations: ['refreshToken'],
    wordings: { [`the refresh token {refresh_token} is ${condition}`]: {} },
    apply: async (draft, { refresh_token: refreshToken, subject = null }) => {
      const now = draft.world.clock.now()
      if (age !== undefined) setStart(draft, instantBefore(now, age(draft)))
      const { world } = draft
      // No operation takes the text of a token, so that the command issues it.
      if (refreshToken !== undefined && tokens.findToken(world, refreshToken)) {
        const message = 'refresh_token was named by an earlier state; choose another text.'
        throw new RefusalError('exists', message)
      }
      const issued = tokens.issueTokens(world, { subject, refreshToken }, noRequest)
      const login = presentLogin(orThrow<Success<tokens.Grant>>(issued).value)
      const { refresh_token, access_token } = login
      if (age !== undefined) await moveClockTo(draft, now)
      happens?.(draft, refresh_token)
      const isLive = age === undefined && happens === undefined
      return isLive ? { refresh_token, access_token } : { refresh_token }
    },
  })
}

function refreshTokenRefusal(why: string): RefusalError {
  return new RefusalError('invalid_transition', `refresh_token ${why}.`)
}
