import { describe, expect, it } from 'vitest'
import { openShop } from '../../support/control.ts'

const plan = { plan_id: 'new', product_id: 'prod_app', name: 'New', amount: 4000, currency: 'USD' }

/** What is created, what the answer has beside it, what is patched, and a record that others refer to. */
const listed = [
  {
    path: '/sandbox/products',
    id: 'product_id',
    create: { product_id: 'prod_new', name: 'New' },
    more: {},
    patch: { name: 'Newer' },
    used: 'prod_app',
  },
  {
    path: '/sandbox/plans',
    id: 'plan_id',
    create: { ...plan, interval: 'week' },
    more: { interval_count: 1 },
    patch: { amount: 4500 },
    used: 'basic',
  },
  {
    path: '/sandbox/customers',
    id: 'customer_id',
    create: { customer_id: 'cus_new' },
    more: { name: null, email: null, currency: null, payment_method: 'valid', balance: 0 },
    patch: { name: 'Emmy', balance: 700, payment_method: 'none' },
    used: 'cus_ada',
  },
  {
    path: '/sandbox/coupons',
    id: 'coupon_id',
    create: { coupon_id: 'NEW', type: 'percentage', value: 12.5 },
    more: {
      ...{ currency: null, duration: 'once', duration_in_months: null, stackable: false },
      ...{ max_redemptions: null, expires_at: null, times_redeemed: 0 },
      ...{ applies_to_plans: null, applies_to_products: null },
    },
    patch: { max_redemptions: 3, applies_to_plans: ['pro'] },
    used: 'SAVE20',
  },
  {
    path: '/sandbox/promotions',
    id: 'code',
    create: { code: 'SPRING', coupon_id: 'SAVE20' },
    more: { starts_at: null, expires_at: null, max_redemptions: null, times_redeemed: 0 },
    patch: { starts_at: '2027-03-01T00:00:00.000Z' },
    used: null,
  },
] as const

describe.each(listed)('$path', ({ path, id, create, more, patch, used }) => {
  const answer = { ...create, ...more }
  const chosen = (create as Record<string, unknown>)[id] as string
  const at = `${path}/${chosen}`

  it('creates, retrieves, lists, changes and deletes', async () => {
    const shop = await openShop()
    const made = await shop.post(path, create)
    expect(made).toMatchObject({ status: 201, body: answer })
    expect(made.headers.get('Location')).toBe(at)
    expect(await shop.get(at)).toMatchObject({ status: 200, body: answer })
    const { body } = await shop.get<{ data: unknown[] }>(path)
    expect(body.data.at(-1)).toEqual(answer)
    const changed = await shop.call('PATCH', at, { json: patch })
    expect(changed).toMatchObject({ status: 200, body: { ...answer, ...patch } })
    expect((await shop.get(at)).body).toEqual(changed.body)
    expect(await shop.call('DELETE', at)).toMatchObject({ status: 204, text: '' })
    expect((await shop.get(at)).status).toBe(404)
  })

  it('refuses an identifier that is taken', async () => {
    const shop = await openShop()
    await shop.post(path, create)
    expect(await shop.post(path, create)).toMatchObject({ status: 409, body: { code: 'exists' } })
  })

  it('knows nothing of an identifier that is not there', async () => {
    const shop = await openShop()
    const [got, changed, deleted] = await Promise.all([
      shop.get(`${path}/nobody`),
      shop.call('PATCH', `${path}/nobody`, { json: patch }),
      shop.call('DELETE', `${path}/nobody`),
    ])
    for (const { status, body } of [got, changed, deleted]) {
      expect(status).toBe(404)
      expect(body).toMatchObject({ code: 'not_found', detail: expect.stringContaining('"nobody"') })
    }
  })

  it('leaves everything as it is for an empty patch, and refuses a field it does not know', async () => {
    const shop = await openShop()
    await shop.post(path, create)
    expect((await shop.call('PATCH', at, { json: {} })).body).toEqual(answer)
    const refused = await shop.call('PATCH', at, { json: { [id]: 'other' } })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: id }] } })
  })

  it('keeps what something refers to', async () => {
    const shop = await openShop()
    if (used === null) return
    await shop.post('/sandbox/promotions', { code: 'SPRING', coupon_id: 'SAVE20' })
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    const before = await shop.state()
    const refused = await shop.call('DELETE', `${path}/${used}`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(await shop.state()).toBe(before)
  })
})

describe('counted identifiers', () => {
  it('are given where the caller chooses none', async () => {
    const shop = await openShop()
    const made = await shop.post('/sandbox/products', { name: 'Counted' })
    expect(made.body).toMatchObject({ product_id: 'prod_000001' })
    const customer = await shop.post('/sandbox/customers', {})
    expect(customer.headers.get('Location')).toBe('/sandbox/customers/cus_000001')
  })

  it('pass over one that a caller chose before', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/customers', { customer_id: 'cus_000001' })
    const { body } = await shop.post('/sandbox/customers', {})
    expect(body).toMatchObject({ customer_id: 'cus_000002' })
  })
})

describe('promotions', () => {
  const [noon, later] = ['2027-03-01T12:00:00.000Z', '2027-03-02T12:00:00.000Z'] as const
  const named = { code: 'SPRING', coupon_id: 'SAVE20' }
  const refused = {
    status: 400,
    body: { code: 'invalid_request', detail: expect.stringContaining('starts_at must be before') },
  }

  it.each([
    [noon, noon],
    [later, noon],
  ])('cannot start at %s and expire at %s', async (starts_at, expires_at) => {
    const shop = await openShop()
    const before = await shop.state()
    const window = { starts_at, expires_at }
    expect(await shop.post('/sandbox/promotions', { ...named, ...window })).toMatchObject(refused)
    expect(await shop.state()).toBe(before)
    const made = await shop.post('/sandbox/promotions', named)
    const json = { json: window }
    expect(await shop.call('PATCH', '/sandbox/promotions/SPRING', json)).toMatchObject(refused)
    expect((await shop.get('/sandbox/promotions/SPRING')).body).toEqual(made.body)
  })

  it('cannot be patched to start at what they expire at already, or the other way round', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/promotions', { ...named, starts_at: noon, expires_at: later })
    const patch = (json: object) => shop.call('PATCH', '/sandbox/promotions/SPRING', { json })
    expect(await patch({ starts_at: later })).toMatchObject(refused)
    expect(await patch({ expires_at: noon })).toMatchObject(refused)
    expect(await patch({ starts_at: null, expires_at: noon })).toMatchObject({ status: 200 })
  })
})

describe('coupons', () => {
  it('cannot be limited to plans that are not there', async () => {
    const shop = await openShop()
    const applies_to_plans = ['basic', 'nope']
    const terms = { coupon_id: 'ODD', type: 'percentage', value: 10, applies_to_plans }
    expect(await shop.post('/sandbox/coupons', terms)).toMatchObject({
      status: 404,
      body: { detail: expect.stringMatching(/applies_to_plans "nope"/) },
    })
  })

  it('cannot be limited to fewer redemptions than were made', async () => {
    const shop = await openShop()
    const order = { customer_id: 'cus_ada', plan: 'basic', coupon_id: 'SAVE20' }
    await shop.post('/sandbox/subscriptions', order)
    await shop.post('/sandbox/subscriptions', order)
    const limit = (max_redemptions: number | null) =>
      shop.call('PATCH', '/sandbox/coupons/SAVE20', { json: { max_redemptions } })
    expect(await limit(1)).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect((await limit(2)).status).toBe(200)
    expect(await limit(null)).toMatchObject({ status: 200, body: { max_redemptions: null } })
  })
})

describe('customers', () => {
  it('take their scripted payments with them, and no others', async () => {
    const shop = await openShop()
    const customer_id = 'cus_gone'
    await shop.post('/sandbox/customers', { customer_id })
    for (const scope of [{ customer_id }, { customer_id: 'cus_ada' }, {}]) {
      await shop.post('/sandbox/payment-outcomes', { ...scope, always: 'card_declined' })
    }
    expect((await shop.call('DELETE', `/sandbox/customers/${customer_id}`)).status).toBe(204)
    const { body } = await shop.get<{ data: { scope: object }[] }>('/sandbox/payment-outcomes')
    expect(body.data.map(({ scope }) => scope)).toEqual([{ customer_id: 'cus_ada' }, {}])
  })

  it('have what they were given by hand on record, so that the books stay sound', async () => {
    const shop = await openShop()
    for (const balance of [700, 300]) {
      await shop.call('PATCH', '/sandbox/customers/cus_ada', { json: { balance } })
    }
    expect((await shop.get('/sandbox/audit')).body).toMatchObject({ ok: true })
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    await shop.call('PATCH', '/sandbox/customers/cus_ada', { json: { balance: 50 } })
    expect((await shop.get('/sandbox/audit')).body).toMatchObject({ ok: true })
  })
})
