import { describe, expect, it, vi } from 'vitest'
import type { WireProblem } from '../../../src/wire/common/errors.ts'
import type { WireIssuedTokens } from '../../../src/wire/sandbox/token.ts'
import { openShop } from '../../support/control.ts'
import { advance, recordingOf, sentIn } from '../../support/exported-recording.ts'

const formats = ['json', 'curl', 'vitest', 'pytest'] as const
const key = { Authorization: 'Bearer sk_sandbox_default' }
const json = { 'Content-Type': 'application/json' }

describe('a recording', () => {
  it('is whole after a question that nobody waited for', async () => {
    const shop = await openShop()
    await shop.post('/v1/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
    const change = { operation: 'createCustomer', body: { customer_id: 'cus_new' } }
    for (const [path, question] of [
      ['/sandbox/what-if', { changes: [change] }],
      ['/sandbox/clock/advance', { by: 'P1Y', dry_run: true }],
    ] as const) {
      const body = JSON.stringify(question)
      const order = { method: 'POST', headers: json, body, signal: AbortSignal.abort() }
      await Promise.resolve(shop.app.request(path, order)).catch(() => undefined)
    }
    expect(await recordingOf(shop)).not.toContain('what-if')
  })

  it('has the calls that may have changed something, refused ones too, and no reads', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/customers', { customer_id: 'cus_zoe' })
    await shop.get('/sandbox/customers')
    await shop.post('/sandbox/customers', { customer_id: 'cus_zoe' })
    await shop.call('DELETE', '/sandbox/customers/cus_zoe')
    expect(await sentIn(shop)).toEqual([
      "201 POST '/sandbox/customers'",
      "409 POST '/sandbox/customers'",
      "204 DELETE '/sandbox/customers/cus_zoe'",
    ])
    // The read took the second request id.
    expect(await recordingOf(shop)).toContain("-H 'Sandbox-Request-Id: req_000003'")
  })

  it('has no questions, but for one that keeps provider states apart', async () => {
    const shop = await openShop()
    const ask = () => shop.post('/sandbox/clock/advance', { by: 'P1Y', dry_run: true })
    await shop.post('/sandbox/customers', { customer_id: 'cus_zoe' })
    await ask()
    await shop.post('/sandbox/customers', { customer_id: 'cus_yan' })
    await ask()
    await ask()
    await shop.post('/sandbox/provider-states', { state: 'nobody knows this' })
    await ask()
    expect(await sentIn(shop)).toEqual([
      "201 POST '/sandbox/customers'",
      "201 POST '/sandbox/customers'",
      "200 PATCH '/sandbox/settings'",
      "404 POST '/sandbox/provider-states'",
    ])
    const recording = await recordingOf(shop)
    expect([...recording.matchAll(/Sandbox-Request-Id: (req_\d+)/g)].map(([, id]) => id)).toEqual([
      'req_000003',
      'req_000005',
    ])
  })

  it('begins with the sandbox as it was made', async () => {
    const shop = await openShop()
    const body = {
      ...{ fixture: 'dunning', now: '2030-01-01T00:00:00.000Z' },
      settings: { access_token_lifetime: 60 },
    }
    await shop.call('PUT', '/sandboxes/other', { json: body })
    expect(await recordingOf(shop, 'curl', 'other')).toContain(`body='${JSON.stringify(body)}'`)
  })

  it('begins again with a reset', async () => {
    const shop = await openShop()
    await advance(shop, 'P1D')
    await shop.post('/sandbox/reset', { fixture: 'dunning' })
    await advance(shop, 'P2D')
    expect(await recordingOf(shop)).toContain(`body='{"fixture":"dunning"}'`)
    expect(await sentIn(shop)).toEqual([
      "200 POST '/sandbox/reset'",
      "200 POST '/sandbox/clock/advance'",
    ])
  })

  it('has a call that waited for a reset, and none that was answered after it', async () => {
    const shop = await openShop()
    const effect = { delay_ms: 2000, status: 503 }
    await shop.post('/sandbox/faults', { effect, when: 'after' })
    const headers = { ...key, ...json }
    const body = JSON.stringify({ customer_id: 'cus_ada', plan: 'basic' })
    const held = shop.app.request('/v1/subscriptions', { method: 'POST', headers, body })
    await vi.waitUntil(() => shop.registry.default.newestEvent > 0)
    const [, late] = await Promise.all([
      shop.post('/sandbox/reset'),
      shop.post('/sandbox/customers', { customer_id: 'cus_late' }),
    ])
    expect({ held: (await held).status, late: late.status }).toEqual({ held: 503, late: 201 })
    expect(await sentIn(shop)).toEqual([
      "200 POST '/sandbox/reset'",
      "201 POST '/sandbox/customers'",
    ])
  })

  it('has all provider states that add up, each of which is a reset', async () => {
    const shop = await openShop()
    const setUp = (state: string) => shop.post('/sandbox/provider-states', { state })
    await advance(shop, 'P1D')
    await setUp('a subscription exists')
    await shop.get('/sandbox')
    await setUp('a refresh token is fresh')
    expect(await sentIn(shop)).toEqual(Array(2).fill("200 POST '/sandbox/provider-states'"))
    await advance(shop, 'P1D')
    await setUp('a subscription exists')
    expect(await sentIn(shop)).toEqual(["200 POST '/sandbox/provider-states'"])
  })

  it('only counts calls about other sandboxes, and those refused for who sends them', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/other')
    await shop.call('DELETE', '/sandboxes/other')
    await shop.call('POST', '/sandbox/reset', { headers: { Origin: 'http://evil.example' } })
    await shop.call('POST', '/sandbox/customers', { bytes: 'x'.repeat(2_000_000) })
    expect(await sentIn(shop)).toEqual(Array(4).fill("200 PATCH '/sandbox/settings'"))
  })

  it.each(formats)('never shows a secret, as %s', async (format) => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/other')
    const { body } = await shop.post<WireIssuedTokens>('/sandbox/tokens', {})
    const own = body.refresh_token
    const gone = `rt_default_${'g'.repeat(43)}`
    const refreshed = { refresh_token: own, password: 'hunter2 "quoted"' }
    const secretHeaders = { 'X-Api-Key': 'hunter2', Cookie: 'session=hunter2' }
    const bearer = { Authorization: `Bearer ${own}` }
    await shop.call('POST', '/v1/auth/refresh', { json: refreshed, headers: bearer })
    await shop.call('POST', `/v1/x?token=hunter2&a=${gone}`, {
      headers: { ...key, ...secretHeaders },
    })
    await shop.call('POST', '/v1/auth/refresh', {
      bytes: `{"refresh\\u005ftoken":"hunter2\\u0041","a":"${own.replace('r', '\\u0072')}","${gone}`,
      headers: { Authorization: `Bearer ${gone}`, ...json },
    })
    await shop.call('POST', '/v1/subscriptions', {
      headers: { Authorization: 'Bearer sk_live_hunter2' },
    })
    await shop.call('POST', '/sandbox/customers', {
      json: { customer_id: 'cus_x', name: `sk_sandbox_other ${body.access_token} ${own}` },
    })
    const sentAs = (type: string, bytes: string) =>
      shop.call('POST', '/v1/auth/refresh', { bytes, headers: { ...key, 'Content-Type': type } })
    await sentAs('application/x-www-form-urlencoded', '{"access_token":"hunter2"}')
    await sentAs('application/x-www-form-urlencoded', 'a={"password":"hunter2 hunter2"}')
    await sentAs('Application/X-WWW-Form-Urlencoded', 'refresh_token=hunter2')
    await sentAs('text/plain', 'refresh_token=hunter2')
    await sentAs('application/json', JSON.stringify({ a: JSON.stringify({ password: 'hunter2' }) }))
    await sentAs('application/json', `{"tokens":["hunter2"],"a":"x_${gone}"}`)
    await shop.call('POST', '/v1/x%20sk_sandbox_other;access_token=hunter2?a=1;api_key=hunter2', {
      headers: { ...key, 'X-From': 'http://127.0.0.1/?access_token=hunter2' },
    })
    const recording = await recordingOf(shop, format)
    for (const secret of ['hunter2', gone, own, body.access_token, 'sk_sandbox_other', 'sk_live']) {
      expect(recording).not.toContain(secret)
    }
    expect(recording).toContain('A secret of unknown origin is masked here.')
    expect(recording).toContain('refresh_token_2')
  })

  it('is a recording in JSON, whose texts are in pieces where a variable stands in them', async () => {
    const shop = await openShop()
    const name = 'the {"variable":"key"}'
    await shop.post('/sandbox/customers', { customer_id: 'cus_x', name })
    await shop.call('POST', '/sandbox/customers', { bytes: '\u0000' })
    const { body } = await shop.post<WireIssuedTokens>('/sandbox/tokens', {})
    const headers = { Authorization: `Bearer ${body.refresh_token}` }
    await shop.call('POST', '/v1/auth/refresh', { headers })
    const { calls, ...rest } = JSON.parse(await recordingOf(shop, 'json'))
    expect(rest).toEqual({
      format: 1,
      about: [
        expect.stringContaining('The recording of sandbox "default"'),
        ...Array(3).fill(expect.any(String)),
      ],
      left_out: expect.arrayContaining(['access_token']),
      origin: { fixture: 'starter' },
    })
    expect(calls).toMatchObject([
      {
        method: 'POST',
        target: ['/sandbox/customers'],
        headers: expect.arrayContaining([['Sandbox-Id', [{ variable: 'id' }]]]),
        body: [JSON.stringify({ customer_id: 'cus_x', name })],
        status: 201,
        answer: { customer_id: 'cus_x', name },
      },
      { status: 400 },
      { status: 200, keeps: { refresh_token_2: 'refresh_token' } },
      {
        headers: expect.arrayContaining([
          ['authorization', ['Bearer ', { variable: 'refresh_token_2' }]],
        ]),
      },
    ])
    expect(calls.at(-1)).not.toHaveProperty('keeps')
  })

  it.each([
    [
      'an object, whose numbers become 0',
      '{"secret":{"a":["hunter2",14,true]},"b":1.50}',
      '{"secret":{"a":["masked-1",0,true]},"b":1.50}',
    ],
    [
      'a value before its name',
      '{"a":[{"value":["hunter2"],"name":"api_key"}]}',
      '{"a":[{"value":["masked-1"],"name":"api_key"}]}',
    ],
    [
      'a name that comes twice',
      '{"secret" : {"a":"hunter2"},"secret":1}',
      '{"secret" : {"a":"masked-1"},"secret":0}',
    ],
    [
      'base64',
      `{"a":"${Buffer.from('{"token":"hunter2"}').toString('base64')}"}`,
      '{"a":"masked-1"}',
    ],
    ['JSON that is cut', '{"password":{"a":"hunter2"', 'masked-1'],
    ['parts', '--X\r\nname="password"\r\n\r\nhunter2\r\n--X--', 'masked-1'],
    ['a form', 'a[name]=api_key&a[value]=hunter2&b=1', 'a[name]=api_key&a[value]=masked-1&b=1'],
  ])('has a mask in the form of what it hides in %s', async (name, bytes, recorded) => {
    const shop = await openShop()
    const type = name === 'a form' ? 'application/x-www-form-urlencoded' : 'application/json'
    await shop.call('POST', '/v1/subscriptions', {
      bytes,
      headers: { ...key, 'Content-Type': type },
    })
    const { calls } = JSON.parse(await recordingOf(shop, 'json'))
    expect(calls).toMatchObject([{ status: 400, body: [recorded] }])
  })

  it('has the same mask for a token in a provider state and where it is sent', async () => {
    const shop = await openShop()
    await shop.post('/sandbox/provider-states', { state: 'the refresh token hunter2 is fresh' })
    await shop.call('POST', '/v1/auth/refresh', {
      json: { refresh_token: 'hunter2' },
      headers: { Authorization: 'Bearer hunter2' },
    })
    const { calls } = JSON.parse(await recordingOf(shop, 'json'))
    expect(calls).toMatchObject([
      { status: 200, body: ['{"state":"the refresh token masked-1 is fresh"}'] },
      { status: 200, body: ['{"refresh_token":"masked-1"}'] },
    ])
  })

  it('masks a token in provider states of a list and of a query', async () => {
    const [path, state] = ['/sandbox/provider-states', 'the refresh token hunter2 is fresh']
    const listed = await openShop()
    await listed.post(path, { states: [state] })
    expect(JSON.parse(await recordingOf(listed, 'json')).calls).toMatchObject([
      { status: 200, body: ['{"states":["the refresh token masked-1 is fresh"]}'] },
    ])
    const queried = await openShop()
    await queried.call('POST', `${path}?state=${state.replaceAll(' ', '+')}`)
    expect(JSON.parse(await recordingOf(queried, 'json')).calls).toMatchObject([
      { status: 200, target: [`${path}?state=the%20refresh%20token%20masked-1%20is%20fresh`] },
    ])
  })

  it('only counts pacts that are published, which have whatever they have', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandbox/broker/pacts/provider/p/consumer/c/version/1', { bytes: '{}' })
    expect(await sentIn(shop)).toEqual(["200 PATCH '/sandbox/settings'"])
  })

  it('says the same mask wherever the same secret stood', async () => {
    const shop = await openShop()
    const headers = { Authorization: 'Bearer gone', ...json }
    await shop.call('POST', '/v1/auth/refresh', { json: { refresh_token: 'gone' }, headers })
    expect(await recordingOf(shop)).toContain(`body='{"refresh_token":"masked-1"}'`)
    expect(await recordingOf(shop)).toContain("-H 'authorization: Bearer masked-1'")
  })

  it('refuses a format that there is none of', async () => {
    const shop = await openShop()
    const { status, body } = await shop.get<WireProblem>('/sandbox/recording?format=perl')
    expect(status).toBe(400)
    expect(body.detail).toContain('json, curl, vitest or pytest')
  })
})
