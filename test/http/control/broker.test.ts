import { describe, expect, it } from 'vitest'
import { PACTS_MAX, withPacts } from '../../../src/pacts/published-pacts.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { temporaryFolder } from '../../support/process.ts'
import { storeIn } from '../../support/store.ts'

const base = '/sandbox/broker'
const web = `${base}/pacts/provider/subscription-service/consumer/web%20shop/version/1.0`
const forVerification = `${base}/pacts/provider/subscription-service/for-verification`

/** A pact of one interaction that fits, unless the body of its request says otherwise. */
function pact(body = 'customer_id=cus_ada&plan=basic') {
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
        request: { method: 'POST', path: '/v1/subscriptions', headers, body },
        response: { status: 200, headers: {}, body: { plan: 'basic' } },
      },
    ],
    metadata: { pactSpecification: { version: '3.0.0' } },
  }
}

const empty = { consumer: { name: 'any' }, provider: { name: 'any' }, interactions: [] }

interface Resource {
  readonly _links: Record<string, { href: string; templated?: boolean; name?: string }>
  readonly _embedded: { pacts: Resource[] }
  readonly interactions: { _id: string; description: string }[]
  readonly check: { ok: boolean; findings: { message: string; interaction: string }[] }
  readonly notices: { type: string; text: string }[]
}

const put = (shop: Shop, path: string, json: unknown = pact()) =>
  shop.call<Resource>('PUT', path, { json })

/** The names of the pacts that a verifier would be given. */
async function selected(shop: Shop, selection?: unknown): Promise<(string | undefined)[]> {
  const { body } = await shop.post<Resource>(forVerification, selection)
  return body._embedded.pacts.map(({ _links }) => _links['self']?.name)
}

describe('a verifier', () => {
  it('finds its pacts link by link, from the address of the broker alone', async () => {
    const shop = await openShop()
    await put(shop, web)
    const index = await shop.get<Resource>(base)
    expect(index.headers.get('Content-Type')).toBe('application/hal+json')
    const link = index.body._links['pb:provider-pacts-for-verification']
    expect(link).toMatchObject({ templated: true })
    const ofProvider = link?.href.replace('{provider}', 'subscription-service') ?? ''
    const asked = await shop.get<Resource>(new URL(ofProvider).pathname)
    const self = new URL(asked.body._links['self']?.href ?? '').pathname
    const { body } = await shop.post<Resource>(self, { includePendingStatus: true })
    const [found] = body._embedded.pacts
    const read = await shop.get<Resource>(new URL(found?._links['self']?.href ?? '').pathname)
    expect(read.body).toMatchObject(pact())
    expect(read.body.interactions.map(({ _id }) => _id)).toEqual(['1'])

    const results = read.body._links['pb:publish-verification-results']?.href ?? ''
    const kept = await shop.post(new URL(results).pathname, {
      success: true,
      providerApplicationVersion: '2.1',
      testResults: [],
      verifiedBy: { implementation: 'Pact-Rust', version: '1.2' },
    })
    expect(kept.status).toBe(201)
    expect((await shop.get(`${base}/pacts`)).body).toMatchObject({
      data: [
        {
          consumer: 'web shop',
          version: '1.0',
          results: [
            {
              number: 1,
              success: true,
              provider_version: '2.1',
              verified_by: 'Pact-Rust 1.2',
              at: '2027-01-01T00:00:00.000Z',
            },
          ],
        },
      ],
    })
  })

  it('is given the newest pact of each consumer, or those that its selectors fit', async () => {
    const shop = await openShop()
    const at = (consumer: string, version: string, provider = 'subscription-service') =>
      `${base}/pacts/provider/${provider}/consumer/${consumer}/version/${version}`
    for (const path of [at('web', '1'), at('app', '1'), at('web', '2'), at('web', '9', 'other')]) {
      await put(shop, path)
    }
    const title = (consumer: string, version: string) =>
      `Pact between ${consumer} (${version}) and subscription-service`
    expect(await selected(shop)).toEqual([title('web', '2'), title('app', '1')])
    const everything = { consumerVersionSelectors: [{ deployedOrReleased: true }] }
    expect(await selected(shop, everything)).toHaveLength(2)
    const one = { consumerVersionSelectors: [{ consumer: 'app', latest: true }] }
    expect(await selected(shop, one)).toEqual([title('app', '1')])
    expect(await selected(shop, { consumerVersionSelectors: [{ branch: 'main' }] })).toEqual([])
  })

  it('is told of no pacts where there are none', async () => {
    const shop = await openShop()
    expect(await selected(shop)).toEqual([])
    const gone = await shop.get(web)
    expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('publishing a pact', () => {
  it('compares it with the documented surface at once', async () => {
    const shop = await openShop()
    const fits = await put(shop, web)
    expect(fits).toMatchObject({ status: 201, body: { check: { ok: true, findings: [] } } })
    expect(fits.headers.get('Location')).toBe(web)
    const broken = await put(shop, web, pact('customer_id=cus_ada&colour=red'))
    expect(broken.body.check.ok).toBe(false)
    expect(broken.body.check.findings[0]).toMatchObject({
      severity: 'error',
      interaction: 'a subscription is created',
      operation: 'POST /v1/subscriptions',
    })
    expect(JSON.stringify(broken.body.check.findings)).toContain('colour')
  })

  it('takes the place of the one of the same name, whose results go', async () => {
    const shop = await openShop()
    await put(shop, web)
    const result = { success: false, providerApplicationVersion: '1' }
    await shop.post(`${web}/verification-results`, result)
    await put(shop, web)
    const { body } = await shop.get<{ data: { results: unknown[] }[] }>(`${base}/pacts`)
    expect(body.data.map(({ results }) => results)).toEqual([[]])
  })

  it('is done by the command line of the Pact Broker too, which shows what was found', async () => {
    const shop = await openShop()
    const contract = (document: object) => ({
      consumerName: 'web shop',
      providerName: 'subscription-service',
      specification: 'pact',
      contentType: 'application/json',
      content: Buffer.from(JSON.stringify(document)).toString('base64'),
    })
    const order = { pacticipantName: 'web shop', pacticipantVersionNumber: '7', branch: 'main' }
    const { body } = await shop.post<Resource>(`${base}/contracts/publish`, {
      ...order,
      contracts: [contract(pact('plan=basic'))],
    })
    expect(body.notices[0]).toMatchObject({ type: 'error' })
    expect(body.notices.map(({ text }) => text).join()).toContain('customer_id')
    expect(await selected(shop, { consumerVersionSelectors: [{ branch: 'main' }] })).toHaveLength(1)

    const none = { ...contract({}), content: Buffer.from('{}').toString('base64') }
    const refused = await shop.post(`${base}/contracts/publish`, { ...order, contracts: [none] })
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'contracts[0].content' }] },
    })
  })

  it('keeps all pacts of one publication or none, and of two of one name the later', async () => {
    const shop = await openShop()
    const contract = (consumerName: string, document: object) => ({
      consumerName,
      providerName: 'subscription-service',
      specification: 'pact',
      content: Buffer.from(JSON.stringify(document)).toString('base64'),
    })
    const publish = (contracts: readonly object[]) =>
      shop.post(`${base}/contracts/publish`, {
        pacticipantName: 'web shop',
        pacticipantVersionNumber: '1.0',
        contracts,
      })
    const consumers = async () => {
      const { body } = await shop.get<{ data: { consumer: string }[] }>(
        `${base}/pacts?limit=${PACTS_MAX}`,
      )
      return body.data.map(({ consumer }) => consumer)
    }
    await publish([
      contract('web shop', empty),
      contract('till', empty),
      contract('web shop', pact()),
    ])
    expect(await consumers()).toEqual(['till', 'web shop'])
    expect((await shop.get<Resource>(web)).body.interactions).toHaveLength(1)

    const rest = {
      provider: 'other',
      version: '1.0',
      branch: null,
      at: shop.registry.default.now(),
    }
    const others = Array.from({ length: PACTS_MAX - 3 }, (_, number) => ({
      pact: { ...rest, consumer: `app ${number}` },
      document: { gzip: [] },
    }))
    await withPacts(shop.registry.default, (pacts) => pacts.publish(others))
    const refused = await publish([contract('one more', empty), contract('another', empty)])
    expect(refused).toMatchObject({ status: 409, body: { code: 'pact_limit' } })
    expect(await consumers()).toHaveLength(PACTS_MAX - 1)
  })

  it.each([
    ['without a consumer', { provider: { name: 'x' } }],
    ['whose consumer has no name', { consumer: {}, provider: { name: 'x' } }],
    ['that is a list', []],
  ])('is refused for one %s, and keeps nothing', async (_, json) => {
    const shop = await openShop()
    expect((await put(shop, web, json)).status).toBe(400)
    expect((await shop.get(`${base}/pacts`)).body).toMatchObject({ data: [] })
  })

  it('replaces the links of a broker that the pact was read from', async () => {
    const shop = await openShop()
    await put(shop, web, { ...pact(), _links: { self: { href: 'http://elsewhere/' } } })
    const { body, text } = await shop.get<Resource>(web)
    expect(new URL(body._links['self']?.href ?? '').pathname).toBe(web)
    expect(text).not.toContain('elsewhere')
  })

  it('is undone by deleting it', async () => {
    const shop = await openShop()
    await put(shop, web)
    expect((await shop.call('DELETE', web)).status).toBe(204)
    expect((await shop.call('DELETE', web)).status).toBe(404)
    expect(
      (
        await shop.post(`${web}/verification-results`, {
          success: true,
          providerApplicationVersion: '1',
        })
      ).status,
    ).toBe(404)
  })
})

describe('published pacts', () => {
  it('are kept through a reset and a restart, results and all', async () => {
    const folder = await temporaryFolder()
    const first = await openShop({}, 10, { store: await storeIn(folder.path) })
    await put(first, web)
    await first.post(`${web}/verification-results`, {
      success: true,
      providerApplicationVersion: '3',
    })
    await first.post('/sandbox/reset')
    const before = await first.get(`${base}/pacts`)
    await first.registry.close()
    const second = await openShop({}, 10, { store: await storeIn(folder.path) })
    expect((await second.get(`${base}/pacts`)).body).toEqual(before.body)
    expect((await second.get(web)).body).toMatchObject(pact())
    await second.registry.close()
    await folder.remove()
  })

  it('belong to one sandbox, which a verifier names by its key as the token of the broker', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/one', { json: {} })
    await shop.call('PUT', web, { json: pact(), headers: { 'Sandbox-Id': 'one' } })
    expect(await selected(shop)).toEqual([])
    const headers = { Authorization: 'Bearer sk_sandbox_one' }
    const { body } = await shop.call<Resource>('POST', forVerification, { json: {}, headers })
    expect(body._embedded.pacts).toHaveLength(1)
  })
})
