/** Versions in the broker: branches, tags, and which pacts they select. */
import { describe, expect, it } from 'vitest'
import { withPacts } from '../../../src/provider/published-pacts.ts'
import {
  BROKER,
  FOR_VERIFICATION,
  openShopWithPacts,
  pact,
  publish,
  publishVersion,
} from '../../support/broker.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { storeIn } from '../../support/store.ts'

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
    [{ branch: 'gone' }, []],
    [{ mainBranch: true }, ['web shop 2']],
    [{ tag: 'prod' }, ['web shop 1', 'web shop 2']],
    [{ tag: 'prod', latest: true }, ['web shop 2']],
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

it('versions stay in the order in which they were first published', async () => {
  const shop = await openShopWithPacts()
  await publishVersion(shop, { version: '1', branch: 'main', tags: ['prod'] })
  expect(await selected(shop, { tag: 'prod', latest: true })).toEqual(['web shop 2'])
  expect(await selected(shop, { latest: true })).toEqual(['web shop 3', 'till 7'])
  await publish(shop, [['other', JSON.stringify(pact({}, { provider: 'other' }))]], {
    version: '1',
  })
  const { body } = await shop.get<{ data: { version: string }[] }>(`${BROKER}/pacts`)
  expect(body.data.map(({ version }) => version)).toEqual(['1', '1', '2', '3', '7'])
})

it('a verifier without selectors is given the main branch of each consumer, or its newest', async () => {
  const shop = await openShopWithPacts()
  const { body } = await shop.post<Selection>(FOR_VERIFICATION, {})
  const names = body._embedded.pacts.map(({ _links }) => _links.self.name)
  expect(names.join()).toMatch(/web shop \(2\).*till \(7\)/)
})

it('a branch whose newest version has no pact any more has none', async () => {
  const shop = await openShopWithPacts()
  await shop.call('PUT', `${BROKER}/pacticipants/web%20shop/branches/main/versions/4`)
  expect(await selected(shop, { mainBranch: true })).toEqual([])
  expect(await selected(shop, { branch: 'main' })).toEqual([])
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

it('forgets the oldest versions without a pact above 2000, and none with one', async () => {
  const shop = await openShop()
  await publishVersion(shop, { version: '1' })
  const version = (pacticipant: string, number: string) => ({
    ...{ pacticipant, number, branches: [], tags: [], at: '2027-01-01T00:00:00.000Z' },
  })
  const tills = Array.from({ length: 1999 }, (_, index) => version('till', `${index + 1}`))
  await shop.registry.default.documents('pacts', async (folder) => {
    const [first] = folder.documents
    const pact = first === undefined ? [] : [first]
    await folder.set([
      ...pact,
      { about: { versions: [version('web shop', '1'), ...tills] }, entries: [] },
    ])
  })
  const numbers = () =>
    withPacts(shop.registry.default, (pacts) =>
      pacts.list().versions.map(({ pacticipant, number }) => `${pacticipant} ${number}`),
    )
  expect(await numbers()).toHaveLength(2000)
  await shop.call('PUT', `${BROKER}/pacticipants/till/versions/2000/tags/next`)
  const known = await numbers()
  expect(known).toHaveLength(2000)
  expect(known).toEqual(expect.arrayContaining(['web shop 1', 'till 2', 'till 2000']))
  expect(known).not.toContain('till 1')
})
