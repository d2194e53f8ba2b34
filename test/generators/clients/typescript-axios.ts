/** The TypeScript clients of openapi-generator, of axios. */
import { isAxiosError } from 'axios'
import * as control from './control/index.ts'
import * as v1 from './v1/index.ts'

const { BASE_URL: basePath = '', CONTROL_URL = '', API_KEY: accessToken = '' } = process.env
const subscriptions = new v1.SubscriptionsApi(new v1.Configuration({ basePath, accessToken }))
const sandbox = new control.Configuration({ basePath: CONTROL_URL })

const { data: created } = await subscriptions.createSubscription({
  customer_id: 'cus_ada',
  plan: 'basic',
  trial_period_days: 14,
})
const id = created.subscription_id ?? ''
const { data: discounted } = await subscriptions.applyCoupon(id, { coupon_id: 'SAVE20' })
await new control.ClockApi(sandbox).advanceClock({ by: 'P15D' })
const { data: upgraded } = await subscriptions.updateSubscription(id, { plan: 'pro' })
const { data: paused } = await subscriptions.pauseSubscription(id)
await new control.SubscriptionsApi(sandbox).resumeSubscription(id)
const { data: ending } = await subscriptions.cancelSubscription(id, { at_period_end: true })
const { refresh_token } = (await new control.TokensApi(sandbox).issueTokens()).data
const holder = new v1.Configuration({ basePath, accessToken: refresh_token })
const refreshed = await new v1.AuthenticationApi(holder).refreshToken({ refresh_token })
const refusal = await subscriptions
  .updateSubscription('sub_none', { plan: 'pro' })
  .catch((error: unknown) => error)
if (!isAxiosError<v1.ModelError>(refusal)) throw refusal

const answers = [created, discounted, upgraded, paused, ending]
const read = {
  subscription_id: id,
  statuses: answers.map(({ status }) => status ?? null),
  plan: ending.plan,
  access_token: refreshed.data.access_token,
  error: refusal.response?.data.error,
}
process.stdout.write(`${JSON.stringify(read)}\n`)
