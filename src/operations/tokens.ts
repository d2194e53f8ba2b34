/** Tokens on the control plane: issuing them as a login would, and revoking them. */
import { endpoints, json, listParts, reply } from '../surface/declarations.ts'
import { camelKeys } from '../wire/common/case.ts'
import {
  presentFamily,
  presentLogin,
  TokenIssue,
  TokenRevoke,
  WireIssuedTokens,
  WireTokenFamily,
} from '../wire/sandbox/token.ts'
import { issueTokens, refreshExpiries, revokeTokens } from '../world/commands/tokens.ts'
import { runInSlices } from '../world/time-slice.ts'
import { worldQuery, worldWrite } from './operation.ts'
import { readPage } from './page.ts'

const { get, post } = endpoints('Tokens')

export const tokenOperations = [
  worldQuery({
    ...get('/sandbox/tokens', 'listTokenFamilies'),
    ...listParts('TokenFamily', WireTokenFamily),
    summary: 'List logins',
    description: 'Lists token families; the tokens themselves are never shown again.',
    read: async (world, query) => {
      const expiries = await runInSlices(refreshExpiries(world))
      return readPage(world.tokenFamilies, query, (family) =>
        presentFamily(family, expiries.get(family.familyId)),
      )
    },
  }),
  worldWrite({
    ...post('/sandbox/tokens', 'issueTokens'),
    summary: 'Issue the tokens of a login',
    description:
      'Issues tokens, in place of the login or token exchange that the interface does not show.',
    body: { ...json, schema: TokenIssue, required: false },
    replies: reply.ok('The tokens of the login.', WireIssuedTokens),
    refusals: ['sandbox_full'],
    perform: (world, { subject = null }, cause) => issueTokens(world, { subject }, cause),
    present: presentLogin,
  }),
  worldWrite({
    ...post('/sandbox/tokens/revoke', 'revokeTokens'),
    summary: 'Revoke every token of a login',
    description: 'Revokes the tokens of a login, by its family or by one of its refresh tokens.',
    body: { ...json, schema: TokenRevoke },
    replies: reply.ok('The token family of the login.', WireTokenFamily),
    refusals: ['not_found'],
    perform: (world, body, cause) =>
      revokeTokens(world, { familyId: null, refreshToken: null, ...camelKeys(body) }, cause),
    present: (family) => presentFamily(family),
  }),
]
