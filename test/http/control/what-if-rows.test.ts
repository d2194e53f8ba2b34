/** Which records a what-if lists, and what its changes are answered with. */
import { expect, it } from 'vitest'
import { submit } from '../../support/client.ts'
import { openShop } from '../../support/control.ts'
import { ask, shopOfTwo } from '../../support/what-if-client.ts'

const ada = { customer_id: 'cus_ada' }
const sub = { params: { subscription_id: 'sub_000001' } }

it('lists no customer whose money is the same, also where only one future has an invoice', async () => {
  const shop = await openShop()
  await shop.post('/sandbox/plans', {
    ...{ plan_id: 'free', product_id: 'prod_app', name: 'Free' },
    ...{ amount: 0, currency: 'USD', interval: 'month' },
  })
  const changes = [{ operation: 'createSubscription', body: { ...ada, plan: 'free' } }]
  const found = await ask(shop, { changes, until: '2027-01-01' })
  expect(found.invoices).toMatchObject([{ as_is: null, changed: { amount_due: 0 } }])
  expect([found.customers, found.customers_total]).toEqual([[], 0])
})

it('counts a charge that fails as nothing paid', async () => {
  const shop = await shopOfTwo()
  const charge = { operation: 'createCharge', body: { ...ada, amount: 4200, currency: 'USD' } }
  const always = { ...ada, always: 'card_declined' }
  const declined = { operation: 'scriptPaymentOutcomes', body: always }
  const paid = await ask(shop, { changes: [charge], until: '2027-01-01' })
  expect(paid.money).toMatchObject([{ difference: { paid: 4200 } }])
  const failed = await ask(shop, { changes: [declined, charge], until: '2027-01-01' })
  expect(failed.money).toMatchObject([{ difference: { paid: 0 } }])
  expect(failed.customers).toEqual([])
})

it('does not compare the invoice of a period with that of a plan change at the same instant', async () => {
  const shop = await openShop()
  await submit(shop, '/v1/subscriptions', { ...ada, plan: 'basic' })
  await shop.post('/sandbox/coupons', { coupon_id: 'WEEK', type: 'trial_extension', value: 7 })
  const changes = [
    { operation: 'applyCoupon', ...sub, body: { coupon_id: 'WEEK' } },
    { operation: 'updateSubscription', at: '2027-02-01', ...sub, body: { plan: 'pro' } },
  ]
  // As it is, the period ends on 1 February. With the week more, that day has the upgrade only.
  const { invoices } = await ask(shop, { changes, until: '2027-02-01' })
  expect(
    invoices.map(({ reason, as_is, changed }) => [reason, as_is !== null, changed !== null]),
  ).toEqual([
    ['period', true, false],
    ['proration', false, true],
  ])
})

it('lists an invoice for another plan of the same price', async () => {
  const shop = await shopOfTwo()
  await shop.post('/sandbox/plans', {
    ...{ plan_id: 'twin', product_id: 'prod_app', name: 'Twin' },
    ...{ amount: 1000, currency: 'USD', interval: 'month' },
  })
  const changes = [{ operation: 'updateSubscription', ...sub, body: { plan: 'twin' } }]
  const { invoices } = await ask(shop, { changes, until: '2027-02-01' })
  expect(invoices.map(({ created_at }) => created_at.slice(0, 10))).toContain('2027-02-01')
})

it('counts what customers have as balance, whichever future gives it a currency', async () => {
  const shop = await openShop()
  await shop.post('/sandbox/customers', { customer_id: 'rich', balance: 300 })
  const order = { customer_id: 'rich', plan: 'basic' }
  const create = { operation: 'createSubscription', body: order }
  const { customers } = await ask(shop, { changes: [create], until: '2027-01-01' })
  expect(customers).toMatchObject([
    { customer_id: 'rich', as_is: { balance: 300 }, changed: { balance: 0, paid: 700 } },
  ])
  const trial = { ...create, body: { ...order, trial_period_days: 7 } }
  expect((await ask(shop, { changes: [trial], until: '2027-01-01' })).customers).toEqual([])
})

it('answers what each change would be answered with, in the order of their instants', async () => {
  const shop = await shopOfTwo()
  const later = { operation: 'cancelSubscription', at: '2027-03-10', ...sub }
  const changes = [
    later,
    { operation: 'clearPaymentOutcomes' },
    { operation: 'pauseSubscription', ...sub },
  ]
  const { answers } = await ask(shop, { changes, until: '2027-04-01' })
  expect(answers).toMatchObject([
    { operation: 'clearPaymentOutcomes', body: null },
    { operation: 'pauseSubscription', body: { subscription_id: 'sub_000001', status: 'paused' } },
    {
      operation: 'cancelSubscription',
      body: { status: 'canceled', ended_at: '2027-03-10T00:00:00.000Z' },
    },
  ])
})

it('explains the invoices that only the changes make, where it is asked to', async () => {
  const shop = await shopOfTwo()
  const changes = [
    { operation: 'updateSubscription', at: '2027-01-16', ...sub, body: { plan: 'pro' } },
  ]
  const question = { changes, until: '2027-02-01' }
  expect((await ask(shop, question)).explanations).toEqual([])
  const { explanations } = await ask(shop, { ...question, explain: true })
  await shop.post('/sandbox/clock/advance', { to: '2027-01-16' })
  await submit(shop, '/v1/subscriptions/sub_000001/update', { plan: 'pro' })
  const [explained] = explanations
  expect(explanations).toHaveLength(1)
  const { body } = await shop.get(`/sandbox/invoices/${explained?.invoice.invoice_id}/explain`)
  expect(explained).toEqual(body)
})

it('lists the first thousand invoices of each future, however many the other has before', async () => {
  const shop = await openShop()
  for (const [plan_id, interval, interval_count] of [
    ['daily', 'day', 1] as const,
    ['triennial', 'year', 3] as const,
  ]) {
    const terms = { product_id: 'prod_app', amount: 100, currency: 'USD', interval, interval_count }
    await shop.post('/sandbox/plans', { plan_id, name: plan_id, ...terms })
  }
  await submit(shop, '/v1/subscriptions', { ...ada, plan: 'daily' })
  const changes = [{ operation: 'updateSubscription', ...sub, body: { plan: 'triennial' } }]
  const found = await ask(shop, { changes, until: '2030-01-03', unchanged: true })
  const sides = (side: 'as_is' | 'changed') => found.invoices.filter((row) => row[side] !== null)
  expect(sides('as_is').length).toBeGreaterThanOrEqual(1000)
  expect(found.invoices_total).toBeGreaterThan(found.invoices.length)
  expect(sides('changed').map(({ created_at }) => created_at.slice(0, 10))).toContain('2030-01-02')
})

it('lists with unchanged all invoices of the first customers, where there is no room for those of all', async () => {
  const shop = await openShop()
  const terms = { product_id: 'prod_app', amount: 100, currency: 'USD', interval: 'day' }
  await shop.post('/sandbox/plans', { plan_id: 'daily', name: 'Daily', ...terms })
  await shop.post('/sandbox/customers', { customer_id: 'cus_third' })
  for (const customer_id of ['cus_ada', 'cus_linus', 'cus_third']) {
    await submit(shop, '/v1/subscriptions', { ...ada, customer_id, plan: 'daily' })
  }
  const change = { operation: 'changePlan', params: { plan_id: 'daily' }, body: { amount: 150 } }
  const question = { changes: [change], until: '2028-01-01T00:00:00.000Z' }
  const whole = await ask(shop, { ...question, unchanged: true })
  const customers = whole.invoices.map(({ customer_id }) => customer_id)
  expect(new Set(customers)).toEqual(new Set(['cus_ada', 'cus_linus']))
  expect(customers.length).toBe(730)
  expect(whole.invoices_total).toBe(1095)
  expect(whole.customers_total).toBe(3)
  expect(new Set((await ask(shop, question)).invoices.map((row) => row.customer_id)).size).toBe(3)
})
