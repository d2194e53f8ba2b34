import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

const sub = 'subscriptions/sub_000001'
const page = `/dashboard/default/${sub}`

async function subscribe(order: { coupon_id?: string; customer_id?: string } = {}): Promise<void> {
  await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic', ...order })
}

async function one() {
  return sandbox.subscriptions.get('sub_000001')
}

describe('a subscription on the dashboard', () => {
  it('is shown with its discounts, its invoices, its events and what comes', async () => {
    await subscribe({ coupon_id: 'SAVE20' })
    await subscribe({ customer_id: 'cus_linus' })
    await sandbox.clock.advance('P1M')
    const { text, html } = await me.open(sub)
    expect(text).toContain('Plan Basic , 10.00 USD a month')
    expect(text).toContain('SAVE20 20 % 3 months 2027-01-01 2027-04-01')
    expect(text).toMatch(
      /Lines inv_000003 2027-02-01 8\.00 USD paid .* inv_000001 2027-01-01 8\.00 USD/,
    )
    expect(text).toContain('2027-02-01 renewed until 2027-03-01 sub_000001')
    expect(text).not.toContain('sub_000002')
    expect(text).toMatch(
      /Created Due Expected status Lines 2027-03-01 8\.00 USD paid Basic 2027-04-01 10\.00 USD/,
    )
    expect(html).toContain('href="/dashboard/default/customers/cus_ada"')
    expect(html).toContain('href="/dashboard/default/invoices/inv_000003"')
  })

  it('looks a year ahead, also where the sandbox has many', async () => {
    await subscribe()
    for (let n = 0; n < 200; n += 1) await subscribe({ customer_id: 'cus_linus' })
    const { text } = await me.open(sub)
    expect(text).toMatch(/Lines 2027-02-01 10\.00 USD paid Basic 2027-03-01 /)
    expect(text).toContain('2027-06-01 10.00 USD paid Basic')
  })

  it('is not found in the words of the API where there is none', async () => {
    const { status, text } = await me.open(sub)
    expect(status).toBe(404)
    expect(text).toContain('subscription_id "sub_000001" does not exist')
  })

  it('is not changed where the clock has moved since the page said what would happen', async () => {
    await subscribe()
    const { html, text } = await me.open(`${sub}/update?plan=pro`)
    const [, seen = ''] = /name="seen" value="([^"]+)"/.exec(html) ?? []
    expect(text).toContain('Charged now: 15.00 USD')
    await sandbox.clock.advance('P10D')
    const refused = await me.send(`${sub}/update`, { plan: 'pro', seen })
    expect(refused.location).toBeNull()
    expect(refused.text).toContain('Nothing was done: the clock has moved since this was shown.')
    expect(refused.text).toContain('Charged now: 10.17 USD')
    expect((await one()).plan).toBe('basic')
    const [, fresh = ''] = /name="seen" value="([^"]+)"/.exec(refused.html) ?? []
    const { location } = await me.send(`${sub}/update`, { plan: 'pro', seen: fresh })
    expect(location).toBe(`${page}?did=changed`)
    expect((await one()).plan).toBe('pro')
  })

  it('is paused and resumed, and says why it cannot be resumed twice', async () => {
    await subscribe()
    expect((await me.send(`${sub}/pause`)).location).toBe(`${page}?did=paused`)
    expect((await one()).status).toBe('paused')
    expect((await me.send(`${sub}/resume`)).location).toBe(`${page}?did=resumed`)
    expect((await one()).status).toBe('active')
    const again = await me.send(`${sub}/resume`)
    expect(again.status).toBe(409)
    expect(again.text).toContain('subscription_id "sub_000001" must be paused; got active.')
    expect((await me.open(`${sub}/resume`)).location).toBe(page)
  })

  it('asks when it is to end, and ends with its period', async () => {
    await subscribe()
    const asked = await me.open(`${sub}/cancel`)
    expect(asked.text).toContain('Access continues until 2027-02-01')
    expect(asked.text).toContain('nothing is paid back')
    expect(asked.html).toContain(`<a href="${page}">Keep it</a>`)
    const { location } = await me.send(`${sub}/cancel`, { at_period_end: 'true' })
    expect(location).toBe(`${page}?did=cancel_scheduled`)
    expect(await one()).toMatchObject({ status: 'active', cancel_at_period_end: true })
  })

  it('says what a cancellation credits, where a setting has it credit something', async () => {
    await sandbox.settings.change({ cancel_without_refund: 'credit' })
    await subscribe()
    await sandbox.clock.advance('P10D')
    const { text } = await me.open(`${sub}/cancel?at_period_end=false`)
    expect(text).not.toContain('nothing is paid back')
    await me.send(`${sub}/cancel`, { at_period_end: 'false' })
    const { balance } = await sandbox.customers.get('cus_ada')
    const amount = `${(balance / 100).toFixed(2)} USD`
    expect(text).toContain(`Nothing is charged now. It has no open invoice. ${amount} is credited.`)
    expect(text).toContain(`Balance of the customer after ${amount}`)
    const ended = await me.open(sub)
    expect(ended.text).toContain('No discount.')
    expect(ended.text).not.toContain('Apply a coupon to give one')
  })

  it('says which invoices become void before it ends now', async () => {
    await subscribe()
    await sandbox.payments.fail()
    await sandbox.clock.advance('P1M')
    expect((await me.open(`${sub}/cancel`)).text).toContain('become void now: inv_000002.')
    await me.send(`${sub}/cancel`, { at_period_end: 'false' })
    expect((await one()).status).toBe('canceled')
    expect((await sandbox.invoices.get('inv_000002')).status).toBe('void')
    const again = await me.send(`${sub}/cancel`, { at_period_end: 'false' })
    expect(again.status).toBe(409)
    expect(again.text).toContain('got canceled')
  })

  it('takes a coupon, and says beside the field why it refuses one', async () => {
    await subscribe()
    const { location } = await me.send(`${sub}/apply-coupon`, { coupon_id: 'SAVE20' })
    expect(location).toBe(`${page}?did=applied`)
    const next = await me.open(`${sub}/apply-coupon`)
    expect(next.text).toContain('It has a discount of SAVE20. A new discount replaces it, unless')
    expect(next.text).toContain('a trial extension leaves it as it is.')
    const refused = await me.send(`${sub}/apply-coupon`, { coupon_id: 'PROONLY' })
    expect(refused.status).toBe(409)
    expect(refused.html).toMatch(
      /id="field-coupon_id-wrong">coupon_id &quot;PROONLY&quot; applies to plans pro/,
    )
    expect((await one()).discounts.map((each) => each.coupon_id)).toEqual(['SAVE20'])
  })
})

describe('changing the plan of a subscription on the dashboard', () => {
  it('shows the proration line by line before it is charged, and then charges exactly that', async () => {
    await subscribe()
    await sandbox.clock.to('2027-01-16T00:00:00.000Z')
    expect((await me.open(`${sub}/update`)).text).toContain('Choose to see what it does')
    const { text } = await me.open(`${sub}/update?plan=pro`)
    expect(text).toContain('10.00 USD × 1382400/2678400')
    expect(text).toContain('Charged now: 7.74 USD')
    expect(text).toContain('Next invoice 2027-02-01 Due then 25.00 USD')
    expect((await one()).plan).toBe('basic')
    expect(await sandbox.invoices.list()).toHaveLength(1)
    expect((await sandbox.siblings()).map((each) => each.sandbox_id)).toEqual(['default'])
    const { location } = await me.send(`${sub}/update`, { plan: 'pro' })
    expect(location).toBe(`${page}?did=changed`)
    const [, proration] = await sandbox.invoices.list()
    expect(proration).toMatchObject({ reason: 'proration', status: 'paid', amount_due: 774 })
  })

  it('draws each change as a branch before it is made', async () => {
    await subscribe()
    const branch = async (path: string) => {
      const { text, html } = await me.open(`${sub}/${path}`)
      expect(html).toContain('class="bar branch"')
      expect(html).toContain('href="/dashboard/default/what-if?asked=true&amp;ask=other&amp;flow=')
      return text
    }
    expect(await branch('update?plan=pro')).toContain('195.00 USD more until 2028-01-01')
    expect(await branch('update?plan=pro_yearly')).toContain('with the change: pro_yearly ')
    expect(await branch('apply-coupon?coupon_id=SAVE20')).toContain('6.00 USD less until')
    expect(await branch('pause')).toContain(
      'with the change: paused 120.00 USD less until 2028-01-01',
    )
    expect(await branch('cancel')).toContain('canceled 2027-02-01')
    expect(await branch('cancel?at_period_end=false')).toContain('canceled 2027-01-01')
    expect(await branch('fail-payment')).toContain('card_declined')
    expect(await sandbox.requests.list({ unmatched: 'false' })).toHaveLength(1)
  })

  it('draws the attempt that fails, and the one that recovers', async () => {
    await subscribe()
    const { html, text } = await me.open(`${sub}/fail-payment`)
    const label =
      '2027-02-01 to 2027-02-02: attempts 1 2: 10.00, recovers on day 1 (1 expected: fails 2027-02-01, 2 expected: succeeds 2027-02-02)'
    expect(html).toContain(`aria-label="${label}"`)
    expect(text).toContain('attempts to pay, by number')
    const [, asked = ''] = /href="\/dashboard\/default\/(what-if[^"#]*)#/.exec(html) ?? []
    expect((await me.open(asked.replaceAll('&amp;', '&'))).text).toContain(
      '2027-02-01 sub_000001 period 10.00 USD paid 10.00 USD paid after 2 attempts',
    )
    // What was tried before now is no part of the branch.
    await sandbox.payments.fail({ subscription_id: 'sub_000001' })
    await sandbox.clock.to('2027-02-01T12:00:00.000Z')
    expect((await me.open(`${sub}/fail-payment`)).text).toContain(
      '2027-02-02 to 2027-02-04: attempts 2 3: 10.00, recovers on day 3',
    )
  })

  it('fails the next payment, and no other', async () => {
    await subscribe()
    const { location } = await me.send(`${sub}/fail-payment`, { reason: 'expired_card' })
    expect(location).toBe(`${page}?did=scripted`)
    const [script] = await sandbox.payments.list()
    const scope = { subscription_id: 'sub_000001' }
    expect(script).toMatchObject({ scope, outcomes: ['expired_card'], always: null })
    const none = await me.send(`${sub}/update`, {})
    expect(none.status).toBe(400)
    await sandbox.subscriptions.cancel('sub_000001')
    expect((await me.open(`${sub}/pause`)).text).toContain('does not take this')
  })

  it('says what a change to a longer interval charges at once', async () => {
    await subscribe()
    await sandbox.clock.to('2027-01-16T00:00:00.000Z')
    const { text } = await me.open(`${sub}/update?plan=pro_yearly`)
    expect(text).toContain('Charged now: 244.84 USD')
    await me.send(`${sub}/update`, { plan: 'pro_yearly' })
    const [, next] = await sandbox.invoices.list()
    expect(next).toMatchObject({ reason: 'period', status: 'paid', amount_due: 24_484 })
  })

  it('says that a downgrade waits for the next billing cycle', async () => {
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'pro' })
    const { text } = await me.open(`${sub}/update?plan=basic`)
    expect(text).toContain('Nothing is charged now')
    expect(text).toContain('The new plan holds 2027-02-01')
    expect(text).toContain('Due then 10.00 USD')
  })

  it('offers the plan that it has where that takes back a downgrade to come', async () => {
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'pro' })
    const own = 'value="pro" required'
    expect((await me.open(`${sub}/update`)).html).not.toContain(own)
    await me.send(`${sub}/update`, { plan: 'basic' })
    const { html, text } = await me.open(`${sub}/update`)
    expect(html).toContain(own)
    expect(text).toContain(
      'It changes to basic with its next period; its own plan takes that back.',
    )
    await me.send(`${sub}/update`, { plan: 'pro' })
    expect(await sandbox.subscriptions.get('sub_000001')).toMatchObject({ pending_plan: null })
  })

  it('says that a cancellation at the end of a period may come after the last attempt to pay', async () => {
    await subscribe()
    expect((await me.open(`${sub}/cancel`)).text).toContain('until 2027-02-01. Then')
    await sandbox.payments.script({ always: 'card_declined' })
    await sandbox.clock.to('2027-02-01T00:00:00.000Z')
    expect((await me.open(`${sub}/cancel`)).text).toContain('until 2027-03-01 at most. Then')
  })

  it('says of a cancellation that is scheduled already', async () => {
    await subscribe()
    await me.send(`${sub}/cancel`, { at_period_end: 'true' })
    expect((await me.open(`${sub}/cancel`)).text).toContain('It ends with its period already.')
    expect((await me.open(sub)).text).toContain('Cancellation requested 2027-01-01')
  })

  it('says that a failure comes after what is scripted before it', async () => {
    await subscribe()
    const { text } = await me.open(`${sub}/fail-payment`)
    expect(text).toContain('A failure follows the outcomes that are scripted for this subscription')
  })

  it('says that the payment of a card that fails stays due', async () => {
    await subscribe()
    await sandbox.clock.to('2027-01-16T00:00:00.000Z')
    await sandbox.payments.fail({ reason: 'insufficient_funds' })
    const { text } = await me.open(`${sub}/update?plan=pro`)
    expect(text).toContain('Due now: 7.74 USD, and the payment fails')
    // It is paid later.
    expect(text).toContain('7.74 USD more due now, ')
    expect(await sandbox.payments.list()).toHaveLength(1)
  })

  it('says why a subscription that has ended keeps its plan, and makes no fork', async () => {
    await subscribe()
    await sandbox.subscriptions.cancel('sub_000001')
    const { text } = await me.open(`${sub}/update?plan=pro`)
    expect(text).toContain('subscription_id "sub_000001" must be')
    expect(await sandbox.siblings()).toHaveLength(1)
    expect((await me.send(`${sub}/update`, { plan: 'pro' })).status).toBe(409)
  })

  it('says that there is no such plan', async () => {
    await subscribe()
    const { text } = await me.open(`${sub}/update?plan=pr`)
    expect(text).toContain('plan "pr" does not exist')
  })
})
