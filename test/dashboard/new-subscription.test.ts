import { describe, expect } from 'vitest'
import { itAt, visitor } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')

const chosen = 'customer_id=cus_ada&product_id=prod_app&plan=pro'

describe('a new subscription on the dashboard', () => {
  it('is made in five steps, from the customer to the confirmation', async ({ sandbox, me }) => {
    const customers = await me.open('subscriptions/~new')
    expect(customers.text).toContain('Ada Lovelace')
    expect(customers.html).toContain('/subscriptions/~new/product?customer_id=cus_ada')
    const products = await me.open('subscriptions/~new/product?customer_id=cus_ada')
    expect(products.text).toContain('Choose a product for Ada Lovelace')
    const plans = await me.open('subscriptions/~new/plan?customer_id=cus_ada&product_id=prod_app')
    expect(plans.text).toContain('Basic, yearly 100.00 USD a year')
    const offer = await me.open(`subscriptions/~new/offer?${chosen}`)
    expect(offer.html).toContain('<option value="SAVE20">')
    const confirm = await me.open(`subscriptions/~new/confirm?${chosen}&coupon_id=SAVE20`)
    expect(confirm.text).toContain('Charged now: 20.00 USD.')
    expect(confirm.html).toMatch(/<a aria-current="true">5. Confirm<\/a>/)
    const order = { customer_id: 'cus_ada', plan: 'pro', coupon_id: 'SAVE20' }
    const { status, location } = await me.send('subscriptions/~new', {
      ...order,
      product_id: 'prod_app',
    })
    expect({ status, location }).toEqual({
      status: 303,
      location: '/dashboard/default/subscriptions/sub_000001?did=created',
    })
    const made = await sandbox.subscriptions.get('sub_000001')
    expect(made).toMatchObject({ customer_id: 'cus_ada', plan: 'pro', status: 'active' })
    expect(made.discounts.map((each) => each.coupon_id)).toEqual(['SAVE20'])
  })

  it('is made once by one flow, also by those who go back and confirm again', async ({
    sandbox,
    me,
  }) => {
    const start = await me.open('subscriptions/~new')
    const [, flow = ''] = /product\?customer_id=cus_ada&amp;flow=([\w-]+)"/.exec(start.html) ?? []
    const confirm = await me.open(`subscriptions/~new/confirm?${chosen}&flow=${flow}`)
    expect(confirm.html).toContain(`<input type="hidden" name="flow" value="${flow}"/>`)
    const order = { customer_id: 'cus_ada', product_id: 'prod_app', plan: 'pro', flow }
    const send = async (fields: object) =>
      (await me.send('subscriptions/~new', { ...order, ...fields })).location
    const page = '/dashboard/default/subscriptions/sub_000001'
    expect((await Promise.all([send({}), send({})])).sort()).toEqual([
      `${page}?did=created`,
      `${page}?did=created_before`,
    ])
    expect(await sandbox.subscriptions.list()).toHaveLength(1)
    // Another order is meant.
    expect(await send({ plan: 'basic' })).toContain('sub_000002?did=created')
    // So is the same one where the sandbox has it no more, and in another flow.
    await sandbox.reset()
    expect(await send({})).toBe(`${page}?did=created`)
    expect(await send({ flow: 'another' })).toContain('sub_000002?did=created')
    // What was refused may be accepted later.
    await sandbox.coupons.delete('SAVE20')
    expect(await send({ coupon_id: 'SAVE20' })).toBe(null)
    await sandbox.reset()
    expect(await send({ coupon_id: 'SAVE20' })).toBe(`${page}?did=created`)
  })

  it('is not made where the clock has moved since the page said what would be charged', async ({
    sandbox,
    me,
  }) => {
    const seenOn = ({ html }: { html: string }) => /name="seen" value="([^"]+)"/.exec(html)?.[1]
    const query = 'customer_id=cus_ada&product_id=prod_app&plan=pro'
    const confirm = await me.open(`subscriptions/~new/confirm?${query}`)
    expect(confirm.text).toContain('Charged now: 25.00 USD')
    await sandbox.clock.advance('P20D')
    await sandbox.plans.update('pro', { amount: 7700 })
    const order = { customer_id: 'cus_ada', product_id: 'prod_app', plan: 'pro', flow: 'one' }
    const refused = await me.send('subscriptions/~new', { ...order, seen: `${seenOn(confirm)}` })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('Nothing was done: the clock has moved since this was shown.')
    expect(refused.text).toContain('Charged now: 77.00 USD')
    expect(await sandbox.subscriptions.list()).toEqual([])
    const { location } = await me.send('subscriptions/~new', {
      ...order,
      seen: `${seenOn(refused)}`,
    })
    expect(location).toContain('sub_000001?did=created')
  })

  it('is made again in another sandbox that has the id of one that is gone', async ({
    sandbox,
  }) => {
    const there = visitor(sandbox.url, 'again')
    const order = { customer_id: 'cus_ada', plan: 'pro', flow: 'one' }
    const make = async () => (await there.send('subscriptions/~new', order)).location
    for (const reads of [0, 5]) {
      const again = await sandbox.create({ id: 'again' })
      for (let nth = 0; nth < reads; nth += 1)
        await again.subscriptions.list({ status: 'x' }).catch(String)
      expect(await make()).toBe('/dashboard/again/subscriptions/sub_000001?did=created')
      expect(await make()).toContain('did=created_before')
      await again.close()
    }
  })

  it('shows the first invoices before it is there, exactly as they are made then', async ({
    sandbox,
    me,
  }) => {
    const query = `${chosen}&trial_period_days=14&coupon_id=SAVE20`
    const { html, text } = await me.open(`subscriptions/~new/confirm?${query}`)
    expect(text).toContain('Nothing is charged now.')
    const shown = [
      ...html.matchAll(/<tr[^>]*><td class=""><time datetime="([^"]+)".*?<\/tr>/g),
    ].map(([row, at]) => `${at} ${row.match(/[\d.]+ USD/)?.[0]}`)
    expect(await sandbox.subscriptions.list()).toEqual([])
    await me.send('subscriptions/~new', {
      customer_id: 'cus_ada',
      plan: 'pro',
      trial_period_days: '14',
      coupon_id: 'SAVE20',
    })
    await sandbox.clock.to('2027-04-20T00:00:00.000Z')
    const invoices = await sandbox.invoices.list()
    const made = invoices.map(
      (each) => `${each.created_at} ${(each.amount_due / 100).toFixed(2)} USD`,
    )
    expect(shown).toHaveLength(4)
    expect(shown).toEqual(made)
  })

  it('shows no invoice of another subscription, even where it would be otherwise', async ({
    sandbox,
    me,
  }) => {
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    await sandbox.customers.update('cus_ada', { balance: 3000 })
    const { html, text } = await me.open(`subscriptions/~new/confirm?${chosen}`)
    expect(text).toContain('2027-01-01 0.00 USD 25.00 USD 0.00 USD -25.00 USD paid')
    expect(html.match(/<tr[^>]*><td class=""><time/g)).toHaveLength(4)
    expect(text).not.toContain(' 10.00 USD')
  })

  it('shows the invoices of the plan that is checked where another product was chosen since', async ({
    sandbox,
    me,
  }) => {
    const { product_id } = await sandbox.products.create({ product_id: 'prod_two', name: 'Two' })
    const price = { amount: 700, currency: 'USD', interval: 'month' } as const
    await sandbox.plans.create({ ...price, product_id, plan_id: 'two', name: 'Two' })
    const query = `customer_id=cus_ada&product_id=${product_id}&plan=pro`
    const { html, text } = await me.open(`subscriptions/~new/plan?${query}`)
    expect(html).toMatch(/value="two" (?:checked|required)="" (?:checked|required)=""/)
    expect(text).toContain('Charged now: 7.00 USD')
  })

  it('says why a coupon is refused beside its field, and goes no further', async ({
    sandbox,
    me,
  }) => {
    const { text, html } = await me.open(`subscriptions/~new/confirm?${chosen}&coupon_id=EXPIRED`)
    const reason = 'coupon_id "EXPIRED" expired at 2020-01-01T00:00:00.000Z'
    expect(text).toContain(`No coupon if empty ${reason}`)
    expect(html).toMatch(/<a aria-current="true">4. Trial and coupon<\/a>/)
    const refused = await me.send('subscriptions/~new', {
      customer_id: 'cus_ada',
      product_id: 'prod_app',
      plan: 'pro',
      coupon_id: 'EXPIRED',
    })
    expect(refused.status).toBe(409)
    expect(refused.text).toContain(reason)
    expect(await sandbox.subscriptions.list()).toEqual([])
  })

  it('keeps a trial that is none as it was typed, with what the API says', async ({ me }) => {
    const { text, html } = await me.open(
      `subscriptions/~new/confirm?${chosen}&trial_period_days=two`,
    )
    expect(text).toContain('trial_period_days must be an integer from 0 to 730; got "two"')
    expect(html).toContain('value="two"')
  })

  it('lets another plan be chosen where the coupon does not go with this one', async ({ me }) => {
    const other = 'customer_id=cus_ada&product_id=prod_app&plan=basic&coupon_id=PROONLY'
    const { text, html } = await me.open(`subscriptions/~new/plan?${other}`)
    expect(text).toContain('applies to plans pro; the plan is "basic"')
    expect(html).toMatch(/<a aria-current="true">3. Pricing plan<\/a>/)
    expect(html).toContain('<input type="hidden" name="coupon_id" value="PROONLY"/>')
  })

  it('takes a promotion code in place of a coupon', async ({ sandbox, me }) => {
    await sandbox.promotions.create({ code: 'SPRING', coupon_id: 'WELCOME' })
    const { text } = await me.open(`subscriptions/~new/confirm?${chosen}&promotion_code=SPRING`)
    expect(text).toContain('Charged now: 12.50 USD.')
  })

  it('shows that the invoices of a customer without a payment method stay open', async ({ me }) => {
    const query = 'customer_id=cus_grace&product_id=prod_app&plan=pro'
    const { text } = await me.open(`subscriptions/~new/confirm?${query}`)
    expect(text).toMatch(/the subscription is canceled\./)
    expect(text).toContain('uncollectible')
  })

  it('goes back to the first step that lacks its choice', async ({ me }) => {
    const lost = await me.open('subscriptions/~new/confirm?customer_id=cus_ada')
    expect(lost.text).toContain('Choose a product for Ada Lovelace')
    const unknown = await me.open('subscriptions/~new/product?customer_id=cus_adda')
    expect(unknown.text).toContain('customer_id "cus_adda" does not exist; did you mean "cus_ada"?')
    const plan = await me.open(`subscriptions/~new/offer?${chosen}o`)
    expect(plan.html).toMatch(/id="choice-plan-wrong">\s*plan_id &quot;proo&quot; does not exist/)
    expect(plan.html).toMatch(/<a aria-current="true">3. Pricing plan<\/a>/)
  })

  it('creates a customer on the way, and says in the form what is wrong with one', async ({
    sandbox,
    me,
  }) => {
    const { location } = await me.send('subscriptions/~new/customer', {
      new_customer_id: 'cus_mary',
      name: 'Mary Shelley',
      email: '',
      payment_method: 'valid',
    })
    expect(location).toMatch(
      /^\/dashboard\/default\/subscriptions\/~new\/product\?customer_id=cus_mary&flow=[\w-]+$/,
    )
    expect((await sandbox.customers.get('cus_mary')).name).toBe('Mary Shelley')
    const twice = await me.send('subscriptions/~new/customer', {
      new_customer_id: 'cus_mary',
      name: '<b>Mary</b>',
      payment_method: 'valid',
    })
    expect(twice.status).toBe(409)
    expect(twice.text).toContain('customer_id "cus_mary" exists already')
    expect(twice.html).toContain('value="&lt;b&gt;Mary&lt;/b&gt;"')
  })

  it('says what to do where there is nothing to choose from', async ({ sandbox, me }) => {
    await sandbox.reset({ fixture: 'empty' })
    expect((await me.open('subscriptions/~new')).text).toContain('No customer yet')
    await sandbox.customers.create({ customer_id: 'cus_ada' })
    // The choices so far go along with the forms of what is missing, also where one is refused.
    const linked = async (address: string | null, label: string) => {
      const { html } = await me.open(address?.replace('/dashboard/default/', '') ?? '')
      const [, link = ''] = new RegExp(`href="([^"]+)">${label}<`).exec(html) ?? []
      const { searchParams } = new URL(link.replaceAll('&amp;', '&'), sandbox.url)
      return Object.fromEntries(searchParams)
    }
    const product = await linked(
      'subscriptions/~new/product?customer_id=cus_ada',
      'Create a product',
    )
    const refused = await me.send('products/~new', { ...product, name: '' })
    expect(refused.html).toContain('<input type="hidden" name="then" value="/dashboard/default/')
    const plans = await me.send('products/~new', { ...product, name: 'A', product_id: 'prod_a' })
    expect(plans.location).toMatch(/~new\/plan\?customer_id=cus_ada&flow=.*&product_id=prod_a&did=/)
    const plan = await linked(plans.location, 'Create a plan')
    const terms = { name: 'A', plan_id: 'a', amount: '1', currency: 'USD', interval: 'month' }
    const { location } = await me.send('plans/~new', { ...plan, ...terms })
    expect(location).toMatch(
      /~new\/offer\?customer_id=cus_ada&product_id=prod_a&flow=.*&plan=a&did=/,
    )
    expect((await me.open(`subscriptions/~new/offer?${location?.split('?')[1]}`)).text).toContain(
      'Charged now: 1.00 USD.',
    )
  })

  it('leads from a new record nowhere outside of the sandbox', async ({ me }) => {
    for (const then of ['https://elsewhere.example/', '//elsewhere.example/', '/sandbox?']) {
      const { location } = await me.send('products/~new', { name: 'A', then })
      expect(location).toMatch(/^\/dashboard\/default\/products\/[^/]+\?did=created$/)
    }
  })
})
