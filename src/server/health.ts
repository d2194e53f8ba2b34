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
    probe('live', {
      operationId: 'getLiveness',
      summary: 'Whether the process lives',
      answer: 'It does.',
      check: () => undefined,
    }),
    probe('ready', {
      operationId: 'getReadiness',
      summary: 'Whether the store is loaded, the fixtures are applied and changes can be stored',
      answer: 'They are, and they can.',
      check: async () => {
        const failure = await registry.storeFailure()
        if (failure === null) return
        throw refusalFor(refuse('storage_unavailable', `No change can be stored: ${failure}.`))
      },
    }),
  ]
}

interface Probe {
  readonly operationId: string
  readonly summary: string
  readonly answer: string
  /** Throws a refusal where the answer is no. */
  readonly check: () => void | Promise<void>
}

function probe(status: string, { operationId, summary, answer: description, check }: Probe) {
  const schema = z.strictObject({ status: z.literal(status) })
  return route({
    operationId,
    method: 'get',
    path: `/health/${status}`,
    tag: 'Health',
    summary,
    description: 'Answers as soon as the process listens, which it does once everything is loaded.',
    source: 'sandbox',
    security: 'none',
    replies: { 200: { description, schema, source: 'sandbox' } },
    answer: async () => {
      await check()
      return ok({ status })
    },
  })
}
