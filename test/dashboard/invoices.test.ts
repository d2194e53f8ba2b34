import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
}, '2027-03-01T00:00:00.000Z')

async function subscribe(plan = 'basic', more: { readonly coupon_id?: string } = {}) {
  const order = { customer_id: 'cus_ada', plan, ...more }
  return (await sandbox.subscriptions.create(order)).subscription_id
}

describe('the invoices of the dashboard', () => {
  it('say what to do where there is none', async () => {
    const { html } = await me.open('invoices')
    expect(html).toContain('href="/dashboard/default/subscriptions/~new"')
  })

  it('are listed with who pays and what is due, fifty a page', async () => {
    for (let made = 0; made < 51; made += 1) await subscribe()
    const first = await me.open('invoices')
    expect(first.text).toContain('inv_000051 paid 10.00 USD cus_ada sub_000051 a period 2027-03-01')
    expect(first.text).not.toContain('inv_000001')
    const [, next = ''] =
      /href="\/dashboard\/default\/(invoices\?after=[^"]+)"/.exec(first.html) ?? []
    const second = await me.open(next)
    expect(second.text).toContain('inv_000001')
    expect(second.text).not.toContain('inv_000002')
  })

  it('are summed for each currency, with their thousands apart', async () => {
    const terms = { product_id: 'prod_app', interval: 'month' } as const
    const plans = [
      { plan_id: 'large', name: 'Large', amount: 123_456_789, currency: 'USD' },
      { plan_id: 'yen', name: 'Yen', amount: 1500, currency: 'JPY' },
    ] as const
    for (const plan of plans) await sandbox.plans.create({ ...terms, ...plan })
    const { customer_id } = await sandbox.customers.create({ currency: 'JPY' })
    await subscribe()
    expect((await me.open('invoices')).text).not.toContain('Sum of these')
    await subscribe('large')
    await sandbox.subscriptions.create({ customer_id, plan: 'yen' })
    const { text } = await me.open('invoices')
    expect(text).toContain('inv_000002 paid 1,234,567.89 USD cus_ada')
    expect(text).toContain('Sum of these 1,500 JPY 1,234,577.89 USD')
    expect((await me.open('customers/cus_ada')).text).toContain('Sum of these 1,234,577.89 USD')
    expect((await me.open('invoices/inv_000002')).text).not.toContain('Sum of these')
  })

  it('have the names of their fields in the API beside the labels', async () => {
    await subscribe()
    expect((await me.open('invoices')).html).toContain('title="next_attempt_at">Next attempt</th>')
    const { html } = await me.open('invoices/inv_000001')
    expect(html).toContain('<dt>Due<code class="api"> amount_due</code></dt>')
    const form = await me.open('payments/charges/~new')
    expect(form.html).toContain('>Customer</label><code class="api"> customer_id</code>')
    expect(form.html).toContain('>Amount</label><input')
    const script = await me.open('payments')
    expect(script.html).toContain('>Outcome</label><code class="api"> always, outcomes</code>')
    expect(script.html).toContain('>How often</label><select')
  })

  it('are filtered by status, customer and subscription, and the next page keeps the filter', async () => {
    await subscribe()
    await sandbox.payments.fail()
    const failed = await subscribe('pro')
    const open = await me.open('invoices?status=open&customer_id=&subscription_id=')
    expect(open.text).toContain('inv_000002')
    expect(open.text).not.toContain('inv_000001')
    const ofOne = await me.open(`invoices?subscription_id=${failed}`)
    expect(ofOne.text).not.toContain('inv_000001')
    expect(ofOne.html).toContain(`value="${failed}"`)
    const none = await me.open('invoices?customer_id=cus_linus')
    expect(none.text).toContain('No invoice matches the filter.')
    for (let made = 0; made < 50; made += 1) await subscribe()
    expect((await me.open('invoices?status=paid')).html).toMatch(/invoices\?status=paid&amp;after=/)
  })

  it('refuse a filter beside its field, with what was typed', async () => {
    const typed = 'x'.repeat(256)
    const refused = await me.open(`invoices?customer_id=${typed}&status=paid`)
    expect(refused.html).toContain('id="field-customer_id-wrong"')
    expect(refused.html).toContain(`value="${typed}"`)
    const gone = await me.open('invoices?after=inv_000009')
    expect(gone.text).toContain('after must be the next_after of the page before')
  })

  it('show each attempt with its reason and the next one, and try the payment when asked', async () => {
    await sandbox.payments.script({ outcomes: ['card_declined', 'insufficient_funds'] })
    await subscribe()
    const before = await me.open('invoices/inv_000001')
    expect(before.text).toContain('2027-03-01 failed card_declined')
    expect(before.text).toContain('Next attempt 2027-03-02')
    expect(before.text).toContain('Try the payment now')
    const failed = await me.send('invoices/inv_000001/pay')
    expect(failed.location).toBe('/dashboard/default/invoices/inv_000001?did=paid')
    expect((await me.open('invoices/inv_000001')).text).toContain('failed insufficient_funds')
    await me.send('invoices/inv_000001/pay')
    expect((await sandbox.invoices.get('inv_000001')).status).toBe('paid')
    expect((await me.open('invoices/inv_000001')).text).not.toContain('Try the payment now')
  })

  it('refuse a payment of a paid one in the words of the API, and try nothing', async () => {
    await subscribe()
    const refused = await me.send('invoices/inv_000001/pay')
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('inv_000001')
    expect(refused.html).toContain('role="alert"')
    expect((await sandbox.invoices.get('inv_000001')).attempts).toHaveLength(1)
  })

  it('derive a discounted period: each discount of what the one before left', async () => {
    await subscribe('basic', { coupon_id: 'EXTRA3' })
    await sandbox.subscriptions.applyCoupon('sub_000001', { coupon_id: 'LOYAL10' })
    await sandbox.clock.advance('P1M')
    const { text } = await me.open('invoices/inv_000002')
    expect(text).toContain('Discount 1 of 2: LOYAL10')
    expect(text).toContain(
      'Before this discount 10.00 USD 10 % of it 1.00 USD Rounded, half away from zero 1.00 USD After this discount 9.00 USD',
    )
    expect(text).toContain('Discount 2 of 2: EXTRA3')
    expect(text).toContain(
      'Before this discount 9.00 USD Discount of 3.00 USD, at most what remains -3.00 USD After this discount 6.00 USD',
    )
    expect(text).toContain(
      'Due Subtotal 10.00 USD Discount LOYAL10 -1.00 USD Discount EXTRA3 -3.00 USD',
    )
    expect(text).toContain('1000 (lines) - 400 (discounts) - 0 (balance) = 600 due.')
  })

  it('name the rounding in force where both have the same result', async () => {
    await sandbox.settings.change({ amount_rounding: 'half_even' })
    const odd = { coupon_id: 'ODD', type: 'percentage', value: 33.5, duration: 'once' } as const
    await sandbox.coupons.create(odd)
    await subscribe('pro', { coupon_id: 'ODD' })
    const { text } = await me.open('invoices/inv_000001')
    expect(text).toContain('33.5 % of 2500 is 837.5, half to even: 838 off')
    expect(text).toContain('Rounded, half to even 8.38 USD')
  })

  it('derive a change of plan from its seconds, exactly, less the balance', async () => {
    await subscribe('basic')
    await sandbox.clock.to('2027-03-10T07:13:37Z')
    await sandbox.customers.update('cus_ada', { balance: 123 })
    await sandbox.subscriptions.update('sub_000001', { plan: 'pro' })
    const { text } = await me.open('invoices/inv_000002')
    expect(text).toContain('Seconds left in the period 1874783 Seconds of the whole period 2678400')
    expect(text).toContain('-10.00 USD × 1874783/2678400 -6.99963784348 USD')
    expect(text).toContain('Rounded, half away from zero -7.00 USD')
    expect(text).toContain('25.00 USD × 1874783/2678400 17.49909460872 USD')
    expect(text).toContain('Customer balance used -1.23 USD Due 9.27 USD')
    const { invoice } = await sandbox.invoices.explain('inv_000002')
    expect(invoice.amount_due).toBe(927)
  })

  it('derive that nothing is credited for a period that was never paid', async () => {
    await sandbox.settings.change({ retry_schedule: [], after_retries: 'keep_past_due' })
    await sandbox.payments.fail()
    await subscribe('basic')
    await sandbox.clock.advance('P1D')
    await sandbox.subscriptions.update('sub_000001', { plan: 'pro' })
    const { text } = await me.open('invoices/inv_000002')
    expect(text).toContain('Not paid, so there is nothing to credit -10.00 USD Remaining 0.00')
  })

  it('derive by how much a credit was made smaller after an extension', async () => {
    await subscribe('basic')
    await sandbox.plans.create({
      ...{ plan_id: 'max', product_id: 'prod_app', name: 'Max', amount: 5000 },
      ...({ currency: 'USD', interval: 'month' } as const),
    })
    const { now } = await sandbox.describe()
    await sandbox.clock.to(new Date(Date.parse(now) + 15.5 * 86_400_000))
    await sandbox.subscriptions.update('sub_000001', { plan: 'pro' })
    await sandbox.subscriptions.applyCoupon('sub_000001', { coupon_id: 'MORETIME' })
    await sandbox.subscriptions.update('sub_000001', { plan: 'max' })
    const { text } = await me.open('invoices/inv_000003')
    expect(text).toMatch(
      /Rounded, half away from zero -2\d\.\d\d USD The credit made smaller by 1\d\.\d\d USD The line -1\d\.\d\d USD/,
    )
  })

  it('show amounts of currencies without and with three decimals exactly', async () => {
    for (const [currency, amount] of [
      ['JPY', 1000],
      ['KWD', 1000],
    ] as const) {
      const terms = { product_id: 'prod_app', currency, interval: 'month' as const }
      await sandbox.plans.create({ ...terms, plan_id: currency, name: currency, amount })
      const more = { plan_id: `${currency}2`, name: `${currency}2`, amount: amount * 2 }
      await sandbox.plans.create({ ...terms, ...more })
      const { customer_id } = await sandbox.customers.create({ currency })
      const made = await sandbox.subscriptions.create({ customer_id, plan: currency })
      await sandbox.clock.advance('P1D')
      await sandbox.subscriptions.update(made.subscription_id, { plan: `${currency}2` })
    }
    const [, yen, , dinar] = await sandbox.invoices.list()
    expect((await me.open(`invoices/${yen?.invoice_id}`)).text).toContain(
      '-1,000 JPY × 2592000/2678400 -967.741935483 JPY',
    )
    expect((await me.open(`invoices/${dinar?.invoice_id}`)).text).toContain(
      '-1.000 KWD × 2592000/2678400 -0.967741935483 KWD',
    )
  })

  it('keep a name that looks like a tag as text', async () => {
    await sandbox.plans.update('basic', { name: '<img src=x onerror=alert(1)>' })
    await subscribe('basic')
    const { html, text } = await me.open('invoices/inv_000001')
    expect(html).not.toContain('<img')
    expect(text).toContain('<img src=x onerror=alert(1)>')
  })

  it('say which invoice there is none of', async () => {
    const { status, text } = await me.open('invoices/inv_000009')
    expect(status).toBe(404)
    expect(text).toContain('invoice_id "inv_000009" does not exist')
  })
})
