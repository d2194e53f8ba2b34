/** What is noted of requests that do not go the usual way: hit by a fault, overtaken by a reset, or to no operation. */
import { describe, expect, it, vi } from 'vitest'
import type * as z from 'zod'
import { createApp } from '../../../src/server/app.ts'
import type { WireLoggedRequest, WireLoggedRequestList } from '../../../src/wire/sandbox/request.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { faultsOf, makeFault, subscribe } from '../../support/fault-client.ts'

const on = { match: { operation: 'createSubscription' }, times: 1 }

async function logged(shop: Shop): Promise<readonly WireLoggedRequest[]> {
  const { body } = await shop.get<z.output<typeof WireLoggedRequestList>>('/sandbox/requests')
  return body.data
}

/** The newest request to /v1. */
async function lastCall(shop: Shop): Promise<WireLoggedRequest | undefined> {
  return (await logged(shop)).find(({ request }) => request.path.startsWith('/v1'))
}

describe('a request that a fault hits', () => {
  it('is shown once, with the status that its client met', async () => {
    const shop = await openShop()
    await makeFault(shop, { ...on, when: 'after', effect: { status: 503 } })
    await makeFault(shop, { ...on, when: 'after', effect: { drop: true } })
    await makeFault(shop, { ...on, when: 'before', effect: { drop: true } })
    await makeFault(shop, { ...on, effect: { malformed: true } })
    for (let n = 0; n < 5; n += 1) await subscribe(shop)
    const found = (await logged(shop)).filter((each) => each.operation_id === 'createSubscription')
    const told = found.map(({ answer, fault, events }) => [answer.status, fault, events.length])
    expect(told.reverse()).toEqual([
      [503, 'flt_000001', 4],
      [null, 'flt_000002', 4],
      [null, 'flt_000003', 0],
      [200, 'flt_000004', 4],
      [200, null, 4],
    ])
  })

  it('is shown with the body as it came, malformed', async () => {
    const shop = await openShop()
    await makeFault(shop, { effect: { malformed: true } })
    const text = await (await subscribe(shop)).text()
    expect((await lastCall(shop))?.answer).toMatchObject({ body: text, bytes: text.length })
  })

  it('is shown with the part of the body that came, cut', async () => {
    const shop = await openShop()
    await makeFault(shop, { effect: { status: 500, body: 'Größe: zu viel', cut: true } })
    const answer = await subscribe(shop)
    expect(answer.headers.get('Content-Length')).toBe('16')
    await expect(answer.text()).rejects.toThrow('cut by a fault')
    expect((await lastCall(shop))?.answer).toMatchObject({ body: 'Größe: ', bytes: 9 })
  })

  it('is shown with the media type that the fault has', async () => {
    const shop = await openShop()
    const headers = { 'Content-Type': 'text/html' }
    await makeFault(shop, { effect: { status: 502, body: '<h1>Down</h1>', headers } })
    await subscribe(shop)
    const { content_type, body } = (await lastCall(shop))?.answer ?? {}
    expect([content_type, body]).toEqual(['text/html', '<h1>Down</h1>'])
  })

  it.each([
    ['answers', { status: 200 }, 200],
    ['drops', { drop: true }, null],
  ])('is no refusal any more where the fault %s after it', async (_, effect, status) => {
    const shop = await openShop()
    await makeFault(shop, { when: 'after', effect })
    await subscribe(shop, { fields: { plan: 'none' } })
    expect(await lastCall(shop)).toMatchObject({
      answer: { status },
      refusal: null,
      assumptions: [],
      fault: 'flt_000001',
    })
  })

  it('stays a refusal where the fault only holds it up', async () => {
    const shop = await openShop()
    await makeFault(shop, { effect: { delay_ms: 1 } })
    await subscribe(shop, { fields: { plan: 'none' } })
    expect(await lastCall(shop)).toMatchObject({
      answer: { status: 404 },
      refusal: { code: 'not_found' },
    })
  })
})

it.each(['before', 'after'])(
  'a call held up %s its operation across a reset is not logged, and takes no events of a new one',
  async (when) => {
    const shop = await openShop()
    await makeFault(shop, { ...on, when, effect: { delay_ms: 2000 } })
    const held = subscribe(shop)
    await vi.waitUntil(async () => (await faultsOf(shop))[0]?.used === 1)
    await shop.post('/sandbox/reset', {})
    const created = await subscribe(shop)
    await held
    expect(created.headers.get('Request-Id')).toBe('req_000002')
    const found = await logged(shop)
    expect(found.map(({ request_id, events }) => [request_id, events.length])).toEqual([
      ['req_000002', 4],
      ['req_000001', 1],
    ])
  },
)

describe('a request that no operation fits', () => {
  it.each([
    ['GET', '/docs/nothing', 404],
    ['POST', '/docs', 405],
    ['DELETE', '/', 405],
    ['POST', '/health/live', 405],
    ['POST', '/openapi.json', 405],
    ['POST', '/sandbox/openapi.json', 405],
    ['POST', '/v1/nothing', 404],
    ['PUT', '/v1/subscriptions', 405],
  ])('%s %s is noted once', async (method, path, status) => {
    const { registry } = await openShop()
    const seen: unknown[] = []
    const observer = ({ status }: { status: number | null }) => seen.push(status)
    const app = createApp(registry, () => undefined, { observer })
    const headers = { Authorization: 'Bearer sk_sandbox_default' }
    const answer = await app.request(path, { method, headers })
    expect([answer.status, seen]).toEqual([status, [status]])
    expect(registry.default.requestLog.after(0)).toHaveLength(1)
  })

  it('is one alone: documents and pages are not noted', async () => {
    const { app, registry } = await openShop()
    for (const path of ['/', '/docs', '/health/live']) await app.request(path)
    expect(registry.default.requestLog.after(0)).toEqual([])
  })
})
