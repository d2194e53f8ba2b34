/** Provider states about refresh tokens, under a text that the contract chose or one that is made up. */
import * as z from 'zod'
import { settingsInForce } from '../../assumptions/register.ts'
import { orThrow, RefusalError } from '../../surface/refusals.ts'
import { Label } from '../../wire/fields.ts'
import { presentLogin } from '../../wire/token.ts'
import type { Executed } from '../../world/answer.ts'
import {
  type Grant,
  issueTokens,
  knowsToken,
  refreshTokens,
  revokeTokens,
  wasRotated,
} from '../../world/commands/tokens.ts'
import { before, type Draft, moveClockTo, startAt } from './draft.ts'
import { noRequest } from './records.ts'
import { type ProviderState, providerState } from './state.ts'

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

export const tokenStates = [
  tokenState('fresh', 'The token was issued now, and can be exchanged.', async (draft, login) =>
    issue(draft, login),
  ),
  tokenState(
    'expired',
    'The token was issued so long ago that it expires at this very instant. It comes before any state that makes a subscription or a token.',
    async (draft, login) => {
      const now = draft.world.clock.now()
      startAt(draft, before(now, settingsInForce(draft.world.settings).refreshTokenLifetime * 1000))
      const { refresh_token } = issue(draft, login)
      await moveClockTo(draft, now)
      return { refresh_token }
    },
  ),
  tokenState(
    'revoked',
    'The token was issued now, and its login was revoked.',
    async (draft, login) => {
      const { refresh_token } = issue(draft, login)
      orThrow(revokeTokens(draft.world, { familyId: null, refreshToken: refresh_token }, noRequest))
      return { refresh_token }
    },
  ),
  tokenState(
    'already used',
    'The token was issued now and exchanged for another: who presents it again reuses it. Not where the setting `refresh_rotation` is `keep`, or `refresh_reuse_leeway` is not 0.',
    async (draft, login) => {
      const { world } = draft
      const { refresh_token } = issue(draft, login)
      if (settingsInForce(world.settings).refreshReuseLeeway > 0) {
        throw unmet(
          'counts as unused for a while after its use, because of the setting refresh_reuse_leeway; this state needs 0',
        )
      }
      orThrow(refreshTokens(world, { header: refresh_token, body: refresh_token }, noRequest))
      if (wasRotated(world, refresh_token)) return { refresh_token }
      throw unmet(
        'stays fresh when it is used, because the setting refresh_rotation is keep; this state needs rotate',
      )
    },
  ),
]

function tokenState(
  condition: string,
  description: string,
  apply: ProviderState<typeof params>['apply'],
): ProviderState {
  return providerState({
    name: `a refresh token is ${condition}`,
    description,
    params,
    example: { refresh_token: 'rt_of_the_contract', subject: 'ada' },
    operations: ['refreshToken'],
    wordings: [{ text: `the refresh token {refresh_token} is ${condition}` }],
    apply,
  })
}

/** Issues a token now. No operation takes its text, so that the command does. */
function issue({ world }: Draft, login: Params) {
  const { refresh_token: refreshToken, subject = null } = login
  if (refreshToken !== undefined && knowsToken(world, refreshToken)) {
    const message = 'refresh_token was named by an earlier state; choose another text.'
    throw new RefusalError('exists', message)
  }
  const issued = issueTokens(world, { subject, refreshToken }, noRequest)
  const { refresh_token, access_token } = presentLogin(orThrow<Executed<Grant>>(issued).value)
  return { refresh_token, access_token }
}

function unmet(why: string): RefusalError {
  return new RefusalError('invalid_transition', `refresh_token ${why}.`)
}
