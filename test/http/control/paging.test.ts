import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../support/control.ts'

interface Page {
  readonly data: readonly unknown[]
  readonly has_more: boolean
  readonly next_after: string | null
}

async function stocked(): Promise<Shop> {
  const shop = await openShop()
  for (let each = 0; each < 7; each += 1) {
    await shop.post('/sandbox/products', { name: `Product ${each}` })
    await shop.post('/sandbox/promotions', { code: `CODE${each}`, coupon_id: 'SAVE20' })
    await shop.post('/sandbox/tokens', {})
    await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: each, currency: 'USD' })
    await shop.post('/sandbox/subscriptions', { customer_id: 'cus_linus', plan: 'basic' })
    await shop.post('/sandboxes', { fixture: 'empty' })
    await shop.post('/sandbox/checkpoints', { name: `moment-${each}` })
    await shop.post('/sandbox/customers', { customer_id: `cus_${each}` })
    await shop.post('/sandbox/payment-outcomes', { customer_id: `cus_${each}`, always: 'succeed' })
  }
  return shop
}

const lists = [
  '/sandbox/products',
  '/sandbox/plans',
  '/sandbox/customers',
  '/sandbox/coupons',
  '/sandbox/promotions',
  '/sandbox/subscriptions',
  '/sandbox/invoices',
  '/sandbox/charges',
  '/sandbox/tokens',
  '/sandbox/payment-outcomes',
  '/sandbox/assumptions',
  '/sandbox/checkpoints',
  '/sandboxes',
]

describe.each(lists)('the pages of %s', (path) => {
  it('hold every record once, in both orders, whatever their size', async () => {
    const shop = await stocked()
    const oldest = await shop.get<Page>(`${path}?limit=1000`)
    expect(oldest.body).toMatchObject({ has_more: false, next_after: null })
    expect(oldest.body.data.length).toBeGreaterThan(1)
    const newest = [...oldest.body.data].reverse()
    const most = newest.length
    for (const [limit, order] of [1, 3, most].flatMap((each) => [
      [each, ''] as const,
      [each, '&order=oldest'] as const,
      [each, '&order=newest'] as const,
    ])) {
      const data: unknown[] = []
      let query = `?limit=${limit}${order}`
      for (let more = true; more; ) {
        const { body } = await shop.get<Page>(`${path}${query}`)
        data.push(...body.data)
        more = body.has_more
        expect(body.next_after === null).toBe(!more)
        query = `?limit=${limit}${order}&after=${encodeURIComponent(body.next_after ?? '')}`
      }
      expect(data, query).toEqual(order === '&order=newest' ? newest : oldest.body.data)
    }
  })

  it('name a cursor that they do not know, and a limit that is none', async () => {
    const shop = await openShop()
    const lost = await shop.get(`${path}?after=nobody`)
    expect(lost).toMatchObject({
      status: 400,
      body: {
        code: 'invalid_request',
        errors: [{ field: 'after', message: expect.stringMatching(/"nobody"/) }],
      },
    })
    for (const limit of ['0', '1001', '-1', '1e2', '01', 'all', '1.5', '']) {
      const refused = await shop.get(`${path}?limit=${limit}`)
      expect(refused, limit).toMatchObject({ status: 400, body: { errors: [{ field: 'limit' }] } })
    }
    expect((await shop.get(`${path}?limit=5&limit=6`)).status).toBe(400)
    expect((await shop.get(`${path}?page=2`)).status).toBe(400)
    expect((await shop.get(`${path}?order=up`)).body).toMatchObject({
      errors: [{ field: 'order' }],
    })
  })
})

describe('a page', () => {
  it('holds a hundred records by default', async () => {
    const shop = await openShop()
    const charge = { customer_id: 'cus_ada', amount: 1, currency: 'USD' }
    for (let each = 0; each < 101; each += 1) await shop.post('/sandbox/charges', charge)
    const { body } = await shop.get<Page>('/sandbox/charges')
    expect(body.data.length).toBe(100)
    expect(body).toMatchObject({ has_more: true, next_after: 'ch_000100' })
  })

  it('says of a cursor whose record was deleted that it is gone with it', async () => {
    const shop = await stocked()
    const { body } = await shop.get<Page>('/sandbox/products?limit=2')
    await shop.call('DELETE', `/sandbox/products/${body.next_after}`)
    expect(
      (await shop.get(`/sandbox/products?limit=2&after=${body.next_after}`)).body,
    ).toMatchObject({
      detail: `after must be the next_after of the page before, of a record that was not deleted since; got "${body.next_after}".`,
    })
  })

  it('goes on after a record that has since left the filter', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/payment-outcomes', { always: 'card_declined' })
    for (let each = 0; each < 3; each += 1) {
      await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    }
    const query = '/sandbox/invoices?status=open&limit=1'
    expect((await shop.get(query)).body).toMatchObject({ next_after: 'inv_000001' })
    await shop.call('DELETE', '/sandbox/payment-outcomes')
    await shop.post('/sandbox/invoices/inv_000001/pay')
    const next = await shop.get(`${query}&after=inv_000001`)
    expect(next.body).toMatchObject({ data: [{ invoice_id: 'inv_000002' }] })
  })
})
