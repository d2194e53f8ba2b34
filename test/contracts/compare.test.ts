import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isUnreadable, readPact } from '../../src/contracts/pacts/pact-file.ts'
import { answers, asks, compare, document, findings, json } from '../support/comparison.ts'
import { create, creates, pactOf } from '../support/pacts.ts'

it('is with a document without alternatives, whose findings would be several', () => {
  expect(JSON.stringify(document)).not.toMatch(/"(?:anyOf|oneOf)":/)
})

it('finds nothing in a pact that the interface keeps, not even fields that it leaves out', async () => {
  const body = { status: 'active', discounts: [] }
  expect(await findings(creates('fits', { status: 200, headers: json, body }))).toEqual([])
})

const form = { 'Content-Type': 'application/x-www-form-urlencoded' }
const csv = { Authorization: 'Bearer k', 'Content-Type': 'text/csv' }

it.each([
  [
    'response.status.unknown at response.status',
    answers({ status: 201 }),
    '"status": 201,',
    'not defined in spec file: 201; defined: 200, 400,',
  ],
  [
    'response.body.incompatible at response.body',
    answers({ body: { colour: 'red' } }),
    '"body": {',
    'has no field "colour"',
  ],
  [
    'response.body.incompatible at response.body.trial_period_days',
    answers({ body: { trial_period_days: '14' } }),
    '"trial_period_days": "14"',
    'trial_period_days must be integer,null; got "14" (documented in section 2).',
  ],
  [
    'response.header.unknown at response.headers["X-Colour"]',
    answers({ headers: { ...json, 'X-Colour': 'red' } }),
    '"X-Colour": "red"',
    'header is not defined in the spec file: x-colour',
  ],
  [
    'request.path-or-method.unknown at request.path',
    asks({ path: '/v1/subscription' }),
    '"path": "/v1/subscription",',
    'POST /v1/subscription; defined: /v1/subscriptions,',
  ],
  [
    'request.body.incompatible at request.body',
    asks({ body: `${create.body}&plam=b` }),
    '"body": "customer_id=cus_ada&plan=pro&plam=b"',
    'has no field "plam"',
  ],
  [
    'request.body.incompatible at request',
    asks({ body: undefined }),
    '"request": {',
    'must be object; got nothing (documented in section 4).',
  ],
  [
    'request.authorization.missing at request.headers',
    asks({ headers: form }),
    '"headers": {',
    'POST /v1/subscriptions: Request Authorization header is missing',
  ],
  [
    'request.content-type.incompatible at request.headers["Content-Type"]',
    asks({ headers: csv }),
    '"Content-Type": "text/csv"',
    'got "text/csv"; defined: application/json, application/x-www-form-urlencoded',
  ],
])('finds %s', async (...[place, interaction, line, words]) => {
  const found = await findings(interaction)
  const one = found.find(
    ({ code, path }) => `${code} at ${path.replace('$.interactions[0].', '')}` === place,
  )
  expect(one).toMatchObject({ severity: 'error', at: line })
  expect(one?.message).toContain(words)
})

it('compares what the reader takes, however loosely it is written', async () => {
  const headers = { ...json, 'X-Colour': ['red', 'blue'] }
  const loose = creates('loose', { headers, body: {} }, { providerState: null, description: 'a' })
  expect((await findings(loose)).map(({ code }) => code)).toEqual(['response.header.unknown'])
})

it('takes an invalid body where a refusal is expected', async () => {
  const request = { ...create, body: 'plan=5&colour=red' }
  expect(await findings(creates('refused', { status: 400 }, { request }))).toEqual([])
})

it('compares a pact for whatever provider by what it asks', async () => {
  const pact = pactOf([creates('fits', { status: 200 })], { provider: { name: 'weather' } })
  expect(await compare(pact)).toEqual([[]])
})

it('finds the interaction behind one that is not HTTP, and the body that version 4 wraps', async () => {
  const wrapped = { content: { status: 1 }, contentType: 'application/json', encoded: false }
  const form = { contentType: 'application/x-www-form-urlencoded', encoded: false }
  const request = { ...create, body: { content: create['body'], ...form } }
  const pact = pactOf(
    [
      { type: 'Asynchronous/Messages', description: 'an event', contents: {} },
      { type: 'Synchronous/HTTP', ...creates('fits', { status: 200 }, { request }) },
      {
        type: 'Synchronous/HTTP',
        ...creates('breaks', { status: 200, headers: json, body: wrapped }, { request }),
      },
    ],
    { metadata: { pactSpecification: { version: '4.0' } } },
  )
  const [fits, breaks] = await compare(pact)
  expect(fits).toEqual([])
  expect(breaks?.map(({ path }) => path)).toEqual([
    '$.interactions[2].response.body.content.status',
  ])
})

it.each([
  [{ content: { status: 'trialing' } }, []],
  [{ content: { status: 1 }, contentType: 'application/json' }, ['.content.status']],
  [{ content: '{}', contentType: 'application/json' }, ['']],
  [{ content: 'bm90', contentType: 'application/json', encoded: 'base64' }, ['']],
  [{ content: '' }, []],
  [{ content: null }, []],
  [{ encoded: false }, []],
  [{ content: { status: 1 }, more: true }, ['.content.status']],
])('reads a body of version 4 as the core does: %j', async (body, places) => {
  const found = await findings(answers({ headers: json, body }), '4.0')
  const place = '$.interactions[0].response.body'
  expect(found.map(({ path }) => path)).toEqual(places.map((each) => place + each))
})

it.each(['2.0.0', '3.0.0', '5.0'])(
  'takes a body of version %s for what it is, with a member content too, as the core does',
  async (version) => {
    const body = { content: { status: 'trialing' }, contentType: 'application/json' }
    const found = await findings(answers({ headers: json, body }), version)
    const place = '$.interactions[0].response.body'
    const named = found.map(({ path, message }) => [
      path,
      /has no field ("\w+")/.exec(message)?.[1],
    ])
    expect(named).toEqual([
      [place, '"content"'],
      [place, '"contentType"'],
    ])
    const request = { ...create, headers: json, body: { content: 'x', encoded: 'base64' } }
    const metadata = { pactSpecification: { version } }
    const { interactions } = pactOf([creates('one', { status: 400 }, { request })], { metadata })
    expect(interactions[0]?.request.body).toBe('{"content":"x","encoded":"base64"}')
  },
)

it('takes what may be null for what else it may be', async () => {
  const either = (...matchers: object[]) => ({ combine: 'OR', matchers })
  const rules = (rule: object) => ({ matchingRules: { body: { '$.trial_end': rule } } })
  const body = { trial_end: '2027-01-15' }
  const [isNull, isText] = [{ match: 'null' }, { match: 'type' }]
  expect(await findings(answers({ body, ...rules(either(isNull, isText)) }))).toEqual([])
  expect(await findings(answers({ body, ...rules(either(isNull)) }))).toHaveLength(1)
})

it('decodes the bodies that version 4 encodes', async () => {
  const name = 'test/fixtures/pacts/pact-net-v4.json'
  const text = readFileSync(name, 'utf8')
  const read = readPact(name, text)
  if (isUnreadable(read)) throw new Error(JSON.stringify(read))
  expect((await compare(read))[1]).toEqual([])
  const broken = text.replace(/"eyJ[^"]*"/, `"${Buffer.from('{"coupon":1}').toString('base64')}"`)
  const other = readPact(name, broken)
  if (isUnreadable(other)) throw new Error(JSON.stringify(other))
  expect((await compare(other))[1]?.map(({ message }) => message).join()).toContain('"coupon"')
})

it.each(['notEmpty', 'not-empty', 'eachValue', 'each-value'])(
  'takes a value that the matcher %s leaves open for an example',
  async (match) => {
    const matchingRules = { body: { '$.error': { matchers: [{ match }] } } }
    const refused = { status: 400, body: { error: 'something', message: 'Why.' } }
    expect(await findings(answers({ ...refused, matchingRules }))).toEqual([])
    expect(await findings(answers(refused))).toHaveLength(1)
  },
)

it('leaves a value open only by all matchers of a rule, and no rule leaves open which fields there are', async () => {
  const by = (path: string, ...matchers: object[]) => ({ body: { [path]: { matchers } } })
  const [isType, isEqual] = [{ match: 'type' }, { match: 'equality' }]
  const refused = { status: 400, body: { error: 'something', message: 'Why.' } }
  const ofError = by('$.error', isType, isEqual)
  expect(await findings(answers({ ...refused, matchingRules: ofError }))).toHaveLength(1)
  // One for the values of an object says nothing of what is below it.
  const ofValues = by('$', { match: 'values' })
  expect(await findings(answers({ ...refused, matchingRules: ofValues }))).toHaveLength(1)
  const colour = answers({ body: { colour: 'red' }, matchingRules: by('$', isType) })
  expect((await findings(colour))[0]?.message).toContain('has no field "colour"')
})

it.each([
  [{ '$.discounts[*].type': 'type' }, 0],
  [{ $: 'type', '$.discounts[0].type': 'equality' }, 1],
  [{ '$.discounts[0].type': 'equality', '$.discounts[*].type': 'type' }, 1],
  [{ '$.discounts[*].type': 'equality', '$.discounts[0].type': 'type' }, 0],
  [{ '$.discounts[0]': 'type', '$.*.*.*': 'equality' }, 0],
  [{ '$.*.*': 'type', '$.*.*.type': 'equality' }, 1],
])(
  'takes the heaviest rule, by the length of its path and twice for each step that is no star: %j',
  async (rules, count) => {
    const each = Object.entries(rules).map(([path, match]) => [path, { matchers: [{ match }] }])
    const matchingRules = { body: Object.fromEntries(each) }
    const found = await findings(
      answers({ body: { discounts: [{ type: 'half' }] }, matchingRules }),
    )
    expect(found).toHaveLength(count)
  },
)

it('leaves the type of an answer open by a rule, and not whether it has a header', async () => {
  const codes = async (headers: object, rule: object) => {
    const rules = Object.keys(headers).map((name) => [name, { matchers: [rule] }])
    const matchingRules = { header: Object.fromEntries(rules) }
    return (await findings(answers({ headers, matchingRules }))).map(({ code }) => code)
  }
  const other = { 'Content-Type': 'text/html' }
  expect(await codes(other, { match: 'regex', regex: 'application/json|text/html' })).toEqual([])
  // As version 2 has it.
  const matchingRules = { '$.headers.Content-Type': { match: 'type' } }
  expect(await findings(answers({ headers: other, matchingRules }))).toEqual([])
  expect(await codes(other, { match: 'equality' })).toEqual(['response.content-type.incompatible'])
  expect(await codes({ 'X-Colour': 'red' }, { match: 'type' })).toEqual(['response.header.unknown'])
})

it('leaves nothing of a request open by a rule of the response', async () => {
  const matchingRules = { body: { '$.trial_period_days': { matchers: [{ match: 'type' }] } } }
  const response = { status: 200, body: { trial_period_days: 14 }, matchingRules }
  const request = { ...create, body: `${create['body']}&trial_period_days=-1` }
  const [finding] = await findings(creates('breaks', response, { request }))
  expect(finding?.message).toContain('trial_period_days must be integer; got "-1"')
})

it('names a hundred of many findings about one interaction', async () => {
  const body = (length: number) =>
    Object.fromEntries(Array.from({ length }, (_, at) => [`field_${at}`, at]))
  const found = await findings(answers({ body: body(2000) }))
  expect(found).toHaveLength(101)
  expect(found.at(-1)?.message).toBe('There are 1900 more findings about this interaction.')
  const more = await findings(answers({ body: body(101) }))
  expect(more.at(-1)?.message).toBe('There is 1 more finding about this interaction.')
})

it('names errors before warnings where there are more than a hundred findings', async () => {
  const colours = Array.from({ length: 101 }, (_, at) => [`X-Colour-${at}`, 'red'])
  const request = {
    ...create,
    headers: { ...Object(create['headers']), ...Object.fromEntries(colours) },
  }
  const found = await findings(
    creates('breaks', { status: 200, body: { colour: 'red' } }, { request }),
  )
  expect(found).toHaveLength(101)
  expect(found.map(({ severity }) => severity).slice(0, 2)).toEqual(['error', 'warning'])
})
