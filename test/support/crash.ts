/**
 * Crashing: a real process under load, killed at a random moment, and what must be true of the one after it. Used by
 * the tests and by `npm run crash`.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { type Served, serve } from './process.ts'

/** What was answered before the kill; nothing of it may be missing after. */
interface Acknowledged {
  readonly customers: string[]
  /** Subscriptions as they were answered, by id. */
  readonly subscriptions: Map<string, string>
  readonly redemptions: { count: number }
  readonly clock: { at: string }
}

/** How the rounds are run. `random` answers numbers from 0 to 1, so that a seed can be repeated. */
export interface CrashOptions {
  readonly folder: string
  readonly rounds: number
  readonly clients: number
  readonly random: () => number
  readonly onRound?: (round: number) => void
}

interface State {
  readonly clock: { readonly now: string }
  readonly customers: readonly { customer_id: string }[]
  readonly subscriptions: readonly { subscription_id: string; customer_id: string }[]
  readonly invoices: readonly { subscription_id: string }[]
  readonly coupons: readonly { coupon_id: string; times_redeemed: number }[]
}

const LOAD_MS_MAX = 150

/** Loads, kills and starts again, so many times. Answers how many changes were acknowledged; throws on the first that is gone. */
export async function crashRounds(options: CrashOptions): Promise<number> {
  const known: Acknowledged = {
    customers: [],
    subscriptions: new Map(),
    redemptions: { count: 0 },
    clock: { at: '' },
  }
  let sandbox = await serve('--data', options.folder, '--fixture', 'starter')
  await send(sandbox, '/sandbox/coupons', coupon)
  for (let round = 1; round <= options.rounds; round += 1) {
    const under = Array.from({ length: options.clients }, (_, client) =>
      load(sandbox, known, `${round}-${client}`),
    )
    await pause(20 + options.random() * LOAD_MS_MAX)
    sandbox.child.kill('SIGKILL')
    await sandbox.ended
    await Promise.all(under)
    sandbox = await serve('--data', options.folder)
    await check(sandbox, known)
    options.onRound?.(round)
  }
  await sandbox.stop()
  return known.customers.length + known.subscriptions.size + known.redemptions.count
}

const coupon = {
  coupon_id: 'COUNTED',
  type: 'percentage',
  value: 10,
  duration: 'forever',
  stackable: true,
}

/** One client: makes customers and subscriptions, applies a coupon, and now and then moves the clock, until the kill. */
async function load(sandbox: Served, known: Acknowledged, client: string): Promise<void> {
  try {
    for (let step = 0; ; step += 1) {
      const customer_id = `cus-${client}-${step}`
      await send(sandbox, '/sandbox/customers', { customer_id })
      known.customers.push(customer_id)
      const order = { customer_id, plan: 'basic' }
      const made = await send<Subscribed>(sandbox, '/v1/subscriptions', order)
      known.subscriptions.set(made.subscription_id, customer_id)
      const path = `/v1/subscriptions/${made.subscription_id}/apply-coupon`
      await send(sandbox, path, { coupon_id: coupon.coupon_id })
      known.redemptions.count += 1
      if (client.endsWith('-0')) await advance(sandbox, known)
    }
  } catch (error) {
    if (!isDisconnect(error)) throw error
  }
}

interface Subscribed {
  readonly subscription_id: string
}

async function advance(sandbox: Served, known: Acknowledged): Promise<void> {
  const moved = await send<{ to: string }>(sandbox, '/sandbox/clock/advance', { by: 'P9D' })
  known.clock.at = moved.to
}

async function check(sandbox: Served, known: Acknowledged): Promise<void> {
  const state = await send<State>(sandbox, '/sandbox/state')
  const customers = new Set(state.customers.map((each) => each.customer_id))
  const owners = new Map(
    state.subscriptions.map((each) => [each.subscription_id, each.customer_id]),
  )
  const billed = new Set(state.invoices.map((each) => each.subscription_id))
  for (const id of known.customers) must(customers.has(id), `customer ${id} is gone`)
  for (const [id, owner] of known.subscriptions) {
    must(owners.get(id) === owner, `subscription ${id} of ${owner} is gone`)
  }
  for (const id of owners.keys()) must(billed.has(id), `subscription ${id} is half there`)
  const redeemed = state.coupons.find((each) => each.coupon_id === coupon.coupon_id)
  must((redeemed?.times_redeemed ?? 0) >= known.redemptions.count, 'a redemption is gone')
  must(
    state.clock.now >= known.clock.at,
    `the clock is at ${state.clock.now}, not ${known.clock.at}`,
  )
  const audit = await send<{ ok: boolean }>(sandbox, '/sandbox/audit')
  must(audit.ok, `the books do not add up: ${JSON.stringify(audit)}`)
}

function must(holds: boolean, message: string): void {
  if (!holds) throw new Error(message)
}

/** Gets a path, or posts to it where there is something to post. */
async function send<Body>({ url }: Served, path: string, body?: object): Promise<Body> {
  const response = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: 'Bearer sk_sandbox_default', 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}

/** A call that the kill cut off was not answered, so it promises nothing. */
function isDisconnect(error: unknown): boolean {
  return error instanceof TypeError
}
