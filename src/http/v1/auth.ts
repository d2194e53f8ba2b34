/** Answers the refresh operation. (Interface section 4, rule 6, and section 5) */
import { refreshTokens } from '../../sandbox/commands/tokens.ts'
import { valueFrom } from '../assumptions.ts'
import { bearerOf } from '../auth.ts'
import { ok, route } from '../operation.ts'
import { presentGrant } from '../present/token.ts'
import { requestIdOf } from '../stamp.ts'
import { refreshToken } from './operations.ts'

export const authRoutes = [
  route(refreshToken, async ({ body, c }) => {
    const presented = { header: bearerOf(c) ?? '', body: body.refresh_token }
    const answer = await c.var.sandbox.execute(
      (world, cause) => refreshTokens(world, presented, cause),
      requestIdOf(c),
    )
    return ok(presentGrant(valueFrom(c, answer)))
  }),
]
