import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Status } from '../../src/billing/status.ts'
import { openShop } from '../support/control.ts'
import { tryUp } from '../support/provider-states.ts'

const TIMEOUT_MS = 300_000
const RUNS = Number(process.env['PROPERTY_RUNS'] ?? 80)

/** Params from few values, so that states meet; each of them may be left out. */
function params(values: Readonly<Record<string, readonly unknown[]>>) {
  const fields = Object.entries(values).map(([name, some]) => [name, fc.constantFrom(...some)])
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, {
    requiredKeys: [],
  })
}

function state(name: string, values: Readonly<Record<string, readonly unknown[]>> = {}) {
  return fc.record({ name: fc.constant(name), params: params(values) })
}

const subscription_id = ['sub_abc', 'sub_000001', 'sub_000003']
const customer_id = ['cus_ada', 'cus_grace', 'cus_new', 'cus_recovers']
const plan = ['basic', 'pro', 'basic_yearly', 'team']
const coupon_id = ['SAVE20', 'TAKE5', 'MORETIME', 'LAST1', 'PROONLY', 'EXPIRED', 'NEW']
const refresh_token = ['one', 'two']
const currency = ['USD', 'JPY']

const anyState = fc.oneof(
  state('the sandbox is empty'),
  state('the fixture NAME is loaded', { fixture: ['dunning', 'calendar-hazards', 'nope'] }),
  state('the virtual time is T', {
    at: [
      '1970-01-01T00:00:00Z',
      '2020-02-29T00:00:00Z',
      '2027-03-31T10:00:00Z',
      '2030-01-01T00:00:00Z',
    ],
  }),
  state('a customer exists', {
    customer_id,
    currency,
    balance: [0, 500],
    payment_method: ['none'],
  }),
  state('a plan exists', {
    plan_id: plan,
    currency,
    amount: [0, 1, 5000],
    interval: ['day', 'year'],
  }),
  state('a coupon exists', {
    coupon_id,
    type: ['percentage', 'fixed', 'trial_extension'],
    value: [1, 50],
    max_redemptions: [1],
    applies_to_plans: [['gold'], ['basic']],
  }),
  state('a coupon is expired', { coupon_id }),
  state('a coupon is exhausted', { coupon_id }),
  state('a coupon is not applicable', { coupon_id, plan, subscription_id }),
  state('a subscription exists', {
    subscription_id,
    customer_id,
    plan,
    coupon_id,
    status: Status.options,
    trial_period_days: [0, 1, 730],
    cancel_at_period_end: [true],
    pending_plan: plan,
  }),
  state('a subscription exists', { subscription_id, status: Status.options }),
  state('the trial ends in N days', { subscription_id, days: [1, 30, 730] }),
  state('the period ends now', { subscription_id }),
  state('the next payment fails', { subscription_id }),
  ...['fresh', 'expired', 'revoked', 'already used'].map((how) =>
    state(`a refresh token is ${how}`, { refresh_token }),
  ),
)

it(
  'whatever states follow each other, they leave sound books, or are refused and change nothing',
  async () => {
    const property = fc.asyncProperty(fc.array(anyState, { maxLength: 4 }), async (states) => {
      const shop = await openShop()
      for (const { name, params } of states) {
        const before = await shop.state()
        const { status, text } = await tryUp(shop, name, params)
        expect([200, 400, 404, 409], text).toContain(status)
        const { body: json, text: after } = await shop.get('/sandbox/state')
        if (status !== 200) expect(after).toBe(before)
        expect((await shop.get('/sandbox/audit')).body).toMatchObject({ ok: true })
        const taken = await (await openShop()).call('PUT', '/sandbox/state', { json })
        expect(taken.status, taken.text).toBe(200)
      }
      expect(shop.log).toEqual([])
    })
    await fc.assert(property, { numRuns: RUNS })
  },
  TIMEOUT_MS,
)
