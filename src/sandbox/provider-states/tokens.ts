/** Provider states about refresh tokens, under a text that the contract chose or one that is made up. */
import * as z from 'zod'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import type { Instant } from '../../time/instant.ts'
import { Label } from '../../wire/fields.ts'
import {
  issueTokens,
  knowsToken,
  refreshTokens,
  revokeTokens,
  tokenText,
  wasRotated,
} from '../commands/tokens.ts'
import type { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'
import { before, unasked } from './interaction.ts'
import { each } from './records.ts'
import { providerState, type Scene, type Staged, withActs } from './state.ts'

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
  stage: (scene, asked) => {
    const access = tokenText(scene.world.sandboxId, 'access')
    const staged = tokenStaged(scene, { ...asked, access, issuedAt: scene.now }, () => null)
    return isRefusal(staged)
      ? staged
      : { ...staged, named: { ...staged.named, access_token: access } }
  },
})

const expired = providerState({
  ...about,
  name: 'a refresh token is expired',
  description: 'The token was issued so long ago that it expires at this very instant.',
  stage: (scene, asked) => {
    const { refreshTokenLifetime } = scene.world.settings
    const issuedAt = before(scene.now, refreshTokenLifetime * 1000)
    return isRefusal(issuedAt) ? issuedAt : tokenStaged(scene, { ...asked, issuedAt }, () => null)
  },
})

const revoked = providerState({
  ...about,
  name: 'a refresh token is revoked',
  description: 'The token was issued now, and its login was revoked.',
  stage: (scene, asked) =>
    tokenStaged(scene, { ...asked, issuedAt: scene.now }, (world, refreshToken) =>
      each(() => revokeTokens(world, { familyId: null, refreshToken }, unasked)),
    ),
})

const used = providerState({
  ...about,
  name: 'a refresh token is already used',
  description:
    'The token was issued now and exchanged for another: who presents it again reuses it. Not where the setting `refresh_rotation` is `keep`.',
  stage: (scene, asked) =>
    tokenStaged(scene, { ...asked, issuedAt: scene.now }, (world, token) =>
      each(
        () => refreshTokens(world, { header: token, body: token }, unasked),
        () => (wasRotated(world, token) ? null : refuseKept()),
      ),
    ),
})

export const tokenStates = [fresh, expired, revoked, used]

/** A token to be issued: its text, and when. */
interface Wish extends Params {
  readonly issuedAt: Instant
  readonly access?: string
}

/** An interaction in which a token was issued, and in which something befell it then. */
function tokenStaged(
  scene: Scene,
  wish: Wish,
  befall: (world: World, token: string) => Refusal | null,
): Staged | Refusal {
  const { sandboxId } = scene.world
  const { refresh_token: refresh = tokenText(sandboxId, 'refresh'), subject = null } = wish
  const { access = tokenText(sandboxId, 'access'), issuedAt: at } = wish
  const perform = (world: World) =>
    each(
      () => (knowsToken(world, refresh) ? refuseKnown() : null),
      () => issueTokens(world, { subject, texts: { access, refresh } }, unasked),
      () => befall(world, refresh),
    )
  return withActs(scene, [{ at, subscriptionId: null, perform }], { refresh_token: refresh })
}

function refuseKnown(): Refusal {
  return refuse(
    'exists',
    'refresh_token was named by an earlier state of this interaction; another text would be accepted.',
  )
}

function refuseKept(): Refusal {
  return refuse(
    'invalid_transition',
    'refresh_token stays fresh when it is used, because the setting refresh_rotation is keep; with rotate this state would be accepted.',
  )
}
