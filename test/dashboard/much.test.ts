import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach(async (opened) => {
  ;({ sandbox, me } = opened)
  const terms = { product_id: 'prod_app', currency: 'USD', interval: 'day' } as const
  await sandbox.plans.create({ plan_id: 'daily', name: 'Daily', amount: 100, ...terms })
  await sandbox.plans.create({ plan_id: 'better', name: 'Better', amount: 300, ...terms })
})

async function subscribe(count: number, plan = 'daily', customer = 'cus_ada'): Promise<void> {
  const order = { customer_id: customer, plan }
  await Promise.all(Array.from({ length: count }, () => sandbox.subscriptions.create(order)))
}

/** The dates of the invoices that a page shows, in its order. */
function invoiceDates(text: string): string[] {
  return [...text.matchAll(/inv_\d+ (\d{4}-\d\d-\d\d) 1\.00 USD paid/g)].map(([, at = '']) => at)
}

describe('a sandbox in which much happened', () => {
  it('shows the newest of more than a thousand invoices', async () => {
    await subscribe(1)
    await sandbox.clock.advance('P3Y')
    for (const path of ['subscriptions/sub_000001', 'customers/cus_ada']) {
      const { text, html } = await me.open(path)
      expect(html).toContain('Invoices, newest first')
      expect(invoiceDates(text)).toHaveLength(12)
      expect(invoiceDates(text).slice(0, 2)).toEqual(['2030-01-01', '2029-12-31'])
    }
  })

  it('has trouble first of more subscriptions than one call lists, and says how far it looks', async () => {
    await subscribe(1, 'daily', 'cus_linus')
    await subscribe(1, 'daily', 'cus_linus')
    await subscribe(1000)
    await sandbox.subscriptions.cancel('sub_000002', { at_period_end: true })
    await sandbox.payments.script({ subscription_id: 'sub_000001', always: 'card_declined' })
    const ids = async () => {
      const { html, text } = await me.open('?sort=trouble')
      expect(text).toContain(
        'Sorted are the first 1,000 subscriptions, all that are past due, and those with a payment that fails or an end until 2027-01-0',
      )
      return [...html.matchAll(/<svg class="lane"[^>]* aria-label="(sub_\d+)/g)].map(([, id]) => id)
    }
    expect((await ids()).slice(0, 3)).toEqual(['sub_000001', 'sub_000002', 'sub_001002'])
    await sandbox.clock.advance('P1D')
    expect((await ids()).slice(0, 2)).toEqual(['sub_000001', 'sub_001002'])
  })

  it('names the customers of a page, however many there are', async () => {
    for (let nth = 0; nth < 250; nth += 1) {
      const customer_id = `cus_${nth}`
      await sandbox.customers.create({ customer_id, name: `Customer ${nth}` })
    }
    await subscribe(1, 'basic', 'cus_249')
    await subscribe(1, 'basic', 'cus_0')
    const { text } = await me.open('')
    expect(text).toContain('Customer 249')
    expect(text).toContain('Customer 0')
  })

  it('shows the newest of many invoices', async () => {
    await subscribe(20)
    await sandbox.clock.advance('P150D')
    const { text, html } = await me.open('customers/cus_ada')
    expect(new Set(invoiceDates(text))).toEqual(new Set(['2027-05-31']))
    expect(html).toContain('/invoices?customer_id=cus_ada"')
    expect(invoiceDates((await me.open('subscriptions/sub_000007')).text)[0]).toBe('2027-05-31')
  })

  it('shows the newest events of one subscription among those of others', async () => {
    await subscribe(1)
    await subscribe(1, 'basic', 'cus_linus')
    await sandbox.clock.advance('P1Y')
    await subscribe(2)
    const { text } = await me.open('subscriptions/sub_000001')
    const [, events = ''] = text.split('At What About')
    expect(events).toMatch(/^ 2028-01-01 inv_\d+ paid: 1\.00 USD/)
    expect(events.match(/renewed until/g)).toHaveLength(4)
    const quiet = await me.open('subscriptions/sub_000002')
    expect(quiet.text).toContain('2028-01-01 renewed until 2028-02-01 sub_000002')
    expect(quiet.text).not.toContain('sub_000001')
  })

  it('draws the part of the past that the window shows', async () => {
    await subscribe(4)
    await sandbox.clock.advance('P1Y')
    await sandbox.subscriptions.pause('sub_000003')
    await sandbox.clock.advance('P2D')
    const now = await me.open('?zoom=week')
    expect(now.text).toContain('What happened from 2027-12-31 to 2028-01-07 is shown')
    expect(now.html).toContain('aria-label="sub_000003: paused since 2028-01-01"')
    expect(now.html).toMatch(/aria-label="2028-01-01: paused/)
    const then = await me.open('?zoom=week&from=2027-06-01')
    expect(then.html).toMatch(/aria-label="2027-06-02: renewed until 2027-06-03/)
    // No sum of a part: what is to come of a later month is known as a whole.
    expect(then.html).toContain('aria-label="Jun 2027: not read, or only in part"')
    expect(now.html).toContain('aria-label="Feb 2028: 87.00 USD paid (expected)"')
  })

  it('says how far the events go that it draws, where the window holds too many', async () => {
    await subscribe(20)
    await sandbox.clock.advance('P90D')
    const { text, html } = await me.open('?from=2027-01-01')
    expect(text).toContain('What happened from 2027-01-01 to 2027-03-04 is shown')
    expect(html).toMatch(/aria-label="[^"]*2027-03-0[123]: renewed/)
    expect(html).not.toMatch(/aria-label="[^"]*2027-03-2\d: renewed/)
    expect((await me.open('')).text).toContain('What happened from 2027-03-01')
  })

  it('gives an invoice that was made before the window to its subscription', async () => {
    await subscribe(1, 'basic', 'cus_linus')
    await sandbox.payments.fail({ subscription_id: 'sub_000001', times: 2 })
    await subscribe(9)
    await sandbox.clock.advance('P33D')
    const { html } = await me.open('?zoom=week&from=2027-02-02')
    expect(html).toMatch(/aria-label="2027-02-02: inv_\d+ failed: card_declined/)
  })

  it('looks at the invoices to come of one subscription, also where there are many', async () => {
    await subscribe(1, 'basic')
    const path = 'subscriptions/sub_000001?lane=sub_000001&at=2027-02-01T00:00:00.000Z'
    const toCome = /Expected: renews: 10.00 USD.*Invoices to come.*2027-02-01 10.00 USD/
    expect((await me.open(path)).text).toMatch(toCome)
    await subscribe(200, 'basic')
    expect((await me.open(path)).text).toMatch(toCome)
  })

  it('looks no further for the first invoices than they are away', async () => {
    const query = 'customer_id=cus_ada&product_id=prod_app'
    const daily = `subscriptions/~new/offer?${query}&plan=daily`
    expect((await me.open(daily)).text).toContain('On 2027-01-04 the subscription is active.')
    const late = await me.open(`${daily}&trial_period_days=10`)
    expect(late.text).toContain('On 2027-01-14 the subscription is active.')
    const monthly = `subscriptions/~new/offer?${query}&plan=basic`
    expect((await me.open(monthly)).text).toContain('On 2027-04-01 the subscription is active.')
    await subscribe(1001, 'basic', 'cus_linus')
    expect((await me.open(monthly)).text).toContain('On 2027-02-01 the subscription is active.')
  })

  it('shows what another plan costs after a thousand invoices', async () => {
    await subscribe(1)
    await sandbox.clock.advance('P3Y')
    await sandbox.clock.advance('PT12H')
    const { text } = await me.open('subscriptions/sub_000001/update?plan=better')
    expect(text).toContain('Charged now: 1.00 USD')
    expect((await sandbox.siblings()).map((each) => each.sandbox_id)).toEqual(['default'])
  })
})

describe('a catalog with much in it', () => {
  const terms = { amount: 100, currency: 'USD', interval: 'month' } as const

  it('offers some products, and takes the identifier of another', async () => {
    for (let n = 0; n < 50; n += 1) {
      await sandbox.products.create({ product_id: `prod_${n}`, name: `Product ${n}` })
    }
    const { text, html } = await me.open('subscriptions/~new/product?customer_id=cus_ada')
    expect(html.match(/type="radio"/g)).toHaveLength(50)
    expect(text).not.toContain('Product 49')
    expect(text).toContain('Or enter an id')
    const next = 'subscriptions/~new/plan?customer_id=cus_ada&product_id=prod_49'
    expect((await me.open(next)).text).toContain('Product 49 has no pricing plan yet')
    const wrong = await me.open('subscriptions/~new/plan?customer_id=cus_ada&product_id=prod_50')
    expect(wrong.text).toContain('product_id "prod_50" does not exist')
  })

  it('offers some plans, and takes the identifier of another', async () => {
    await subscribe(1, 'basic')
    for (let n = 0; n < 50; n += 1) {
      const plan = { plan_id: `plan_${n}`, product_id: 'prod_app', name: `Plan ${n}`, ...terms }
      await sandbox.plans.create(plan)
    }
    const change = 'subscriptions/sub_000001/update'
    const flow = 'subscriptions/~new/plan?customer_id=cus_ada&product_id=prod_app'
    const { text, html } = await me.open(flow)
    expect(html.match(/type="radio"/g)?.length).toBeLessThanOrEqual(50)
    expect(text).not.toContain('Plan 49')
    expect(text).toContain('Or enter an id')
    // Too many to choose from: some are suggested.
    const field = (await me.open(change)).html
    expect(field.match(/<option value="plan_/g)?.length).toBeLessThanOrEqual(50)
    expect(field).not.toContain('type="radio"')
    expect((await me.open(`${change}?plan=plan_49`)).text).toContain('The new plan holds')
    const typed = await me.open(`${flow}&plan=plan_49`)
    expect(typed.text).toContain('Charged now: 1.00 USD.')
    const offer = flow.replace('/plan?', '/offer?')
    expect((await me.open(`${offer}&plan=plan_50`)).text).toContain(
      'plan_id "plan_50" does not exist',
    )
  })
})

describe('what is said of one', () => {
  it('stands in the singular', async () => {
    await sandbox.coupons.create({ coupon_id: 'DAY', type: 'trial_extension', value: 1 })
    await sandbox.coupons.create({
      coupon_id: 'MONTH',
      type: 'percentage',
      value: 10,
      duration: 'repeating',
      duration_in_months: 1,
    })
    expect((await me.open('coupons/DAY')).text).toMatch(/(?<!\+)1 day /)
    await sandbox.subscriptions.create({
      customer_id: 'cus_ada',
      plan: 'basic',
      coupon_id: 'MONTH',
    })
    expect((await me.open('subscriptions/sub_000001')).text).toContain('MONTH 10 % 1 month ')
    const flow = 'customer_id=cus_ada&product_id=prod_app&plan=basic&trial_period_days=1'
    expect((await me.open(`subscriptions/~new/confirm?${flow}`)).text).toContain('Trial 1 day ')
  })
})

describe('the events of one subscription', () => {
  it('are listed where its page leads to all of them', async () => {
    await subscribe(1)
    await subscribe(1, 'basic', 'cus_linus')
    const page = await me.open('subscriptions/sub_000001')
    expect(page.html).toContain('/events?subscription_id=sub_000001"')
    const { text, html } = await me.open('events?subscription_id=sub_000001')
    expect(text).toContain('inv_000001')
    expect(text).not.toContain('sub_000002')
    expect(text).not.toContain('inv_000002')
    expect(html).toMatch(/name="subscription_id"[^>]* value="sub_000001"/)
  })

  it('are asked for page by page', async () => {
    await subscribe(2)
    await sandbox.clock.advance('P40D')
    const { html } = await me.open('events?subscription_id=sub_000001')
    const [, next = ''] = /href="\/dashboard\/default\/([^"]*)" rel="next"/.exec(html) ?? []
    expect(next).toContain('subscription_id=sub_000001')
    expect((await me.open(next.replaceAll('&amp;', '&'))).text).not.toContain('sub_000002')
  })
})
