/** Tokens: issuing them as a login would, which the interface does not show, and revoking them. */

import { ok, route } from '../../surface/operation.ts'
import { snakeKeys } from '../../wire/case.ts'
import { PageQuery } from '../../wire/fields.ts'
import {
  presentLogin,
  revocationOrder,
  TokenIssue,
  TokenRevoke,
  WireIssuedTokens,
  WireTokenFamily,
} from '../../wire/token.ts'
import { issueTokens, revokeTokens } from '../../world/commands/tokens.ts'
import { executeInWorld, readInWorld, takePage } from './calls.ts'
import { answers, controlPlane, json, pages } from './declarations.ts'

const shared = { ...controlPlane, tag: 'Tokens' } as const

export const tokenRoutes = [
  route({
    ...shared,
    operationId: 'listTokenFamilies',
    method: 'get',
    path: '/sandbox/tokens',
    summary: 'List logins',
    description: 'Token families, oldest first; the tokens themselves are never shown again.',
    query: PageQuery,
    replies: pages('TokenFamily', WireTokenFamily),
    answer: async ({ query, c }) =>
      ok(await readInWorld(c, ({ tokenFamilies }) => takePage(tokenFamilies, query, snakeKeys))),
  }),
  route({
    ...shared,
    operationId: 'issueTokens',
    method: 'post',
    path: '/sandbox/tokens',
    summary: 'Issue the tokens of a login',
    description: 'Stands for the login or token exchange that the interface does not show.',
    body: { ...json, schema: TokenIssue, required: false },
    replies: answers('The tokens.', WireIssuedTokens),
    refusals: ['sandbox_full'],
    answer: async ({ body, c }) => {
      const login = { subject: body.subject ?? null }
      const tokens = await executeInWorld(c, (world, cause) => issueTokens(world, login, cause))
      return ok(presentLogin(tokens))
    },
  }),
  route({
    ...shared,
    operationId: 'revokeTokens',
    method: 'post',
    path: '/sandbox/tokens/revoke',
    summary: 'Revoke every token of a login',
    description: 'Named by its family, or by one of its refresh tokens.',
    body: { ...json, schema: TokenRevoke },
    replies: answers('The login.', WireTokenFamily),
    refusals: ['not_found'],
    answer: async ({ body, c }) => {
      const order = revocationOrder(body)
      const family = await executeInWorld(c, (world, cause) => revokeTokens(world, order, cause))
      return ok(snakeKeys(family))
    },
  }),
]
