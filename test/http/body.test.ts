import { describe, expect, it } from 'vitest'
import { SubscriptionCancel, SubscriptionCreate } from '../../src/wire/billing/subscription.ts'
import { RefreshRequest } from '../../src/wire/sandbox/token.ts'
import { echo, formType, jsonType, post, serving } from '../support/surface.ts'

const app = serving([
  echo('/v1/create', { schema: SubscriptionCreate, media: ['form', 'json'], required: true }),
  echo('/v1/cancel', { schema: SubscriptionCancel, media: ['form', 'json'], required: false }),
  echo('/v1/refresh', {
    schema: RefreshRequest,
    media: ['json'],
    required: true,
    foreignMedia: 'invalid_request',
  }),
])

describe('a form and JSON mean the same', () => {
  const order = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 }

  it.each([
    [formType, 'customer_id=cus_ada&plan=basic&trial_period_days=14'],
    [`${formType}; charset=UTF-8`, 'customer_id=cus_ada&plan=basic&trial_period_days=14'],
    [jsonType, JSON.stringify(order)],
    ['Application/JSON;charset="utf-8"', JSON.stringify(order)],
    [`${formType}; charset=ISO-8859-1`, 'customer_id=cus_ada&plan=basic&trial_period_days=14'],
    [`${formType};charset="us-ascii"`, 'customer_id=cus_ada&plan=basic&trial_period_days=14'],
    [`${jsonType}; charset=ISO-8859-1`, JSON.stringify(order)],
  ])('%s', async (type, body) => {
    expect(await post(app, '/v1/create', { type, body })).toMatchObject({
      status: 200,
      body: order,
    })
  })

  it.each([
    [formType, 'at_period_end=true'],
    [jsonType, '{"at_period_end":true}'],
  ])('booleans in %s', async (type, body) => {
    const answer = await post(app, '/v1/cancel', { type, body })
    expect(answer).toMatchObject({ status: 200, body: { at_period_end: true } })
  })
})

describe('scalars are read strictly', () => {
  it.each(['014', '+14', '14.0', '1e1', '-0', ' 14', '0x10', '９', '99999999999999999999'])(
    'a form does not take %s for an integer',
    async (text) => {
      const body = `customer_id=a&plan=b&trial_period_days=${encodeURIComponent(text)}`
      const answer = await post(app, '/v1/create', { type: formType, body })
      expect(answer.status).toBe(400)
      expect(answer.body).toEqual({
        error: 'invalid_request',
        message: `trial_period_days must be an integer from 0 to 730; got ${JSON.stringify(text)}.`,
      })
    },
  )

  it.each(['True', '1', 'yes', 'on'])('a form does not take %s for a boolean', async (text) => {
    const body = `at_period_end=${text}`
    const answer = await post(app, '/v1/cancel', { type: formType, body })
    expect(answer.body).toMatchObject({
      message: `at_period_end must be true or false; got "${text}".`,
    })
  })

  it.each(['14', '14.0', '1.4e1', '140e-1'])('JSON takes %s for 14 trial days', async (value) => {
    const body = `{"customer_id":"a","plan":"b","trial_period_days":${value}}`
    const answer = await post(app, '/v1/create', { type: jsonType, body })
    expect(answer).toMatchObject({ status: 200, body: { trial_period_days: 14 } })
  })

  it.each([
    ['an empty identifier', '{"customer_id":"","plan":"b"}', ''],
    ['a key given twice', '{"customer_id":"a","plan":"b","plan":"b"}', ''],
    ['a byte order mark', '\ufeff{"customer_id":"a","plan":"b"}', ''],
    ['a query string', '{"customer_id":"a","plan":"b"}', '?plan=b'],
  ])('JSON is refused for %s', async (_, body, query) => {
    expect((await post(app, `/v1/create${query}`, { type: jsonType, body })).status).toBe(400)
  })

  it.each(['14.00000000000000000000', '0e-400', '-0.0', '1400000000000000000000e-20'])(
    'JSON takes %s, of which nothing is lost',
    async (value) => {
      const body = `{"customer_id":"a","plan":"b","trial_period_days":${value}}`
      expect((await post(app, '/v1/create', { type: jsonType, body })).status).toBe(200)
    },
  )

  it.each(['14.00000000000000000001', '13.99999999999999999999', '1e-400', '9007199254740993'])(
    'JSON refuses %s, of which a double would keep less',
    async (value) => {
      const body = `{"customer_id":"a","plan":"b","trial_period_days":${value}}`
      const answer = await post(app, '/v1/create', { type: jsonType, body })
      expect(answer).toMatchObject({
        status: 400,
        body: {
          message:
            'trial_period_days must have at most 15 digits if it is a number; got one that would be rounded.',
        },
      })
    },
  )

  it('JSON refuses a number of half a million zeros before a one without holding up others', async () => {
    const body = `{"customer_id":"a","plan":"b","trial_period_days":1${'0'.repeat(500_000)}1}`
    expect((await post(app, '/v1/create', { type: jsonType, body })).status).toBe(400)
  })

  it.each(['"14"', 'null', '1.5', '-1', '731', '1e400', '[14]', 'true'])(
    'JSON does not take %s for trial days',
    async (value) => {
      const body = `{"customer_id":"a","plan":"b","trial_period_days":${value}}`
      expect((await post(app, '/v1/create', { type: jsonType, body })).status).toBe(400)
    },
  )
})

describe('what a body may be', () => {
  it.each(['null', '[]', '3', '"text"', 'true', '', '{', '[{}]'])(
    'refuses the JSON %j',
    async (body) => {
      const answer = await post(app, '/v1/create', { type: jsonType, body })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
    },
  )

  it('refuses bytes that are not UTF-8', async () => {
    const body = new Uint8Array([0x70, 0x3d, 0xff])
    expect(await post(app, '/v1/create', { type: formType, body })).toMatchObject({
      status: 400,
      body: { message: 'The body is not UTF-8.' },
    })
  })

  it.each(['\ufeffcustomer_id=a&plan=b', '\ufeff'])(
    'a form is refused for a byte order mark: %j',
    async (body) => {
      for (const path of ['/v1/create', '/v1/cancel']) {
        expect(await post(app, path, { type: formType, body })).toMatchObject({
          status: 400,
          body: { message: 'The body begins with a byte order mark; send it without.' },
        })
      }
    },
  )

  it('takes an empty body where no field is required', async () => {
    expect(await post(app, '/v1/cancel', {})).toMatchObject({ status: 200, body: {} })
    expect(await post(app, '/v1/cancel', { type: 'text/plain' })).toMatchObject({ status: 200 })
  })

  it('refuses an empty body where one is needed, and says which fields', async () => {
    expect(await post(app, '/v1/create', {})).toMatchObject({
      status: 400,
      body: {
        message:
          'The body is empty; it must be an object with some of customer_id, plan, trial_period_days.',
      },
    })
  })

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/xml', undefined])(
    'answers 415 to a body of type %s',
    async (type) => {
      const body = new TextEncoder().encode('customer_id=a&plan=b')
      const answer = await post(app, '/v1/create', { body, ...(type && { type }) })
      expect(answer).toMatchObject({ status: 415, body: { error: 'unsupported_media_type' } })
    },
  )

  it.each([
    [formType, '{"customer_id":"a"}', 'a form, as Content-Type says; got JSON. To send JSON, set'],
    [
      'application/json',
      'customer_id=a',
      'JSON, as Content-Type says; got a form. To send a form, set',
    ],
  ])('says of the type %s with the body %s what to change', async (type, body, words) => {
    const answer = await post(app, '/v1/create', { type, body })
    const message = expect.stringContaining(
      `The body must be ${words} Content-Type to application/`,
    )
    expect(answer).toMatchObject({ status: 400, body: { message } })
  })

  it('names the cause of JSON that is sent as a form and cut off', async () => {
    const answer = await post(app, '/v1/create', { type: formType, body: '{"customer_id":"a"' })
    expect(answer).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('The Verifier of pact-js makes JSON of a form') },
    })
  })

  it('answers 400 to a charset that writes ASCII otherwise', async () => {
    const type = `${formType}; charset=utf-16`
    const answer = await post(app, '/v1/create', { type, body: 'customer_id=a&plan=b' })
    expect(answer).toMatchObject({
      status: 400,
      body: {
        message:
          'The charset of Content-Type must be utf-8, or for a body in ASCII iso-8859-1 or us-ascii; got "utf-16".',
      },
    })
  })

  it.each(['iso-8859-1', 'us-ascii'])(
    'answers 400 to more than ASCII in %s, which could be read in two ways',
    async (charset) => {
      const type = `${formType}; charset=${charset}`
      const body = Buffer.from('customer_id=cus_\u00e9&plan=b', 'utf8')
      const answer = await post(app, '/v1/create', { type, body })
      expect(answer).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(`as the charset of Content-Type is ${charset}`) },
      })
    },
  )

  it.each([formType, 'text/plain', undefined])(
    'answers 400 to a refresh of type %s, which takes JSON only',
    async (type) => {
      const body = new TextEncoder().encode('refresh_token=rt_secret')
      const answer = await post(app, '/v1/refresh', { body, ...(type && { type }) })
      expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } })
      expect(JSON.stringify(answer.body)).not.toContain('secret')
    },
  )
})

describe('size', () => {
  const bytes = (size: number) => new TextEncoder().encode('a'.repeat(size))

  it('answers 413 above 1 MiB, announced or streamed', async () => {
    const streamed = new ReadableStream({
      pull: (controller) => controller.enqueue(bytes(65_536)),
    })
    const request = (body: NonNullable<RequestInit['body']>, headers: Record<string, string>) =>
      app.request('/v1/create', {
        method: 'POST',
        headers: { Authorization: 'Bearer key', 'Content-Type': formType, ...headers },
        body,
        duplex: 'half',
      } as RequestInit)
    expect((await request(bytes(1_048_577), {})).status).toBe(413)
    expect((await request('a=1', { 'Content-Length': '1048577' })).status).toBe(413)
    expect((await request(bytes(1_048_577), { 'Content-Length': '3' })).status).toBe(413)
    expect((await request(streamed, {})).status).toBe(413)
  })

  it('reads exactly 1 MiB', async () => {
    const answer = await post(app, '/v1/create', { type: formType, body: bytes(1_048_576) })
    expect(answer.status).toBe(400)
  })
})
