import { describe, expect } from 'vitest'
import { itAt, type Visited } from '../support/dashboard.ts'

const it = itAt('2027-01-01T00:00:00.000Z')

/** What is said to be wrong beside a field. */
function beside({ html }: Visited, name: string): { wrong?: string } {
  const found = new RegExp(`id="field-${name}-wrong">(.*?)</p>`, 's').exec(html)
  return found === null ? {} : { wrong: (found[1] ?? '').replaceAll('&quot;', '"') }
}

describe('a refused form of the dashboard', () => {
  it('says beside the promotion code that it excludes a coupon', async ({ sandbox, me }) => {
    await sandbox.promotions.create({ code: 'NEWYEAR', coupon_id: 'SAVE20' })
    const chosen = { customer_id: 'cus_ada', product_id: 'prod_app', plan: 'basic' }
    const both = { ...chosen, coupon_id: 'SAVE20', promotion_code: 'NEWYEAR' }
    const refused = await me.send('subscriptions/~new', both)
    expect(refused.status).toBe(400)
    expect(beside(refused, 'promotion_code').wrong).toMatch(
      /^promotion_code cannot be combined with coupon_id\.$/,
    )
    expect(beside(refused, 'coupon_id')).toEqual({})
    expect(refused.html.match(/id="[\w-]+"[^>]*autofocus/g)?.join()).toMatch(
      /^id="field-promotion_code"[^,]*$/,
    )
  })

  it('says beside the first of two fields that they exclude each other', async ({ me }) => {
    const both = { customer_id: 'cus_ada', subscription_id: 'sub_1', outcome: 'card_declined' }
    const refused = await me.send('payments', both)
    expect(beside(refused, 'customer_id').wrong).toContain(
      'cannot be combined with subscription_id',
    )
    const wrong = await me.send('payments', { outcome: 'eaten', lasts: 'times' })
    expect(beside(wrong, 'outcome').wrong).toMatch(/^outcomes\[0\] must be one of/)
  })

  it('places what a what-if refuses by the field that its change came from', async ({ me }) => {
    const asked = 'what-if?asked=1&ask'
    const unknown = await me.open(`${asked}=cancel&subscription_id=sub_none`)
    expect(beside(unknown, 'subscription_id').wrong).toMatch(
      /^changes\[0\]: subscription_id "sub_none" does not exist/,
    )
    expect(unknown.text).toContain('This was refused. See the marked fields below.')
    const price = await me.open(`${asked}=price&plan_id=basic&amount=much&at=2020-01-01`)
    expect(beside(price, 'amount').wrong).toMatch(/^amount must be an amount in USD/)
    const other = `${asked}=other&changes=${encodeURIComponent('[{"operation":"eat"}]')}`
    expect(beside(await me.open(other), 'changes').wrong).toMatch(
      /^changes\[0\]\.operation must be/,
    )
  })

  it('places what is unknown or taken by the field that it was typed into', async ({ me }) => {
    const fork = await me.send('sandboxes/fork', { fork_id: 'default', checkpoint: '' })
    expect(beside(fork, 'fork_id').wrong).toContain('"default" exists already')
    expect(beside(fork, 'id')).toEqual({})
    const gone = await me.send('sandboxes/fork', { fork_id: 'two', checkpoint: 'gone' })
    expect(beside(gone, 'checkpoint').wrong).toContain('from.checkpoint "gone" does not exist')
    const until = { move: 'until', subscription_id: 'sub_9', status: 'active' }
    const clock = await me.send('clock/advance', until)
    expect(beside(clock, 'subscription_id').wrong).toContain('"sub_9" does not exist')
  })

  it('says why the demo year ends early: payments that are scripted fail in it, too', async ({
    sandbox,
    me,
  }) => {
    await sandbox.payments.script({ always: 'card_declined' })
    const refused = await me.send('demo')
    expect(refused.status).toBe(409)
    expect(refused.text).toContain('did not become active within a year: it is canceled')
  })

  it('is no problem of the server where the sandbox is strict', async ({ sandbox, me }) => {
    const order = { customer_id: 'cus_ada', plan: 'basic' }
    const { subscription_id: id } = await sandbox.subscriptions.create(order)
    await sandbox.settings.change({ strict: true })
    const refused = await me.send(`subscriptions/${id}/cancel`, { at_period_end: 'false' })
    expect(refused.status).toBe(501)
    expect(refused.text).toContain('at_period_end: the interface does not show false')
    expect(refused.text).not.toMatch(/Problem of the server|not a problem of what you entered/)
  })

  it('says of one field all that is wrong with it', async ({ me }) => {
    const { wrong } = beside(
      await me.send('settings', { retry_schedule: 'soon late' }),
      'retry_schedule',
    )
    expect(wrong).toMatch(/^retry_schedule\[0\] must be .* retry_schedule\[1\] must be /)
  })
})
