/** Types of openapi-typescript, called by openapi-fetch: in JSON, and in forms. */
import createClient from 'openapi-fetch'
import type { paths as ControlPaths } from './control.ts'
import type { paths as V1Paths } from './v1.ts'

const { BASE_URL = '', CONTROL_URL = '', API_KEY = '' } = process.env
const v1 = createClient<V1Paths>({
  baseUrl: BASE_URL,
  headers: { Authorization: `Bearer ${API_KEY}` },
})
const control = createClient<ControlPaths>({ baseUrl: CONTROL_URL })

function success<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(JSON.stringify(error))
  return data
}

const asForm = {
  headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  bodySerializer: (body: object) => new URLSearchParams(body as Record<string, string>).toString(),
}

for (const how of [{}, asForm]) {
  const created = success(
    await v1.POST('/v1/subscriptions', {
      body: { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 },
      ...how,
    }),
  )
  const id = created.subscription_id ?? ''
  const params = { path: { subscription_id: id } }
  const discounted = success(
    await v1.POST('/v1/subscriptions/{subscription_id}/apply-coupon', {
      params,
      body: { coupon_id: 'SAVE20' },
      ...how,
    }),
  )
  success(await control.POST('/sandbox/clock/advance', { body: { by: 'P15D' } }))
  const body = { plan: 'pro' }
  const update = '/v1/subscriptions/{subscription_id}/update'
  const upgraded = success(await v1.POST(update, { params, body, ...how }))
  const paused = success(await v1.POST('/v1/subscriptions/{subscription_id}/pause', { params }))
  success(await control.POST('/sandbox/subscriptions/{subscription_id}/resume', { params }))
  const ending = success(
    await v1.POST('/v1/subscriptions/{subscription_id}/cancel', {
      params,
      body: { at_period_end: true },
      ...how,
    }),
  )
  const issued = success(await control.POST('/sandbox/tokens', { body: {} }))
  const { refresh_token } = issued
  const refreshed = success(
    await v1.POST('/v1/auth/refresh', {
      headers: { Authorization: `Bearer ${refresh_token}` },
      body: { refresh_token },
    }),
  )
  const unknown = { path: { subscription_id: 'sub_none' } }
  const { error } = await v1.POST(update, { params: unknown, body, ...how })
  const read = {
    subscription_id: id,
    statuses: [created, discounted, upgraded, paused, ending].map(({ status }) => status ?? null),
    plan: ending.plan,
    access_token: refreshed.access_token,
    error: error?.error,
  }
  process.stdout.write(`${JSON.stringify(read)}\n`)
}
