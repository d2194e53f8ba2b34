/** Versions in the broker: branches, tags, which pacts they select, and what the matrix says of them. */
import { describe, expect, it } from 'vitest'
import { BROKER, FOR_VERIFICATION, publishVersion } from '../../support/broker.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { storeIn } from '../../support/store.ts'

/** Two consumers: the web shop with a feature branch and a tag, the till without either. */
async function openShopWithPacts(): Promise<Shop> {
  const shop = await openShop()
  await publishVersion(shop, { version: '1', branch: 'main', tags: ['prod'] })
  await publishVersion(shop, { version: '2', branch: 'main', tags: ['prod'] })
  await publishVersion(shop, { version: '3', branch: 'feature' })
  await publishVersion(shop, { consumer: 'till', version: '7', branch: null })
  return shop
}

interface Selection {
  readonly _embedded: { readonly pacts: { readonly _links: { readonly self: { name: string } } }[] }
}

/** The consumers and versions that a verifier is given. */
async function selected(shop: Shop, selector: object, more: object = {}): Promise<string[]> {
  const { body } = await shop.post<Selection>(FOR_VERIFICATION, {
    consumerVersionSelectors: [selector],
    ...more,
  })
  return body._embedded.pacts.map(({ _links }) =>
    _links.self.name.replace(/^Pact between (.*) \((.*)\) and .*$/, '$1 $2'),
  )
}

describe('a selector', () => {
  it.each([
    [{ latest: true }, ['web shop 3', 'till 7']],
    [{ branch: 'main' }, ['web shop 2']],
    [{ branch: 'gone', fallbackBranch: 'main' }, ['web shop 2']],
    [{ branch: 'feature', fallbackBranch: 'main' }, ['web shop 3']],
    [{ mainBranch: true }, ['web shop 2']],
    [{ tag: 'prod' }, ['web shop 1', 'web shop 2']],
    [{ tag: 'prod', latest: true }, ['web shop 2']],
    [{ tag: 'gone', latest: true, fallbackTag: 'prod' }, ['web shop 2']],
    [{ consumer: 'till', branch: 'main' }, []],
    [{ consumer: 'till' }, ['till 7']],
  ])('%j gives a verifier %j', async (selector, pacts) => {
    expect(await selected(await openShopWithPacts(), selector)).toEqual(pacts)
  })

  it('of the matching branch gives it those of the branch that is verified', async () => {
    const shop = await openShopWithPacts()
    const branch = { providerVersionBranch: 'feature' }
    expect(await selected(shop, { matchingBranch: true }, branch)).toEqual(['web shop 3'])
  })

  it('comes with an empty branch of the provider from pact-go, which means none', async () => {
    const shop = await openShopWithPacts()
    const none = { providerVersionBranch: '' }
    expect(await selected(shop, { latest: true }, none)).toEqual(['web shop 3', 'till 7'])
  })

  it('takes a tag that was added after the pact was published', async () => {
    const shop = await openShopWithPacts()
    const path = `${BROKER}/pacticipants/till/versions/7/tags/prod`
    const tagged = await shop.call('PUT', path)
    expect(tagged.status).toBe(201)
    expect((await shop.get(tagged.headers.get('Location') ?? '')).body).toMatchObject({
      number: '7',
      _embedded: { tags: [{ name: 'prod' }], branchVersions: [] },
    })
    expect(await selected(shop, { tag: 'prod', latest: true })).toEqual(['web shop 2', 'till 7'])
  })
})

describe('a version', () => {
  it('is kept through a restart, with its branches and tags', async () => {
    const folder = await temporaryFolder()
    const first = await openShop({}, 10, { store: await storeIn(folder.path) })
    await publishVersion(first, { version: '1', branch: 'main', tags: ['prod'] })
    const path = `${BROKER}/pacticipants/subscription-service/branches/next/versions/5`
    await first.call('PUT', path)
    await first.registry.close()
    const second = await openShop({}, 10, { store: await storeIn(folder.path) })
    const versions = `${BROKER}/pacticipants/subscription-service/versions/5`
    expect((await second.get(versions)).body).toMatchObject({
      _embedded: { branchVersions: [{ name: 'next' }] },
    })
    expect((await second.get(`${BROKER}/pacts`)).body).toMatchObject({
      data: [{ version: '1', branches: ['main'], tags: ['prod'] }],
    })
    await second.registry.close()
    await folder.remove()
  })

  it('that nobody named does not exist, and neither does a provider', async () => {
    const shop = await openShopWithPacts()
    for (const path of ['till/versions/8', 'nobody', 'nobody/versions/1']) {
      expect((await shop.get(`${BROKER}/pacticipants/${path}`)).status).toBe(404)
    }
  })
})

/** Publishes the result of a verification as a verifier does. */
async function verified(shop: Shop, version: string, result: [provider: string, success: boolean]) {
  const [providerApplicationVersion, success] = result
  const path = `${BROKER}/pacts/provider/subscription-service/consumer/web%20shop/version/${version}`
  const answer = await shop.post(`${path}/verification-results`, {
    success,
    providerApplicationVersion,
  })
  expect(answer.status).toBe(201)
  return answer
}

interface Matrix {
  readonly summary: { readonly deployable: boolean | null; readonly reason: string }
  readonly matrix: readonly unknown[]
}

async function asked(shop: Shop, query: string): Promise<Matrix> {
  const { body } = await shop.get<Matrix>(`${BROKER}/matrix?${query}`)
  return body
}

describe('the matrix', () => {
  const web = 'q[][pacticipant]=web%20shop'
  const service = 'q[][pacticipant]=subscription-service'

  it('lets a consumer go once the newest provider verified its pact, and not after it failed', async () => {
    const shop = await openShopWithPacts()
    const question = `${web}&q[][version]=2&latestby=cvp&latest=true`
    expect((await asked(shop, question)).summary).toMatchObject({
      deployable: null,
      reason: 'The verification of the pact of web shop 2 by subscription-service is missing.',
    })
    await verified(shop, '2', ['10', true])
    expect((await asked(shop, question)).summary).toMatchObject({ deployable: true, success: 1 })
    await verified(shop, '2', ['11', false])
    expect((await asked(shop, question)).summary).toMatchObject({
      deployable: false,
      reason: 'The verification of the pact of web shop 2 by subscription-service 11 failed.',
    })
  })

  it('counts the newest result of each pair of versions', async () => {
    const shop = await openShopWithPacts()
    await verified(shop, '2', ['10', false])
    await verified(shop, '2', ['10', true])
    const { summary, matrix } = await asked(shop, `${web}&q[][version]=2&latest=true`)
    expect(summary).toMatchObject({ deployable: true })
    expect(matrix).toHaveLength(1)
  })

  it('lets a provider go only if it verified the newest pact of every consumer', async () => {
    const shop = await openShopWithPacts()
    await verified(shop, '3', ['10', true])
    const question = `${service}&q[][version]=10&latest=true`
    expect((await asked(shop, question)).summary).toMatchObject({ deployable: null, unknown: 1 })
    const withoutTill = `${question}&ignore[][pacticipant]=till`
    expect((await asked(shop, withoutTill)).summary).toMatchObject({ deployable: true })
    expect((await asked(shop, `${withoutTill}&tag=prod`)).summary).toMatchObject({
      deployable: null,
      reason: 'The verification of the pact of web shop 2 by subscription-service 10 is missing.',
    })
  })

  it('compares two versions with each other alone, whatever else there is', async () => {
    const shop = await openShopWithPacts()
    await verified(shop, '1', ['10', true])
    await verified(shop, '2', ['10', false])
    const provider = `${service}&q[][version]=10`
    const of = async (selector: string) =>
      (await asked(shop, `${web}&${selector}&${provider}`)).summary.deployable
    expect(await of('q[][version]=1')).toBe(true)
    expect(await of('q[][branch]=main')).toBe(false)
    expect(await of('q[][tag]=prod')).toBe(false)
    expect(await of('q[][version]=9')).toBe(null)
  })

  it('links each row to its result', async () => {
    const shop = await openShopWithPacts()
    const kept = await verified(shop, '2', ['10', true])
    const { body, status } = await shop.get(kept.headers.get('Location') ?? '')
    expect({ body, status }).toMatchObject({ status: 200, body: { provider_version: '10' } })
    const { matrix } = await asked(shop, `${web}&q[][version]=2&latest=true`)
    expect(matrix).toMatchObject([{ verificationResult: body }])
  })
})
