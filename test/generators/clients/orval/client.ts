/** The functions of orval, which call `fetch`. */
import { advanceClock, issueTokens, resumeSubscription } from './control.ts'
import {
  applyCoupon,
  cancelSubscription,
  createSubscription,
  pauseSubscription,
  refreshToken,
  updateSubscription,
} from './v1.ts'

const bearer = (token: string) => ({ headers: { Authorization: `Bearer ${token}` } })
const auth = bearer(process.env['API_KEY'] ?? '')

type Success<Answer> = Extract<Answer, { status: 200 }>

/** What an operation answers where it succeeds. */
async function success<Answer extends { status: number }>(call: Promise<Answer>) {
  const answer = await call
  if (answer.status !== 200) throw new Error(JSON.stringify(answer))
  return answer as Success<Answer>
}

const order = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 }
const created = await success(createSubscription(order, auth))
const id = created.data.subscription_id ?? ''
const discounted = await success(applyCoupon(id, { coupon_id: 'SAVE20' }, auth))
await success(advanceClock({ by: 'P15D' }))
const upgraded = await success(updateSubscription(id, { plan: 'pro' }, auth))
const paused = await success(pauseSubscription(id, auth))
await success(resumeSubscription(id))
const ending = await success(cancelSubscription(id, { at_period_end: true }, auth))
const { refresh_token } = (await success(issueTokens({}))).data
const refreshed = await success(refreshToken({ refresh_token }, bearer(refresh_token)))
const refusal = await updateSubscription('sub_none', { plan: 'pro' }, auth)
const answers = [created, discounted, upgraded, paused, ending]
const read = {
  subscription_id: id,
  statuses: answers.map(({ data }) => data.status ?? null),
  plan: ending.data.plan,
  access_token: refreshed.data.access_token,
  error: refusal.status === 404 ? refusal.data.error : null,
}
process.stdout.write(`${JSON.stringify(read)}\n`)
