import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Sandbox } from '../../src/index.ts'
import { openForEach, type Visitor } from '../support/dashboard.ts'

let sandbox: Sandbox
let me: Visitor

openForEach((opened) => {
  ;({ sandbox, me } = opened)
})

function subscribe(consumer: string, plan = 'basic'): Promise<Response> {
  const headers = { Authorization: `Bearer ${sandbox.apiKey}`, 'Sandbox-Consumer': consumer }
  const body = new URLSearchParams({ customer_id: 'cus_ada', plan })
  return fetch(`${sandbox.url}/v1/subscriptions`, { method: 'POST', headers, body })
}

describe('the coverage', () => {
  it('says first what nobody asked for', async () => {
    await subscribe('web-shop')
    await subscribe('web-shop', 'nothing')
    const { text } = await me.open('coverage')
    expect(text).toContain('Calls on /v1 by all consumers: 2 calls.')
    expect(text).toContain('operations 1 of 6 16.6 %')
    expect(text.indexOf('updateSubscription')).toBeLessThan(text.indexOf('createSubscription'))
    expect(text).toMatch(/createSubscription 1 (?:not yet )+1/)
    expect(text).toMatch(/Error code Calls .*not yet.* not_found 1/)
    expect(text).toContain('active pause paused not yet')
  })

  it('says that calls with a fault do not count', async () => {
    await sandbox.faults.create({ effect: { status: 503 } })
    await subscribe('web-shop')
    const { text } = await me.open('coverage')
    expect(text).toContain('Calls on /v1 by all consumers: 0 calls.')
    expect(text).toContain('Calls that a fault had a part in do not count')
  })

  it('counts the moves that the clock made', async () => {
    await subscribe('web-shop')
    await sandbox.clock.advance('P2M')
    expect((await me.open('coverage')).text).toContain('active period end active 2')
  })

  it('tells consumers apart', async () => {
    await subscribe('web-shop')
    await subscribe('app')
    await subscribe('app')
    const all = await me.open('coverage')
    expect(all.text).toMatch(/By consumer .* web-shop 1 16\.6 .*/)
    expect(all.html).toContain('href="/dashboard/default/coverage?consumer=app"')
    const { text } = await me.open('coverage?consumer=app')
    expect(text).toContain('Calls on /v1 by app: 2 calls.')
  })
})

/** Sends a file as a browser does. */
async function upload(content: string, fields: Record<string, string> = {}) {
  const form = new FormData()
  form.append('pact', new File([content], 'mine.json', { type: 'application/json' }))
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  const path = `${sandbox.url}/dashboard/default/contracts/check`
  const answer = await fetch(path, { method: 'POST', body: form, headers: { Origin: sandbox.url } })
  return { status: answer.status, html: await answer.text() }
}

const shipped = 'reference-form-client-subscription-service.json'
const fileOf = (name: string) =>
  readFile(new URL(`../../contracts/pacts/${name}`, import.meta.url), 'utf8')

describe('the contracts', () => {
  it('list the pacts that come with the sandbox, each with what it asks', async () => {
    const { text, html } = await me.open('contracts')
    for (const { file } of await sandbox.contracts.list()) expect(text).toContain(file)
    expect(html).toContain('enctype="multipart/form-data"')
    expect(html).toMatch(/type="file"[^>]*required/)
    const one = await me.open(`contracts/shipped?file=${shipped}`)
    expect(one.text).toContain('It fits the documented interface.')
    const { interactions } = await sandbox.contracts.get(shipped)
    expect(one.text).toContain(interactions[0]?.description)
  })

  it('say of each published pact whether it was verified', async () => {
    expect((await me.open('contracts')).text).toContain('No pact was published.')
    const pact = await fileOf(shipped)
    const { consumer, provider } = JSON.parse(pact)
    const path = `/sandbox/broker/pacts/provider/${provider.name}/consumer/${consumer.name}/version/1.0`
    const headers = { 'Content-Type': 'application/json' }
    await fetch(`${sandbox.url}${path}`, { method: 'PUT', headers, body: pact })
    expect((await me.open('contracts')).text).toContain(`${consumer.name} 1.0 ${provider.name}`)
    expect((await me.open('contracts')).text).toContain('not yet')
    const result = (success: boolean) =>
      fetch(`${sandbox.url}${path}/verification-results`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ success, providerApplicationVersion: '7.1' }),
      })
    await result(true)
    expect((await me.open('contracts')).text).toContain('verified with 7.1')
    await result(false)
    expect((await me.open('contracts')).text).toContain('failed with 7.1')
  })

  it('check a pact that is uploaded, and list what does not fit', async () => {
    const fits = await upload(await fileOf(shipped))
    expect(fits.html).toContain('It fits the documented interface.')
    const pact = {
      consumer: { name: 'shop' },
      provider: { name: 'subscription-service' },
      interactions: [
        {
          description: 'a refund <b>now</b>',
          request: { method: 'GET', path: '/v1/refunds' },
          response: { status: 200 },
        },
      ],
    }
    const { status, html } = await upload(JSON.stringify(pact))
    expect(status).toBe(200)
    expect(html).toContain('It does not fit the documented interface.')
    expect(html).toContain('a refund &lt;b&gt;now&lt;/b&gt;')
    expect(html).toContain('$.interactions[0].request.path')
    expect(html).toContain('mine.json')
  })

  it('replay it where that is asked for', async () => {
    const { html } = await upload(
      await fileOf('reference-token-client-subscription-service.json'),
      {
        live: 'true',
      },
    )
    expect(html).toContain('Its replay passed, which has the last word.')
    expect(html).toMatch(/\d interactions, 0 failed\./)
    expect(html).toContain('passed')
  })

  it('say what a replay that failed answered otherwise', async () => {
    const request = {
      ...{
        method: 'POST',
        path: '/v1/subscriptions',
        body: { customer_id: 'cus_ada', plan: 'pro' },
      },
      headers: { Authorization: 'Bearer sk_sandbox_default', 'Content-Type': 'application/json' },
    }
    const response = { status: 200, body: { plan: 'basic' } }
    const [consumer, provider] = [{ name: 'shop' }, { name: 'subscription-service' }]
    const interactions = [{ description: 'an order', request, response }]
    const pact = JSON.stringify({ consumer, provider, interactions })
    const { html } = await upload(pact, { live: 'true' })
    expect(html).toContain('Its replay failed, which has the last word.')
    expect(html).toContain('1 interaction, 1 failed.')
    expect(html).toContain('$.plan: Expected &#39;pro&#39; (String) to be equal to &#39;basic&#39;')
  })

  it('refuse what is no pact in the words of the API, and what is too large', async () => {
    const wrong = await upload('not json')
    expect(wrong.status).toBe(400)
    expect(wrong.html).toContain('role="alert"')
    expect((await upload('{"consumer":{}}')).html).toContain('consumer.name')
    const { html } = await upload('{"a":1}')
    const [, alert = ''] = /role="alert">(.*?)<\/div>/s.exec(html) ?? []
    expect(alert).toMatch(/^<p>This was refused:<\/p><ul>(<li>[^<]+<\/li>){2,}<\/ul>$/)
    const messages = alert.match(/<li>[^<]+/g) ?? []
    expect(new Set(messages).size).toBe(messages.length)
    const nothing = await me.send('contracts/check')
    expect(nothing.status).toBe(400)
    const large = await upload(`"${'x'.repeat(18 * 1024 * 1024)}"`)
    expect(large.status).toBe(413)
    expect(large.html).toContain('A form may have at most 17825792 bytes.')
  })
})
