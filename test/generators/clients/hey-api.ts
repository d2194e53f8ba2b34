/** The functions of @hey-api/openapi-ts. */
import { client } from './generated/client.gen.ts'
import { applyCoupon, cancelSubscription, createSubscription } from './generated/sdk.gen.ts'

client.setConfig({ baseUrl: process.env['BASE_URL'] ?? '', auth: process.env['API_KEY'] ?? '' })
const throwOnError = true as const
const created = await createSubscription({
  throwOnError,
  body: { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 },
})
const path = { subscription_id: created.data.subscription_id }
await applyCoupon({ throwOnError, path, body: { coupon_id: 'SAVE20' } })
const ending = await cancelSubscription({ throwOnError, path, body: { at_period_end: true } })
process.stdout.write(`${JSON.stringify(ending.data)}\n`)
