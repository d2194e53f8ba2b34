import { describe, expect, it } from 'vitest'
import { controlRoutes } from '../../../src/http/control/routes.ts'
import type { Declaration } from '../../../src/surface/operation.ts'
import type { WireProblem } from '../../../src/wire/common/errors.ts'
import { openShop, type Sent, type Shop } from '../../support/control.ts'
import { pathOf } from '../../support/requests.ts'

/** Verifiers of the future may ask in other words, and for providers that nobody expects anything of. */
const openToAnything = ['selectProviderPacts', 'retrieveProviderPacts']

/** The broker learns the names of providers, versions and tags from those who use them. */
const openToAnyName = [
  ...openToAnything,
  'listLatestProviderPacts',
  'tagPacticipantVersion',
  'putPacticipantVersionOnBranch',
]

/** A sandbox in which every path above leads somewhere. */
async function stocked(): Promise<Shop> {
  const shop = await openShop()
  await shop.post('/sandbox/promotions', { code: 'SPRING', coupon_id: 'SAVE20' })
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' })
  return shop
}

const changing = controlRoutes
  .filter(({ method }) => method !== 'get' && method !== 'delete')
  .map((declared): [string, Declaration] => [`${declared.method} ${declared.path}`, declared])

const deleting = controlRoutes
  .filter(({ method, body }) => method === 'delete' && body === undefined)
  .map((declared): [string, Declaration] => [`${declared.method} ${declared.path}`, declared])

const withBody = changing.filter(([, { body }]) => body !== undefined)

const deep = `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`
const latin1 = new Uint8Array([...new TextEncoder().encode('{"name":"'), 0xe9, 0x22, 0x7d])

/** Bodies that no operation takes, whatever its fields. */
const bad: [string, Sent, number][] = [
  ['broken JSON', { bytes: '{"name": ' }, 400],
  ['JSON with a trailing comma', { bytes: '{"name":"x",}' }, 400],
  ['null', { bytes: 'null' }, 400],
  ['an array', { bytes: '[{}]' }, 400],
  ['a text', { bytes: '"name"' }, 400],
  ['a number', { bytes: '7' }, 400],
  ['__proto__', { bytes: '{"__proto__":{"admin":true}}' }, 400],
  ['constructor', { bytes: '{"constructor":{"prototype":{}}}' }, 400],
  ['an unknown field', { bytes: '{"colour":"red"}' }, 400],
  ['a field twice', { bytes: '{"name":"x","name":"y"}' }, 400],
  ['a depth of forty', { bytes: deep }, 400],
  ['text that is not UTF-8', { bytes: latin1 }, 400],
  ['spaces alone', { bytes: '   ' }, 400],
  ['another charset', charset('application/json; charset=latin1'), 400],
  ['a form', charset('application/x-www-form-urlencoded'), 415],
  ['no media type', charset('text/plain'), 415],
]

/** What is refused for its fields alone. */
const unknownFields = ['__proto__', 'constructor', 'an unknown field', 'a field twice']

function isOpen({ operationId }: Declaration): boolean {
  return openToAnything.includes(operationId)
}

function charset(type: string): Sent {
  return { bytes: '{}', headers: { 'Content-Type': type } }
}

describe.each(withBody)('%s', (_, declared) => {
  it('refuses what no body may be, with a sentence, and changes nothing', async () => {
    const shop = await stocked()
    const before = await shop.state()
    const known = bad.filter(([name]) => !isOpen(declared) || !unknownFields.includes(name))
    for (const [name, sent, status] of known) {
      const method = declared.method.toUpperCase()
      const refused = await shop.call<WireProblem>(method, pathOf(declared), sent)
      expect(refused.status, name).toBe(status)
      expect(refused.body.detail.length, name).toBeGreaterThan(20)
    }
    expect(await shop.state()).toBe(before)
    expect(await shop.get('/sandboxes')).toMatchObject({ body: { data: [{}] } })
    expect(shop.log).toEqual([])
  })

  it('refuses two megabytes, but for a state, which may have them', async () => {
    const shop = await stocked()
    const before = await shop.state()
    const bytes = JSON.stringify({ name: 'x'.repeat(2_000_000) })
    const { status } = await shop.call(declared.method.toUpperCase(), pathOf(declared), { bytes })
    const limit = declared.body?.limitBytes ?? 0
    expect(status).toBe(limit > bytes.length ? 400 : 413)
    expect(await shop.state()).toBe(before)
  })

  it('refuses an empty body where it needs one', async () => {
    const shop = await stocked()
    const { status, body } = await shop.call(declared.method.toUpperCase(), pathOf(declared))
    // A provider state may stand in the query in place of a body, but somewhere it must stand.
    const isNeeded = declared.body?.required || declared.operationId === 'changeProviderState'
    expect(status >= 400).toBe(isNeeded)
    if (isNeeded) {
      expect(body).toMatchObject({ detail: expect.stringMatching(/^The body is empty/) })
    }
  })
})

describe.each(changing)('%s', (_, declared) => {
  it('refuses a query that it does not have', async () => {
    const shop = await stocked()
    const before = await shop.state()
    const path = `${pathOf(declared)}?dry_run=true`
    const sent = declared.body?.required ? { json: {} } : {}
    const refused = await shop.call<WireProblem>(declared.method.toUpperCase(), path, sent)
    expect(refused.status).toBe(400)
    expect(refused.body.detail).toMatch(/^dry_run is not a known (field|parameter)/)
    expect(await shop.state()).toBe(before)
  })

  it('a number that would be rounded is named where it stands, also where anything may stand', async () => {
    const shop = await openShop()
    const bytes = '{"effect":{"status":500,"body":{"n":[1,12345678901234567890]}}}'
    const refused = await shop.call<WireProblem>('POST', '/sandbox/faults', { bytes })
    expect(refused).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'effect.body.n[1]' }] },
    })
  })
})

describe.each(deleting)('%s', (_, declared) => {
  it('refuses a body: what it would delete is not all that there is', async () => {
    const shop = await stocked()
    const before = await shop.state()
    for (const bytes of ['{"customer_id":"cus_ada"}', '[]', 'x']) {
      const refused = await shop.call<WireProblem>('DELETE', pathOf(declared), { bytes })
      expect(refused.status, bytes).toBe(400)
    }
    expect(await shop.state()).toBe(before)
    expect(await shop.get('/sandboxes')).toMatchObject({ body: { data: [{}] } })
  })
})

it('messages show what nobody can see', async () => {
  const shop = await openShop()
  const bytes = '{"customer_id":"cus_ada","plan":"pro\u200b"}'
  const refused = await shop.call<WireProblem>('POST', '/sandbox/subscriptions', { bytes })
  expect(refused.body.detail).toMatch(/^plan "pro\\u200b" does not exist; did you mean "pro"\?/)
})

describe('identifiers in a path', () => {
  const odd = [
    '%00',
    '%ff',
    '%zz',
    '..%2f..%2fetc',
    '__proto__',
    'constructor',
    '💸',
    'x'.repeat(300),
  ]
  const paths = controlRoutes
    .filter((each) => each.path.includes('{') && !each.path.startsWith('/sandboxes'))
    .filter(({ operationId }) => !openToAnyName.includes(operationId))
    .map((declared): [string, Declaration] => [`${declared.method} ${declared.path}`, declared])

  it.each(paths)('of %s that are odd lead nowhere', async (_, declared) => {
    const shop = await stocked()
    const before = await shop.state()
    for (const id of odd) {
      const path = declared.path.replace(/\{\w+\}/, id)
      const sent = declared.body?.required ? { json: {} } : {}
      const { status } = await shop.call(declared.method.toUpperCase(), path, sent)
      expect([400, 404], `${status} for ${id}`).toContain(status)
    }
    expect(await shop.state()).toBe(before)
    expect(shop.log).toEqual([])
  })
})

describe('numbers', () => {
  it.each([
    '9007199254740993',
    '1e400',
    '-0.0000001',
    '1.0000000000000001e16',
    '"1000"',
    'true',
    '[1000]',
  ])('%s is no amount', async (number) => {
    const shop = await openShop()
    const before = await shop.state()
    const bytes = `{"customer_id":"cus_ada","currency":"USD","amount":${number}}`
    const refused = await shop.call<WireProblem>('POST', '/sandbox/charges', { bytes })
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field: 'amount' }] } })
    expect(refused.body.detail).toMatch(
      /^amount must (be an integer from 0 to .*; got |have at most 15 digits )/,
    )
    expect(await shop.state()).toBe(before)
  })
})

describe('queries', () => {
  it.each([
    '?limit=%zz',
    '?limit=%ff',
    '?limit=5%00',
    '?__proto__=1',
    '?=1',
    '?limit',
    '?status=%00',
  ])('%s is refused', async (query) => {
    const shop = await openShop()
    expect((await shop.get(`/sandbox/subscriptions${query}`)).status).toBe(400)
  })

  it('have no nearest word for one letter, where an empty text is taken too', async () => {
    const refused = await (await openShop()).get('/sandbox/requests?unmatched=1')
    const detail = 'unmatched must be true, false or nothing, which is true; got "1".'
    expect(refused).toMatchObject({ status: 400, body: { detail } })
  })
})
