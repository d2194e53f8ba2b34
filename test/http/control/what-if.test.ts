import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { submit } from '../../support/client.ts'
import { openReceiver, SECRET } from '../../support/receiver.ts'
import { ask, shopOfTwo } from '../../support/what-if-client.ts'

const money = (paid: number, due = 0, uncollectible = 0) => {
  return { paid, due, uncollectible, balance: 0 }
}
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
      as_is_ended_at: null,
      changed_ended_at: '2027-02-01T00:00:00.000Z',
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

it('says how far it is, to everybody who describes the sandbox meanwhile', async () => {
  const shop = await shopOfTwo()
  const progress = async () =>
    (await shop.get<{ what_if_progress: number | null }>('/sandbox')).body.what_if_progress
  expect(await progress()).toBeNull()
  const terms = { product_id: 'prod_app', currency: 'USD', interval: 'day', amount: 100 }
  await shop.post('/sandbox/plans', { plan_id: 'daily', name: 'Daily', ...terms })
  const create = {
    operation: 'createSubscription',
    body: { customer_id: 'cus_ada', plan: 'daily' },
  }
  const changes = Array.from({ length: 10 }, () => create)
  let isAnswered = false
  const asked = ask(shop, { changes, for: 'P1Y' }).finally(() => {
    isAnswered = true
  })
  const shares = new Set<number>()
  for (; !isAnswered; await nextTurn()) shares.add((await progress()) ?? 0)
  await asked
  const seen = [...shares]
  expect(seen.length).toBeGreaterThan(2)
  expect(seen).toEqual(seen.toSorted((one, other) => one - other))
  // The comparison that follows is the rest.
  expect(seen.at(-1)).toBeLessThanOrEqual(0.8)
  expect(seen.at(-1)).toBeGreaterThan(0.4)
  expect(await progress()).toBeNull()
})
