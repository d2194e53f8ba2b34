/**
 * What the document of /v1 states that answers rest on, against what their header says. No header says more than its
 * operation states: that is checked with every call of every test (support/control.ts). Here each slug that is stated is
 * said by some answer. What single fields of an answer rest on is left out: the header speaks of the whole.
 */
import { expect, it, vi } from 'vitest'
import { v1Operations } from '../../src/operations/v1.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import { openShop, type Sent, type Shop } from '../support/control.ts'
import { checkStated, restsOn, statedAt } from '../support/stated.ts'
import { formType } from '../support/surface.ts'

vi.mock('../../src/assumptions/bounds.ts', async (original) => ({
  ...(await original<object>()),
  RECORDS_MAX: 30,
}))

type Step = (shop: Shop) => Promise<unknown>
type Call = (shop: Shop) => Sent | Promise<Sent>

/** What happens before a call, the call, and the code that it is refused with; none where it succeeds. */
type History = readonly [before: readonly Step[], call: Call, code?: string]

const key = { Authorization: 'Bearer sk_sandbox_default' }
const json = (value: unknown): Call => {
  return () => ({ json: value, headers: key })
}
const form = (fields: Record<string, string>): Call => {
  const bytes = new URLSearchParams(fields).toString()
  return () => ({ bytes, headers: { ...key, 'Content-Type': formType } })
}
const nothing: Call = () => ({ headers: key })

const does =
  (path: string, value: unknown, method = 'POST'): Step =>
  async (shop) => {
    const { status, text } = await shop.call(method, path, { json: value, headers: key })
    expect(status, `${path}: ${text}`).toBeLessThan(300)
  }
const ONE = '/v1/subscriptions/sub_000001'
const takes = (plan: string, more = {}) =>
  does('/v1/subscriptions', { customer_id: 'cus_ada', plan, ...more })
const trial = { trial_period_days: 14 }
const applies = (couponId: string) => does(`${ONE}/apply-coupon`, { coupon_id: couponId })
const sets = (settings: object) => does('/sandbox/settings', settings, 'PATCH')
const pays = (outcome: string) => does('/sandbox/payment-outcomes', { always: outcome })
const offers = (coupon: object) => does('/sandbox/coupons', coupon)
const balance = does('/sandbox/customers/cus_ada', { balance: 300 }, 'PATCH')
const paused = does(`${ONE}/pause`, undefined)
const canceled = does(`${ONE}/cancel`, {})
const passes = (by: string) => does('/sandbox/clock/advance', { by })

const euro = does('/sandbox/plans', {
  ...{ plan_id: 'euro', product_id: 'prod_app', name: 'Euro' },
  ...{ amount: 5, currency: 'EUR', interval: 'month' },
})
const weekly = does('/sandbox/plans', {
  ...{ plan_id: 'weekly', product_id: 'prod_app', name: 'Weekly' },
  ...{ amount: 9000, currency: 'USD', interval: 'week' },
})
const LIMITED = { coupon_id: 'ONLYBASIC', type: 'percentage', value: 10, duration: 'forever' }
const MONTH = { coupon_id: 'MONTH', type: 'percentage', value: 10, duration: 'repeating' }
const EURO = { coupon_id: 'EURO', type: 'fixed', value: 5, currency: 'EUR', duration: 'once' }

const full: Step = async (shop) => {
  for (;;) {
    if ((await shop.post('/sandbox/products', { name: 'One more' })).status === 409) return
  }
}

/** A client that was given an access token in place of the key. */
const byToken = (call: Call): Call => {
  return async (shop) => {
    const { body } = await shop.post<{ access_token: string }>('/sandbox/tokens', {})
    const sent = await call(shop)
    return { ...sent, headers: { ...sent.headers, Authorization: `Bearer ${body.access_token}` } }
  }
}

/** A client whose access token has expired. */
const late = (call: Call): Call => {
  return async (shop) => {
    const sent = await byToken(call)(shop)
    await passes('P1D')(shop)
    return sent
  }
}

async function refreshing(shop: Shop): Promise<Sent> {
  const { body } = await shop.post<{ refresh_token: string }>('/sandbox/tokens', {})
  const { refresh_token: token } = body
  return { json: { refresh_token: token }, headers: { Authorization: `Bearer ${token}` } }
}

async function refreshingAgain(shop: Shop): Promise<Sent> {
  const sent = await refreshing(shop)
  expect((await shop.call('POST', '/v1/auth/refresh', sent)).status).toBe(200)
  return sent
}

async function refreshingLate(shop: Shop): Promise<Sent> {
  const sent = await refreshing(shop)
  await passes('P30D')(shop)
  return sent
}

async function refreshingExtra(shop: Shop): Promise<Sent> {
  const sent = await refreshing(shop)
  return { ...sent, json: { ...(sent.json as object), colour: 'red' } }
}

const order = { customer_id: 'cus_ada', plan: 'basic' }
const extra = { colour: 'red' }
const unknown = 'invalid_request'

const histories: Readonly<Record<string, readonly History[]>> = {
  createSubscription: [
    [[], json({ ...order, ...trial })],
    [[], json({ ...order, trial_period_days: 0 })],
    [[], form({ ...order, trial_period_days: '14' })],
    [[], byToken(json(order))],
    [[], late(json(order)), 'unauthorized'],
    [[balance], json(order)],
    [[pays('card_declined'), sets({ retry_schedule: [] })], json(order)],
    [[], json({ ...order, ...extra }), unknown],
    [[], json({ ...order, trial_period_days: 731 }), unknown],
    [[], json({ ...order, plan: 'nowhere' }), 'not_found'],
    [[euro], json({ ...order, plan: 'euro' }), 'currency_mismatch'],
    [[full], json(order), 'sandbox_full'],
  ],
  updateSubscription: [
    [[takes('basic')], json({ plan: 'pro' })],
    [[takes('basic')], byToken(form({ plan: 'pro' }))],
    [[takes('basic')], late(json({ plan: 'pro' })), 'unauthorized'],
    [[sets({ first_invoice: 'first_boundary' }), takes('basic')], json({ plan: 'pro' })],
    [[takes('basic', trial)], json({ plan: 'pro' })],
    [[takes('basic'), paused], json({ plan: 'pro' })],
    [[takes('basic'), weekly], json({ plan: 'weekly' })],
    [[takes('basic'), balance], json({ plan: 'pro' })],
    [[takes('basic'), pays('card_declined'), sets({ retry_schedule: [] })], json({ plan: 'pro' })],
    [[pays('card_declined'), takes('basic'), sets({ retry_schedule: [] })], json({ plan: 'pro' })],
    // A new period is billed with the discounts that there are.
    [[takes('basic'), weekly, applies('LOYAL10'), applies('EXTRA3')], json({ plan: 'weekly' })],
    [
      [
        ...[takes('basic'), weekly, offers({ ...LIMITED, applies_to_plans: ['basic'] })],
        applies('ONLYBASIC'),
      ],
      json({ plan: 'weekly' }),
    ],
    [
      [
        ...[takes('basic_yearly'), weekly, offers({ ...MONTH, duration_in_months: 1 })],
        ...[applies('MONTH'), passes('P1M')],
      ],
      json({ plan: 'weekly' }),
    ],
    [[takes('basic')], json({ plan: 'pro', ...extra }), unknown],
    [[takes('basic')], form({ plan: '' }), unknown],
    [[takes('basic')], json({ plan: 'nowhere' }), 'not_found'],
    [[takes('basic'), canceled], json({ plan: 'pro' }), 'invalid_transition'],
    [[takes('basic'), euro], json({ plan: 'euro' }), 'currency_mismatch'],
    [[takes('basic'), full], json({ plan: 'pro' }), 'sandbox_full'],
  ],
  pauseSubscription: [
    [[takes('basic')], nothing],
    [[takes('basic')], byToken(nothing)],
    [[takes('basic')], late(nothing), 'unauthorized'],
    [[takes('basic')], json({})],
    [[takes('basic')], json(extra), unknown],
    [[takes('basic')], form({ at: '' }), unknown],
    [[], nothing, 'not_found'],
    [[takes('basic', trial)], nothing, 'invalid_transition'],
    [[takes('basic'), paused], nothing, 'invalid_transition'],
  ],
  cancelSubscription: [
    [[takes('basic')], json({})],
    [[takes('basic')], byToken(form({ at_period_end: 'true' }))],
    [[takes('basic')], late(json({})), 'unauthorized'],
    [
      [sets({ first_invoice: 'first_boundary', cancel_without_refund: 'credit' }), takes('basic')],
      json({}),
    ],
    [[takes('basic'), paused], nothing],
    [[pays('card_declined'), takes('basic')], nothing],
    [[takes('basic'), sets({ cancel_without_refund: 'credit' })], json({})],
    [[takes('basic'), sets({ cancel_without_refund: 'credit' }), full], json({}), 'sandbox_full'],
    [[takes('basic')], json(extra), unknown],
    [[], nothing, 'not_found'],
    [[takes('basic'), canceled], nothing, 'invalid_transition'],
  ],
  applyCoupon: [
    [[takes('basic'), paused], json({ coupon_id: 'LOYAL10' })],
    [[takes('basic')], json({ coupon_id: 'SAVE20' })],
    [[takes('basic')], byToken(json({ coupon_id: 'TAKE5' }))],
    [[takes('basic')], late(json({ coupon_id: 'TAKE5' })), 'unauthorized'],
    [[takes('basic')], json({ coupon_id: 'MORETIME' })],
    [[takes('basic', trial)], json({ coupon_id: 'SAVE20' })],
    [[takes('basic'), applies('LOYAL10')], json({ coupon_id: 'LOYAL10' })],
    [[takes('basic')], json({ coupon_id: 'SAVE20', ...extra }), unknown],
    [[takes('basic')], form({ coupon_id: '' }), unknown],
    [[takes('basic')], json({ coupon_id: 'nowhere' }), 'not_found'],
    [[takes('basic')], json({ coupon_id: 'EXPIRED' }), 'coupon_expired'],
    [[takes('basic'), applies('LAST1')], json({ coupon_id: 'LAST1' }), 'coupon_exhausted'],
    [[takes('basic')], json({ coupon_id: 'PROONLY' }), 'coupon_not_applicable'],
    [[takes('basic'), paused], json({ coupon_id: 'MORETIME' }), 'coupon_not_applicable'],
    [[takes('basic'), canceled], json({ coupon_id: 'SAVE20' }), 'coupon_not_applicable'],
    [
      [sets({ reapplied_coupon: 'refuse' }), takes('basic'), applies('LOYAL10')],
      json({ coupon_id: 'LOYAL10' }),
      'coupon_not_applicable',
    ],
    [[takes('basic'), offers(EURO)], json({ coupon_id: 'EURO' }), 'currency_mismatch'],
  ],
  refreshToken: [
    [[], refreshing],
    [[sets({ refresh_reuse_leeway: 60 })], refreshingAgain],
    [[], refreshingExtra, unknown],
    [[], refreshingAgain, 'invalid_grant'],
    [[], refreshingLate, 'invalid_grant'],
    [[], json({ refresh_token: 'rt' }), 'unauthorized'],
    [
      [],
      async (shop) => {
        const sent = await refreshing(shop)
        await full(shop)
        return sent
      },
      'sandbox_full',
    ],
  ],
}

const operations: readonly Declaration[] = v1Operations

it.each(operations)(
  '$operationId states what its answers say, and nothing else',
  async (declared) => {
    const { operationId, path } = declared
    const said = new Map<string | null, Set<string>>()
    for (const [before, call, code = null] of histories[operationId] ?? []) {
      const shop = await openShop()
      for (const step of before) await step(shop)
      const to = path.replace('{subscription_id}', 'sub_000001')
      const answer = await shop.call<{ error?: string }>('POST', to, await call(shop))
      expect(answer.body.error ?? null, `${to}: ${answer.text}`).toBe(code)
      said.set(code, new Set([...(said.get(code) ?? []), ...restsOn(answer)]))
    }
    for (const code of [null, ...(declared.refusals ?? [])]) {
      expect([...said.keys()], 'answers of which there is a history').toContain(code)
    }
    const all = new Set([...said.values()].flatMap((slugs) => [...slugs]))
    for (const code of said.keys()) {
      const { always, whole, own } = statedAt(declared, code)
      expect([...(said.get(code) ?? [])]).toEqual(expect.arrayContaining([...always, ...own]))
      expect([...all], 'slugs of the operation').toEqual(expect.arrayContaining([...whole]))
    }
  },
)

it('notices a slug that the header alone says, and one that the document alone states', async () => {
  const shop = await openShop()
  const [create] = operations as [Declaration]
  const { headers } = await shop.call('POST', '/v1/subscriptions', { json: order, headers: key })
  const answer = (slugs: string) => ({
    code: null,
    headers: new Headers({ 'Sandbox-Assumptions': slugs }),
  })
  const said = headers.get('Sandbox-Assumptions') ?? ''
  expect(() => checkStated(create, answer(said))).not.toThrow()
  expect(() => checkStated(create, answer(`${said}, proration`))).toThrow('in the header alone')
  const less = said.replace('success-status', 'first-invoice')
  expect(() => checkStated(create, answer(less))).toThrow('in the document alone')
})
