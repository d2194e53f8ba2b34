import { describe, expect } from 'vitest'
import { itAt, type Visitor } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')

interface Found {
  readonly label: string
  readonly kind: string
  readonly path: string
}

async function find(me: Visitor, text: string): Promise<string[]> {
  const { html, status } = await me.open(`find?${new URLSearchParams({ text })}`)
  expect(status).toBe(200)
  const found: Found[] = JSON.parse(html)
  for (const { path } of found) expect((await me.open(path)).status).toBe(200)
  return found.map(({ label, kind }) => `${kind} ${label}`)
}

describe('what the palette finds', () => {
  it('is records of every kind, by a part of their id, their name or their e-mail address', async ({
    sandbox,
    me,
  }) => {
    await sandbox.promotions.create({ code: 'SPRING', coupon_id: 'SAVE20' })
    await sandbox.charges.create({ customer_id: 'cus_ada', amount: 500, currency: 'USD' })
    await sandbox.subscriptions.create({ customer_id: 'cus_linus', plan: 'basic' })
    const [request] = await sandbox.requests.list()
    expect(await find(me, 'lovelace')).toEqual(['Customer cus_ada Ada Lovelace'])
    expect(await find(me, 'LINUS')).toEqual([
      'Subscription sub_000001 of cus_linus',
      'Customer cus_linus Linus Pauling',
    ])
    expect(await find(me, 'basic')).toEqual(['Plan basic Basic', 'Plan basic_yearly Basic, yearly'])
    expect(await find(me, 'o, yearly')).toEqual(['Plan pro_yearly Pro, yearly'])
    expect(await find(me, 'prod_')).toEqual(['Product prod_app App'])
    expect(await find(me, 'save')).toEqual(['Coupon SAVE20'])
    expect(await find(me, 'spr')).toEqual(['Promotion SPRING'])
    expect(await find(me, 'v_000001')).toEqual(['Invoice inv_000001 of cus_linus'])
    expect(await find(me, 'ch_')).toEqual(['Charge ch_000001 of cus_ada'])
    expect(await find(me, request?.request_id ?? '')).toEqual([`Request ${request?.request_id}`])
    expect(await find(me, 'nobody')).toEqual([])
    expect(await find(me, '')).toEqual([])
  })

  it('is a few, the whole id first, and the newest first', async ({ sandbox, me }) => {
    for (let nth = 0; nth < 20; nth += 1) {
      await sandbox.customers.create({ customer_id: `inv_${nth}`, name: `inv ${nth}` })
      await sandbox.subscriptions.create({ customer_id: `inv_${nth}`, plan: 'basic' })
    }
    await sandbox.customers.create({ customer_id: 'inv', name: 'Ingvar' })
    const found = await find(me, 'inv')
    expect(found[0]).toBe('Customer inv Ingvar')
    expect(found).toContain('Invoice inv_000020 of inv_19')
    expect(found).not.toContain('Invoice inv_000017 of inv_16')
    expect(found).toHaveLength(8)
  })

  it('is an invoice by its whole id, however old it is, and none that does not exist', async ({
    sandbox,
    me,
  }) => {
    const terms = { product_id: 'prod_app', currency: 'USD', interval: 'day' } as const
    await sandbox.plans.create({ plan_id: 'daily', name: 'Daily', amount: 100, ...terms })
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'daily' })
    await sandbox.clock.advance('P3Y')
    expect(await find(me, 'inv_000001')).toEqual(['Invoice inv_000001 of cus_ada'])
    expect(await find(me, 'inv_999999')).toEqual([])
  })
})
