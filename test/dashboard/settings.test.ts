import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'
import { openReceiver, SECRET } from '../support/receiver.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

/** The part of the page about one assumption. */
async function about(slug: string): Promise<string> {
  const { html } = await me.open('settings')
  return html.split(`<article id="${slug}" class="columns">`)[1]?.split('</article>')[0] ?? ''
}

describe('the settings', () => {
  it('show every assumption with its question, section and choice', async () => {
    const { html, text } = await me.open('settings')
    const parts = html.split('<h2>')
    for (const { slug, question, choice, section, setting } of await sandbox.assumptions()) {
      expect(text).toContain(question)
      expect(text).toContain(choice)
      const part = parts.find((each) => each.includes(` id="${slug}"`))
      const stands = `<p class="hint" id="${slug}">${slug}, section ${section}</p>`
      if (setting === null) expect(part).toContain(stands)
      else expect(part).toMatch(new RegExp(`^Section ${section} of the interface<`))
    }
  })

  it('are chosen from words, typed as numbers and lists, and switched on and off', async () => {
    await me.send('settings', { after_retries: 'keep_past_due' })
    await me.send('settings', { access_token_lifetime: '60' })
    await me.send('settings', { retry_schedule: 'P2D, P4D' })
    await me.send('settings', { refresh_reuse_revokes_family: 'false' })
    await me.send('settings', { invalid_grant_status: '401' })
    await me.send('settings', { strict: 'true' })
    expect(await sandbox.settings.get()).toMatchObject({
      after_retries: 'keep_past_due',
      access_token_lifetime: 60,
      retry_schedule: ['P2D', 'P4D'],
      refresh_reuse_revokes_family: false,
      invalid_grant_status: 401,
      strict: true,
    })
  })

  it('refuse an emptied list; none is []', async () => {
    const before = (await sandbox.settings.get()).retry_schedule
    const emptied = await me.send('settings', { retry_schedule: ' ' })
    expect(emptied.status).toBe(400)
    expect(emptied.html).toMatch(/id="field-retry_schedule-wrong">[^<]*\[\] for no retry; got/)
    expect((await sandbox.settings.get()).retry_schedule).toEqual(before)
    await me.send('settings', { retry_schedule: '[]' })
    expect((await sandbox.settings.get()).retry_schedule).toEqual([])
    expect((await me.open('settings')).html).toMatch(/name="retry_schedule"[^>]*value="\[\]"/)
  })

  it('mark what this sandbox has changed, and lead back', async () => {
    expect(await about('after-retries')).not.toContain('changed here')
    const { location } = await me.send('settings', { after_retries: 'keep_past_due' })
    expect(location).toBe('/dashboard/default/settings?did=changed#after-retries')
    const changed = await about('after-retries')
    expect(changed).toContain('changed here')
    expect(changed).toContain('Back to cancel')
    expect(changed).toMatch(/value="keep_past_due" selected/)
    expect(await about('stacking-order')).not.toContain('changed here')
  })

  it('say what a setting that is varied does, and stop varying it', async () => {
    await sandbox.settings.change({ vary: ['retry-schedule'], retry_schedule: ['P5D'] })
    const varied = await about('retry-schedule')
    expect(varied.match(/changed here/g)).toHaveLength(1)
    expect(varied).toMatch(/Varied, whatever is set here: \[&quot;P2D&quot;\]/)
    await me.send('settings/vary', { slug: 'retry-schedule' })
    expect(await sandbox.settings.get()).toMatchObject({ vary: [], retry_schedule: ['P5D'] })
    expect(await about('retry-schedule')).not.toContain('aried')
  })

  it('are refused in the words of the API beside the field, with what was typed', async () => {
    const wrong = await me.send('settings', { access_token_lifetime: 'soon' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toMatch(/id="field-access_token_lifetime-wrong">[^<]*an integer from 1 to/)
    expect(wrong.html).toContain('value="soon"')
    const order = await me.send('settings', { retry_schedule: 'P3D P1D' })
    expect(order.html).toMatch(/id="field-retry_schedule-wrong">[^<]*strictly ascending/)
    expect((await sandbox.settings.get()).access_token_lifetime).toBe(3600)
  })

  it('decide an assumption without a setting otherwise, and back', async () => {
    await me.send('settings/vary', { slug: 'method-not-allowed', on: 'true' })
    await me.send('settings/vary', { slug: 'json-bodies', on: 'true' })
    expect((await sandbox.settings.get()).vary).toEqual(['method-not-allowed', 'json-bodies'])
    expect((await me.open('settings')).text).toContain('404 not_found. changed here')
    await me.send('settings/vary', { slug: 'method-not-allowed' })
    expect((await sandbox.settings.get()).vary).toEqual(['json-bodies'])
    const wrong = await me.send('settings/vary', { slug: 'nothing', on: 'true' })
    expect(wrong.status).toBe(400)
    expect(wrong.text).toContain('must be one of')
  })
})

describe('faults', () => {
  const pause = () =>
    fetch(`${sandbox.url}/v1/subscriptions/sub_1/pause`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.apiKey}` },
    })

  it('are made for an operation, hit it, and say how often', async () => {
    expect((await me.open('faults')).text).toContain('No call fails on purpose.')
    const made = await me.send('faults', {
      'match.operation': 'pauseSubscription',
      times: '2',
      'effect.status': '503',
      'effect.body': '{"error":"busy"}',
      when: 'before',
    })
    expect(made.location).toBe('/dashboard/default/faults?did=created')
    const answer = await pause()
    expect([answer.status, await answer.json()]).toEqual([503, { error: 'busy' }])
    const { text } = await me.open('faults')
    expect(text).toContain(
      'flt_000001 pauseSubscription, 2 times answered with 503, with a body of its own; before the operation 1 1 1',
    )
    expect((await me.open('requests')).text).toContain('fault flt_000001')
  })

  it('match by header and field', async () => {
    await me.send('faults', {
      'match.header.name': 'X-Trace',
      'match.header.value': 'abc',
      'match.field.name': 'plan',
      'match.field.value': 'pro',
      'effect.drop': 'true',
      when: 'after',
    })
    const [fault] = await sandbox.faults.list()
    expect(fault).toMatchObject({
      match: { header: { name: 'x-trace', value: 'abc' }, field: { name: 'plan', value: 'pro' } },
      effect: { drop: true },
      when: 'after',
    })
    const { text } = await me.open('faults')
    expect(text).toContain('any operation, with the header x-trace: abc, with plan = pro')
  })

  it('are refused beside each field', async () => {
    const wrong = await me.send('faults', { 'effect.status': 'x', times: '0', 'effect.drop': 'on' })
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('id="field-effect.status-wrong"')
    expect(wrong.html).toContain('id="field-times-wrong"')
    const nothing = await me.send('faults', { 'effect.status': '' })
    expect(nothing.text).toContain('effect must be an object with at least one of')
    expect(await sandbox.faults.list()).toEqual([])
  })

  it('are deleted, one by one and all at once', async () => {
    for (let count = 0; count < 3; count += 1)
      await sandbox.faults.create({ effect: { cut: true } })
    await me.send('faults/flt_000002/delete')
    expect((await sandbox.faults.list()).map((each) => each.fault_id)).toEqual([
      'flt_000001',
      'flt_000003',
    ])
    const question = (await me.open('faults/clear')).text
    expect(question).toContain(
      'Delete all faults? 2 faults are deleted, with the counts of matched calls.',
    )
    expect((await me.open('faults')).html).not.toMatch(/<form[^>]*action="[^"]*faults\/clear"/)
    await me.send('faults/clear')
    expect(await sandbox.faults.list()).toEqual([])
    expect((await me.send('faults/flt_000002/delete')).status).toBe(404)
  })
})

describe('webhooks', () => {
  it('are made from a form, whose answer shows the secret this once', async () => {
    const url = 'http://127.0.0.1:9/events'
    const fields = { url, event_types: 'invoice.paid, payment.failed', secret: '' }
    const made = await me.send('webhooks', fields)
    const [, secret = ''] = /data-copy="(whsec_[^"]+)"/.exec(made.html) ?? []
    expect([made.status, made.location, secret.length > 40]).toEqual([200, null, true])
    const [webhook] = await sandbox.webhooks.list()
    expect(webhook).toMatchObject({ url, event_types: ['invoice.paid', 'payment.failed'] })
    const { html, text } = await me.open('webhooks')
    expect(text).toContain(`wh_000001 ${url} invoice.paid, payment.failed`)
    expect(html).not.toContain(secret)
    await me.send('webhooks', { url, event_types: '', secret: SECRET })
    expect((await sandbox.webhooks.get('wh_000002')).event_types).toBeNull()
  })

  it('are refused beside their fields, and the secret does not come back', async () => {
    const refused = await me.send('webhooks', { url: 'nowhere', secret: 'hunter2' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('id="field-secret-wrong"')
    expect(refused.html).not.toContain('hunter2')
    expect(refused.html).toContain('value="nowhere"')
    const nowhere = await me.send('webhooks', { url: 'nowhere', event_types: 'invoice.payed' })
    expect(nowhere.html).toContain('id="field-event_types-wrong"')
    const url = await me.send('webhooks', { url: 'nowhere' })
    expect(url.html).toMatch(/id="field-url-wrong">url must be an http or https URL/)
    expect(await sandbox.webhooks.list()).toEqual([])
  })

  it('are deleted after a question', async () => {
    await sandbox.webhooks.create({ url: 'http://127.0.0.1:9/events' })
    const { text } = await me.open('webhooks/wh_000001/delete')
    expect(text).toContain('Delete wh_000001? Events are not sent to http://127.0.0.1:9/events')
    expect(await sandbox.webhooks.list()).toHaveLength(1)
    const { location } = await me.send('webhooks/wh_000001/delete')
    expect(location).toBe('/dashboard/default/webhooks?did=deleted')
    expect(await sandbox.webhooks.list()).toEqual([])
    expect((await me.open('webhooks/wh_000001/delete')).status).toBe(404)
  })

  it('say where events are sent, what was delivered, and deliver again', async () => {
    expect((await me.open('webhooks')).text).toContain('Events are sent to nobody.')
    const none = await me.open('webhooks?status=failed')
    expect(none.text).toContain('No delivery matches the filter.')
    const receiver = await openReceiver()
    const { webhook_id: id } = await sandbox.webhooks.create({ url: receiver.url, secret: SECRET })
    await sandbox.subscriptions.create({ customer_id: 'cus_ada', plan: 'basic' })
    await expect.poll(() => sandbox.webhooks.deliveries({ status: 'delivered' })).toHaveLength(4)
    const [first] = await sandbox.webhooks.deliveries()
    const deliveryId = first?.delivery_id ?? ''
    const { text } = await me.open('webhooks')
    expect(text).toContain(`${id} ${receiver.url} all events`)
    expect(text).toContain(`${deliveryId} ${id} 1 subscription.created delivered 1`)
    const again = await me.send('webhooks/redeliver', { delivery_id: deliveryId })
    expect(again.location).toBe('/dashboard/default/webhooks?did=delivered')
    const gone = await me.send('webhooks/redeliver', { delivery_id: 'dlv_999999' })
    expect(gone.status).toBe(404)
    expect(gone.html).toContain('role="alert"')
    expect(receiver.seqs().slice(4)).toEqual([1])
  })
})
