/** Exported states with a lot in them, for tests of what comes in: every status, plan, discount and kind of record. */
import { inSandbox, openShop, type Shop } from './control.ts'

/** Carries out a request that must succeed. */
async function does(shop: Shop, path: string, json: unknown): Promise<Record<string, string>> {
  const answer = await shop.post<Record<string, string>>(path, json)
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
  return answer.body
}

function advance(shop: Shop, by: string): Promise<unknown> {
  return does(shop, '/sandbox/clock/advance', { by })
}

/** Asks for something on /v1 with the sandbox's own key. */
async function asks(shop: Shop, path: string, json: unknown): Promise<void> {
  const key = `sk_sandbox_${JSON.parse(await shop.state()).sandbox_id}`
  const headers = { Authorization: `Bearer ${key}` }
  const answer = await shop.call('POST', `/v1/subscriptions/${path}`, { json, headers })
  if (answer.status >= 300) throw new Error(`${path}: ${answer.text}`)
}

async function subscribes(shop: Shop, order: object): Promise<string> {
  const { subscription_id: id } = await does(shop, '/sandbox/subscriptions', {
    customer_id: 'cus_ada',
    ...order,
  })
  return id ?? ''
}

/** Plans by the day and the week beside those of `starter`, a promotion, a fault, a login, and tokens that were rotated. */
async function furnish(shop: Shop): Promise<void> {
  const terms = { product_id: 'prod_app', currency: 'USD' }
  const daily = { plan_id: 'daily', name: 'Daily', amount: 99, interval: 'day', interval_count: 3 }
  const weekly = { plan_id: 'weekly', name: 'Weekly', amount: 333, interval: 'week' }
  for (const plan of [daily, weekly]) await does(shop, '/sandbox/plans', { ...terms, ...plan })
  const promotion = { code: 'SPRING', coupon_id: 'SAVE20', expires_at: '9001-01-01T00:00:00Z' }
  await does(shop, '/sandbox/promotions', { ...promotion, max_redemptions: 5 })
  await does(shop, '/sandbox/faults', {
    match: { operation: 'refreshToken', header: { name: 'X-Try', value: '1' } },
    times: 2,
    effect: { status: 429, headers: { 'Retry-After': '2' }, body: { error: 'later' } },
  })
  const { refresh_token: token } = await does(shop, '/sandbox/tokens', { subject: 'ada' })
  const headers = { Authorization: `Bearer ${token}` }
  await shop.call('POST', '/v1/auth/refresh', { json: { refresh_token: token }, headers })
}

/** A shop in the middle of everything. */
async function busy(shop: Shop): Promise<void> {
  await furnish(shop)
  await shop.call('PATCH', '/sandbox/customers/cus_grace', { json: { balance: 700 } })
  await subscribes(shop, { plan: 'basic', promotion_code: 'SPRING', trial_period_days: 40 })
  const paused = await subscribes(shop, { plan: 'pro', coupon_id: 'LOYAL10' })
  await asks(shop, `${paused}/apply-coupon`, { coupon_id: 'EXTRA3' })
  const downgraded = await subscribes(shop, { plan: 'pro_yearly', coupon_id: 'SAVE20' })
  const upgraded = await subscribes(shop, { plan: 'basic', coupon_id: 'TAKE5' })
  await subscribes(shop, { plan: 'daily' })
  await subscribes(shop, { plan: 'weekly', customer_id: 'cus_linus' })
  const canceled = await subscribes(shop, { plan: 'basic' })
  const leaving = await subscribes(shop, { plan: 'basic', customer_id: 'cus_linus' })
  await subscribes(shop, { plan: 'pro', customer_id: 'cus_grace', trial_period_days: 2 })
  const failing = await subscribes(shop, { plan: 'basic', customer_id: 'cus_linus' })
  await does(shop, '/sandbox/payment-outcomes', {
    subscription_id: failing,
    always: 'card_declined',
  })
  await advance(shop, 'P9DT5H')
  await asks(shop, `${paused}/pause`, {})
  await asks(shop, `${paused}/apply-coupon`, { coupon_id: 'SAVE20' })
  await asks(shop, `${downgraded}/update`, { plan: 'basic' })
  await asks(shop, `${upgraded}/update`, { plan: 'pro' })
  await asks(shop, `${canceled}/cancel`, {})
  await asks(shop, `${leaving}/cancel`, { at_period_end: true })
  const order = { customer_id: 'cus_ada', amount: 1979, currency: 'USD' }
  await does(shop, '/sandbox/charges', { ...order, coupon_id: 'WELCOME' })
  await does(shop, '/sandbox/charges', { ...order, customer_id: 'cus_grace' })
  await does(shop, '/sandbox/checkpoints', { name: 'here' })
  await advance(shop, 'P22DT20H')
}

/** Retries of several invoices at once, invoices given up, balances used and given back, months that stop in a pause. */
async function troubled(shop: Shop): Promise<void> {
  await furnish(shop)
  const settings = { after_retries: 'keep_past_due', coupon_months_during_pause: 'stops' }
  const chosen = { ...settings, stacking_order: 'fixed_first', retry_schedule: ['PT1H', 'P40D'] }
  await shop.call('PATCH', '/sandbox/settings', { json: chosen })
  await shop.call('PATCH', '/sandbox/customers/cus_linus', { json: { balance: 1500 } })
  const credited = await subscribes(shop, { plan: 'pro_yearly' })
  await asks(shop, `${credited}/update`, { plan: 'weekly' })
  const owing = await subscribes(shop, { plan: 'pro', customer_id: 'cus_linus' })
  const paused = await subscribes(shop, { plan: 'basic_yearly', coupon_id: 'SAVE20' })
  await asks(shop, `${paused}/pause`, {})
  await asks(shop, `${paused}/apply-coupon`, { coupon_id: 'SAVE20' })
  await does(shop, '/sandbox/payment-outcomes', {
    customer_id: 'cus_linus',
    always: 'insufficient_funds',
  })
  await does(shop, '/sandbox/payment-outcomes', { outcomes: ['succeed', 'expired_card'] })
  await subscribes(shop, { plan: 'daily', customer_id: 'cus_linus' })
  await advance(shop, 'P33D')
  await asks(shop, `${owing}/update`, { plan: 'pro_yearly' })
  await advance(shop, 'P15DT1H')
}

/** A trial made longer, a period made longer, and what a resume gave back. */
async function stretched(shop: Shop): Promise<void> {
  await furnish(shop)
  const trial = await subscribes(shop, { plan: 'basic', trial_period_days: 14 })
  const period = await subscribes(shop, { plan: 'pro', coupon_id: 'SAVE20' })
  const resumed = await subscribes(shop, { plan: 'pro_yearly', coupon_id: 'LOYAL10' })
  for (const id of [trial, period]) {
    await asks(shop, `${id}/apply-coupon`, { coupon_id: 'MORETIME' })
  }
  await asks(shop, `${resumed}/pause`, {})
  await advance(shop, 'P20D')
  await does(shop, `/sandbox/subscriptions/${resumed}/resume`, undefined)
  await asks(shop, `${period}/update`, { plan: 'pro_yearly' })
}

/** Every state, as text, by name; made by the running product alone. */
export async function richStates(): Promise<ReadonlyMap<string, string>> {
  const shop = await openShop({}, 20)
  const history = async (begins: object, live: (own: Shop) => Promise<unknown>) => {
    const name = `history-${states.size}`
    await shop.call('PUT', `/sandboxes/${name}`, { json: begins })
    const own = inSandbox(shop, name)
    await live(own)
    states.set(name, await own.state())
  }
  const states = new Map<string, string>()
  for (const live of [busy, troubled, stretched]) await history({}, live)
  // A month, and a year, before the end of the clock.
  await history({ now: '8999-11-10T00:00:00Z' }, busy)
  await history({ now: '8998-10-01T00:00:00Z' }, troubled)
  for (const by of ['PT0S', 'P2D', 'P70D']) {
    await history({ fixture: 'dunning' }, (own) => advance(own, by))
  }
  for (const by of ['PT0S', 'P45D', 'P1Y']) {
    await history({ fixture: 'calendar-hazards' }, (own) => advance(own, by))
  }
  return states
}
