/** Answers the documented operations. (Interface section 4) */
import { documentedWrites, refreshToken } from '../../operations/v1.ts'
import { ok, route } from '../../surface/operation.ts'
import { presentTokens } from '../../wire/sandbox/token.ts'
import { refreshTokens } from '../../world/commands/tokens.ts'
import { bearerOf } from '../authentication.ts'
import { executeInWorld, routesOf } from '../world-calls.ts'

export const v1Routes = routesOf([
  ...documentedWrites,
  route({
    ...refreshToken,
    answer: async ({ body, c }) => {
      const presented = { header: bearerOf(c) ?? '', body: body.refresh_token }
      return ok(
        presentTokens(
          await executeInWorld(c, (world, cause) => refreshTokens(world, presented, cause)),
        ),
      )
    },
  }),
])
