/** A history of calls that touches most of what the interface leaves open, for any service that can be called. */
import { formType } from './surface.ts'

/** What a service answered. */
export interface Answered {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface Called {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A service with a clock that can be moved, and a login. */
export interface Service {
  readonly call: (called: Called) => Promise<Answered>
  readonly moveTo: (instant: string) => Promise<void>
  readonly apiKey: string
  readonly refreshToken: string
}

const DAY_MS = 86_400_000

/** Where the clock of a service is when the history begins. */
const HISTORY_BEGINS = '2027-01-01T00:00:00.000Z'

/** Plays these parts of the history. */
export async function playHistory(
  service: Service,
  parts: readonly Part[] = allParts,
): Promise<void> {
  const clock = { now: Date.parse(HISTORY_BEGINS) }
  for (const part of parts) await history[part](actor(service, clock))
}

export type Part = keyof typeof history

type Actor = ReturnType<typeof actor>

function actor({ call, moveTo, apiKey, refreshToken }: Service, clock: { now: number }) {
  const send = async (path: string, options: Partial<Called> = {}) => {
    const { method = 'POST', headers = {}, body = '' } = options
    const answer = await call({
      ...{ method, path: `/v1${path}`, body },
      headers: { Authorization: `Bearer ${apiKey}`, ...headers },
    })
    return { ...answer, json: Object(answer.body.startsWith('{') ? JSON.parse(answer.body) : {}) }
  }
  const form = (path: string, fields: Record<string, string> = {}) => {
    const body = new URLSearchParams(fields).toString()
    return send(path, { body, headers: { 'Content-Type': formType } })
  }
  const json = (path: string, fields: object, headers: Record<string, string> = {}) =>
    send(path, {
      body: JSON.stringify(fields),
      headers: { 'Content-Type': 'application/json', ...headers },
    })
  return {
    ...{ send, form, json, refreshToken },
    pass: async (days: number) => {
      clock.now += days * DAY_MS
      await moveTo(new Date(clock.now).toISOString())
    },
    /** A new subscription, whose acts are called by their names. */
    subscribe: async (customer_id: string, plan: string, trial?: number) => {
      const days = trial === undefined ? {} : { trial_period_days: String(trial) }
      const { json: made } = await form('/subscriptions', { customer_id, plan, ...days })
      // Where a service has an envelope or another name for it.
      const { subscription_id, id = subscription_id } = made.data ?? made
      return (act: string, fields: Record<string, string> = {}) =>
        form(`/subscriptions/${id ?? 'none'}/${act}`, fields)
    },
    refresh: (token: string, headers: Record<string, string> = {}) =>
      json(
        '/auth/refresh',
        { refresh_token: token },
        { Authorization: `Bearer ${token}`, ...headers },
      ),
  }
}

const history = {
  tokens: async ({ refresh, json, send, form, pass, refreshToken }: Actor) => {
    const { json: first } = await refresh(refreshToken)
    const access = { Authorization: `Bearer ${first.access_token}` }
    const body = 'customer_id=cus_ada&plan=basic'
    await send('/subscriptions', { body, headers: { ...access, 'Content-Type': formType } })
    await pass(0.5 / 24)
    await refresh(refreshToken)
    const next = first.refresh_token ?? refreshToken
    await refresh(next)
    await json('/auth/refresh', {}, { Authorization: `Bearer ${next}` })
    await refresh(next, { Authorization: '' })
    await send('/subscriptions', { body, headers: { ...access, 'Content-Type': formType } })
    await pass(62)
    await refresh(next)
    await form('/auth/refresh', { refresh_token: next })
  },
  creating: async ({ send, form, json, subscribe }: Actor) => {
    await subscribe('cus_ada', 'basic')
    await subscribe('cus_ada', 'basic', 14)
    await subscribe('cus_ada', 'basic', 120)
    await subscribe('cus_nobody', 'basic')
    await json('/subscriptions', { customer_id: 'cus_ada', plan: 'pro' })
    await form('/subscriptions', { customer_id: 'cus_ada', plan: 'basic', colour: 'green' })
    await form('/subscriptions', { customer_id: 'cus_ada' })
    await form('/subscriptions', { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 'x' })
    await send('/subscriptions', { method: 'GET' })
    await send('/subscriptions', { headers: { Authorization: '' } })
    await send('/subscriptions', { headers: { Authorization: 'Bearer sk_of_nobody_at_all' } })
  },
  changing: async ({ json, subscribe, pass }: Actor) => {
    const act = await subscribe('cus_ada', 'basic')
    await pass(10)
    await act('update', { plan: 'pro' })
    const { json: changed } = await act('update', { plan: 'basic' })
    await json(`/subscriptions/${changed.subscription_id}/update`, { plan: 'basic' })
    await pass(22)
    await act('pause')
    await act('pause')
    await pass(18)
    await act('cancel', { at_period_end: 'false' })
    await act('cancel', { at_period_end: 'false' })
    const plain = await subscribe('cus_ada', 'basic')
    await plain('cancel')
    const later = await subscribe('cus_ada', 'pro')
    await later('cancel', { at_period_end: 'true' })
    await pass(40)
    await later('update', { plan: 'basic' })
    await plain('update', { plan: 'pro' })
    const now = await subscribe('cus_ada', 'pro')
    await now('cancel', { at_period_end: 'false' })
  },
  coupons: async ({ subscribe, pass }: Actor) => {
    const act = await subscribe('cus_ada', 'pro', 30)
    await act('apply-coupon', { coupon_id: 'SAVE20' })
    await act('apply-coupon', { coupon_id: 'WELCOME5' })
    await act('apply-coupon', { coupon_id: 'NOSUCH' })
    await act('apply-coupon', { coupon_id: 'OVER' })
    await pass(49)
    await act('pause')
  },
  failing: async ({ subscribe, pass }: Actor) => {
    const trial = await subscribe('cus_grace', 'basic', 7)
    const owing = await subscribe('cus_grace', 'basic')
    await pass(14)
    await trial('update', { plan: 'pro' })
    await owing('update', { plan: 'pro' })
    await pass(28)
    await trial('update', { plan: 'basic' })
    await owing('cancel', { at_period_end: 'true' })
  },
} as const

export const allParts = Object.keys(history) as Part[]
