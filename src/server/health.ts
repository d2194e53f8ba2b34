/** Health: whether the process lives, and whether it is ready, which it is once every sandbox is loaded. */
import * as z from 'zod'
import { ok, route } from '../surface/operation.ts'

const shared = {
  method: 'get',
  tag: 'Health',
  description: 'Answers as soon as the process listens, which it does once everything is loaded.',
  source: 'sandbox',
  security: 'none',
} as const

/** `/health/live` and `/health/ready`. */
export const healthRoutes = [
  route(
    {
      ...shared,
      operationId: 'getLiveness',
      path: '/health/live',
      summary: 'Whether the process lives',
      replies: {
        200: {
          description: 'It does.',
          schema: z.strictObject({ status: z.literal('live') }),
          source: 'sandbox',
        },
      },
    },
    () => ok({ status: 'live' as const }),
  ),
  route(
    {
      ...shared,
      operationId: 'getReadiness',
      path: '/health/ready',
      summary: 'Whether the store is loaded and the fixtures are applied',
      replies: {
        200: {
          description: 'They are.',
          schema: z.strictObject({ status: z.literal('ready') }),
          source: 'sandbox',
        },
      },
    },
    () => ok({ status: 'ready' as const }),
  ),
]
