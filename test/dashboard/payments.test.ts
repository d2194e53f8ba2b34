import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

const anyone = { customer_id: '', subscription_id: '' }
const once = { lasts: 'times', times: '' }

async function subscribe(customer = 'cus_ada') {
  return await sandbox.subscriptions.create({ customer_id: customer, plan: 'basic' })
}

describe('the payments of the dashboard', () => {
  it('fail the next time for each reason that there is, once', async () => {
    const reasons = ['card_declined', 'insufficient_funds', 'expired_card', 'processing_error']
    for (const outcome of [...reasons, 'no_payment_method']) {
      const { location } = await me.send('payments', { outcome, ...once, ...anyone })
      expect(location).toBe('/dashboard/default/payments?did=scripted')
      expect((await subscribe()).status).toBe('past_due')
      const [newest] = (await sandbox.invoices.list()).slice(-1)
      expect(newest?.attempts.map((each) => each.outcome)).toEqual([outcome])
    }
    expect((await subscribe()).status).toBe('active')
  })

  it('fail so many times for one customer, and the page says what is left', async () => {
    const fields = { outcome: 'card_declined', lasts: 'times', times: '3' }
    await me.send('payments', { ...fields, customer_id: 'cus_ada', subscription_id: '' })
    expect((await me.open('payments')).text).toContain('cus_ada card_declined × 3')
    await subscribe('cus_linus')
    await subscribe('cus_ada')
    expect((await me.open('payments')).text).toContain('cus_ada card_declined × 2')
    expect((await sandbox.invoices.list()).map(({ status }) => status)).toEqual(['paid', 'open'])
  })

  it('succeed so many times, too, before an outcome that holds always', async () => {
    await me.send('payments', { outcome: 'card_declined', lasts: 'always', times: '', ...anyone })
    const fields = { outcome: 'succeed', lasts: 'times', times: '2', ...anyone }
    expect((await me.send('payments', fields)).location).toContain('?did=scripted')
    expect((await me.open('payments')).text).toContain('all payments succeed × 2 card_declined')
    const statuses = [await subscribe(), await subscribe(), await subscribe()]
    expect(statuses.map(({ status }) => status)).toEqual(['active', 'active', 'past_due'])
  })

  it('end alike always for one subscription', async () => {
    const { subscription_id: id } = await subscribe()
    const fields = { outcome: 'expired_card', lasts: 'always', times: '', customer_id: '' }
    await me.send('payments', { ...fields, subscription_id: id })
    expect((await me.open('payments')).text).toContain(`${id} – none expired_card`)
    await sandbox.clock.advance('P1M')
    expect((await sandbox.subscriptions.get(id)).status).toBe('past_due')
  })

  it('are not scripted always and a number of times', async () => {
    const fields = { outcome: 'expired_card', lasts: 'always', times: '3', ...anyone }
    const refused = await me.send('payments', fields)
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('times must be empty where an outcome holds always; got "3".')
    expect(await sandbox.payments.list()).toEqual([])
  })

  it('are scripted for the subscription that another page leads from', async () => {
    const { subscription_id: id } = await subscribe()
    const from = await me.open('invoices/inv_000001')
    expect(from.html).toContain(`href="/dashboard/default/payments?subscription_id=${id}"`)
    expect((await me.open(`payments?subscription_id=${id}`)).html).toContain(`value="${id}"`)
  })

  it('are refused beside the field, in the words of the API', async () => {
    const fields = { outcome: 'card_declined', lasts: 'times', times: 'x' }
    const times = await me.send('payments', { ...fields, ...anyone })
    expect(times.html).toContain('id="field-times-wrong"')
    expect(times.text).toContain('times must be an integer from 1 to 1000; got "x".')
    const nobody = await me.send('payments', { ...fields, times: '2', customer_id: 'cus_ad' })
    expect(nobody.status).toBe(404)
    expect(nobody.html).toContain('id="field-customer_id-wrong"')
    expect(nobody.html).toContain('value="cus_ad"')
    const both = { customer_id: 'cus_ada', subscription_id: 'sub_000001' }
    const two = await me.send('payments', { ...fields, times: '2', ...both })
    expect(two.text).toContain('customer_id cannot be combined with subscription_id.')
    expect(await sandbox.payments.list()).toEqual([])
  })

  it('are removed from one scope alone', async () => {
    await sandbox.payments.fail({ times: 5 })
    await sandbox.payments.fail({ customer_id: 'cus_ada' })
    const { html } = await me.open('payments')
    expect(html).toContain('aria-label="Remove the outcomes for all payments"')
    expect(html).toContain('aria-label="Remove the outcomes for cus_ada"')
    const { location } = await me.send('payments/remove', { customer_id: 'cus_ada' })
    expect(location).toBe('/dashboard/default/payments?did=removed')
    expect(await sandbox.payments.list()).toMatchObject([{ scope: {} }])
    const again = await me.send('payments/remove', { customer_id: 'cus_ada' })
    expect(again.text).toContain('No outcome is scripted for payments of "cus_ada".')
    await me.send('payments/remove')
    expect(await sandbox.payments.list()).toEqual([])
  })

  it('are cleared after a question', async () => {
    await sandbox.payments.fail({ times: 5 })
    expect((await me.open('payments/clear')).text).toContain('All scripted outcomes are deleted')
    expect(await sandbox.payments.list()).toHaveLength(1)
    await me.send('payments/clear')
    expect(await sandbox.payments.list()).toEqual([])
    expect((await me.open('payments')).text).toContain('Nothing is scripted')
  })
})

describe('the one-time charges of the dashboard', () => {
  it('are made with decimals, with a coupon, and listed by customer', async () => {
    const fields = { customer_id: 'cus_ada', amount: '20.00', currency: 'USD', coupon_id: 'TAKE5' }
    const { location } = await me.send('payments/charges/~new', fields)
    expect(location).toBe('/dashboard/default/payments/charges/ch_000001?did=charged')
    const made = await me.open('payments/charges/ch_000001')
    expect(made.text).toContain('Amount 20.00 USD Discount 5.00 USD Due 15.00 USD')
    expect((await me.open('payments/charges')).text).toContain('ch_000001 succeeded 15.00 USD')
    const others = await me.open('payments/charges?customer_id=cus_linus')
    expect(others.text).not.toContain('ch_000001')
    expect(others.text).toContain('No charge matches the filter.')
  })

  it('show why one failed', async () => {
    await sandbox.payments.fail({ reason: 'insufficient_funds' })
    const fields = { customer_id: 'cus_ada', amount: '2000', currency: 'USD', coupon_id: '' }
    const { location } = await me.send('payments/charges/~new', fields)
    const { text } = await me.open(location?.replace('/dashboard/default/', '') ?? '')
    expect(text).toContain('The charge failed; see the reason below.')
    expect(text).not.toContain('Created.')
    expect(text).toContain('Failure reason insufficient_funds')
  })

  it('are refused beside the field, with what was typed', async () => {
    const fields = { customer_id: 'cus_ada', amount: '20.00', currency: 'JPY', coupon_id: '' }
    const refused = await me.send('payments/charges/~new', fields)
    expect(refused.text).toContain('amount must be an amount in JPY, such as 1250; got "20.00".')
    expect(refused.html).toContain('value="20.00"')
    expect(await sandbox.charges.list()).toEqual([])
  })
})
