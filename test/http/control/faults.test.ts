import { describe, expect, it } from 'vitest'
import type { WireProblem } from '../../../src/wire/common/errors.ts'
import type { WireFault } from '../../../src/wire/sandbox/fault.ts'
import { submit } from '../../support/client.ts'
import { inSandbox, openShop, type Shop } from '../../support/control.ts'
import {
  faultsOf,
  makeFault,
  faultsPath as path,
  statuses,
  subscribe,
  subscriptionsIn,
} from '../../support/fault-client.ts'

const failing = { effect: { status: 503 } }

describe('a fault', () => {
  it('is made with a number of its own, found, listed and deleted', async () => {
    const shop = await openShop()
    const made = await shop.post<WireFault>(path, { times: 2, ...failing })
    expect([made.status, made.headers.get('Location')]).toEqual([201, `${path}/flt_000001`])
    expect(made.body).toEqual({
      fault_id: 'flt_000001',
      match: { operation: null, header: null, field: null },
      ...{ nth: 1, times: 2, probability: 1, seed: 0, when: 'before' },
      effect: {
        ...{ status: 503, body: null, headers: {}, delay_ms: 0, slow_ms: 0 },
        ...{ drop: false, cut: false, malformed: false },
      },
      ...{ matched: 0, used: 0, left: 2 },
    })
    expect((await shop.get(`${path}/flt_000001`)).body).toEqual(made.body)
    expect(await faultsOf(shop)).toEqual([made.body])
    expect((await shop.call('DELETE', `${path}/flt_000001`)).status).toBe(204)
    expect((await shop.get(`${path}/flt_000001`)).status).toBe(404)
    expect((await makeFault(shop, failing)).fault_id).toBe('flt_000002')
    await makeFault(shop, failing)
    expect((await shop.call('DELETE', path)).status).toBe(204)
    expect(await faultsOf(shop)).toEqual([])
    expect(await statuses(shop, 1)).toEqual([200])
  })

  it('is shown as it was made', async () => {
    const shop = await openShop()
    const effect = { status: 429, headers: { 'Retry-After': '2' }, body: { error: 'b', a: [1] } }
    const match = {
      header: { name: 'X-Try', value: '1' },
      field: { name: 'trial_period_days', value: 14 },
    }
    const made = await makeFault(shop, { match, when: 'after', effect })
    expect(made.effect).toMatchObject(effect)
    expect(made.match).toEqual({
      operation: null,
      header: { name: 'x-try', value: '1' },
      field: { name: 'trial_period_days', value: '14' },
    })
    const text = await makeFault(shop, { effect: { status: 500, body: '{"a":1}' } })
    expect(text.effect.body).toBe('{"a":1}')
  })

  it('is listed page by page, and by whether it hit a call', async () => {
    const shop = await openShop()
    const pausing = { match: { operation: 'pauseSubscription' }, ...failing }
    for (const fault of [pausing, { nth: 2, ...failing }, pausing]) await makeFault(shop, fault)
    await statuses(shop, 2)
    const idsOf = async (query: string) =>
      (await faultsOf(shop, query)).map(({ fault_id: id }) => id)
    expect(await idsOf('?unused=true')).toEqual(['flt_000001', 'flt_000003'])
    expect(await idsOf('?unused=false')).toEqual(['flt_000002'])
    expect(await idsOf('?unused=true&limit=1')).toEqual(['flt_000001'])
    expect(await idsOf('?unused=true&limit=1&after=flt_000001')).toEqual(['flt_000003'])
    // What hit no call when its page was read may have hit one when the next page is.
    expect(await idsOf('?unused=false&after=flt_000001')).toEqual(['flt_000002'])
    expect(await idsOf('?limit=2&after=flt_000002')).toEqual(['flt_000003'])
    expect((await shop.get(`${path}?after=flt_000009`)).status).toBe(400)
  })

  it('is refused beyond a hundred', async () => {
    const shop = await openShop()
    for (let left = 100; left > 0; left -= 1) await makeFault(shop, failing)
    const refused = await shop.post<WireProblem>(path, failing)
    expect([refused.status, refused.body.code]).toEqual([409, 'fault_limit'])
  })
})

describe('calls are hit', () => {
  it('twice, and then let through', async () => {
    const shop = await openShop()
    await makeFault(shop, { times: 2, ...failing })
    expect(await statuses(shop, 4)).toEqual([503, 503, 200, 200])
    // Once it is used up, it counts no more.
    expect(await faultsOf(shop)).toMatchObject([{ matched: 2, used: 2, left: 0 }])
  })

  it('every time, until the fault is deleted', async () => {
    const shop = await openShop()
    await makeFault(shop, failing)
    expect(await statuses(shop, 3)).toEqual([503, 503, 503])
    expect(await faultsOf(shop)).toMatchObject([{ used: 3, times: null, left: null }])
    await shop.call('DELETE', path)
    expect(await statuses(shop, 1)).toEqual([200])
  })

  it('at the nth alone, or as often as told from there on', async () => {
    const shop = await openShop()
    await makeFault(shop, { nth: 2, ...failing })
    await makeFault(shop, { nth: 4, times: 2, effect: { status: 500 } })
    expect(await statuses(shop, 6)).toEqual([200, 503, 200, 500, 500, 200])
  })

  it('by the oldest fault that has something left, which makes a script of several', async () => {
    const shop = await openShop()
    for (const status of [503, 500, 429]) await makeFault(shop, { times: 1, effect: { status } })
    expect(await statuses(shop, 4)).toEqual([503, 500, 429, 200])
    expect(await faultsOf(shop)).toMatchObject([{ matched: 1 }, { matched: 2 }, { matched: 3 }])
  })

  it('as a seed decides, the same ones in another sandbox', async () => {
    const shop = await openShop()
    const chance = { probability: 0.5, seed: 7, ...failing }
    await makeFault(shop, chance)
    const first = await statuses(shop, 20)
    const others = first.filter((status) => status === 200).length
    expect(others).toBeGreaterThan(4)
    expect(others).toBeLessThan(16)
    await shop.post('/sandbox/reset')
    await makeFault(shop, chance)
    expect(await statuses(shop, 20)).toEqual(first)
    expect(await shop.state()).toContain('"matched":20')
  })

  it('by operation, header and field of the body, in a form as in JSON', async () => {
    const shop = await openShop()
    const match = {
      operation: 'createSubscription',
      header: { name: 'X-Try', value: '1' },
      field: { name: 'trial_period_days', value: 14 },
    }
    await makeFault(shop, { match, ...failing })
    const [headers, fields] = [{ 'x-try': '1' }, { trial_period_days: 14 }]
    const answered = async (sent: Parameters<typeof subscribe>[1]) =>
      (await subscribe(shop, sent)).status
    expect(await answered({ headers })).toBe(200)
    expect(await answered({ fields })).toBe(200)
    expect(await answered({ headers, fields: { trial_period_days: 15 } })).toBe(200)
    expect(await answered({ headers, fields })).toBe(503)
    const form = await shop.app.request('/v1/subscriptions', {
      method: 'POST',
      headers: { Authorization: 'Bearer sk_sandbox_default', 'X-Try': '1' },
      body: new URLSearchParams({ customer_id: 'cus_ada', plan: 'pro', trial_period_days: '14' }),
    })
    expect(form.status).toBe(503)
    expect((await submit(shop, '/v1/subscriptions/sub_000001/pause')).status).toBe(200)
    expect(await faultsOf(shop)).toMatchObject([{ matched: 2, used: 2 }])
  })

  it('although they would be refused, but never without a key of the sandbox', async () => {
    const shop = await openShop()
    await makeFault(shop, { times: 1, ...failing })
    const unknown = await subscribe(shop, { headers: { Authorization: 'Bearer sk_sandbox_gone' } })
    expect(unknown.status).toBe(401)
    const elsewhere = inSandbox(shop, 'other')
    await shop.call('PUT', '/sandboxes/other')
    const theirs = { Authorization: 'Bearer sk_sandbox_other' }
    expect((await subscribe(elsewhere, { headers: theirs })).status).toBe(200)
    expect((await subscribe(shop, { fields: { plan: 5 } })).status).toBe(503)
    expect((await subscribe(shop, { fields: { plan: 5 } })).status).toBe(400)
  })

  it('after the operation with what it did committed, and its refusals hidden', async () => {
    const shop = await openShop()
    await makeFault(shop, { times: 3, when: 'after', ...failing })
    expect(await statuses(shop, 2)).toEqual([503, 503])
    const refused = await subscribe(shop, { fields: { plan: 'gone' } })
    expect([refused.status, refused.headers.get('Sandbox-Assumptions')]).toEqual([503, null])
    expect(await subscriptionsIn(shop)).toBe(2)
    const { body } = await shop.get<{ ok: boolean }>('/sandbox/audit')
    expect(body.ok).toBe(true)
  })

  it('one after another, whoever calls at the same time', async () => {
    const shop = await openShop()
    await makeFault(shop, { times: 5, when: 'after', ...failing })
    const answers = await Promise.all(Array.from({ length: 12 }, () => subscribe(shop)))
    expect(answers.filter(({ status }) => status === 503)).toHaveLength(5)
    expect(await subscriptionsIn(shop)).toBe(12)
  })
})

describe('a fault is refused', () => {
  const refusedWith = async (fault: object): Promise<WireProblem> => {
    const shop: Shop = await openShop()
    const before = await shop.state()
    const { status, body } = await shop.post<WireProblem>(path, fault)
    expect([400, 404]).toContain(status)
    expect(await shop.state()).toBe(before)
    return body
  }

  it.each<readonly [string, object]>([
    ['effect is missing', {}],
    ['effect must be an object with at least one of status, delay_ms', { effect: {} }],
    ['effect must be an object with at least one of', { effect: { drop: false } }],
    [
      'effect.status must be absent where effect.drop is true',
      { effect: { drop: true, status: 500 } },
    ],
    ['effect.cut must be absent where effect.drop is true', { effect: { drop: true, cut: true } }],
    [
      'effect.body must be absent where there is no effect.status',
      { effect: { body: 'x', cut: true } },
    ],
    ['effect.status must be a status from 200 to 599', { effect: { status: 204 } }],
    ['effect.status must be a status from 200 to 599', { effect: { status: 600 } }],
    ['effect.body must be a text, or an object', { effect: { status: 500, body: 5 } }],
    ['effect.body must have at most 65536', { effect: { status: 500, body: 'x'.repeat(65_537) } }],
    ['effect.delay_ms must be an integer from 0 to 60000', { effect: { delay_ms: 60_001 } }],
    ['effect.slow_ms must be an integer from 0 to 60000', { effect: { slow_ms: -1 } }],
    ['effect.headers.X must be a text', { effect: { status: 500, headers: { X: 'a\nb' } } }],
    ['effect.headers must be named as', { effect: { status: 500, headers: { 'a b': 'c' } } }],
    ['effect.headers must not have', { effect: { status: 500, headers: { 'sandbox-id': 'x' } } }],
    ['effect.headers must not have', { effect: { status: 500, headers: { Trailer: 'X-A' } } }],
    [
      'effect.headers must have each header once, in upper or lower case; got "x-a".',
      { effect: { status: 500, headers: { 'X-A': '1', 'X-B': '2', 'x-a': '3' } } },
    ],
    ['when must be after where', { when: 'before', effect: { malformed: true } }],
    ['when must be "before" or "after"', { when: 'later', ...failing }],
    ['times must be an integer from 1', { times: 0, ...failing }],
    ['nth must be an integer from 1', { nth: 0, ...failing }],
    ['probability must be a number above 0, up to 1; got 0.', { probability: 0, ...failing }],
    ['seed must be an integer from 0 to 4294967295', { seed: 2 ** 32, ...failing }],
    [
      'match.operation "createSubscripton" does not exist; did you mean "createSubscription"?',
      { match: { operation: 'createSubscripton' }, ...failing },
    ],
    [
      'match.field "plam" does not exist; did you mean "plan"? Fields: plan.',
      {
        match: { operation: 'updateSubscription', field: { name: 'plam', value: 'pro' } },
        ...failing,
      },
    ],
    [
      'match.header.name must not be a header that carries a secret; got "Authorization".',
      { match: { header: { name: 'Authorization', value: 'Bearer x' } }, ...failing },
    ],
    [
      'match.header.name must not be a header that carries a secret; got "X-Api-Key".',
      { match: { header: { name: 'X-Api-Key', value: 'x' } }, ...failing },
    ],
    [
      'match.field.name must not be a field that carries a secret; got "refresh_token".',
      { match: { field: { name: 'refresh_token', value: 'rt' } }, ...failing },
    ],
    [
      'match.header.name must be the name of a header',
      { match: { header: { name: 'a b', value: '' } }, ...failing },
    ],
  ])('with "%s"', async (sentence, fault) => {
    expect((await refusedWith(fault)).detail).toContain(sentence)
  })
})
