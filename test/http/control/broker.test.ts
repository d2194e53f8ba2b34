import { describe, expect, it } from 'vitest'
import { storedPact } from '../../../src/provider/pact-text.ts'
import { PACTS_MAX, withPacts } from '../../../src/provider/published-pacts.ts'
import { Instant } from '../../../src/time/instant.ts'
import { BROKER, FOR_VERIFICATION, pact, publish, put, WEB } from '../../support/broker.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { storeIn } from '../../support/store.ts'

const result = { success: false, providerApplicationVersion: '1' }

interface Resource {
  readonly _links: Record<string, { href: string; templated?: boolean; name?: string }>
  readonly _embedded: { pacts: Resource[] }
  readonly interactions: { _id: string; description: string }[]
  readonly check: { ok: boolean; findings: { message: string; interaction: string }[] }
  readonly notices: { type: string; text: string }[]
}

/** The names of the pacts that a verifier would be given. */
async function selected(shop: Shop, selection?: unknown): Promise<(string | undefined)[]> {
  const { body } = await shop.post<Resource>(FOR_VERIFICATION, selection)
  return body._embedded.pacts.map(({ _links }) => _links['self']?.name)
}

describe('a verifier', () => {
  it('finds its pacts link by link, from the address of the broker alone', async () => {
    const shop = await openShop()
    await put<Resource>(shop)
    const index = await shop.get<Resource>(BROKER)
    expect(index.headers.get('Content-Type')).toBe('application/hal+json')
    const link = index.body._links['pb:provider-pacts-for-verification']
    expect(link).toMatchObject({ templated: true })
    const ofProvider = link?.href.replace('{provider}', 'subscription-service') ?? ''
    const asked = await shop.get<Resource>(new URL(ofProvider).pathname)
    const self = new URL(asked.body._links['self']?.href ?? '').pathname
    const { body } = await shop.post<Resource>(self, { includePendingStatus: false })
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
    const { body: list } = await shop.get<{ data: { results: unknown[] }[] }>(`${BROKER}/pacts`)
    expect(list.data[0]?.results).toEqual([kept.body])
    expect((await shop.get(`${BROKER}/pacts`)).body).toMatchObject({
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
    const publishAt = (consumer: string, version: string, provider = 'subscription-service') =>
      put(
        shop,
        `${BROKER}/pacts/provider/${provider}/consumer/${consumer}/version/${version}`,
        pact({}, { consumer, provider }),
      )
    await publishAt('web', '1')
    await publishAt('app', '1')
    await publishAt('web', '2')
    await publishAt('web', '9', 'other')
    const title = (consumer: string, version: string) =>
      `Pact between ${consumer} (${version}) and subscription-service`
    expect(await selected(shop)).toEqual([title('app', '1'), title('web', '2')])
    const one = { consumerVersionSelectors: [{ consumer: 'app', latest: true }] }
    expect(await selected(shop, one)).toEqual([title('app', '1')])
    expect(await selected(shop, { consumerVersionSelectors: [{ branch: 'main' }] })).toEqual([])
  })

  it('gets an empty list where there are no pacts', async () => {
    const shop = await openShop()
    expect(await selected(shop)).toEqual([])
    const gone = await shop.get(WEB)
    expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } })
  })
})

describe('publishing a pact', () => {
  it('compares it with the documented surface at once', async () => {
    const shop = await openShop()
    const fits = await put<Resource>(shop)
    expect(fits).toMatchObject({ status: 201, body: { check: { ok: true, findings: [] } } })
    expect(fits.headers.get('Location')).toBe(WEB)
    const next = WEB.replace(/1\.0$/, '1.1')
    const broken = await put<Resource>(shop, next, pact({ body: 'customer_id=cus_ada&colour=red' }))
    expect(broken.body.check.ok).toBe(false)
    expect(broken.body.check.findings[0]).toMatchObject({
      severity: 'error',
      interaction: 'a subscription is created',
      operation: 'POST /v1/subscriptions',
    })
    expect(JSON.stringify(broken.body.check.findings)).toContain('colour')
  })

  it('again with the same content changes nothing, and with another one is refused', async () => {
    const shop = await openShop()
    await put<Resource>(shop)
    await shop.post(`${WEB}/verification-results`, result)
    const before = await shop.get<{ data: { at: string }[] }>(`${BROKER}/pacts`)
    const [interaction] = pact().interactions
    const { description, ...rest } = interaction ?? {}
    const reordered = { ...pact(), interactions: [{ ...rest, description, _id: 'of a broker' }] }
    expect(await put<Resource>(shop, WEB, reordered)).toMatchObject({ status: 200 })
    const other = pact({ body: 'plan=basic' })
    const refused = {
      status: 409,
      body: {
        code: 'exists',
        detail: expect.stringContaining('"web shop 1.0 for subscription-service"'),
      },
    }
    expect(await put(shop, WEB, other)).toMatchObject(refused)
    const texts = [['subscription-service', JSON.stringify(other)]] as const
    expect(await publish(shop, texts)).toMatchObject(refused)
    expect((await publish(shop, [['subscription-service', JSON.stringify(pact())]])).status).toBe(
      200,
    )
    expect((await shop.get<Resource>(WEB)).body).toMatchObject(pact())
    expect((await shop.get(`${BROKER}/pacts`)).body).toMatchObject({
      data: [{ branches: ['main'], at: before.body.data[0]?.at, results: [{ number: 1 }] }],
    })
  })

  it('is done by the command line of the Pact Broker too, which shows what was found', async () => {
    const shop = await openShop()
    const broken = JSON.stringify(pact({ body: 'plan=basic' }))
    const { body } = await publish<Resource>(shop, [['subscription-service', broken]])
    expect(body.notices[0]).toMatchObject({ type: 'error' })
    expect(body.notices.map(({ text }) => text).join()).toContain('customer_id')
    expect(await selected(shop, { consumerVersionSelectors: [{ branch: 'main' }] })).toHaveLength(1)
  })

  it('keeps all pacts of one publication or none, and none where two of one name differ', async () => {
    const shop = await openShop()
    const whole = (provider: string) => JSON.stringify(pact({}, { provider }))
    const empty = (provider: string) =>
      JSON.stringify({ ...pact({}, { provider }), interactions: [] })
    const providers = async () => {
      const path = `${BROKER}/pacts?limit=${PACTS_MAX}`
      const { body } = await shop.get<{ data: { provider: string }[] }>(path)
      return body.data.map(({ provider }) => provider)
    }
    const twice = await publish(shop, [
      ['subscription-service', empty('subscription-service')],
      ['till', empty('till')],
      ['subscription-service', whole('subscription-service')],
    ])
    expect(twice).toMatchObject({ status: 409, body: { code: 'exists' } })
    expect(await providers()).toEqual([])
    await publish(shop, [
      ['till', empty('till')],
      ['subscription-service', whole('subscription-service')],
    ])
    expect(await providers()).toEqual(['till', 'subscription-service'])

    const others = Array.from({ length: PACTS_MAX - 3 }, (_, number) => ({
      ...{ provider: 'other', version: '1.0', consumer: `app ${number}` },
      ...{ content: '', gzip: [] },
    }))
    await withPacts(shop.registry.default, (pacts) => pacts.publish(others))
    const refused = await publish(shop, [
      ['one more', whole('one more')],
      ['another', whole('another')],
    ])
    expect(refused).toMatchObject({ status: 409, body: { code: 'pact_limit' } })
    expect(await providers()).toHaveLength(PACTS_MAX - 1)
    expect((await publish(shop, [['one more', whole('one more')]])).status).toBe(200)
    expect(await providers()).toHaveLength(PACTS_MAX)
  })

  it('replaces the links of a broker that the pact was read from', async () => {
    const shop = await openShop()
    await put<Resource>(shop, WEB, { ...pact(), _links: { self: { href: 'http://elsewhere/' } } })
    const { body, text } = await shop.get<Resource>(WEB)
    expect(new URL(body._links['self']?.href ?? '').pathname).toBe(WEB)
    expect(text).not.toContain('elsewhere')
  })

  it('is undone by deleting it', async () => {
    const shop = await openShop()
    await put<Resource>(shop)
    expect((await shop.call('DELETE', WEB)).status).toBe(204)
    expect((await shop.call('DELETE', WEB)).status).toBe(404)
    expect((await shop.post(`${WEB}/verification-results`, result)).status).toBe(404)
  })
})

describe('a pact between others than its address says', () => {
  it.each([
    ['consumer', 'till', 'consumer.name must be "web shop", as it is published; got "till".'],
    [
      'provider',
      'till',
      'provider.name must be "subscription-service", as it is published; got "till".',
    ],
  ])('is refused where its %s differs', async (party, name, rule) => {
    const shop = await openShop()
    const foreign = pact({}, { [party]: name })
    const field = `${party}.name`
    expect(await put(shop, WEB, foreign)).toMatchObject({
      status: 400,
      body: { errors: [{ field, message: rule }] },
    })
    const texts = [['subscription-service', JSON.stringify(foreign)]] as const
    expect(await publish(shop, texts)).toMatchObject({
      status: 400,
      body: { errors: [{ message: expect.stringContaining(rule) }] },
    })
    expect((await shop.get(`${BROKER}/pacts`)).body).toMatchObject({ data: [] })
  })
})

describe('published pacts', () => {
  it('are kept through a reset and a restart, results and all', async () => {
    const folder = await temporaryFolder()
    const first = await openShop({}, 10, { store: await storeIn(folder.path) })
    await put(first, WEB)
    await first.post(`${WEB}/verification-results`, result)
    await first.post('/sandbox/reset')
    const before = await first.get(`${BROKER}/pacts`)
    await first.registry.close()
    const second = await openShop({}, 10, { store: await storeIn(folder.path) })
    expect((await second.get(`${BROKER}/pacts`)).body).toEqual(before.body)
    expect((await second.get(WEB)).body).toMatchObject(pact())
    await second.registry.close()
    await folder.remove()
  })

  it('of an earlier format, without a digest of their content, are read and take results', async () => {
    const shop = await openShop()
    const at = Instant.parse('2027-01-01T00:00:00.000Z')
    const { gzip } = storedPact(pact())
    const name = { provider: 'subscription-service', consumer: 'web shop' }
    const versions = ['2.0', '1.0'].map((number) => {
      return { pacticipant: 'web shop', number, branches: [], tags: [], at }
    })
    await shop.registry.default.documents('pacts', async (folder) =>
      folder.set([
        { about: { ...name, version: '1.0', at, results: [] }, entries: [{ gzip }] },
        { about: { ...name, version: '2.0', at, results: [] }, entries: [{ gzip }] },
        { about: { versions }, entries: [] },
      ]),
    )
    expect((await shop.post(`${WEB}/verification-results`, result)).status).toBe(201)
    expect((await shop.get(WEB)).body).toMatchObject(pact())
    expect((await shop.get(`${BROKER}/pacts`)).body).toMatchObject({
      data: [
        { version: '2.0', results: [] },
        { version: '1.0', results: [{ number: 1 }] },
      ],
    })
  })

  it('belong to one sandbox, which a verifier names by its key as the token of the broker', async () => {
    const shop = await openShop()
    await shop.call('PUT', '/sandboxes/one', { json: {} })
    await shop.call('PUT', WEB, { json: pact(), headers: { 'Sandbox-Id': 'one' } })
    expect(await selected(shop)).toEqual([])
    const headers = { Authorization: 'Bearer sk_sandbox_one' }
    const { body } = await shop.call<Resource>('POST', FOR_VERIFICATION, { json: {}, headers })
    expect(body._embedded.pacts).toHaveLength(1)
  })
})
