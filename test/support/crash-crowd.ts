/**
 * The crowd of the crash tests: several clients of the default sandbox at once, whose changes share writes while journals
 * are folded and checkpoints are written beside them. What was answered must be there after a kill, and of a call under
 * way all or nothing.
 */
import { call, must, sendTo, untilKilled } from './crash-call.ts'
import { mustAddUp } from './crash-observe.ts'
import type { Served } from './process.ts'

export interface Crowd {
  /** Calls until the kill; `round` makes the names of records. */
  readonly load: (sandbox: Served, round: number) => Promise<void>
  /** Throws where something is gone, or half there. */
  readonly check: (sandbox: Served) => Promise<void>
  readonly acknowledged: () => number
}

/** What a sandbox holds. */
interface Found {
  readonly now: string
  readonly lifetime: number
  readonly customers: ReadonlySet<string>
  readonly families: ReadonlySet<string>
  readonly checkpoints: ReadonlySet<string>
  readonly subscriptions: ReadonlyMap<string, Subscription>
}

interface Client {
  readonly name: string
  readonly send: <Body>(operation: string, body?: object) => Promise<Body>
  /** What was answered by name, and how to see that it is still so. A name that comes again takes the place of the last. */
  readonly known: Map<string, (found: Found) => boolean>
}

const BUYERS = 3
const STEPS_PER_CHECKPOINT = 8
const COUPON = 'COUNTED'

/** Makes the coupon that the crowd redeems. */
export async function openCrowd(first: Served): Promise<Crowd> {
  const known: Client['known'] = new Map()
  let acknowledged = 0
  const clientOf = (sandbox: Served, name: string): Client => {
    const send = async <Body>(operation: string, body?: object): Promise<Body> => {
      const answer = await call<Body>(sandbox, operation, body === undefined ? {} : { body })
      acknowledged += 1
      return answer
    }
    return { name, send, known }
  }
  const percentage = { type: 'percentage', value: 10, duration: 'forever', stackable: true }
  await clientOf(first, '').send('POST /sandbox/coupons', { coupon_id: COUPON, ...percentage })
  let lifetime = 10_000
  const nextLifetime = () => {
    lifetime += 1
    return lifetime
  }
  return {
    load: async (sandbox, round) => {
      const buyers = Array.from({ length: BUYERS }, (_, number) =>
        untilKilled(buy(clientOf(sandbox, `${round}-${number}`))),
      )
      const settings = untilKilled(setAndLogIn(clientOf(sandbox, `${round}`), nextLifetime))
      await Promise.all([...buyers, settings])
    },
    check: async (sandbox) => {
      const found = await look(sandbox)
      for (const [what, isThere] of known) must(isThere(found), `${what} is gone`)
      await mustAddUp(sendTo(sandbox), 'default')
    },
    acknowledged: () => acknowledged,
  }
}

/** Makes customers and subscriptions, changes and ends them; one of the crowd moves the clock. */
async function buy({ send, known, name }: Client): Promise<void> {
  for (let step = 0; ; step += 1) {
    const customer = `cus-${name}-${step}`
    await send('POST /sandbox/customers', { customer_id: customer })
    known.set(`customer ${customer}`, ({ customers }) => customers.has(customer))
    const order = { customer_id: customer, plan: 'basic' }
    const { subscription_id: id } = await send<Subscription>('POST /v1/subscriptions', order)
    const on = (what: string, holds: (subscription: Subscription) => boolean) =>
      known.set(`${what} of ${id}`, ({ subscriptions }) => {
        const subscription = subscriptions.get(id)
        return subscription !== undefined && holds(subscription)
      })
    on('the customer', ({ customer_id }) => customer_id === customer)
    await send(`POST /v1/subscriptions/${id}/apply-coupon`, { coupon_id: COUPON })
    on('the discount', ({ discounts }) => discounts.length === 1)
    await send(`POST /v1/subscriptions/${id}/update`, { plan: 'pro' })
    on('the upgrade', ({ plan_id }) => plan_id === 'pro')
    if (step % 2 === 1) {
      await send(`POST /v1/subscriptions/${id}/cancel`, {})
      on('the cancellation', ({ status }) => status === 'canceled')
    }
    if (!name.endsWith('-0')) continue
    const { to } = await send<{ to: string }>('POST /sandbox/clock/advance', { by: 'P16D' })
    known.set(`the instant ${to}`, ({ now }) => now >= to)
  }
}

/** Changes a setting, logs in, and now and then makes a checkpoint and deletes the one before. */
async function setAndLogIn(
  { send, known, name }: Client,
  nextLifetime: () => number,
): Promise<void> {
  let last: string | null = null
  for (let step = 0; ; step += 1) {
    const seconds = nextLifetime()
    await send('PATCH /sandbox/settings', { access_token_lifetime: seconds })
    known.set('the setting', ({ lifetime }) => lifetime >= seconds)
    const login = { subject: `${name}-${step}` }
    const { family_id: family } = await send<{ family_id: string }>('POST /sandbox/tokens', login)
    known.set(`login ${family}`, ({ families }) => families.has(family))
    // Each holds the turn for long where there is much to write, and with it everything else.
    if (step % STEPS_PER_CHECKPOINT !== 2) continue
    const made = `moment-${name}-${step}`
    await send('POST /sandbox/checkpoints', { name: made })
    known.set(`checkpoint ${made}`, ({ checkpoints }) => checkpoints.has(made))
    if (last !== null) {
      const gone: string = last
      known.delete(`checkpoint ${gone}`)
      await send(`DELETE /sandbox/checkpoints/${gone}`)
      known.set(`the end of ${gone}`, ({ checkpoints }) => !checkpoints.has(gone))
    }
    last = made
  }
}

interface Subscription {
  readonly subscription_id: string
  readonly customer_id: string
  readonly plan_id: string
  readonly status: string
  readonly discounts: readonly object[]
}

interface State {
  readonly clock: { readonly now: string }
  readonly settings: { readonly access_token_lifetime: number }
  readonly customers: readonly { customer_id: string }[]
  readonly subscriptions: readonly Subscription[]
  readonly invoices: readonly { subscription_id: string }[]
  readonly coupons: readonly { coupon_id: string; times_redeemed: number }[]
  readonly token_families: readonly { family_id: string }[]
}

/** What is there, none of it half: each subscription has its first invoice, and each redemption its discount. */
async function look(sandbox: Served): Promise<Found> {
  const state = await call<State>(sandbox, 'GET /sandbox/state')
  const billed = new Set(state.invoices.map((each) => each.subscription_id))
  for (const { subscription_id: id } of state.subscriptions)
    must(billed.has(id), `${id} is half there`)
  const discounted = state.subscriptions.filter(({ discounts }) => discounts.length > 0).length
  const times = state.coupons.find((each) => each.coupon_id === COUPON)?.times_redeemed
  must(times === discounted, `the coupon was redeemed ${times} times, for ${discounted} discounts`)
  const { data } = await call<{ data: { name: string }[] }>(sandbox, 'GET /sandbox/checkpoints')
  return {
    now: state.clock.now,
    lifetime: state.settings.access_token_lifetime,
    customers: new Set(state.customers.map((each) => each.customer_id)),
    families: new Set(state.token_families.map((each) => each.family_id)),
    checkpoints: new Set(data.map(({ name }) => name)),
    subscriptions: new Map(state.subscriptions.map((each) => [each.subscription_id, each])),
  }
}
