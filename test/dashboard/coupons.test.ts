import { describe, expect } from 'vitest'
import { itAt } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')

describe('the coupons of the dashboard', () => {
  it('are listed beside the promotions, with what they take off and how often they were redeemed', async ({
    sandbox,
    me,
  }) => {
    await sandbox.promotions.create({ code: 'NEWYEAR', coupon_id: 'SAVE20' })
    const { text } = await me.open('coupons')
    expect(text).toContain('SAVE20 Percentage 20 % 3 months 0')
    expect(text).toContain('TAKE5 Fixed amount 5.00 USD once 0')
    expect(text).toContain('MORETIME Trial extension 14 days')
    expect(text).toContain('LAST1 Percentage 10 % once 0 of 1')
    expect(text).toContain('NEWYEAR SAVE20')
  })

  it('take a percentage with every restriction', async ({ sandbox, me }) => {
    const fields = {
      ...{ type: 'percentage', coupon_id: 'SPRING', value: '12.5' },
      ...{ duration: 'repeating', duration_in_months: '3', max_redemptions: '10' },
      ...{ expires_at: '2027-06-01', applies_to_plans: 'basic, pro' },
      ...{ applies_to_products: 'prod_app', stackable: 'true' },
    }
    const { location } = await me.send('coupons/~new', fields)
    expect(location).toBe('/dashboard/default/coupons/SPRING?did=created')
    expect(await sandbox.coupons.get('SPRING')).toEqual({
      ...{ coupon_id: 'SPRING', type: 'percentage', value: 12.5, currency: null },
      ...{ duration: 'repeating', duration_in_months: 3, max_redemptions: 10 },
      ...{ expires_at: '2027-06-01T00:00:00.000Z', applies_to_plans: ['basic', 'pro'] },
      ...{ applies_to_products: ['prod_app'], stackable: true, times_redeemed: 0 },
    })
  })

  it('take a fixed amount with its decimals, and a trial extension in days', async ({
    sandbox,
    me,
  }) => {
    expect((await me.open('coupons/~new?type=fixed')).text).toContain('Such as 12.50')
    const yen = { ...{ type: 'fixed', value: '1500', currency: 'JPY' }, coupon_id: 'YEN' }
    await me.send('coupons/~new', { ...yen, duration: 'once' })
    expect((await me.open('coupons')).text).toContain('YEN Fixed amount 1,500 JPY once')
    const fixed = { type: 'fixed', coupon_id: 'TEN', value: '10', currency: 'USD' }
    await me.send('coupons/~new', { ...fixed, duration: 'forever', duration_in_months: '' })
    expect(await sandbox.coupons.get('TEN')).toMatchObject({ value: 1000, duration: 'forever' })
    const extension = await me.open('coupons/~new?type=trial_extension')
    expect(extension.html).not.toContain('name="duration"')
    await me.send('coupons/~new', { type: 'trial_extension', coupon_id: 'WEEK', value: '7' })
    expect(await sandbox.coupons.get('WEEK')).toMatchObject({ value: 7, duration: null })
  })

  it('keep in the form of another kind what was typed in both', async ({ me }) => {
    const { html } = await me.open('coupons/~new')
    for (const type of ['percentage', 'fixed', 'trial_extension']) {
      expect(html).toMatch(new RegExp(`formmethod="get"[^>]* name="type" value="${type}"`))
    }
    const typed = 'coupon_id=TEN&value=10&duration=forever&max_redemptions=5&stackable=true'
    // The button that is pressed comes before the kind that the form is of.
    const fixed = await me.open(`coupons/~new?type=fixed&type=percentage&${typed}`)
    expect(fixed.html).toContain('<input type="hidden" name="type" value="fixed"/>')
    expect(fixed.html).toMatch(/name="coupon_id"[^>]*value="TEN"/)
    expect(fixed.html).toMatch(/value="forever" selected/)
    expect(fixed.html).toMatch(/name="max_redemptions"[^>]*value="5"/)
    expect(fixed.html).toMatch(/name="stackable"[^>]*checked/)
  })

  it('are refused beside each field in the words of the API, with what was typed', async ({
    me,
  }) => {
    const fields = { type: 'fixed', coupon_id: 'TEN', value: '9.555', currency: 'usd' }
    const refused = await me.send('coupons/~new', {
      ...{ ...fields, duration: 'repeating', duration_in_months: '', max_redemptions: '0' },
    })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('value must be an amount in usd, such as 12.50; got "9.555".')
    expect(refused.html).toContain('id="field-currency-wrong"')
    expect(refused.html).toContain('id="field-duration_in_months-wrong"')
    expect(refused.html).toContain('id="field-max_redemptions-wrong"')
    expect(refused.html).toContain('value="9.555"')
    expect(refused.text).toContain('This was refused. See the marked fields below.')
  })

  it('are refused with a value as it was typed', async ({ sandbox, me }) => {
    for (const type of ['fixed', 'trial_extension']) {
      for (const value of ['5.50', '12345678901234567890']) {
        const { text } = await me.send('coupons/~new', { type, coupon_id: 'X', value })
        expect(text).toContain(`got "${value}".`)
      }
    }
    const percentage = { type: 'percentage', coupon_id: 'X', value: '5.50', duration: 'once' }
    await me.send('coupons/~new', percentage)
    expect(await sandbox.coupons.get('X')).toMatchObject({ value: 5.5 })
  })

  it('are refused beside the field for an id that is taken and for a plan that is not there', async ({
    me,
  }) => {
    const taken = { type: 'percentage', coupon_id: 'SAVE20', value: '5', duration: 'once' }
    const refused = await me.send('coupons/~new', taken)
    expect(refused.status).toBe(409)
    expect(refused.html).toMatch(/id="field-coupon_id-wrong">coupon_id &quot;SAVE20&quot; exists/)
    const unknown = { ...taken, coupon_id: 'NEW', applies_to_plans: 'basc' }
    const answer = await me.send('coupons/~new', unknown)
    expect(answer.html).toContain('id="field-applies_to_plans-wrong"')
    expect(answer.text).toContain('did you mean "basic"')
  })

  it('show who redeemed one: subscriptions, and one-time charges', async ({ sandbox, me }) => {
    const order = { customer_id: 'cus_ada', plan: 'basic', coupon_id: 'LOYAL10' }
    await sandbox.subscriptions.create(order)
    await sandbox.subscriptions.create({ ...order, coupon_id: 'SAVE20' })
    const amount = { customer_id: 'cus_ada', amount: 500, currency: 'USD' } as const
    await sandbox.charges.create({ ...amount, coupon_id: 'LOYAL10' })
    const { text, html } = await me.open('coupons/LOYAL10')
    expect(text).toContain('Redeemed 2')
    expect(text).toContain('2027-01-01 sub_000001')
    expect(html).toContain('href="/dashboard/default/payments/charges/ch_000001"')
    expect(text).not.toContain('sub_000002')
    await sandbox.clock.advance('P1D')
    await sandbox.subscriptions.create(order)
    const later = /2027-01-02 sub_000003.*2027-01-01 ch_000001/
    expect((await me.open('coupons/LOYAL10')).text).toMatch(later)
    const oldest = await me.open('coupons/LOYAL10?order=oldest')
    expect(oldest.text).toMatch(/2027-01-01 sub_000001.*2027-01-02 sub_000003/)
    expect(oldest.text).not.toMatch(later)
    expect((await me.open('coupons/TAKE5')).text).toContain('Nobody redeemed it yet.')
  })

  it('show whose trial one made longer', async ({ sandbox, me }) => {
    await sandbox.subscriptions.create({
      ...{ customer_id: 'cus_ada', plan: 'basic', trial_period_days: 7, coupon_id: 'MORETIME' },
    })
    expect((await me.open('coupons/MORETIME')).text).toContain('2027-01-01 sub_000001')
  })

  it('change their limits: what is emptied is no limit any more', async ({ sandbox, me }) => {
    expect((await me.open('coupons/LAST1/edit')).html).toMatch(
      /name="max_redemptions"[^>]*value="1"/,
    )
    const fields = { max_redemptions: '', expires_at: '2028-01-01', applies_to_plans: 'pro' }
    await me.send('coupons/LAST1/edit', { ...fields, stackable: 'true' })
    expect(await sandbox.coupons.get('LAST1')).toMatchObject({
      ...{ max_redemptions: null, expires_at: '2028-01-01T00:00:00.000Z' },
      ...{ applies_to_plans: ['pro'], stackable: true },
    })
    await me.send('coupons/LAST1/edit', { max_redemptions: '' })
    expect(await sandbox.coupons.get('LAST1')).toMatchObject({
      ...{ expires_at: null, applies_to_plans: null, stackable: false },
    })
  })

  it('are deleted after a question, and stay while a promotion stands for one', async ({
    sandbox,
    me,
  }) => {
    expect((await me.open('coupons/TAKE5/delete')).text).toContain('Delete TAKE5?')
    expect(await sandbox.coupons.get('TAKE5')).toHaveProperty('coupon_id')
    const { location } = await me.send('coupons/TAKE5/delete')
    expect(location).toBe('/dashboard/default/coupons?did=deleted')
    await expect(sandbox.coupons.get('TAKE5')).rejects.toThrow('does not exist')
    await sandbox.promotions.create({ code: 'NEWYEAR', coupon_id: 'SAVE20' })
    const refused = await me.send('coupons/SAVE20/delete')
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('coupon_id "SAVE20" is in use by')
  })

  it('ask about none that is not there', async ({ me }) => {
    const { status, text } = await me.open('coupons/TAKE6/delete')
    expect([status, text]).toEqual([404, expect.stringContaining('"TAKE6" does not exist')])
  })
})

describe('the promotions of the dashboard', () => {
  it('are made with a window and a limit, changed and deleted', async ({ sandbox, me }) => {
    const fields = { code: 'NEWYEAR', coupon_id: 'SAVE20', starts_at: '2027-01-01' }
    const { location } = await me.send('promotions/~new', {
      ...{ ...fields, expires_at: '2027-02-01', max_redemptions: '5' },
    })
    expect(location).toBe('/dashboard/default/promotions/NEWYEAR?did=created')
    const made = await me.open('promotions/NEWYEAR')
    expect(made.text).toContain('Starts at 2027-01-01 Expires at 2027-02-01 Redeemed 0 of 5')
    await me.send('promotions/NEWYEAR/edit', { starts_at: '', expires_at: '2027-03-01' })
    expect(await sandbox.promotions.get('NEWYEAR')).toMatchObject({
      ...{ starts_at: null, expires_at: '2027-03-01T00:00:00.000Z', max_redemptions: null },
    })
    expect((await me.open('promotions/NEWYEAR/delete')).text).toContain('Delete NEWYEAR?')
    await me.send('promotions/NEWYEAR/delete')
    expect(await sandbox.promotions.list()).toEqual([])
  })

  it('are refused beside the field for a coupon that is not there, and for dates in the wrong order', async ({
    sandbox,
    me,
  }) => {
    const unknown = await me.send('promotions/~new', { code: 'X', coupon_id: 'SAVE2' })
    expect(unknown.html).toContain('id="field-coupon_id-wrong"')
    expect(unknown.html).toContain('value="SAVE2"')
    const order = { code: 'X', coupon_id: 'SAVE20', starts_at: '2027-02-01' }
    const wrong = await me.send('promotions/~new', { ...order, expires_at: '2027-01-01' })
    expect(wrong.html).toContain('id="field-starts_at-wrong"')
    expect(await sandbox.promotions.list()).toEqual([])
  })
})
