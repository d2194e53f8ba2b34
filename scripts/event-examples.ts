/** An event of each type from a live run: ordinary calls on a sandbox that is there for nothing else. */
import type { WireEvent } from '../src/wire/events/event.ts'
import { eventSchemaName, type WireEventList } from '../src/wire/events/event-schema.ts'
import { EventType } from '../src/world/event.ts'
import { openApp } from './example-answers.ts'

type Call = readonly [path: string, body: object]

const SANDBOX = 'events'

const post = (path: string, body: object = {}): Call => [path, body]
const subscribe = (customer_id: string, plan: string, more: object = {}) =>
  post('/v1/subscriptions', { customer_id, plan, ...more })
const ofSubscription = (number: number, command: string, body?: object) =>
  post(`/v1/subscriptions/sub_00000${number}/${command}`, body)
const decline = (scope: object) =>
  post('/sandbox/payment-outcomes', { ...scope, outcomes: ['card_declined'] })

const ada = { customer_id: 'cus_ada' }

/** What happens before the world is replaced, in order. */
const calls: readonly Call[] = [
  subscribe('cus_ada', 'basic', { trial_period_days: 14 }),
  ofSubscription(1, 'apply-coupon', { coupon_id: 'MORETIME' }),
  subscribe('cus_ada', 'basic'),
  ofSubscription(2, 'update', { plan: 'pro' }),
  ofSubscription(2, 'update', { plan: 'basic' }),
  ofSubscription(2, 'apply-coupon', { coupon_id: 'SAVE20' }),
  ofSubscription(2, 'apply-coupon', { coupon_id: 'WELCOME' }),
  ofSubscription(2, 'cancel', { at_period_end: true }),
  post('/sandbox/subscriptions/sub_000002/remove-scheduled-cancellation'),
  subscribe('cus_linus', 'pro'),
  ofSubscription(3, 'pause'),
  post('/sandbox/subscriptions/sub_000003/resume'),
  // Has no way to pay at the end of the trial.
  subscribe('cus_grace', 'basic', { trial_period_days: 14 }),
  decline(ada),
  subscribe('cus_ada', 'basic'),
  post('/sandbox/invoices/inv_000004/pay'),
  // The credit for the dearer year is larger than the first month.
  decline(ada),
  subscribe('cus_ada', 'pro_yearly'),
  ofSubscription(6, 'update', { plan: 'pro' }),
  decline(ada),
  subscribe('cus_ada', 'basic'),
  ofSubscription(7, 'cancel'),
  post('/sandbox/charges', { ...ada, amount: 1900, currency: 'USD' }),
  decline(ada),
  post('/sandbox/charges', { ...ada, amount: 1900, currency: 'USD' }),
  post('/sandbox/payment-outcomes', { subscription_id: 'sub_000003', always: 'card_declined' }),
  post('/sandbox/clock/advance', { by: 'P2M' }),
]

/** An event of each type, by the name of its schema. Throws where a call is refused, or a type does not happen. */
export async function eventExamples(): Promise<Record<string, WireEvent>> {
  const app = await openApp()
  const made = await app.request(`/sandboxes/${SANDBOX}`, { method: 'PUT' })
  const { api_key: key } = (await made.json()) as { api_key: string }
  const request = (path: string, init: RequestInit = {}, credential = key) => {
    const headers = { Authorization: `Bearer ${credential}`, 'Sandbox-Id': SANDBOX }
    return app.request(path, {
      ...init,
      headers: { ...headers, 'Content-Type': 'application/json' },
    })
  }
  const send = async ([path, body]: Call) => {
    const answer = await request(path, { method: 'POST', body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path} is refused: ${await answer.text()}`)
    return answer
  }
  const found = new Map<EventType, WireEvent>()
  const look = async () => {
    const { data } = (await (await request('/sandbox/events?limit=1000')).json()) as WireEventList
    for (const event of data) if (!found.has(event.type)) found.set(event.type, event)
  }
  for (const call of calls) await send(call)
  const login = (await (await send(post('/sandbox/tokens', { subject: 'ada' }))).json()) as Login
  // The second time it is refused, because the first one replaced it.
  const refresh = { method: 'POST', body: JSON.stringify({ refresh_token: login.refresh_token }) }
  for (let times = 2; times > 0; times -= 1) {
    await request('/v1/auth/refresh', refresh, login.refresh_token)
  }
  await send(post('/sandbox/checkpoints', { name: 'before' }))
  await look()
  await send(post('/sandbox/checkpoints/before/restore'))
  await look()
  await send(post('/sandbox/reset'))
  await look()
  const examples = EventType.options.map((type) => {
    const event = found.get(type)
    if (event === undefined) throw new Error(`No call leads to ${type}`)
    return [eventSchemaName(type), event] as const
  })
  return Object.fromEntries(examples)
}

interface Login {
  readonly refresh_token: string
}
