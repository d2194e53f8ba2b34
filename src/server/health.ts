/**
 * Health: whether the process lives, and whether it is ready, which it is once every sandbox is loaded and while the disk
 * takes changes.
 */
import * as z from 'zod'
import { refuse } from '../billing/refusal.ts'
import type { Registry } from '../sandbox/registry.ts'
import { ok, type Route, route } from '../surface/operation.ts'
import { refusalFor } from '../surface/refusals.ts'

/** `/health/live` and `/health/ready`. */
export function healthRoutes(registry: Pick<Registry, 'storeFailure'>): readonly Route[] {
  return [
    probe('live', 'getLiveness', () => undefined),
    probe('ready', 'getReadiness', async () => {
      const failure = await registry.storeFailure()
      if (failure === null) return
      throw refusalFor(refuse('storage_unavailable', `No change can be stored: ${failure}.`))
    }),
  ]
}

/** `check` throws a refusal where the answer is no. No document describes these operations. */
function probe(status: string, operationId: string, check: () => void | Promise<void>): Route {
  const schema = z.strictObject({ status: z.literal(status) })
  return route({
    operationId,
    method: 'get',
    path: `/health/${status}`,
    tag: 'Health',
    summary: `Whether it is ${status}`,
    description: 'Answers as soon as the process listens, which it does once everything is loaded.',
    source: 'sandbox',
    security: 'none',
    replies: { 200: { description: 'It is.', schema, source: 'sandbox' } },
    answer: async () => {
      await check()
      return ok({ status })
    },
  })
}
