/**
 * The crowd of the crash tests: several clients of the default sandbox at once, whose changes share writes while journals
 * are folded and checkpoints are written beside them. What was answered must be there after a kill, and of a call under
 * way all or nothing.
 */
import { call, must, sendTo, untilKilled } from './crash-call.ts'
import { mustAddUp } from './crash-observe.ts'
import type { Served } from './process.ts'

/** What was answered before the kill; nothing of it may be missing after. */
interface Known {
  readonly customers: string[]
  readonly subscriptions: Map<string, Bought>
  /** How often the coupon was applied: answered, and asked for. */
  readonly redeemed: { answered: number; asked: number }
  readonly lifetime: { answered: number; asked: number }
  readonly families: string[]
  readonly checkpoints: { readonly made: Set<string>; readonly deleted: Set<string> }
  clock: string
}

interface Bought {
  readonly customer: string
  plan: 'basic' | 'pro'
  isCanceled: boolean
}

export interface Crowd {
  /** Calls until the kill; `round` makes the names of records. */
  readonly load: (sandbox: Served, round: number) => Promise<void>
  /** Throws where something is gone, or half there. */
  readonly check: (sandbox: Served) => Promise<void>
  readonly acknowledged: () => number
}

const BUYERS = 3
const STEPS_PER_CHECKPOINT = 8

/** Makes the coupon that the crowd counts. */
export async function openCrowd(sandbox: Served): Promise<Crowd> {
  const known: Known = {
    customers: [],
    subscriptions: new Map(),
    redeemed: { answered: 0, asked: 0 },
    lifetime: { answered: 0, asked: 0 },
    families: [],
    checkpoints: { made: new Set(), deleted: new Set() },
    clock: '',
  }
  let acknowledged = 0
  const told = async <Body>(sandbox: Served, operation: string, body?: object): Promise<Body> => {
    const answer = await call<Body>(sandbox, operation, { ...(body !== undefined && { body }) })
    acknowledged += 1
    return answer
  }
  await told(sandbox, 'POST /sandbox/coupons', coupon)
  const client = { known, told }
  return {
    load: async (sandbox, round) => {
      const clients = Array.from({ length: BUYERS }, (_, number) =>
        untilKilled(buy({ ...client, sandbox, name: `${round}-${number}` })),
      )
      await Promise.all([
        ...clients,
        untilKilled(keepHouse({ ...client, sandbox, name: `${round}` })),
      ])
    },
    check: (sandbox) => check(sandbox, known),
    acknowledged: () => acknowledged,
  }
}

const coupon = {
  coupon_id: 'COUNTED',
  type: 'percentage',
  value: 10,
  duration: 'forever',
  stackable: true,
}

interface Client {
  readonly sandbox: Served
  readonly known: Known
  readonly name: string
  readonly told: <Body>(sandbox: Served, operation: string, body?: object) => Promise<Body>
}

/** Makes customers and subscriptions, changes and ends them; one of the crowd moves the clock. */
async function buy({ sandbox, known, name, told }: Client): Promise<void> {
  for (let step = 0; ; step += 1) {
    const customer = `cus-${name}-${step}`
    await told(sandbox, 'POST /sandbox/customers', { customer_id: customer })
    known.customers.push(customer)
    const order = { customer_id: customer, plan: 'basic' }
    const made = await told<{ subscription_id: string }>(sandbox, 'POST /v1/subscriptions', order)
    const bought: Bought = { customer, plan: 'basic', isCanceled: false }
    known.subscriptions.set(made.subscription_id, bought)
    const at = `POST /v1/subscriptions/${made.subscription_id}`
    known.redeemed.asked += 1
    await told(sandbox, `${at}/apply-coupon`, { coupon_id: coupon.coupon_id })
    known.redeemed.answered += 1
    await told(sandbox, `${at}/update`, { plan: 'pro' })
    bought.plan = 'pro'
    if (step % 2 === 1) {
      await told(sandbox, `${at}/cancel`, {})
      bought.isCanceled = true
    }
    if (!name.endsWith('-0')) continue
    const advance = { by: 'P16D' }
    known.clock = (await told<{ to: string }>(sandbox, 'POST /sandbox/clock/advance', advance)).to
  }
}

/** Changes a setting, logs in, and now and then makes a checkpoint and deletes the one before. */
async function keepHouse({ sandbox, known, name, told }: Client): Promise<void> {
  const { lifetime, families, checkpoints } = known
  for (let step = 0; ; step += 1) {
    lifetime.asked += 1
    const patch = { access_token_lifetime: lifetime.asked }
    await told(sandbox, 'PATCH /sandbox/settings', patch)
    lifetime.answered = lifetime.asked
    const login = { subject: `${name}-${step}` }
    families.push(
      (await told<{ family_id: string }>(sandbox, 'POST /sandbox/tokens', login)).family_id,
    )
    // Each holds the turn for long where there is much to write, and with it everything else.
    if (step % STEPS_PER_CHECKPOINT !== 2) continue
    const made = `moment-${name}-${step}`
    await told(sandbox, 'POST /sandbox/checkpoints', { name: made })
    for (const before of [...checkpoints.made]) {
      checkpoints.made.delete(before)
      await told(sandbox, `DELETE /sandbox/checkpoints/${before}`)
      checkpoints.deleted.add(before)
    }
    checkpoints.made.add(made)
  }
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

interface Subscription {
  readonly subscription_id: string
  readonly customer_id: string
  readonly plan_id: string
  readonly status: string
}

async function check(sandbox: Served, known: Known): Promise<void> {
  const state = await call<State>(sandbox, 'GET /sandbox/state')
  checkRecords(state, known)
  const { redeemed, lifetime, clock } = known
  const times = state.coupons.find((each) => each.coupon_id === coupon.coupon_id)?.times_redeemed
  must(isBetween(times ?? 0, redeemed), `the coupon was redeemed ${times} times`)
  redeemed.answered = times ?? 0
  redeemed.asked = times ?? 0
  const { access_token_lifetime: seconds } = state.settings
  const isUntouched = lifetime.answered === 0 && seconds === 3600
  must(isUntouched || isBetween(seconds, lifetime), `the setting is ${seconds}`)
  lifetime.answered = isUntouched ? 0 : seconds
  must(state.clock.now >= clock, `the clock is at ${state.clock.now}, not ${clock}`)
  await checkCheckpoints(sandbox, known)
  await mustAddUp(sendTo(sandbox), 'default')
}

function checkRecords(state: State, known: Known): void {
  const customers = new Set(state.customers.map((each) => each.customer_id))
  const subscriptions = new Map(state.subscriptions.map((each) => [each.subscription_id, each]))
  const billed = new Set(state.invoices.map((each) => each.subscription_id))
  const families = new Set(state.token_families.map((each) => each.family_id))
  for (const id of known.customers) must(customers.has(id), `customer ${id} is gone`)
  for (const id of known.families) must(families.has(id), `login ${id} is gone`)
  for (const [id, bought] of known.subscriptions) {
    const found = subscriptions.get(id)
    must(found?.customer_id === bought.customer, `subscription ${id} is gone`)
    must(bought.plan === 'basic' || found?.plan_id === bought.plan, `the upgrade of ${id} is gone`)
    const isCanceled = found?.status === 'canceled'
    must(!bought.isCanceled || isCanceled, `the cancellation of ${id} is gone`)
  }
  for (const id of subscriptions.keys()) must(billed.has(id), `subscription ${id} is half there`)
}

async function checkCheckpoints(sandbox: Served, { checkpoints }: Known): Promise<void> {
  const { data } = await call<{ data: { name: string }[] }>(sandbox, 'GET /sandbox/checkpoints')
  const names = new Set(data.map(({ name }) => name))
  for (const name of checkpoints.made) must(names.has(name), `checkpoint ${name} is gone`)
  for (const name of checkpoints.deleted) must(!names.has(name), `checkpoint ${name} is back`)
  checkpoints.deleted.clear()
  // One whose answer never came is deleted with the others.
  for (const name of names) checkpoints.made.add(name)
}

function isBetween(value: number, { answered, asked }: { answered: number; asked: number }) {
  return answered <= value && value <= asked
}
