/** The matrix of the broker: which versions work together, and whether one can be deployed. */
import { describe, expect, it } from 'vitest'
import { BROKER, openShopWithPacts, pact, publish, publishVersion } from '../../support/broker.ts'
import { openShop, type Shop } from '../../support/control.ts'

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
    expect((await asked(shop, question)).summary).toMatchObject({
      ...{ deployable: true, reason: 'Every pact was verified.', success: 1 },
    })
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
    expect((await asked(shop, `${question}&branch=feature`)).summary).toMatchObject({
      deployable: true,
    })
    expect((await asked(shop, `${question}&tag=prod`)).summary).toMatchObject({
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
    expect(await of('q[][version]=9')).toBe(false)
  })

  it('has every row of one selector alone, of a consumer, a tag or a branch', async () => {
    const shop = await openShopWithPacts()
    await verified(shop, '1', ['10', true])
    await verified(shop, '2', ['10', true])
    await verified(shop, '2', ['11', false])
    await verified(shop, '2', ['12', true])
    const of = async (query: string) => {
      const { summary, matrix } = await asked(shop, `${web}&${query}`)
      return [summary.deployable, matrix.length]
    }
    expect(await of('q[][version]=2')).toEqual([false, 3])
    expect(await of('q[][version]=2&latestby=cvpv')).toEqual([false, 3])
    expect(await of('q[][version]=2&latestby=cvp')).toEqual([true, 1])
    expect(await of('q[][tag]=prod')).toEqual([false, 4])
    expect(await of('q[][branch]=main')).toEqual([false, 4])
    expect(await of('q[][branch]=main&q[][latest]=true')).toEqual([false, 3])
    expect(await of('q[][version]=1')).toEqual([true, 1])
    expect(await of('q[][version]=3')).toEqual([null, 1])
    expect(await of('latestby=cvpv')).toEqual([false, 5])
  })

  it('names no version of a provider that has several, where none verified the pact', async () => {
    const shop = await openShopWithPacts()
    const reasonOf = async () => (await asked(shop, `${web}&q[][version]=2`)).summary.reason
    const missing = (provider: string) =>
      `The verification of the pact of web shop 2 by ${provider} is missing.`
    await verified(shop, '1', ['10', true])
    expect(await reasonOf()).toBe(missing('subscription-service 10'))
    await verified(shop, '1', ['11', true])
    expect(await reasonOf()).toBe(missing('subscription-service'))
  })

  it('has every row of a provider alone, and of a consumer that it never verified the newest pact', async () => {
    const shop = await openShopWithPacts()
    await verified(shop, '1', ['10', false])
    await verified(shop, '2', ['11', true])
    const of = async (version: string) =>
      (await asked(shop, `${service}&q[][version]=${version}`)).summary
    expect(await of('10')).toMatchObject({ deployable: false, failed: 1 })
    expect(await of('11')).toMatchObject({
      deployable: null,
      reason: 'The verification of the pact of till 7 by subscription-service 11 is missing.',
    })
    const ofTill = `${BROKER}/pacts/provider/subscription-service/consumer/till/version/7`
    await shop.call('DELETE', ofTill)
    expect(await of('11')).toMatchObject({ deployable: true, success: 1, unknown: 0 })
    await shop.call('PUT', `${BROKER}/pacticipants/subscription-service/versions/12/tags/next`)
    expect(await of('12')).toMatchObject({ deployable: null, success: 0, unknown: 1 })
  })

  it.each(['tag=prod', 'branch=main'])(
    'asks for each version of others that is meant: %s',
    async (query) => {
      const shop = await openShopWithPacts()
      await verified(shop, '1', ['10', true])
      const { summary } = await asked(shop, `${service}&q[][version]=10&${query}`)
      expect(summary).toMatchObject({ deployable: null, success: 1, unknown: 1 })
    },
  )

  it('counts every version of one consumer that is asked about', async () => {
    const shop = await openShopWithPacts()
    await verified(shop, '1', ['10', false])
    await verified(shop, '2', ['10', true])
    const both = `${web}&q[][version]=1&${web}&q[][version]=2&latest=true`
    expect((await asked(shop, both)).summary).toMatchObject({ failed: 1, success: 1 })
  })

  it.each([
    ['a tag that no consumer has', 'q[][pacticipant]=subscription-service&tag=gone'],
    ['two consumers', 'q[][pacticipant]=web%20shop&q[][pacticipant]=till'],
  ])('lets nothing go where there are pacts and none was looked at: %s', async (_, query) => {
    const shop = await openShopWithPacts()
    await verified(shop, '1', ['10', true])
    const { summary, matrix } = await asked(shop, query)
    expect({ summary, matrix }).toMatchObject({
      summary: { deployable: null, reason: expect.stringContaining('no result was looked at') },
      matrix: [],
    })
  })

  it('lets a version without a pact go, and none that is unknown', async () => {
    const shop = await openShopWithPacts()
    await shop.call('PUT', `${BROKER}/pacticipants/web%20shop/versions/4/tags/next`)
    expect((await asked(shop, `${web}&q[][version]=4&latest=true`)).summary).toMatchObject({
      deployable: true,
      reason: 'No pact is in the way.',
    })
    expect((await asked(shop, `${web}&q[][version]=5&latest=true`)).summary).toMatchObject({
      deployable: false,
      reason: 'There is no version 5 of web shop.',
    })
  })

  it('takes others without a version that fits for unverified', async () => {
    const shop = await openShopWithPacts()
    await verified(shop, '1', ['10', true])
    const { summary } = await asked(shop, `${web}&q[][version]=1&tag=prod&latest=true`)
    expect(summary).toMatchObject({ deployable: null, unknown: 1 })
  })

  it('counts a result for every version of a consumer with the same content, of before and after', async () => {
    const shop = await openShop()
    const text = JSON.stringify(pact())
    const publishAs = (version: string) =>
      publish(shop, [['subscription-service', text]], { version })
    await publishAs('1')
    await publishAs('2')
    await verified(shop, '1', ['10', true])
    await publishAs('3')
    await publishVersion(shop, { version: '4' })
    const ofTill = JSON.stringify(pact({}, { consumer: 'till' }))
    await publish(shop, [['subscription-service', ofTill]], { consumer: 'till', version: '1' })
    const till = 'q[][pacticipant]=till&q[][version]=1&latest=true'
    expect((await asked(shop, till)).summary.deployable).toBeNull()
    const of = async (version: string) =>
      (await asked(shop, `${web}&q[][version]=${version}&latest=true`)).summary.deployable
    expect([await of('1'), await of('2'), await of('3'), await of('4')]).toEqual([
      ...[true, true, true],
      null,
    ])
    await verified(shop, '3', ['10', false])
    expect([await of('1'), await of('2'), await of('3')]).toEqual([false, false, false])
  })

  it('has the result of each row', async () => {
    const shop = await openShopWithPacts()
    const { body } = await verified(shop, '2', ['10', true])
    const { matrix } = await asked(shop, `${web}&q[][version]=2&latest=true`)
    expect(matrix).toMatchObject([{ verificationResult: body }])
  })
})
