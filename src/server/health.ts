/** Health: whether the process lives, and whether it is ready, which it is once every sandbox is loaded. */
import * as z from 'zod'
import { ok, route } from '../surface/operation.ts'

/** `/health/live` and `/health/ready`. */
export const healthRoutes = [
  probe('live', {
    operationId: 'getLiveness',
    summary: 'Whether the process lives',
    answer: 'It does.',
  }),
  probe('ready', {
    operationId: 'getReadiness',
    summary: 'Whether the store is loaded and the fixtures are applied',
    answer: 'They are.',
  }),
]

function probe(
  status: string,
  named: { readonly operationId: string; readonly summary: string; readonly answer: string },
) {
  const { operationId, summary, answer: description } = named
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
    answer: () => ok({ status }),
  })
}
