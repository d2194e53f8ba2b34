/** The events in the document of the control plane: a schema for each type, and the webhook that sends them. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Validator } from '@cfworker/json-schema'
import type { OperationObject, ParameterObject, SchemaObject } from 'openapi3-ts/oas31'
import { describe, expect, it, onTestFinished } from 'vitest'
import * as z from 'zod'
import { eventExamples } from '../../scripts/event-examples.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { downConvert } from '../../src/openapi/down-convert.ts'
import stored from '../../src/openapi/examples/events.json' with { type: 'json' }
import { createSchemaBook } from '../../src/surface/schema-book.ts'
import { EventSchema, eventSchemaName } from '../../src/wire/events/event-schema.ts'
import { EventType, eventDetails } from '../../src/world/event.ts'
import { openShop } from '../support/control.ts'

type Schema = SchemaObject & { readonly properties: Record<string, SchemaObject> }

const document = controlDocument(controlRoutes, '1.0.0')
const schemas = document.components?.schemas as Record<string, Schema>
const reference = (type: EventType) => `#/components/schemas/${eventSchemaName(type)}`

/** What is wrong with a value, by a schema of the document. */
function problemsOf(name: string, value: unknown): readonly unknown[] {
  const root = { $ref: `#/components/schemas/${name}`, components: document.components }
  return new Validator(root as never, '2020-12').validate(value).errors
}

describe.each([
  ['3.1', document],
  ['3.0', downConvert(document)],
])('the schema of events in %s', (_, { components }) => {
  it('says by the type which member is meant', () => {
    const event = components?.schemas?.['Event'] as SchemaObject | undefined
    const oneOf = EventType.options.map((type) => ({ $ref: reference(type) }))
    const mapping = Object.fromEntries(EventType.options.map((type) => [type, reference(type)]))
    expect(event).toMatchObject({ oneOf, discriminator: { propertyName: 'type', mapping } })
  })
})

describe.each(EventType.options)('%s', (type) => {
  const name = eventSchemaName(type)
  const { description, properties = {}, examples } = schemas[name] as Schema

  it('says what causes it, and what each fact is', () => {
    expect(description).toMatch(/^[A-Z].*\.$/)
    expect(properties['type']).toMatchObject({ const: type })
    const facts = Object.entries((properties['detail'] as Schema).properties)
    const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    expect(facts.map(([fact]) => fact)).toEqual(Object.keys(eventDetails[type].shape).map(snake))
    for (const [fact, schema] of facts) expect(schema.description, fact).toMatch(/^[A-Z].*\.$/)
  })

  it('shows one that happened, which its schema accepts', () => {
    expect(examples).toEqual([(stored as Record<string, unknown>)[name]])
    const [example] = examples as [object]
    expect(problemsOf(name, example)).toEqual([])
    expect(EventSchema.parse(example)).toEqual(example)
    expect(problemsOf(name, { ...example, detail: { other: 1 } })).not.toEqual([])
  })
})

it('shows the events of a live run; npm run examples writes them anew', async () => {
  const live = await eventExamples()
  expect(Object.keys(live)).toEqual(EventType.options.map(eventSchemaName))
  expect(live).toEqual(stored)
})

it('draws a discriminator only where every member has a name and the field', () => {
  const member = (kind: 'a' | 'b', id?: string) => {
    const shape = z.strictObject({ kind: z.literal(kind) })
    return id === undefined ? shape : shape.meta({ id })
  }
  const drawn = (b: z.ZodObject) =>
    createSchemaBook().toJsonSchema(z.discriminatedUnion('kind', [member('a', 'A'), b]), 'output')
  expect(drawn(member('b', 'B')).discriminator?.mapping).toEqual({
    a: '#/components/schemas/A',
    b: '#/components/schemas/B',
  })
  expect(drawn(member('b'))).not.toHaveProperty('discriminator')
  const optional = z.strictObject({ kind: z.literal('b').optional() }).meta({ id: 'B' })
  expect(drawn(optional)).not.toHaveProperty('discriminator')
})

describe('the webhook', () => {
  const { event } = document.webhooks as { event: { post: OperationObject } }
  const { parameters, requestBody, responses } = event.post

  /** What a receiver gets that answers with a status, and what becomes of the delivery. */
  async function delivered(status: number) {
    const received: { headers: IncomingHttpHeaders; body: string }[] = []
    const server = createServer(async (request, response) => {
      received.push({ headers: request.headers, body: await text(request) })
      response.writeHead(status).end()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    onTestFinished(() => void server.close())
    const shop = await openShop()
    const { port } = server.address() as AddressInfo
    await shop.post('/sandbox/webhooks', { url: `http://127.0.0.1:${port}/` })
    await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' })
    const advance = { by: 'P1D', lockstep: true }
    await shop.post('/sandbox/clock/advance', advance)
    const listed = await shop.get<{ data: { status: string }[] }>('/sandbox/webhooks/deliveries')
    return { received, statuses: listed.body.data.map((each) => each.status) }
  }

  it('sends the headers and the body that the document says', async () => {
    const { received, statuses } = await delivered(204)
    expect(statuses).toEqual(['delivered'])
    const [{ headers, body }] = received as [(typeof received)[0]]
    const own = ['host', 'connection', 'content-type', 'content-length']
    const sent = Object.keys(headers).filter((name) => !own.includes(name))
    const said = parameters as ParameterObject[]
    expect(said.map(({ name }) => name.toLowerCase()).sort()).toEqual(sent.sort())
    for (const { name, schema } of said) {
      const { valid } = new Validator(schema as never).validate(headers[name.toLowerCase()])
      expect(valid, name).toBe(true)
    }
    const { content } = requestBody as { content: Record<string, { schema: { $ref: string } }> }
    expect(Object.keys(content)).toEqual([headers['content-type']])
    expect(content['application/json']?.schema.$ref).toBe('#/components/schemas/WebhookMessage')
    expect(problemsOf('WebhookMessage', JSON.parse(body))).toEqual([])
  })

  it.each([
    [200, 'delivered', '2XX'],
    [302, 'failed', 'default'],
    [404, 'failed', '4XX'],
  ])('counts an answer of %i as %s', async (status, expected, answer) => {
    expect((await delivered(status)).statuses).toEqual([expected])
    expect(responses?.[answer].description).toMatch(
      expected === 'delivered' ? /^Delivered/ : /^Not delivered/,
    )
  })

  it('is not in 3.0, nor what only it sends', () => {
    const { components, ...rest } = downConvert(document)
    expect(rest).not.toHaveProperty('webhooks')
    const left = Object.keys(schemas).filter((name) => !(name in (components?.schemas ?? {})))
    expect(left).toEqual(['WebhookMessage'])
  })
})
