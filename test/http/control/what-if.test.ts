import { expect, it } from 'vitest'
import type * as z from 'zod'
import type { WireWhatIf } from '../../../src/wire/what-if.ts'
import { submit } from '../../support/client.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { openReceiver, SECRET } from '../../support/receiver.ts'

type WhatIf = z.output<typeof WireWhatIf>

/** Ada has `basic` (10.00 a month) and Linus `pro` (25.00 a month), both since 1 January 2027. */
async function shopOfTwo(): Promise<Shop> {
  const shop = await openShop()
  await submit(shop, '/v1/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await submit(shop, '/v1/subscriptions', { customer_id: 'cus_linus', plan: 'pro' })
  return shop
}

/** Asks, and expects that nothing in the sandbox changed. */
async function ask(shop: Shop, question: object): Promise<WhatIf> {
  const before = await shop.state()
  const answer = await shop.post<WhatIf>('/sandbox/what-if', question)
  expect(answer.status, answer.text).toBe(200)
  expect(await shop.state()).toBe(before)
  return answer.body
}

const money = (paid: number, due = 0, uncollectible = 0) => ({ paid, due, uncollectible })
const alwaysFails = { customer_id: 'cus_ada', always: 'card_declined' }

it('a higher price of a plan: what its customers pay more, and nobody else', async () => {
  const shop = await shopOfTwo()
  const raise = { operation: 'changePlan', params: { plan_id: 'basic' }, body: { amount: 1250 } }
  const found = await ask(shop, { changes: [raise], until: '2027-04-15' })
  expect(found).toMatchObject({
    from: '2027-01-01T00:00:00.000Z',
    until: '2027-04-15T00:00:00.000Z',
    complete_until: '2027-04-15T00:00:00.000Z',
    stopped_because: 'reached',
  })
  // January is paid: February, March and April cost 2.50 more each.
  const difference = money(750)
  const ada = { as_is: money(4000), changed: money(4750), difference }
  expect(found.customers).toEqual([{ customer_id: 'cus_ada', currency: 'USD', ...ada }])
  expect(found.money).toEqual([
    { currency: 'USD', as_is: money(14_000), changed: money(14_750), difference },
  ])
  expect([found.subscriptions_total, found.invoices_total]).toEqual([0, 3])
  expect(found.invoices.map(({ created_at }) => created_at.slice(0, 10))).toEqual([
    '2027-02-01',
    '2027-03-01',
    '2027-04-01',
  ])
  expect(found.invoices[0]).toMatchObject({
    subscription_id: 'sub_000001',
    as_is: { amount_due: 1000, amount_paid: 1000, status: 'paid' },
    changed: { amount_due: 1250, amount_paid: 1250, status: 'paid' },
  })
})

it('no retries for a card that fails: the subscription ends sooner, and less is asked for', async () => {
  const shop = await shopOfTwo()
  await shop.post('/sandbox/payment-outcomes', alwaysFails)
  const changes = [{ operation: 'changeSettings', body: { retry_schedule: [] } }]
  const found = await ask(shop, { changes, until: '2027-02-03' })
  // As it is, the first retry is due on 2 or 4 February, and until the last one the invoice is open.
  expect(found.subscriptions).toEqual([
    {
      subscription_id: 'sub_000001',
      customer_id: 'cus_ada',
      as_is: 'past_due',
      changed: 'canceled',
    },
  ])
  expect(found.customers).toEqual([
    {
      customer_id: 'cus_ada',
      currency: 'USD',
      as_is: money(1000, 1000),
      changed: money(1000, 0, 1000),
      difference: money(0, -1000, 1000),
    },
  ])
  expect(found.invoices).toMatchObject([
    { as_is: { status: 'open' }, changed: { status: 'uncollectible', amount_paid: 0 } },
  ])
})

it('a coupon for one customer: what it takes off, invoice by invoice', async () => {
  const shop = await shopOfTwo()
  const coupon = { coupon_id: 'HALF', type: 'percentage', value: 33.3, duration: 'repeating' }
  const changes = [
    { operation: 'createCoupon', body: { ...coupon, duration_in_months: 2 } },
    {
      operation: 'applyCoupon',
      params: { subscription_id: 'sub_000002' },
      body: { coupon_id: 'HALF' },
    },
  ]
  const found = await ask(shop, { changes, for: 'P6M' })
  // 33.3 % of 25.00 is 8.325, and half a cent is rounded up: twice 8.33.
  expect(found.invoices.map(({ changed }) => changed?.discount_total)).toEqual([833, 833])
  expect(found.customers).toMatchObject([{ customer_id: 'cus_linus', difference: money(-1666) }])
  expect((await shop.get('/sandbox/coupons/HALF')).status).toBe(404)
})

it('a cancellation in spring: the invoices that are not made, and what is not paid', async () => {
  const shop = await shopOfTwo()
  const cancel = {
    operation: 'cancelSubscription',
    at: '2027-04-10T09:00:00Z',
    params: { subscription_id: 'sub_000002' },
    body: { at_period_end: true },
  }
  const found = await ask(shop, { changes: [cancel], until: '2027-07-01' })
  expect(found.subscriptions).toMatchObject([
    { subscription_id: 'sub_000002', as_is: 'active', changed: 'canceled' },
  ])
  // April is paid for; May, June and July are not made. Ada's invoices get other numbers, and are no difference.
  expect(found.invoices).toHaveLength(3)
  for (const { subscription_id, changed, as_is } of found.invoices) {
    expect([subscription_id, changed, as_is?.amount_paid]).toEqual(['sub_000002', null, 2500])
  }
  expect(found.money).toMatchObject([{ currency: 'USD', difference: money(-7500) }])
})

it('a new customer, a charge and a rule for payments: everything that only the changes bring', async () => {
  const shop = await shopOfTwo()
  const changes = [
    {
      operation: 'createSubscription',
      at: '2027-02-10',
      body: { customer_id: 'new', plan: 'pro_yearly' },
    },
    { operation: 'createCustomer', body: { customer_id: 'new', currency: 'USD' } },
    {
      operation: 'createCharge',
      at: '2027-02-11',
      body: { customer_id: 'new', amount: 4200, currency: 'USD' },
    },
    { operation: 'scriptPaymentOutcomes', at: '2027-02-12', body: alwaysFails },
  ]
  const found = await ask(shop, { changes, until: '2027-03-02' })
  expect(found.subscriptions).toMatchObject([
    { subscription_id: 'sub_000001', as_is: 'active', changed: 'past_due' },
    { subscription_id: 'sub_000003', as_is: null, changed: 'active' },
  ])
  expect(found.customers).toMatchObject([
    { customer_id: 'cus_ada', difference: money(-1000, 1000) },
    { customer_id: 'new', as_is: money(0), difference: money(29_200) },
  ])
  expect(found.money[0]?.difference).toEqual(money(28_200, 1000))
})

it('is what an advance and the same calls then do', async () => {
  const shop = await shopOfTwo()
  const { money: asked } = await ask(shop, {
    changes: [
      { operation: 'changePlan', params: { plan_id: 'basic' }, body: { amount: 1234 } },
      {
        operation: 'updateSubscription',
        at: '2027-03-15',
        params: { subscription_id: 'sub_000002' },
        body: { plan: 'pro_yearly' },
      },
    ],
    until: '2027-06-01',
  })
  await shop.call('PATCH', '/sandbox/plans/basic', { json: { amount: 1234 } })
  await shop.post('/sandbox/clock/advance', { to: '2027-03-15' })
  await submit(shop, '/v1/subscriptions/sub_000002/update', { plan: 'pro_yearly' })
  await shop.post('/sandbox/clock/advance', { to: '2027-06-01' })
  const { body } = await shop.get<{ data: { amount_paid: number }[] }>('/sandbox/invoices')
  const paid = body.data.reduce((sum, { amount_paid }) => sum + amount_paid, 0)
  expect(asked[0]?.changed).toEqual(money(paid))
  // A downgrade waits for the end of its period: a month of 25.00 three times, then a year.
  expect(paid).toBe(1000 + 5 * 1234 + 3 * 2500 + 25_000)
})

it('answers the same bytes whenever it is asked, and in another sandbox like it', async () => {
  const [one, other] = [await shopOfTwo(), await shopOfTwo()]
  const question = {
    changes: [{ operation: 'pauseSubscription', params: { subscription_id: 'sub_000001' } }],
    for: 'P1Y',
  }
  const texts = []
  for (const shop of [one, one, other]) {
    texts.push((await shop.post('/sandbox/what-if', question)).text)
  }
  expect(texts[1]).toBe(texts[0])
  expect(texts[2]).toBe(texts[0])
})

it.each([
  [
    { operation: 'cancelSubscription', params: { subscription_id: 'sub_9' } },
    404,
    /^changes\[1\]: subscription_id "sub_9" does not exist/,
  ],
  [
    {
      operation: 'createPlan',
      body: {
        plan_id: 'pro',
        product_id: 'prod_app',
        name: 'Pro',
        amount: 1,
        currency: 'USD',
        interval: 'month',
      },
    },
    409,
    /^changes\[1\]: plan_id "pro" exists already/,
  ],
  [
    {
      operation: 'resumeSubscription',
      at: '2027-03-01',
      params: { subscription_id: 'sub_000002' },
    },
    409,
    /^changes\[1\]: .*sub_000002/,
  ],
])('refuses all where %o is refused, and names it', async (change, status, message) => {
  const shop = await shopOfTwo()
  const before = await shop.state()
  const fine = { operation: 'changePlan', params: { plan_id: 'basic' }, body: { amount: 1 } }
  const { body, ...answer } = await shop.post<{ detail: string; errors: object[] }>(
    '/sandbox/what-if',
    { changes: [fine, change], for: 'P3M' },
  )
  expect(answer.status, answer.text).toBe(status)
  expect(body.detail).toMatch(message)
  expect(body.errors).toMatchObject([{ field: 'changes[1]' }])
  expect(await shop.state()).toBe(before)
})

const plan = { operation: 'changePlan', params: { plan_id: 'basic' } }

it.each([
  [{}, 'changes', /^changes is missing; it must be a list of 1 to 100 changes/],
  [{ changes: [] }, 'changes', /^changes must be a list of 1 to 100 changes; got \[\]/],
  [
    { changes: [{ operation: 'reset' }] },
    'changes[0].operation',
    /must be one of createSubscription, /,
  ],
  [
    { changes: [{ ...plan, body: { amount: -1 } }] },
    'changes[0].body.amount',
    /must be an integer from 0/,
  ],
  [
    { changes: [{ ...plan, body: { amount: 1, price: 2 } }] },
    'changes[0].body.price',
    /is not a known field/,
  ],
  [{ changes: [{ operation: 'changePlan', body: {} }] }, 'changes[0].params', /is missing/],
  [
    { changes: [{ ...plan, body: {}, at: 'soon' }] },
    'changes[0].at',
    /must be an RFC 3339 instant/,
  ],
  [
    { changes: [{ ...plan, body: {}, at: '2026-12-31' }] },
    'changes[0].at',
    /must be from 2027-01-01T/,
  ],
  [
    { changes: [{ ...plan, body: {}, at: '2029-01-01' }] },
    'changes[0].at',
    /to 2028-01-01T00:00:00.000Z/,
  ],
  [{ changes: [{ ...plan, body: {} }], until: '2028-01-01', for: 'P1Y' }, 'body', /until or for/],
])('names the field of what is no question: %j', async (question, field, message) => {
  const shop = await openShop()
  const { status, body } = await shop.post<{ errors: { field: string; message: string }[] }>(
    '/sandbox/what-if',
    question,
  )
  expect(status).toBe(400)
  expect(body.errors).toMatchObject([{ field, message: expect.stringMatching(message) }])
})

it.each([
  [{ until: '2026-12-31' }, 'clock_backwards'],
  [{ until: '9500-01-01' }, 'clock_limit'],
  [{ for: 'P99999Y' }, 'clock_limit'],
])('looks at no time that the clock cannot come to: %j', async (until, code) => {
  const shop = await openShop()
  const question = { changes: [{ ...plan, body: {} }], ...until }
  expect((await shop.post('/sandbox/what-if', question)).body).toMatchObject({ status: 409, code })
})

it('lets changes be made at once where it looks no further than now', async () => {
  const shop = await shopOfTwo()
  const changes = [{ operation: 'cancelSubscription', params: { subscription_id: 'sub_000001' } }]
  const found = await ask(shop, { changes, until: '2027-01-01' })
  expect(found.subscriptions).toMatchObject([{ as_is: 'active', changed: 'canceled' }])
})

it('tells no webhook of what is not so', async () => {
  const shop = await shopOfTwo()
  const receiver = await openReceiver()
  await shop.post('/sandbox/webhooks', { url: receiver.url, secret: SECRET })
  const changes = [{ operation: 'cancelSubscription', params: { subscription_id: 'sub_000001' } }]
  await ask(shop, { changes, until: '2027-06-01' })
  // What is told next is told in order, so that anything before it would show.
  await submit(shop, '/v1/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await receiver.until(1)
  expect(receiver.heard[0]?.event).toMatchObject({
    type: 'subscription.created',
    subject: { id: 'sub_000003' },
  })
})
