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

describe('the live page', () => {
  it('shows the newest requests, their subscriptions with the moment of each, and the events', async () => {
    expect((await me.open('live')).text).toContain('No request on /v1 yet.')
    await call('/v1/subscriptions', subscription, { 'Sandbox-Consumer': 'web-shop' })
    await sandbox.customers.create({ customer_id: 'cus_new' })
    await call('/v1/subscriptions/sub_000001/cancel', { at_period_end: 'often' })
    const { text, html } = await me.open('live')
    expect(text).toMatch(
      /\d\d:\d\d:\d\d 2027-01-01 POST \/v1\/subscriptions\/sub_000001\/cancel 400 invalid_request .*at_period_end must be.* POST \/v1\/subscriptions 200 web-shop/,
    )
    expect(text).not.toContain('/sandbox/customers')
    expect(text).toContain('2027-01-01 subscribed to basic, active sub_000001')
    expect(html).toContain('/changes?of=requests')
    const [, mark = ''] = /href="\/dashboard\/default\/(live\?lane=[^#"]*)#mark"/.exec(html) ?? []
    const shown = await me.open(mark.replaceAll('&amp;', '&'))
    expect(shown.html).toContain('id="mark"')
    expect(shown.html).toContain('aria-current="true"><title>2027-01-01: subscribed')
  })

  it('draws ten subscriptions at most, and leaves out those that are gone', async () => {
    await sandbox.checkpoint('empty')
    for (let nth = 0; nth < 12; nth += 1) await call('/v1/subscriptions', subscription)
    expect((await me.open('live')).html.match(/class="lane"/g)).toHaveLength(10)
    await sandbox.checkpoints.restore('empty')
    const gone = await me.open('live')
    expect(gone.html).not.toContain('class="lane"')
    expect(gone.text).toContain('POST /v1/subscriptions 200')
  })

  it('reads nothing into the log of requests, also where what it looks for is gone', async () => {
    await call('/v1/subscriptions/sub_typo/pause', {})
    await me.open('live')
    await me.open('subscriptions/sub_typo')
    const logged = await sandbox.requests.list()
    expect(logged.map(({ request }) => request.path)).toEqual(['/v1/subscriptions/sub_typo/pause'])
  })

  it('shows the requests of several sandboxes, each with its lanes', async () => {
    const other = await sandbox.create({ id: 'other', now: '2030-05-01T00:00:00.000Z' })
    await call('/v1/subscriptions', subscription)
    await other.subscriptions.create(subscription)
    await other.subscriptions.pause('sub_000001')
    const { text, html } = await me.open('live?all=true')
    expect(text).toMatch(/other \S+ 2030-05-01 POST \/v1\/subscriptions\/sub_000001\/pause 200/)
    expect(text).toMatch(/default \S+ 2027-01-01 POST \/v1\/subscriptions 200/)
    expect(html).toContain('/dashboard/other/live?lane=sub_000001')
    expect(html).toContain('href="/dashboard/other/requests/')
    expect(text).toContain('Events of other')
    expect(text).toContain('what a failed one leaves is in the folder .sandbox')
    expect(html).toContain('data-again')
    expect((await me.open('live')).text).not.toContain('2030-05-01')
  })

  it('shows a request of one of several sandboxes behind many on the control plane', async () => {
    await call('/v1/subscriptions', subscription)
    for (let nth = 0; nth < 60; nth += 1) await sandbox.customers.create({})
    expect((await me.open('live?all=true')).text).toContain('POST /v1/subscriptions 200')
  })

  it('names the lane and the marks of each of several sandboxes once', async () => {
    const other = await sandbox.create({ id: 'other', now: '2027-01-01T00:00:00.000Z' })
    await call('/v1/subscriptions', subscription)
    await other.subscriptions.create(subscription)
    await other.subscriptions.pause('sub_000001')
    const { html } = await me.open('live?all=true')
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([])
    expect(html.match(/class="lane"/g)).toHaveLength(2)
  })

  it('says of an answer which fault had a part in it', async () => {
    await sandbox.faults.create({ effect: { malformed: true }, times: 1 })
    await call('/v1/subscriptions', subscription)
    await sandbox.faults.create({ effect: { status: 503 }, times: 1 })
    await call('/v1/subscriptions', subscription)
    await sandbox.faults.create({ effect: { drop: true }, times: 1 })
    await call('/v1/subscriptions', subscription).catch(() => null)
    for (const page of ['live', 'requests']) {
      const { text } = await me.open(page)
      expect(text, page).toMatch(
        /closed fault flt_000003 .*503 fault flt_000002 .*200 fault flt_000001/,
      )
    }
    const refused = await me.open('requests?refused=true')
    expect(refused.html.match(/requests\/req_\d+"/g)).toHaveLength(2)
  })
})
