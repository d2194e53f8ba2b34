import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
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

describe('the log of requests', () => {
  it('says what to do while nobody has asked for anything', async () => {
    expect((await me.open('requests')).text).toContain('Nobody has asked for anything yet.')
  })

  it('lists the newest first, with what was refused, what rested on assumptions, and faults', async () => {
    await call('/v1/subscriptions', subscription, { 'Sandbox-Consumer': 'web-shop' })
    await call('/v1/subscriptions', { plan: 'basic' })
    await sandbox.faults.create({ effect: { status: 503 } })
    await call('/v1/subscriptions/sub_000001/pause', {})
    const { text } = await me.open('requests')
    const at = (part: string) => text.indexOf(part)
    expect(at('POST /v1/subscriptions/sub_000001/pause 503')).toBeGreaterThan(0)
    expect(text).toContain('fault flt_000001')
    expect(at('400 invalid_request createSubscription')).toBeGreaterThan(at('503'))
    expect(at('200 createSubscription')).toBeGreaterThan(at('400 invalid_request'))
    expect(text).toMatch(/200 createSubscription \d 4 web-shop/)
    expect(text).toMatch(/\d\d:\d\d:\d\d 2027-01-01 POST \/v1\/subscriptions 200/)
  })

  it('shows only those that were refused, that no operation fits, or of one consumer', async () => {
    await call('/v1/subscriptions', subscription, { 'Sandbox-Consumer': 'web-shop' })
    await call('/v1/subscriptions', { plan: 'nothing', customer_id: 'cus_ada' })
    await call('/v1/subscription')
    const shown = async (query: string) => {
      const { html } = await me.open(`requests?${query}`)
      const ids = [...html.matchAll(/requests\/(req_\d+)"/g)].map(([, id]) => id)
      const all = await sandbox.requests.list()
      return ids.map((id) => all.find((each) => each.request_id === id)?.number)
    }
    expect(await shown('')).toEqual([3, 2, 1])
    expect(await shown('refused=true')).toEqual([3, 2])
    expect(await shown('unmatched=true')).toEqual([3])
    expect(await shown('consumer=web-shop')).toEqual([1])
    expect(await shown('operation_id=createSubscription&status=200')).toEqual([1])
  })

  it('shows requests on /v1, or all, without what pages read themselves', async () => {
    await sandbox.customers.create({ customer_id: 'cus_new' })
    await me.open('customers/cus_nobody')
    await me.open('what-if?asked=true&ask=plan')
    await me.open('clock/preview?move=to&to=2000-01-01')
    const service = await me.open('requests')
    expect(service.text).toContain('Nobody has asked for anything yet.')
    await call('/v1/subscriptions', subscription)
    const all = await me.open('requests?all=true&refused=')
    expect(all.html).toContain('<input type="hidden" name="all" value="true"/>')
    expect(all.html.match(/requests\/req_\d+"/g)).toHaveLength(2)
    expect(all.text).toContain('POST /sandbox/customers')
    expect((await me.open('requests')).text).not.toContain('/sandbox/customers')
    expect(await sandbox.requests.list()).toHaveLength(2)
  })

  it('says beside the field what is wrong with a filter, and does not follow what it caused itself', async () => {
    const refused = await me.open('requests?status=often')
    expect(refused.html).toMatch(/id="field-status-wrong">[^<]*integer from 100 to 599/)
    const [, stream = ''] =
      /data-live="([^"]*\/changes\?of=requests[^"]*)"/.exec(refused.html) ?? []
    const { body } = await fetch(new URL(stream.replaceAll('&amp;', '&'), sandbox.url))
    await me.open('requests?status=often')
    await call('/v1/subscription')
    const [newest] = await sandbox.requests.list()
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let told = ''
    while (!told.includes('data')) told += (await reader?.read())?.value ?? ''
    expect(told).toContain(`id: ${newest?.number}\ndata: changed`)
    await reader?.cancel()
  })

  it('has what is wrong with a box to tick read out with it', async () => {
    const { html } = await me.open('requests?unmatched=perhaps')
    const box = /<input[^>]*name="unmatched"[^>]*>/.exec(html)?.[0]
    expect(box).toContain('aria-describedby="field-unmatched-wrong" aria-invalid="true"')
    expect(html).toContain('<p class="wrong" id="field-unmatched-wrong">')
    expect(html).not.toContain('Nothing was changed')
  })

  it('counts the events that it has of a request, and says where there are more', async () => {
    await call('/v1/subscriptions', subscription)
    await sandbox.clock.advance('P4Y')
    const { html } = await me.open('requests?all=true')
    expect([...html.matchAll(/<td class="right">([^<]*)</g)].map(([, text]) => text)).toEqual([
      '100+',
      '4',
    ])
  })

  it('has older ones on a page of their own', async () => {
    for (let count = 0; count < 55; count += 1) await call('/v1/subscription')
    const first = await me.open('requests?unmatched=true')
    const [, next = ''] =
      /href="[^"]*\/(requests\?[^"]*after=\d+)" rel="next"/.exec(first.html) ?? []
    const second = await me.open(next.replaceAll('&amp;', '&'))
    expect(second.html.match(/requests\/req_\d+/g)).toHaveLength(5)
  })
})

describe('one request', () => {
  it('shows what was sent and answered, and what it led to', async () => {
    await call('/v1/subscriptions', subscription)
    const { text } = await me.open('requests/req_000001')
    expect(text).toContain('POST /v1/subscriptions 200')
    expect(text).toContain('customer_id=cus_ada&plan=basic')
    expect(text).toContain('"status": "active"')
    expect(text).toContain('subscribed to basic, active')
    expect(text).toContain('Assumptions')
    expect(text).not.toContain(sandbox.apiKey)
  })

  it('says why it was refused, and which operation comes nearest', async () => {
    await call('/v1/subscriptions', { plan: 'basic', colour: 'red' })
    const refused = (await me.open('requests/req_000001')).text
    expect(refused).toContain('customer_id is missing')
    await call('/v1/subscription')
    const [{ request_id: id } = { request_id: '' }] = await sandbox.requests.list()
    const unmatched = (await me.open(`requests/${id}`)).text
    expect(unmatched).toContain('The nearest is createSubscription, POST /v1/subscriptions')
    expect(unmatched).toContain('the method and the path differ')
  })

  it('names the variables of the shell that its command needs, and no other', async () => {
    const hintOf = async (headers: Record<string, string>) => {
      await fetch(`${sandbox.url}/v1/subscription`, { headers })
      const [{ request_id: id } = { request_id: '' }] = await sandbox.requests.list()
      return (await me.open(`requests/${id}`)).text
    }
    const both = await hintOf({ Authorization: 'Bearer x', 'Sandbox-Control-Token': 'y' })
    expect(both).toContain('set SANDBOX_API_KEY to the key, and SANDBOX_CONTROL_TOKEN to the token')
    expect(await hintOf({})).not.toContain('Secrets are not printed')
  })

  it('can be sent again as it is copied, with the key of the shell', async () => {
    const note = 'it\'s $HOME `id` \\ "quoted" 100%'
    const order = { customer_id: note, plan: 'basic' }
    const headers = {
      Authorization: `Bearer ${sandbox.apiKey}`,
      'Content-Type': 'application/json',
    }
    const body = JSON.stringify(order)
    await fetch(`${sandbox.url}/v1/subscriptions`, { method: 'POST', headers, body })
    const { html } = await me.open('requests/req_000001')
    const [, copied = ''] = /data-copy="([^"]*)"/.exec(html) ?? []
    const command = copied.replace(
      /&(quot|#39|amp|gt|lt);/g,
      (_, name: string) => signs[name] ?? '',
    )
    expect(command).toContain('$SANDBOX_API_KEY')
    const env = { ...process.env, SANDBOX_API_KEY: sandbox.apiKey }
    await promisify(execFile)('sh', ['-c', command], { env })
    const [again, first] = await sandbox.requests.list({ operation_id: 'createSubscription' })
    expect(again?.request.body).toBe(body)
    expect(again?.answer).toEqual(first?.answer)
    expect(again?.number).toBeGreaterThan(first?.number ?? 0)
  })

  it('is sent again by a button, with the key of the sandbox, and shows the new answer', async () => {
    await call('/v1/subscriptions', subscription, { 'Sandbox-Consumer': 'web-shop' })
    expect((await me.open('requests/req_000001')).html).toContain('/requests/req_000001/send"')
    const { location } = await me.send('requests/req_000001/send')
    const [again, first] = await sandbox.requests.list()
    expect(location).toBe(`/dashboard/default/requests/${again?.request_id}?did=sent_again`)
    expect([again?.request.body, again?.consumer]).toEqual([first?.request.body, 'dashboard'])
    expect(again?.answer.body).toContain('sub_000002')
    await sandbox.checkpoint('one')
    const [control] = await sandbox.requests.list()
    const repeated = await me.send(`requests/${control?.request_id}/send`)
    expect(repeated.status).toBe(303)
    expect((await sandbox.requests.list())[0]?.refusal?.code).toBe('exists')
  })

  it('is not sent again where the log does not have all of it, and says why', async () => {
    const reasonFor = async (path: string, init: RequestInit) => {
      await fetch(`${sandbox.url}${path}`, init)
      const [{ request_id: id } = { request_id: '' }] = await sandbox.requests.list()
      const { text, html } = await me.open(`requests/${id}`)
      expect(html).not.toContain(`/requests/${id}/send"`)
      const sent = await me.send(`requests/${id}/send`)
      expect(sent.status).toBe(409)
      const [, reason] = /It cannot be sent from here: ([^.]*)\./.exec(text) ?? []
      expect(sent.text).toContain(`It cannot be sent from here: ${reason}.`)
      return reason
    }
    const body = JSON.stringify({ token: 'tok_1' })
    const key = `Bearer ${sandbox.apiKey}`
    const json = { 'Content-Type': 'application/json', Authorization: key }
    const masked = 'the log has its secrets masked'
    const posted = { method: 'POST', headers: json, body }
    expect(await reasonFor('/v1/subscriptions', posted)).toBe(masked)
    expect(await reasonFor('/v1/subscription?api_key=sk_1', {})).toBe(masked)
    expect(
      await reasonFor('/v1/subscription', { headers: { Cookie: 'a=b', 'X-Token': 'b' } }),
    ).toBe(masked)
    const long = { ...posted, body: JSON.stringify({ plan: 'x'.repeat(9000) }) }
    expect(await reasonFor('/v1/subscriptions', long)).toContain('its body was not kept')
    expect(await reasonFor('/sandbox/customers/cus_nobody', {})).toContain('reads of the control')
    const refresh = await sandbox.tokens.issue({ subject: 'ada' })
    const headers = { Authorization: `Bearer ${refresh.refresh_token}` }
    expect(await reasonFor('/v1/auth/refresh', { method: 'POST', headers })).toContain('masked')
  })

  it('sends a body as it was, also one that curl would take for the name of a file', async () => {
    await call('/v1/subscriptions', { '@/etc/hostname': '' })
    const { text } = await me.open('requests/req_000001')
    expect(text).toContain("--data-raw '%40%2Fetc%2Fhostname='")
    const headers = {
      Authorization: `Bearer ${sandbox.apiKey}`,
      'Content-Type': 'application/json',
    }
    const body = '@/etc/hostname'
    await fetch(`${sandbox.url}/v1/subscriptions`, { method: 'POST', headers, body })
    const [{ request_id: id } = { request_id: '' }] = await sandbox.requests.list()
    expect((await me.open(`requests/${id}`)).text).toContain("--data-raw '@/etc/hostname'")
  })

  it('shows what was sent as text, whatever it holds', async () => {
    const sent = '<img src=x onerror=alert(1)>'
    await call('/v1/subscriptions', { ...subscription, plan: sent }, { 'Sandbox-Consumer': sent })
    for (const path of ['requests', 'requests/req_000001', 'coverage']) {
      const { html } = await me.open(path)
      expect(html).not.toContain('<img')
      expect(html).toContain('&lt;img src=x')
    }
  })

  it('says where it went once it is gone', async () => {
    await call('/v1/subscriptions', subscription)
    expect((await me.open('requests/req_000009')).text).toContain(
      'It is not in the log of requests',
    )
  })
})

const signs: Readonly<Record<string, string>> = {
  quot: '"',
  '#39': "'",
  amp: '&',
  gt: '>',
  lt: '<',
}
