/** What the broker refuses: pacts that cannot be used, and names that no address can hold. */
import { expect, it } from 'vitest'
import { BROKER, FOR_VERIFICATION, pact, publish, put, WEB } from '../../support/broker.ts'
import { openShop, type Shop } from '../../support/control.ts'

const whole = JSON.stringify(pact())
const elsewhere = (what: string) =>
  `must be absent: the broker of a sandbox has no ${what}, so use a Pact Broker or PactFlow`

async function expectNothingKept(shop: Shop): Promise<void> {
  expect((await shop.get(`${BROKER}/pacts`)).body).toMatchObject({ data: [] })
  expect(shop.log).toEqual([])
}

it.each(['versions/7/tags/prod', 'branches/prod/versions/7'])(
  'a mark of another name than its path says is refused: %s',
  async (path) => {
    const shop = await openShop()
    const mark = (name: string) =>
      shop.call('PUT', `${BROKER}/pacticipants/till/${path}`, { json: { name } })
    const message = 'name must be "prod", as the path says, or absent; got "test".'
    expect(await mark('test')).toMatchObject({ status: 400, body: { errors: [{ message }] } })
    expect((await shop.get(`${BROKER}/pacticipants/till/versions/7`)).status).toBe(404)
    expect((await mark('prod')).status).toBe(201)
  },
)

const deep = { content: '['.repeat(1e5), contentType: 'application/json', encoded: 'JSON' }
const version4 = { metadata: { pactSpecification: { version: '4.0' } } }
const atHeader = 'interactions[0].request.headers["X-Note"]'
const atBody = 'interactions[0].request.body.content'

it.each([
  ['a header beyond Latin-1', pact({ headers: { 'X-Note': 'ž' } }), atHeader, 'HTTP cannot carry'],
  [
    'a body nested too deeply',
    { ...pact({ body: deep }), ...version4 },
    atBody,
    'at most 32 levels',
  ],
])('a pact with %s is refused, also among others', async (...[, unusable, field, rule]) => {
  const shop = await openShop()
  const refused = { field, message: expect.stringContaining(rule) }
  expect(await put(shop, WEB, unusable)).toMatchObject({ status: 400, body: { errors: [refused] } })
  const texts = [whole, JSON.stringify(unusable)]
  const message = expect.stringContaining(`${field}: `)
  expect(
    await publish(
      shop,
      texts.map((text) => ['subscription-service', text]),
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
      texts.map((each) => ['subscription-service', each]),
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
    const answer = await publish(shop, [[name, whole]], { consumer: name })
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
    const named = pact({}, { consumer: name, provider: name })
    expect((await put(shop, path, named)).headers.get('Location')).toBe(path)
    expect((await shop.get(path)).body).toMatchObject(named)
  },
)

it.each([
  ['pending pacts', { includePendingStatus: true }],
  ['pacts in progress', { includeWipPactsSince: '2026-01-01' }],
])('a verifier is refused %s, and not what says that it wants none', async (what, asked) => {
  const shop = await openShop()
  const refused = await shop.post(FOR_VERIFICATION, asked)
  const message = expect.stringContaining(elsewhere(what))
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ message }] } })
  const none = { includePendingStatus: false, consumerVersionSelectors: [{ deployed: false }] }
  expect((await shop.post(FOR_VERIFICATION, none)).status).toBe(200)
})

it.each([
  ['GET', '/environments'],
  ['POST', '/environments'],
  ['GET', '/pacts/provider/till/consumer/web/version/1/verification-results/1'],
  ['POST', '/webhooks'],
  ['DELETE', '/pacticipants/web/branches/main'],
  ['POST', '/pacticipants/web/versions/1/deployed-versions/environment/1'],
])('%s %s is refused with the name of a real broker, to tools in HAL', async (method, path) => {
  const shop = await openShop()
  const sentence = expect.stringContaining('use a Pact Broker or PactFlow')
  const refused = await shop.call(method, BROKER + path)
  expect(refused).toMatchObject({ status: 400, body: { errors: [{ message: sentence }] } })
  const headers = { Accept: 'application/hal+json, application/json' }
  const shown = await shop.call(method, BROKER + path, { headers })
  expect(shown).toMatchObject({ status: 400, body: { errors: [sentence] } })
  expect(shown.headers.get('Content-Type')).toBe('application/hal+json')
})

it('a tool is told in HAL which methods a path has, and who has more', async () => {
  const shop = await openShop()
  const headers = { Accept: 'application/hal+json' }
  const refused = await shop.call('PUT', `${BROKER}/pacticipants/web`, { headers })
  expect(refused.headers.get('Allow')).toBe('GET, HEAD')
  const errors = ['must be one of GET, HEAD', 'use a Pact Broker or PactFlow']
  expect(refused).toMatchObject({
    status: 405,
    body: { errors: errors.map((text) => expect.stringContaining(text)) },
  })
})

it('a verifier is refused a hundred and one selectors', async () => {
  const shop = await openShop()
  const consumerVersionSelectors = Array.from({ length: 101 }, () => ({ latest: true }))
  expect(await shop.post(FOR_VERIFICATION, { consumerVersionSelectors })).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'consumerVersionSelectors' }] },
  })
})

it.each([
  ['an unknown selector', { colour: 'red' }, 'colour'],
  ['a fallback', { branch: 'gone', fallbackBranch: 'main' }, elsewhere('fallbacks')],
  ['a fallback for a tag', { tag: 'gone', fallbackTag: 'main' }, elsewhere('fallbacks')],
  ['a tag and a branch at once', { tag: 'prod', branch: 'main' }, 'at most one of branch, tag'],
  ['the main branch and another', { mainBranch: true, branch: 'main' }, 'at most one of branch'],
  ['deployments', { deployed: true }, elsewhere('deployments')],
  ['releases', { released: true, environment: '' }, elsewhere('releases')],
  ['deployments or releases', { deployedOrReleased: true }, elsewhere('deployments and releases')],
  ['an environment', { environment: 'production' }, elsewhere('environments')],
  [
    'a matching branch of no branch',
    { matchingBranch: true },
    'providerVersionBranch is missing; it must be',
  ],
])('a verifier is refused %s, and is not given all pacts instead', async (_, selector, why) => {
  const shop = await openShop()
  await put(shop)
  const refused = await shop.post(FOR_VERIFICATION, { consumerVersionSelectors: [selector] })
  expect(refused).toMatchObject({
    status: 400,
    body: { errors: [{ message: expect.stringContaining(why) }] },
  })
})

it.each([
  ['?q[][pacticipant]=web%20shop&environment=production', 400, elsewhere('environments')],
  ['?q[][pacticipant]=web%20shop&ignore[][pacticipant]=till', 400, elsewhere('rows to ignore')],
  [
    '?q[][pacticipant]=web%20shop&ignore[][pacticipant]=a&ignore[][version]=1&ignore[][pacticipant]=b',
    400,
    elsewhere('rows to ignore'),
  ],
  [
    '?q[][pacticipant]=web%20shop&q[][version]=1&q[][version]=2',
    400,
    'q[][version] must come once',
  ],
  ['?q[][version]=1.0&latest=true', 400, 'q[][pacticipant]'],
  ['?q[][version]=1&q[][pacticipant]=web%20shop&latest=true', 400, 'q[][version]'],
  ['?q[][pacticipant]=web%20shop&latest=true&latest=true', 400, 'latest'],
  ['?q[][pacticipant]=nobody&latest=true', 404, 'nobody'],
])('a question %s to the matrix is refused', async (query, status, named) => {
  const shop = await openShop()
  await put(shop)
  const { status: got, text } = await shop.get(`${BROKER}/matrix${query}`)
  expect({ got, text }).toEqual({ got: status, text: expect.stringContaining(named) })
})
