/** The open form of the documents: what a client that is generated from it can rely on, and no more. */
import type { OpenAPIObject, OperationObject, SchemaObject } from 'openapi3-ts/oas31'
import { describe, expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { toForm } from '../../src/openapi/derive-form.ts'
import { DocumentForm } from '../../src/openapi/forms.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { VERSION } from '../../src/version.ts'

type Schemas = Record<string, SchemaObject>

const closed = { v1: v1Document(VERSION), control: controlDocument(controlRoutes, VERSION) }
const opened = (surface: keyof typeof closed, form = {}) =>
  toForm(surface, closed[surface], DocumentForm.parse(form)) as OpenAPIObject
const v1 = opened('v1')

/** The fields that the interface shows in answers, by section, and which of them every answer has. */
const shown = {
  Subscription: {
    fields: ['customer_id', 'plan', 'trial_period_days'],
    always: ['customer_id', 'plan'],
  },
  TokenResponse: {
    fields: ['access_token', 'refresh_token', 'token_type', 'expires_in'],
    always: ['access_token', 'token_type', 'expires_in'],
  },
  Error: { fields: ['error', 'message'], always: ['error', 'message'] },
} as const

/** The types of those fields. */
const types: Readonly<Record<string, string>> = {
  ...{ customer_id: 'string', plan: 'string', trial_period_days: 'integer' },
  ...{ access_token: 'string', refresh_token: 'string', token_type: 'string' },
  ...{ expires_in: 'integer', error: 'string', message: 'string' },
}

function operationsOf(document: OpenAPIObject): OperationObject[] {
  return Object.values(document.paths ?? {}).flatMap(
    (item) => Object.values(item) as OperationObject[],
  )
}

/** Everything in a document that is answered, with the schemas that it refers to. */
function answersOf(document: OpenAPIObject): unknown[] {
  const { responses, headers, schemas } = document.components as { [part: string]: Schemas }
  const answers = operationsOf(document).map((operation) => operation.responses)
  const found = new Set<string>()
  const look = (part: unknown) => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/schemas\/([\w.-]+)/g)) {
      if (found.has(name)) continue
      found.add(name)
      look(schemas?.[name])
    }
  }
  look([answers, responses, headers])
  return [answers, responses, headers, ...[...found].map((name) => schemas?.[name])]
}

/** Every object in a part of a document, but those in examples. */
function objectsIn(part: unknown): Record<string, unknown>[] {
  if (typeof part !== 'object' || part === null) return []
  if (Array.isArray(part)) return part.flatMap(objectsIn)
  const inner = Object.entries(part).filter(([key]) => !/^(?:examples?|x-.*)$/.test(key))
  return [part as Record<string, unknown>, ...inner.flatMap(([, value]) => objectsIn(value))]
}

describe('the document of /v1', () => {
  const schemas = v1.components?.schemas as Schemas

  it.each(Object.entries(shown))(
    'requires of %s what the interface shows',
    (name, { fields, always }) => {
      const { properties = {}, required } = schemas[name] as SchemaObject
      expect([...(required ?? [])].sort()).toEqual([...always].sort())
      for (const field of fields) {
        const property = properties[field] as SchemaObject & { $ref?: string }
        const referred = property.$ref?.split('/').at(-1)
        const { type } = referred === undefined ? property : (schemas[referred] as SchemaObject)
        expect([type].flat(), field).toContain(types[field])
      }
    },
  )

  it('requires, closes and enumerates nothing else in an answer', () => {
    const objects = answersOf(v1).flatMap(objectsIn)
    expect(objects.length).toBeGreaterThan(100)
    const named = Object.keys(shown).map((name) => schemas[name])
    for (const object of objects) {
      expect(object).not.toHaveProperty('enum')
      expect(object).not.toHaveProperty('pattern')
      expect(object['additionalProperties']).not.toBe(false)
      if (Array.isArray(object['required'])) expect(named).toContainEqual(object)
      // Interface section 2: always Bearer.
      if ('const' in object) expect(object['const']).toBe('Bearer')
    }
  })

  it('lists the known codes and statuses beside', () => {
    const { properties: subscription } = schemas['Subscription'] as SchemaObject
    const codes = JSON.stringify(schemas['ErrorCode'])
    expect(codes).toContain('x-extensible-enum')
    expect(codes).toContain('invalid_grant')
    expect(subscription?.['status']).toMatchObject({
      type: 'string',
      'x-extensible-enum': expect.arrayContaining(['past_due']),
    })
  })
})

describe.each(['v1', 'control'] as const)('the document of %s', (surface) => {
  const document = opened(surface)

  it('leaves requests as they are', () => {
    const requests = (from: OpenAPIObject) =>
      operationsOf(from).map(({ parameters, requestBody }) => ({ parameters, requestBody }))
    expect(requests(document)).toEqual(requests(closed[surface]))
    const sent = (from: OpenAPIObject) => {
      const names = [...JSON.stringify(requests(from)).matchAll(/schemas\/([\w.-]+)/g)]
      return names.map(([, name = '']) => from.components?.schemas?.[name])
    }
    expect(sent(document)).toEqual(sent(closed[surface]))
  })

  it('opens answers', () => {
    // The state that is exported is sent back as it is.
    const schemas = { ...document.components?.schemas, State: {} }
    const answered = answersOf({ ...document, components: { ...document.components, schemas } })
    for (const object of answered.flatMap(objectsIn)) {
      expect(object['additionalProperties']).not.toBe(false)
      expect(object).not.toHaveProperty('enum')
    }
  })

  it('has bodies of JSON alone where that is asked for, and no schema that nothing refers to', () => {
    const json = opened(surface, { media: 'json' })
    const all = operationsOf(json)
    const media = all.flatMap(({ requestBody, responses }) =>
      [requestBody, ...Object.values(responses ?? {})].flatMap((part) =>
        Object.keys((part as { content?: object } | undefined)?.content ?? {}),
      ),
    )
    expect(media).toContain('application/json')
    expect(media).not.toContain('application/x-www-form-urlencoded')
    expect(Object.keys(json.components?.schemas ?? {})).not.toContain('SubscriptionCreateForm')
    const bodies = (from: OpenAPIObject) => operationsOf(from).filter((each) => each.requestBody)
    expect(bodies(json)).toHaveLength(bodies(document).length)
  })
})
