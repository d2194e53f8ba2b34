import { describe, expect, it } from 'vitest'
import { inSandbox, openShop, type Shop } from '../../support/control.ts'

/** A script that touches everything but tokens, which are random; some of its calls are refused. */
async function play(shop: Shop): Promise<string> {
  const key = { Authorization: 'Bearer sk_sandbox_default' }
  await shop.post('/sandbox/customers', { balance: 150, currency: 'USD' })
  await shop.post('/sandbox/promotions', { code: 'SPRING', coupon_id: 'SAVE20' })
  const order = { customer_id: 'cus_000001', plan: 'basic', promotion_code: 'SPRING' }
  await shop.post('/sandbox/subscriptions', order)
  await shop.post('/sandbox/subscriptions', { customer_id: 'nobody', plan: 'basic' })
  await shop.post('/sandbox/payment-outcomes', { outcomes: ['card_declined', 'succeed'] })
  await shop.call('PATCH', '/sandbox/settings', { json: { retry_schedule: ['P2D'] } })
  await shop.post('/sandbox/clock/advance', { by: 'P40D' })
  const json = { plan: 'pro' }
  await shop.call('POST', '/v1/subscriptions/sub_000001/update', { json, headers: key })
  await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' })
  return shop.state()
}

describe('a reset', () => {
  it('followed by the same calls gives the same bytes', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/tokens', {})
    await shop.post('/sandbox/reset')
    const first = await play(shop)
    await shop.post('/sandbox/reset')
    expect(await play(shop)).toBe(first)
  })

  it('goes back to what the sandbox was made from, start and settings included', async () => {
    const shop = await openShop()
    const settings = { after_retries: 'keep_past_due' }
    const json = { fixture: 'starter', now: '2027-06-01T00:00:00Z', settings }
    await shop.call('PUT', '/sandboxes/mine', { json })
    const mine = inSandbox(shop, 'mine')
    await mine.call('PATCH', '/sandbox/settings', { json: { after_retries: 'cancel' } })
    await mine.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    await mine.post('/sandbox/clock/advance', { by: 'P1Y' })
    const reset = await mine.post('/sandbox/reset')
    expect(reset).toMatchObject({
      status: 200,
      body: { now: '2027-06-01T00:00:00.000Z', counts: { subscriptions: 0, events: 1 } },
    })
    expect((await mine.get('/sandbox/settings')).body).toMatchObject(settings)
    expect(reset.headers.get('Request-Id')).toBe('req_000001')
  })

  it('to another fixture takes its clock and its settings, and stays with it', async () => {
    const shop = await openShop()
    const json = { now: '2027-06-01T00:00:00Z', settings: { after_retries: 'keep_past_due' } }
    await shop.call('PUT', '/sandboxes/mine', { json })
    const mine = inSandbox(shop, 'mine')
    for (const body of [{ fixture: 'empty' }, {}, undefined]) {
      expect((await mine.post('/sandbox/reset', body)).body).toMatchObject({
        now: '2027-01-01T00:00:00.000Z',
        counts: { customers: 0 },
      })
    }
    const settings = await mine.get('/sandbox/settings')
    expect(settings.body).toMatchObject({ after_retries: 'cancel' })
  })

  it('runs the history of its fixture again', async () => {
    const shop = await openShop({ fixture: 'dunning' })
    const before = await shop.get('/sandbox/invoices')
    await shop.post('/sandbox/clock/advance', { by: 'P1Y' })
    await shop.post('/sandbox/reset')
    expect((await shop.get('/sandbox/invoices')).text).toBe(before.text)
  })

  it.each([
    [{ fixture: 'nope' }, 404, 'not_found'],
    [{ fixture: '../../etc/passwd' }, 400, 'invalid_request'],
    [{ fixture: null }, 400, 'invalid_request'],
    [{ now: '2027-01-01T00:00:00Z' }, 400, 'invalid_request'],
  ])('with %j is refused with %i, and changes nothing', async (body, status, code) => {
    const shop = await openShop()
    await play(shop)
    const before = await shop.state()
    expect(await shop.post('/sandbox/reset', body)).toMatchObject({ status, body: { code } })
    expect(await shop.state()).toBe(before)
  })
})

describe('the sandbox', () => {
  it('shows its key, its now, how much it holds and what falls due', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    expect((await shop.get('/sandbox')).body).toMatchObject({
      sandbox_id: 'default',
      api_key: 'sk_sandbox_default',
      now: '2027-01-01T00:00:00.000Z',
      counts: { customers: 3, plans: 4, coupons: 9, subscriptions: 1, invoices: 1 },
      next_due: { kind: 'period_end' },
    })
  })

  it('audits its books, and finds them in order', async () => {
    const shop = await openShop({ fixture: 'dunning' })
    await shop.post('/sandbox/clock/advance', { by: 'P1Y' })
    const { body } = await shop.get('/sandbox/audit')
    expect(body).toMatchObject({ ok: true, violations: [], checked: { customers: 6 } })
  })

  it('names the record that breaks a promise', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    await shop.registry.default.read((world) => {
      const invoice = world.invoices.get('inv_000001')
      if (invoice) world.invoices.put({ ...invoice, subtotal: 7 })
    })
    expect((await shop.get('/sandbox/audit')).body).toMatchObject({
      ok: false,
      violations: [{ invariant: 'invoice_totals', id: 'inv_000001' }],
    })
  })
})
