import { describe, expect } from 'vitest'
import { itAt } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')

describe('the catalog of the dashboard', () => {
  it('shows each product with its own plans, what they cost and how often', async ({
    sandbox,
    me,
  }) => {
    await sandbox.products.create({ product_id: 'prod_book', name: 'Book' })
    const { text } = await me.open('catalog')
    expect(text).toContain('App Plan Name Price')
    expect(text).toContain('basic Basic 10.00 USD a month')
    expect(text).toContain('pro_yearly Pro, yearly 250.00 USD a year')
    expect(text).toMatch(/Book No plan yet, so nothing to subscribe to\./)
  })

  it('lists the newest product and plan first, or the oldest on request', async ({
    sandbox,
    me,
  }) => {
    await sandbox.products.create({ product_id: 'prod_book', name: 'Book' })
    const { text, html } = await me.open('catalog')
    expect(text).toMatch(/ Book .* App .* pro_yearly .* basic /)
    expect(html).toContain('<a href="/dashboard/default/catalog?order=oldest">Oldest first</a>')
    const oldest = await me.open('catalog?order=oldest')
    expect(oldest.text).toMatch(/ App .* basic .* pro_yearly .* Book /)
    expect(oldest.html).toContain('<a href="/dashboard/default/catalog">Newest first</a>')
  })

  it('creates a product, and a plan of it whose price is typed with its decimals', async ({
    sandbox,
    me,
  }) => {
    const product = await me.send('products/~new', { name: 'Book', product_id: '' })
    const [, id = ''] = /products\/(.+)\?did=created$/.exec(product.location ?? '') ?? []
    expect((await sandbox.products.get(id)).name).toBe('Book')
    const form = await me.open(`plans/~new?product_id=${id}`)
    expect(form.html).toContain(`value="${id}"`)
    expect(form.text).toContain('Such as 12.50')
    const fields = { product_id: id, name: 'Quarterly', amount: '27.00', currency: 'EUR' }
    await me.send('plans/~new', {
      ...{ ...fields, interval: 'month', interval_count: '3', plan_id: 'quarterly' },
    })
    expect(await sandbox.plans.get('quarterly')).toMatchObject({
      ...{ amount: 2700, currency: 'EUR', interval: 'month', interval_count: 3 },
    })
    expect((await me.open('plans/quarterly')).text).toContain('Price 27.00 EUR every 3 months')
    expect((await me.open(`products/${id}`)).text).toContain('quarterly Quarterly 27.00 EUR')
  })

  it('refuses a plan beside its fields, with what was typed', async ({ me }) => {
    const fields = { product_id: 'prod_app', name: '', amount: '10.005', currency: 'USD' }
    const refused = await me.send('plans/~new', { ...fields, interval: 'month' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('id="field-name-wrong"')
    expect(refused.text).toContain('amount must be an amount in USD, such as 12.50; got "10.005".')
    expect(refused.html).toContain('value="10.005"')
    const empty = await me.send('plans/~new', { ...fields, interval: 'month', amount: '' })
    expect(empty.text).toContain('amount is missing; it must be an amount in USD, such as 12.50.')
    expect(empty.text).not.toContain('minor units')
    const unknown = { ...fields, product_id: 'prod_ap', name: 'X', amount: '1', interval: 'month' }
    expect((await me.send('plans/~new', unknown)).html).toContain('id="field-product_id-wrong"')
  })

  it('changes a price from the next invoice on, and a name', async ({ sandbox, me }) => {
    expect((await me.open('plans/basic/edit')).html).toMatch(/name="amount"[^>]*value="10.00"/)
    await me.send('plans/basic/edit', { name: 'Starter', amount: '1,200', currency: 'USD' })
    expect(await sandbox.plans.get('basic')).toMatchObject({ name: 'Starter', amount: 120_000 })
    expect((await me.open('plans/basic')).text).toContain('Price 1,200.00 USD a month')
    const form = await me.open('plans/basic/edit')
    expect(form.html).toContain('<input type="hidden" name="currency" value="USD"/>')
    const refused = await me.send('plans/basic/edit', { name: 'Starter', amount: '' })
    expect(refused.html).toContain('id="field-amount-wrong"')
    await me.send('products/prod_app/edit', { name: 'Application' })
    expect((await sandbox.products.get('prod_app')).name).toBe('Application')
    const nameless = await me.send('products/prod_app/edit', { name: '' })
    expect(nameless.html).toContain('id="field-name-wrong"')
  })

  it('shows every record whose id is "new"', async ({ sandbox, me }) => {
    await sandbox.customers.create({ customer_id: 'new', name: 'Newton' })
    await sandbox.products.create({ product_id: 'new', name: 'New' })
    const price = { amount: 100, currency: 'USD', interval: 'month' } as const
    await sandbox.plans.create({ plan_id: 'new', product_id: 'new', name: 'New', ...price })
    await sandbox.coupons.create({
      ...{ coupon_id: 'new', type: 'percentage', value: 5, duration: 'once' },
    })
    await sandbox.promotions.create({ code: 'new', coupon_id: 'new' })
    for (const place of ['customers', 'products', 'plans', 'coupons', 'promotions']) {
      const { html } = await me.open(`${place}/new`)
      expect(html).toContain(`href="/dashboard/default/${place}/new/delete"`)
    }
    const charge = await me.open('payments/charges/new')
    expect([charge.status, charge.text]).toEqual([404, expect.stringContaining('does not exist')])
  })

  it('deletes after a question, and not what something refers to', async ({ sandbox, me }) => {
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    expect((await me.open('plans/basic/delete')).text).toContain('Delete basic?')
    const used = await me.send('plans/basic/delete')
    expect(used.status).toBe(409)
    expect(used.text).toContain('plan_id "basic" is in use by')
    await me.send('plans/pro_yearly/delete')
    await expect(sandbox.plans.get('pro_yearly')).rejects.toThrow('does not exist')
    const product = await me.send('products/prod_app/delete')
    expect(product.text).toContain('product_id "prod_app" is in use by')
    await sandbox.products.create({ product_id: 'prod_book', name: 'Book' })
    await me.send('products/prod_book/delete')
    expect(await sandbox.products.list()).toHaveLength(1)
  })

  it('keeps a name that looks like a tag as text', async ({ me }) => {
    await me.send('products/~new', { name: '<script>alert(1)</script>', product_id: 'prod_tag' })
    for (const path of ['catalog', 'products/prod_tag', 'products/prod_tag/edit']) {
      const { html } = await me.open(path)
      expect(html).not.toContain('<script>')
      expect(html).toContain('&lt;script&gt;')
    }
  })

  it('does not say that a product has no plan where only some plans were read', async ({
    sandbox,
    me,
  }) => {
    await sandbox.products.create({ product_id: 'prod_book', name: 'Book' })
    const plan = { name: 'P', amount: 1, currency: 'USD', interval: 'month' } as const
    await sandbox.plans.create({ ...plan, product_id: 'prod_book' })
    for (let made = 0; made < 1000; made += 1) {
      await sandbox.plans.create({ ...plan, product_id: 'prod_app' })
    }
    for (const path of ['catalog', 'products/prod_book']) {
      const { text } = await me.open(path)
      expect(text).toContain('None of the first 1000 plans is one of its plans')
      expect(text).not.toContain('No plan yet')
    }
  })

  it('lists all plans, fifty a page', async ({ sandbox, me }) => {
    for (let made = 0; made < 50; made += 1) {
      await sandbox.plans.create({
        ...{ product_id: 'prod_app', name: `Plan ${made}`, amount: made },
        ...{ currency: 'USD', interval: 'month' },
      })
    }
    const { html } = await me.open('plans')
    const [, next = ''] = /href="\/dashboard\/default\/(plans\?after=[^"]+)"/.exec(html) ?? []
    expect((await me.open(next)).text).toContain('Basic')
  })
})
