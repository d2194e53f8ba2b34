/** Types of openapi-typescript, called by openapi-fetch: in JSON, and in forms. */
import createClient from 'openapi-fetch'
import type { paths } from './schema.ts'

const client = createClient<paths>({
  baseUrl: process.env['BASE_URL'] ?? '',
  headers: { Authorization: `Bearer ${process.env['API_KEY']}` },
})

const asForm = {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  bodySerializer: (body: object) => new URLSearchParams(body as Record<string, string>).toString(),
}

for (const how of [{}, asForm]) {
  const created = await client.POST('/v1/subscriptions', {
    body: { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 },
    ...how,
  })
  if (created.error !== undefined) throw new Error(created.error.message)
  const at = { path: { subscription_id: created.data.subscription_id } }
  const discounted = await client.POST('/v1/subscriptions/{subscription_id}/apply-coupon', {
    params: at,
    body: { coupon_id: 'SAVE20' },
    ...how,
  })
  if (discounted.error !== undefined) throw new Error(discounted.error.message)
  const ending = await client.POST('/v1/subscriptions/{subscription_id}/cancel', {
    params: at,
    body: { at_period_end: true },
    ...how,
  })
  if (ending.error !== undefined) throw new Error(ending.error.message)
  process.stdout.write(`${JSON.stringify(ending.data)}\n`)
}
