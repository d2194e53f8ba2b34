import { expect, it } from 'vitest'
import { isRefusal } from '../../src/billing/refusal.ts'
import { billingOperations } from '../../src/operations/billing-operations.ts'
import { actOperations } from '../../src/sandbox/fixture-acts.ts'
import { Fixture } from '../../src/sandbox/fixture-format.ts'
import { worldFromFixture } from '../../src/sandbox/fixtures.ts'
import { booksOf } from '../../src/world/state-checks.ts'
import type { World } from '../../src/world/world.ts'
import { audit } from '../support/audit.ts'
import { instant } from '../support/catalog.ts'
import { documentOf } from '../support/document.ts'

const catalog = {
  products: [{ product_id: 'app', name: 'App' }],
  plans: [
    {
      plan_id: 'pro',
      product_id: 'app',
      name: 'Pro',
      amount: 2500,
      currency: 'USD',
      interval: 'month',
    },
    {
      plan_id: 'max',
      product_id: 'app',
      name: 'Max',
      amount: 9000,
      currency: 'USD',
      interval: 'month',
    },
  ],
  customers: [{ customer_id: 'ann', currency: 'USD' }, { customer_id: 'bob' }],
  coupons: [{ coupon_id: 'OFF', type: 'percentage', value: 10, duration: 'forever' }],
}
const ann = { customer_id: 'ann', plan: 'pro' }
const first = { subscription_id: 'sub_000001' }
const fails = { payment_outcomes: { customer_id: 'ann', always: 'card_declined' } }

/** Past due since two days, by what led there. */
const pastDue = [
  { ago: 'P1M2D', subscribe: ann },
  { ago: 'P3D', ...fails },
]

function make(fixture: object, startAt: string | null = null) {
  const order = { sandboxId: 'test', name: 'mine', startsRunning: false, settings: {} }
  const start = startAt === null ? null : instant(startAt)
  return worldFromFixture(Fixture.parse({ ...catalog, ...fixture }), { ...order, startAt: start })
}

async function made(fixture: object, startAt: string | null = null): Promise<World> {
  const world = await make(fixture, startAt)
  if (isRefusal(world)) throw new Error(world.message)
  expect(audit(booksOf(world))).toEqual([])
  return world
}

const dunningOf = (world: World) =>
  [...world.subscriptions.values()].map((each) => [each.status, each.currentPeriodStart])

it('has a customer past due since two days, by the acts that led there', async () => {
  const world = await made({ now: '2027-03-10T12:00:00Z', history: pastDue })
  expect(world.clock.now()).toBe(instant('2027-03-10T12:00:00Z'))
  expect(dunningOf(world)).toEqual([['past_due', '2027-03-08T12:00:00.000Z']])
  expect([...world.invoices.values()].map(({ status }) => status)).toEqual(['paid', 'open'])
})

it('moves a history told by ago to any other start, and ends there', async () => {
  const world = await made({ now: '2027-03-10', history: pastDue }, '2031-08-20T07:30:00Z')
  expect(world.clock.now()).toBe(instant('2031-08-20T07:30:00Z'))
  expect(dunningOf(world)).toEqual([['past_due', '2031-08-18T07:30:00.000Z']])
})

it('takes days away first, so that a period ended just so long ago at the end of a month too', async () => {
  const world = await made({ now: '2027-03-30', history: pastDue })
  expect(dunningOf(world)).toEqual([['past_due', '2027-03-28T00:00:00.000Z']])
})

it('gives the same bytes for the same fixture', async () => {
  const bytes = async () => JSON.stringify(documentOf(await made({ history: pastDue })))
  expect(await bytes()).toBe(await bytes())
})

it('begins a history without instants where it is told to, and does each step where the last one was', async () => {
  const history = [{ subscribe: ann }, { pause: first }]
  const world = await made({ history }, '2030-05-05')
  expect(world.clock.now()).toBe(instant('2030-05-05'))
  expect(dunningOf(world)).toEqual([['paused', '2030-05-05T00:00:00.000Z']])
  expect((await made({ history })).clock.now()).toBe(instant('2027-01-01'))
})

it('does every act, with what its operation does', async () => {
  const world = await made({
    history: [
      { subscribe: ann },
      { pause: first },
      { resume: first },
      { apply_coupon: { ...first, coupon_id: 'OFF' } },
      { update: { ...first, plan: 'max' } },
      { charge: { customer_id: 'bob', amount: 700, currency: 'USD' } },
      { at: '2027-01-20', ...fails },
      { at: '2027-02-02' },
      { clear_payment_outcomes: {} },
      { pay_invoice: { invoice_id: 'inv_000003' } },
      { create_product: { product_id: 'more', name: 'More' } },
      { create_plan: { ...catalog.plans[0], plan_id: 'late' } },
      { create_customer: { customer_id: 'eve' } },
      { create_coupon: { coupon_id: 'LATE', type: 'percentage', value: 5 } },
      { create_promotion: { code: 'SPRING', coupon_id: 'OFF' } },
      { change_product: { product_id: 'more', name: 'Most' } },
      { change_plan: { plan_id: 'late', amount: 1 } },
      { change_customer: { customer_id: 'bob', payment_method: 'none' } },
      { change_coupon: { coupon_id: 'OFF', stackable: true } },
      { change_promotion: { code: 'SPRING', max_redemptions: 3 } },
      { change_settings: { paused_status_name: 'on_hold' } },
      { cancel: { ...first, at_period_end: true } },
    ],
  })
  expect(world.subscriptions.get('sub_000001')).toMatchObject({
    ...{ status: 'active', planId: 'max', cancelAtPeriodEnd: true },
    discounts: [{ couponId: 'OFF' }],
  })
  expect([...world.charges.values()]).toMatchObject([{ customerId: 'bob', status: 'succeeded' }])
  expect(world.products.get('more')).toMatchObject({ name: 'Most' })
  expect(world.plans.get('late')).toMatchObject({ amount: 1 })
  expect(world.customers.get('bob')).toMatchObject({ paymentMethod: 'none' })
  expect(world.coupons.get('OFF')).toMatchObject({ stackable: true })
  expect(world.promotions.get('SPRING')).toMatchObject({ maxRedemptions: 3 })
  expect(world.coupons.has('LATE') && world.customers.has('eve')).toBe(true)
  expect(world.chosenSettings).toMatchObject({ pausedStatusName: 'on_hold' })
})

it('has an act for every operation that changes what is billed, deletions aside', () => {
  const acts = Object.values(actOperations)
  // Checking out does all that creating does.
  const expected = Object.keys(billingOperations).filter(
    (name) => !name.startsWith('delete') && name !== 'createSubscription',
  )
  expect(acts.sort()).toEqual(expected.sort())
})

it.each([
  ['a step that billing refuses', [{ resume: first }], 'history[0]: subscription_id "sub_000001"'],
  [
    'a step in the past',
    [{ at: '2027-02-01' }, { at: '2027-01-31' }],
    'history[1] must not be before 2027-02-01',
  ],
  ['a step before the start', [{ at: '2026-12-31' }], 'history[0] must not be before 2027-01-01'],
  ['times that grow', [{ ago: 'P1D' }, { ago: 'P2D' }], 'history[1] must not be before 2026-12-31'],
  [
    'two ways to tell times',
    [{ ago: 'P1D' }, { at: '2027-01-01' }],
    'history[1].at must be absent',
  ],
  [
    'a first step without a time',
    [{ subscribe: ann }, { ago: 'P1D' }],
    'history[0].ago is missing',
  ],
  [
    'a history before there are instants',
    [{ ago: 'P60Y' }],
    'history[0].ago must not reach back before 1971',
  ],
  ['years that no clock reaches', [{ at: '9500-01-01' }], 'history[0].at must be 9000-01-01'],
])('refuses %s, and names the step', async (_, history, why) => {
  expect(await make({ history })).toMatchObject({
    refused: 'fixture_unusable',
    message: expect.stringContaining(`The fixture "mine" cannot be used: ${why}`),
  })
})

it('names every record that is refused', async () => {
  const plans = ['one', 'two'].map((plan_id) => ({
    ...catalog.plans[0],
    plan_id,
    product_id: 'no',
  }))
  const refused = await make({ plans, history: [] })
  expect(refused).toMatchObject({
    message: expect.stringMatching(/plans\[0\]: .*plans\[1\]: /),
  })
})
