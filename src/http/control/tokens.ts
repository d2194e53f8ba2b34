/** Tokens: issuing them as a login would, which the interface does not show, and revoking them. */
import { issueTokens, revokeTokens } from '../../sandbox/commands/tokens.ts'
import { ok, operation, route } from '../../surface/operation.ts'
import { PageQuery, pageOf } from '../../wire/fields.ts'
import { revocationOrder } from '../../wire/orders.ts'
import { TokenIssue, TokenRevoke, WireIssuedTokens, WireTokenFamily } from '../../wire/token.ts'
import { presentLogin, presentTokenFamily } from '../present/token.ts'
import { askWorld, controlPlane, json, takePage, tellWorld } from './calls.ts'

const shared = { ...controlPlane, tag: 'Tokens' } as const

const list = operation({
  ...shared,
  operationId: 'listTokenFamilies',
  method: 'get',
  path: '/sandbox/tokens',
  summary: 'List logins',
  description: 'Token families, oldest first; the tokens themselves are never shown again.',
  query: PageQuery,
  replies: {
    200: {
      description: 'One page of them.',
      schema: pageOf('TokenFamily', WireTokenFamily),
      source: 'sandbox',
    },
  },
  refusals: [],
})

const issue = operation({
  ...shared,
  operationId: 'issueTokens',
  method: 'post',
  path: '/sandbox/tokens',
  summary: 'Issue the tokens of a login',
  description: 'Stands for the login or token exchange that the interface does not show.',
  body: { ...json, schema: TokenIssue, required: false },
  replies: { 200: { description: 'The tokens.', schema: WireIssuedTokens, source: 'sandbox' } },
  refusals: ['sandbox_full'],
})

const revoke = operation({
  ...shared,
  operationId: 'revokeTokens',
  method: 'post',
  path: '/sandbox/tokens/revoke',
  summary: 'Revoke every token of a login',
  description: 'Named by its family, or by one of its refresh tokens.',
  body: { ...json, schema: TokenRevoke },
  replies: { 200: { description: 'The login.', schema: WireTokenFamily, source: 'sandbox' } },
  refusals: ['not_found'],
})

export const tokenRoutes = [
  route(list, async ({ query, c }) => {
    const view = { present: presentTokenFamily }
    return ok(await askWorld(c, ({ families }) => takePage(families, query, view)))
  }),
  route(issue, async ({ body, c }) => {
    const { subject = null } = body
    return ok(
      presentLogin(await tellWorld(c, (world, cause) => issueTokens(world, { subject }, cause))),
    )
  }),
  route(revoke, async ({ body, c }) => {
    const order = revocationOrder(body)
    const family = await tellWorld(c, (world, cause) => revokeTokens(world, order, cause))
    return ok(presentTokenFamily(family))
  }),
]
