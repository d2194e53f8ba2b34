/**
 * A service that keeps to the interface and is different: /v1 of a sandbox, whose answers have more fields, other names
 * of statuses, an unknown error code, and after a cancellation only what the interface promises.
 */
import { Hono } from 'hono'

type Fields = Readonly<Record<string, unknown>>

const statusNames: Readonly<Record<string, string>> = {
  trialing: 'Trialing',
  active: 'Past Due',
  paused: 'Paused',
}

export const unknownCode = 'subscription_unknown'

export function differentService(sandbox: Hono): Hono {
  const service = new Hono()
  service.all('/v1/*', async (context) => {
    const answer = await sandbox.request(context.req.raw)
    const body = different(new URL(context.req.url).pathname, (await answer.json()) as Fields)
    return Response.json(body, { status: answer.status })
  })
  return service
}

function different(path: string, body: Fields): Fields {
  const more = { ...body, livemode: false, scope: 'all', request_id: 'req_different' }
  if ('error' in body) return { ...more, error: unknownCode }
  if (path.endsWith('/cancel')) {
    const { customer_id, plan, trial_period_days } = body
    return { customer_id, plan, trial_period_days }
  }
  if (typeof body['status'] !== 'string') return more
  const discounts = (body['discounts'] as Fields[]).map((each) => ({ ...each, livemode: false }))
  return { ...more, discounts, status: statusNames[body['status']] }
}
