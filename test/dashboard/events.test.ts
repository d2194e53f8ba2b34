import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { type Opened, openForEach, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor
let call: Opened['call']

openForEach((opened) => {
  ;({ sandbox, me, call } = opened)
})

const subscription = { customer_id: 'cus_ada', plan: 'basic' }

describe('events', () => {
  it('are told in sentences, each with the request that led to it', async () => {
    await call('/v1/subscriptions', { ...subscription, trial_period_days: '14' })
    await sandbox.clock.advance('P1M')
    const { text, html } = await me.open('events')
    expect(text).toContain('2027-01-01 sub_000001 subscribed to basic, trialing')
    expect(text).toContain('2027-01-15 sub_000001 the trial ended')
    expect(text).toContain('amount due 10.00 USD')
    expect(html).toContain('href="/dashboard/default/requests/req_000001"')
    expect(text).toContain('the clock, by req_000002')
    expect(html).toContain('href="/dashboard/default/invoices/inv_000001"')
  })

  it('take several lines rather than push what is beside them out of sight', async () => {
    const { subscription_id: id } = await sandbox.subscriptions.create(subscription)
    for (const path of ['live', `subscriptions/${id}`]) {
      expect((await me.open(path)).html).toContain('<td class="wraps">subscribed to basic')
    }
    const preview = await me.open('clock/preview?move=P1M')
    expect(preview.html).toContain('<td class="wraps">renewed until 2027-03-01')
    const mark = await me.open(`?lane=${id}&at=2027-01-01T00:00:00.000Z`)
    expect(mark.html).toContain('<td class="wraps">subscribed to basic')
  })

  it('have the thousands of their amounts apart, as the notice of a move has', async () => {
    const terms = { product_id: 'prod_app', currency: 'USD', interval: 'month' } as const
    await sandbox.plans.create({ plan_id: 'large', name: 'Large', amount: 1_234_500, ...terms })
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'large' })
    expect((await me.open('events')).text).toContain('inv_000001 paid: 12,345.00 USD')
    const { location } = await me.send('clock/advance', { move: 'P1M' })
    expect((await me.open(location?.replace('/dashboard/default/', '') ?? '')).text).toContain(
      '1 renewed, 12,345.00 USD paid',
    )
  })

  it('can be filtered by type and by what they are about', async () => {
    await call('/v1/subscriptions', subscription)
    await call('/v1/subscriptions', subscription)
    const rows = async (query: string) =>
      [...(await me.open(`events?${query}`)).html.matchAll(/id="event-(\d+)"/g)].map(([, seq]) =>
        Number(seq),
      )
    expect(await rows('')).toEqual([8, 7, 6, 5, 4, 3, 2, 1])
    expect(await rows('type=invoice.paid')).toEqual([8, 4])
    expect(await rows('subject_kind=subscription&order=oldest')).toEqual([1, 5])
    expect(await rows('subject_id=sub_000002')).toEqual([5])
    expect(await rows('after=6')).toEqual([5, 4, 3, 2, 1])
    expect(await rows('after=6&order=oldest')).toEqual([7, 8])
    expect((await me.open('events?type=nothing')).html).toContain('id="field-type-wrong"')
  })

  it('fill pages of a hundred, from the newest on', async () => {
    await call('/v1/subscriptions', subscription)
    await sandbox.clock.advance('P5Y')
    const all = await sandbox.events.list()
    const newest = await me.open('events')
    expect(newest.html.match(/id="event-\d+"/g)).toHaveLength(100)
    expect(newest.html).toContain(`id="event-${all.at(-1)?.seq}"`)
    expect(newest.html).toContain(`after=${(all.at(-1)?.seq ?? 0) - 99}`)
    expect((await me.open('events?order=oldest')).html).toContain('after=100')
  })

  it('say what to do where nothing happened, and where a filter finds nothing', async () => {
    expect((await me.open('events')).text).toContain('Nothing has happened yet.')
    expect((await me.open('events?subject_id=sub_1')).text).toContain(
      'No event matches the filter.',
    )
    const none = await me.open('requests?consumer=nobody')
    expect(none.text).toContain('No request matches the filter.')
  })
})
