/** Answers the refresh operation. (Interface section 4, rule 6, and section 5) */

import { ok, route } from '../../surface/operation.ts'
import { refreshToken } from '../../surface/v1/operations.ts'
import { presentTokens } from '../../wire/token.ts'
import { refreshTokens } from '../../world/commands/tokens.ts'
import { valueFrom } from '../assumptions.ts'
import { bearerOf } from '../authentication.ts'
import { requestIdOf } from '../stamp.ts'

export const authRoutes = [
  route(refreshToken, async ({ body, c }) => {
    const presented = { header: bearerOf(c) ?? '', body: body.refresh_token }
    const answer = await c.var.sandbox.execute(
      (world, cause) => refreshTokens(world, presented, cause),
      requestIdOf(c),
    )
    return ok(presentTokens(valueFrom(c, answer)))
  }),
]
