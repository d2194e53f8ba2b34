/** Tokens on the control plane: issuing them as a login would, and revoking them. */
import { answers, controlPlane, json, pages } from '../surface/declarations.ts'
import { camelKeys, snakeKeys } from '../wire/case.ts'
import { PageQuery } from '../wire/fields.ts'
import {
  presentLogin,
  TokenIssue,
  TokenRevoke,
  WireIssuedTokens,
  WireTokenFamily,
} from '../wire/token.ts'
import { issueTokens, revokeTokens } from '../world/commands/tokens.ts'
import { change, worldQuery } from './operation.ts'
import { takePage } from './page.ts'

const shared = { ...controlPlane, path: '/sandbox/tokens', tag: 'Tokens' } as const

export const tokenOperations = [
  worldQuery({
    ...shared,
    operationId: 'listTokenFamilies',
    method: 'get',
    summary: 'List logins',
    description: 'Token families, oldest first; the tokens themselves are never shown again.',
    query: PageQuery,
    replies: pages('TokenFamily', WireTokenFamily),
    read: ({ tokenFamilies }, query) => takePage(tokenFamilies, query, snakeKeys),
  }),
  change({
    ...shared,
    operationId: 'issueTokens',
    method: 'post',
    summary: 'Issue the tokens of a login',
    description: 'Stands for the login or token exchange that the interface does not show.',
    body: { ...json, schema: TokenIssue, required: false },
    replies: answers('The tokens.', WireIssuedTokens),
    refusals: ['sandbox_full'],
    perform: (world, { subject = null }, cause) => issueTokens(world, { subject }, cause),
    present: presentLogin,
  }),
  change({
    ...shared,
    operationId: 'revokeTokens',
    method: 'post',
    path: '/sandbox/tokens/revoke',
    summary: 'Revoke every token of a login',
    description: 'Named by its family, or by one of its refresh tokens.',
    body: { ...json, schema: TokenRevoke },
    replies: answers('The login.', WireTokenFamily),
    refusals: ['not_found'],
    perform: (world, body, cause) =>
      revokeTokens(world, { familyId: null, refreshToken: null, ...camelKeys(body) }, cause),
    present: (family) => snakeKeys(family),
  }),
]
