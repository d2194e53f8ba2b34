/** The TypeScript clients of openapi-generator, of fetch. */
import * as control from './control/index.ts'
import * as v1 from './v1/index.ts'

const { BASE_URL: basePath = '', CONTROL_URL = '', API_KEY: accessToken = '' } = process.env
const subscriptions = new v1.SubscriptionsApi(new v1.Configuration({ basePath, accessToken }))
const sandbox = new control.Configuration({ basePath: CONTROL_URL })

const created = await subscriptions.createSubscription({
  subscriptionCreate: { customerId: 'cus_ada', plan: 'basic', trialPeriodDays: 14 },
})
const subscriptionId = created.subscriptionId ?? ''
const discounted = await subscriptions.applyCoupon({
  subscriptionId,
  applyCoupon: { couponId: 'SAVE20' },
})
await new control.ClockApi(sandbox).advanceClock({ clockAdvance: { by: 'P15D' } })
const toPro = { plan: 'pro' }
const upgraded = await subscriptions.updateSubscription({
  subscriptionId,
  subscriptionUpdate: toPro,
})
const paused = await subscriptions.pauseSubscription({ subscriptionId })
await new control.SubscriptionsApi(sandbox).resumeSubscription({ subscriptionId })
const ending = await subscriptions.cancelSubscription({
  subscriptionId,
  subscriptionCancel: { atPeriodEnd: true },
})
const { refreshToken } = await new control.TokensApi(sandbox).issueTokens()
const holder = new v1.Configuration({ basePath, accessToken: refreshToken })
const refreshed = await new v1.AuthenticationApi(holder).refreshToken({
  refreshRequest: { refreshToken },
})
const refusal = await subscriptions
  .updateSubscription({ subscriptionId: 'sub_none', subscriptionUpdate: toPro })
  .catch((error: unknown) => error)
if (!(refusal instanceof v1.ResponseError)) throw refusal

const answers = [created, discounted, upgraded, paused, ending]
const read = {
  subscription_id: subscriptionId,
  statuses: answers.map(({ status }) => status ?? null),
  plan: ending.plan,
  access_token: refreshed.accessToken,
  error: (await refusal.response.json()).error,
}
process.stdout.write(`${JSON.stringify(read)}\n`)
