/** What the broker refuses: pacts that cannot be used, and names that no address can hold. */
import { expect, it } from 'vitest'
import { BROKER, FOR_VERIFICATION, pact, publish, put, WEB } from '../../support/broker.ts'
import { openShop, type Shop } from '../../support/control.ts'

const whole = JSON.stringify(pact())

async function expectNothingKept(shop: Shop): Promise<void> {
  expect((await shop.get(`${BROKER}/pacts`)).body).toMatchObject({ data: [] })
  expect(shop.log).toEqual([])
}

const deep = { content: '['.repeat(1e5), contentType: 'application/json', encoded: 'JSON' }
const atHeader = 'interactions[0].request.headers["X-Note"]'
const atBody = 'interactions[0].request.body.content'

it.each([
  ['a header beyond Latin-1', pact({ headers: { 'X-Note': 'ž' } }), atHeader, 'HTTP cannot carry'],
  ['a body nested too deeply', pact({ body: deep }), atBody, 'at most 32 levels'],
])('a pact with %s is refused, also among others', async (...[, unusable, field, rule]) => {
  const shop = await openShop()
  const refused = { field, message: expect.stringContaining(rule) }
  expect(await put(shop, WEB, unusable)).toMatchObject({ status: 400, body: { errors: [refused] } })
  const texts = [whole, JSON.stringify(unusable)]
  const message = expect.stringContaining(`${field}: `)
  expect(
    await publish(
      shop,
      texts.map((text) => ['web shop', text]),
    ),
  ).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'contracts[1].content', message }] },
  })
  await expectNothingKept(shop)
})

it.each([
  ['without a consumer', { provider: { name: 'x' } }],
  ['whose consumer has no name', { consumer: {}, provider: { name: 'x' } }],
  ['that is a list', []],
])('a pact %s is refused', async (_, json) => {
  const shop = await openShop()
  expect((await put(shop, WEB, json)).status).toBe(400)
  await expectNothingKept(shop)
})

it.each([
  ['nested too deeply', `{"x":${'['.repeat(1e4)}${']'.repeat(1e4)}}`, 'deeper than 32 levels'],
  ['cut short', '{"consumer":', 'it must be JSON; expected'],
  ['that is no pact', '{}', 'consumer is missing; it must be an object with a name'],
  [
    'of too many interactions',
    JSON.stringify({ ...pact(), interactions: Array(20_001).fill(0) }),
    'interactions must be a list of at most 20000',
  ],
])('of the texts that a command line publishes, one %s is refused', async (_, text, why) => {
  const shop = await openShop()
  const refused = { field: 'contracts[1].content', message: expect.stringContaining(why) }
  const texts = [whole, text] as const
  expect(
    await publish(
      shop,
      texts.map((each) => ['web shop', each]),
    ),
  ).toMatchObject({
    status: 400,
    body: { errors: [refused] },
  })
  await expectNothingKept(shop)
})

it.each(['\ud800', '.', '..', 'a\0b', ''])(
  'a pact is refused under the name %j, which no address can hold',
  async (name) => {
    const shop = await openShop()
    const answer = await publish(shop, [[name, whole]])
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
    await expectNothingKept(shop)
  },
)

it.each(['web shop', ' ', '🎉', 'ž', "a'b/c?d#e%", 'x'.repeat(255)])(
  'a pact is kept under the name %j, in every address',
  async (name) => {
    const shop = await openShop()
    const part = encodeURIComponent(name)
    const path = `${BROKER}/pacts/provider/${part}/consumer/${part}/version/${part}`
    expect((await put(shop, path)).headers.get('Location')).toBe(path)
    expect((await shop.get(path)).body).toMatchObject(pact())
  },
)

it('a verifier is refused a hundred and one selectors', async () => {
  const shop = await openShop()
  const consumerVersionSelectors = Array.from({ length: 101 }, () => ({ latest: true }))
  expect(await shop.post(FOR_VERIFICATION, { consumerVersionSelectors })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'consumerVersionSelectors' }] },
  })
})
