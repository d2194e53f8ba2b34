/** What the broker refuses: pacts that cannot be used, and names that no address can hold. */
import { describe, expect, it } from 'vitest'
import { openShop, type Shop } from '../../support/control.ts'

const base = '/sandbox/broker'
const web = `${base}/pacts/provider/subscription-service/consumer/web%20shop/version/1.0`
const forVerification = `${base}/pacts/provider/subscription-service/for-verification`

/** A pact of one interaction that fits. */
function pact() {
  const headers = {
    Authorization: 'Bearer sk_sandbox_default',
    'Content-Type': 'application/x-www-form-urlencoded',
  }
  return {
    consumer: { name: 'web shop' },
    provider: { name: 'subscription-service' },
    interactions: [
      {
        description: 'a subscription is created',
        request: {
          method: 'POST',
          path: '/v1/subscriptions',
          headers,
          body: 'customer_id=cus_ada&plan=basic',
        },
        response: { status: 200, headers: {}, body: { plan: 'basic' } },
      },
    ],
    metadata: { pactSpecification: { version: '3.0.0' } },
  }
}

const put = (shop: Shop, path: string, json: unknown = pact()) => shop.call('PUT', path, { json })

/** Publishes texts as the command line of the Pact Broker does, for a consumer of a name. */
function publishAll(shop: Shop, texts: readonly string[], name = 'web shop') {
  const contracts = texts.map((text) => ({
    consumerName: name,
    providerName: 'subscription-service',
    specification: 'pact',
    content: Buffer.from(text).toString('base64'),
  }))
  return shop.post(`${base}/contracts/publish`, {
    pacticipantName: 'web shop',
    pacticipantVersionNumber: '7',
    contracts,
  })
}

describe('publishing a pact', () => {
  it.each([
    [
      'header beyond Latin-1',
      { headers: { 'X-Note': 'ž' } },
      'headers["X-Note"]',
      'HTTP cannot carry',
    ],
    [
      'body nested too deeply',
      { body: { content: '['.repeat(1e5), contentType: 'application/json', encoded: 'JSON' } },
      'body.content',
      'at most 32 levels',
    ],
  ])('is refused for one with a %s, and keeps nothing', async (...[, parts, at, rule]) => {
    const shop = await openShop()
    const { interactions, ...rest } = pact()
    const broken = interactions.map((each) => ({ ...each, request: { ...each.request, ...parts } }))
    const unusable = { ...rest, interactions: broken }
    const field = `interactions[0].request.${at}`
    expect(await put(shop, web, unusable)).toMatchObject({
      status: 400,
      body: { errors: [{ field, message: expect.stringContaining(rule) }] },
    })
    expect(
      await publishAll(shop, [JSON.stringify(pact()), JSON.stringify(unusable)]),
    ).toMatchObject({
      status: 400,
      body: {
        errors: [{ field: 'contracts[1].content', message: expect.stringContaining(`${field}: `) }],
      },
    })
    expect((await shop.get(`${base}/pacts`)).body).toMatchObject({ data: [] })
    expect(shop.log).toEqual([])
  })

  it.each([
    ['nested too deeply', `{"x":${'['.repeat(1e4)}${']'.repeat(1e4)}}`, 'deeper than 32 levels'],
    ['cut short', '{"consumer":', 'it must be JSON; expected'],
    ['that is none', '{}', 'consumer is missing; it must be an object with a name'],
    [
      'of too many interactions',
      JSON.stringify({ ...pact(), interactions: Array(20_001).fill(0) }),
      'interactions must be a list of at most 20000',
    ],
  ])('by the command line is refused for one %s, and keeps nothing', async (_, text, why) => {
    const shop = await openShop()
    expect(await publishAll(shop, [JSON.stringify(pact()), text])).toMatchObject({
      status: 400,
      body: {
        errors: [{ field: 'contracts[1].content', message: expect.stringContaining(why) }],
      },
    })
    expect((await shop.get(`${base}/pacts`)).body).toMatchObject({ data: [] })
    expect(shop.log).toEqual([])
  })

  it.each(['\ud800', '.', '..', 'a\0b', ''])(
    'is refused under the name %j, which no address can hold',
    async (name) => {
      const shop = await openShop()
      const answer = await publishAll(shop, [JSON.stringify(pact())], name)
      expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
      expect(await shop.get(`${base}/pacts`)).toMatchObject({ status: 200, body: { data: [] } })
    },
  )

  it.each(['web shop', ' ', '🎉', 'ž', "a'b/c?d#e%", 'x'.repeat(255)])(
    'keeps it under the name %j, in every address',
    async (name) => {
      const shop = await openShop()
      const part = encodeURIComponent(name)
      const path = `${base}/pacts/provider/${part}/consumer/${part}/version/${part}`
      const { headers } = await put(shop, path)
      expect(headers.get('Location')).toBe(path)
      expect((await shop.get(path)).body).toMatchObject(pact())
    },
  )
})

describe('a verifier', () => {
  it('is refused a hundred and one selectors', async () => {
    const shop = await openShop()
    const consumerVersionSelectors = Array.from({ length: 101 }, () => ({ latest: true }))
    expect(await shop.post(forVerification, { consumerVersionSelectors })).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'consumerVersionSelectors' }] },
    })
  })
})
