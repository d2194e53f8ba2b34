/** The functions of @hey-api/openapi-ts. */
import { client as controlClient } from './control/client.gen.ts'
import { advanceClock, issueTokens, resumeSubscription } from './control/sdk.gen.ts'
import { client as v1Client } from './v1/client.gen.ts'
import {
  applyCoupon,
  cancelSubscription,
  createSubscription,
  pauseSubscription,
  refreshToken,
  updateSubscription,
} from './v1/sdk.gen.ts'

const { BASE_URL = '', CONTROL_URL = '', API_KEY = '' } = process.env
v1Client.setConfig({ baseUrl: BASE_URL, auth: API_KEY })
controlClient.setConfig({ baseUrl: CONTROL_URL })
const throwOnError = true as const
const created = await createSubscription({
  throwOnError,
  body: { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 },
})
const id = created.data.subscription_id ?? ''
const path = { subscription_id: id }
const discounted = await applyCoupon({ throwOnError, path, body: { coupon_id: 'SAVE20' } })
await advanceClock({ throwOnError, body: { by: 'P15D' } })
const upgraded = await updateSubscription({ throwOnError, path, body: { plan: 'pro' } })
const paused = await pauseSubscription({ throwOnError, path })
await resumeSubscription({ throwOnError, path })
const ending = await cancelSubscription({ throwOnError, path, body: { at_period_end: true } })
const { refresh_token } = (await issueTokens({ throwOnError, body: {} })).data
const refreshed = await refreshToken({
  throwOnError,
  auth: refresh_token,
  body: { refresh_token },
})
const { error } = await updateSubscription({
  path: { subscription_id: 'sub_none' },
  body: { plan: 'pro' },
})
const answers = [created, discounted, upgraded, paused, ending]
const read = {
  subscription_id: id,
  statuses: answers.map(({ data }) => data.status ?? null),
  plan: ending.data.plan,
  access_token: refreshed.data.access_token,
  error: error?.error,
}
process.stdout.write(`${JSON.stringify(read)}\n`)
