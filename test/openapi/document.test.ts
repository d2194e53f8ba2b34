import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { ResponseObject, SchemaObject } from 'openapi3-ts/oas31'
import { describe, expect, it } from 'vitest'
import { assumptions } from '../../src/assumptions/register.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { documentText, toForm } from '../../src/openapi/derive-form.ts'
import { DocumentForm, documentForms } from '../../src/openapi/forms.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { v1Operations } from '../../src/operations/v1.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import { packageRoot, VERSION } from '../../src/version.ts'

const place = (path: string) => fileURLToPath(new URL(path, packageRoot))
const document = v1Document(VERSION)
const control = controlDocument(controlRoutes, VERSION)
const operations: readonly Declaration[] = v1Operations

it('is what openapi.yaml holds, in its open form; npm run openapi writes it anew', () => {
  const text = documentText(toForm('v1', document, DocumentForm.parse({})), 'yaml')
  expect(readFileSync(place('openapi.yaml'), 'utf8')).toBe(text)
})

it.each([
  ['v1', document],
  ['control', control],
] as const)(
  'says what the lists of %s hold, and of unions alone how to tell them',
  (surface, drawn) => {
    for (const form of documentForms) {
      const nodes = objectsIn(toForm(surface, drawn, form))
      const lists = nodes.filter(({ type }) => [type].flat().includes('array'))
      expect(lists).not.toEqual([])
      expect(lists.filter((list) => !('items' in list))).toEqual([])
      const told = nodes.filter(({ discriminator }) => typeof discriminator === 'object')
      expect(told.filter((each) => !('oneOf' in each))).toEqual([])
    }
  },
)

/** Every object of a document, wherever it is. */
function objectsIn(node: unknown): Record<string, unknown>[] {
  if (typeof node !== 'object' || node === null) return []
  const inner = Object.values(node).flatMap(objectsIn)
  return Array.isArray(node) ? inner : [node as Record<string, unknown>, ...inner]
}

describe('the documented surface', () => {
  it('is the six operations of section 4, and nothing else', () => {
    expect(Object.keys(document.paths ?? {})).toEqual([
      '/v1/subscriptions',
      '/v1/subscriptions/{subscription_id}/update',
      '/v1/subscriptions/{subscription_id}/pause',
      '/v1/subscriptions/{subscription_id}/cancel',
      '/v1/subscriptions/{subscription_id}/apply-coupon',
      '/v1/auth/refresh',
    ])
    for (const item of Object.values(document.paths ?? {}))
      expect(Object.keys(item)).toEqual(['post'])
  })

  it('says of every field, answer and schema what it rests on', () => {
    const sources = new Set<string>(assumptions.map((entry) => entry.slug))
    const isKnown = (source: unknown) =>
      String(source)
        .split(', ')
        .every((each) => sources.has(each) || /^[1-9]$/.test(each))
    const schemas: Record<string, object> = document.components?.schemas ?? {}
    for (const [name, schema] of Object.entries(schemas)) {
      const { properties = {} } = schema as { properties?: Record<string, { $ref?: string }> }
      for (const [field, property] of [['', schema], ...Object.entries(properties)] as const) {
        const referred = '$ref' in property ? property.$ref?.split('/').at(-1) : undefined
        const stating = referred === undefined ? property : schemas[referred]
        const source = (stating as Record<string, unknown>)['x-interface']
        expect(isKnown(source), `${name}.${field}: ${source}`).toBe(true)
      }
    }
  })

  it('says of bounds, single values, media types and answers what they rest on, where a field alone does not', () => {
    const { SubscriptionCreate: create, SubscriptionCreateForm: form } =
      document.components?.schemas ?? {}
    const { SubscriptionCancel: cancel, Discount: discount } = document.components?.schemas ?? {}
    const bounds = { 'x-interface-bounds': 'trial-period-bounds' }
    expect(create).toMatchObject({
      'x-interface': '4',
      'x-interface-bounds': 'unknown-fields',
      properties: { trial_period_days: { 'x-interface': '2', ...bounds } },
    })
    const written = { 'x-interface': '2, form-scalars', ...bounds }
    expect(form).toMatchObject({ properties: { trial_period_days: written } })
    const atOnce = { false: 'immediate-cancel-parameter' }
    expect(cancel).toMatchObject({ properties: { at_period_end: { 'x-interface-enum': atOnce } } })
    const durations = { once: 'coupon-durations', forever: 'coupon-durations' }
    expect(discount).toMatchObject({ properties: { duration: { 'x-interface-enum': durations } } })
    const update = document.paths?.['/v1/subscriptions/{subscription_id}/update']?.post
    expect(update?.requestBody).toMatchObject({
      content: {
        'application/json': { 'x-interface': 'json-bodies' },
        'application/x-www-form-urlencoded': { 'x-interface': '4' },
      },
    })
    expect(update?.responses?.['200']).toMatchObject({
      'x-interface': 'status-names, subscription-fields, success-status',
    })
  })

  it.each(operations)(
    '$operationId declares every status it can answer with',
    ({ path, method }) => {
      const { responses } = document.paths?.[path]?.[method] ?? {}
      const isRefresh = path.endsWith('/refresh')
      const always = ['200', '400', '401', '413', '500', '503', 'default']
      const own = isRefresh ? ['403', '409'] : ['404', '409', '415']
      expect(Object.keys(responses ?? {})).toEqual([...always, ...own].sort())
    },
  )

  it('links only to operations that exist', () => {
    const known = operations.map(({ operationId }) => operationId)
    const links = operations.flatMap(({ replies }) =>
      Object.values(replies).flatMap((reply) => Object.values(reply.links ?? {})),
    )
    expect(links.length).toBeGreaterThan(20)
    for (const { operationId } of links) expect(known).toContain(operationId)
  })
})

describe.each([
  ['/v1', document, 'Error'],
  ['the control plane', control, 'Problem'],
])('every generator reads the document of %s:', (_, drawn, errorName) => {
  const schemas: Record<string, SchemaObject> = {}
  const visit = (node: unknown, at: string) => {
    if (typeof node !== 'object' || node === null) return
    const { type, $ref } = node as SchemaObject
    if (type !== undefined || $ref !== undefined) schemas[at] = node as SchemaObject
    for (const [key, value] of Object.entries(node)) {
      if (!['example', 'examples', 'enum', 'const'].includes(key)) visit(value, `${at}/${key}`)
    }
  }
  visit(drawn, '')
  const all = Object.entries(schemas)
  const operationsIn = Object.values(drawn.paths ?? {}).flatMap((item) => Object.values(item))

  it('numbers have a format, and whole ones are integers', () => {
    for (const [at, { type, format, const: value }] of all) {
      const types = [type].flat()
      const isConstant = value !== undefined
      if (types.includes('integer')) expect(format, at).toBe(isConstant ? undefined : 'int64')
      else if (types.includes('number')) expect(format, at).toBe('double')
    }
  })

  it('patterns hold nothing that only some dialects have', () => {
    const patterns = all.flatMap(([, { pattern }]) => pattern ?? [])
    expect(patterns.length).toBeGreaterThan(0)
    for (const pattern of patterns) expect(pattern).not.toMatch(/\(\?|\\[pPdDwWbBu]/)
  })

  it('no field has a default, and no variant is without a name', () => {
    for (const [name, schema] of Object.entries(drawn.components?.schemas ?? {})) {
      const { properties = {}, anyOf, oneOf } = schema as SchemaObject
      for (const [field, property] of Object.entries(properties)) {
        expect(property, `${name}.${field}`).not.toHaveProperty('default')
      }
      for (const variant of [...(anyOf ?? []), ...(oneOf ?? [])])
        expect(variant).toHaveProperty('$ref')
    }
  })

  it('JSON stands first, and no schema is shared with a form', () => {
    for (const { requestBody } of operationsIn) {
      const [first, form] = Object.entries(requestBody?.content ?? {}) as [string, object][]
      if (first === undefined) continue
      expect(first[0]).toBe('application/json')
      if (form !== undefined) expect(form[1]).not.toHaveProperty('schema', first[1])
    }
  })

  it(`every error is a ${errorName}, and has its codes and an example of each`, () => {
    const shared = drawn.components?.responses ?? {}
    for (const { operationId, responses } of operationsIn) {
      expect(responses).not.toHaveProperty('405')
      for (const [status, answer] of Object.entries<{ $ref?: string }>(responses)) {
        if (status < '400') continue
        const name = answer.$ref?.split('/').at(-1) ?? ''
        const { content, 'x-error-codes': codes } = (shared[name] ?? answer) as ResponseObject
        const [{ schema, examples = {} } = {}] = Object.values(content ?? {})
        expect(schema, operationId).toEqual({ $ref: `#/components/schemas/${errorName}` })
        expect(Object.keys(codes)).toEqual(Object.keys(examples))
      }
    }
  })

  it('what the sandbox adds to an answer is marked, and not required', () => {
    for (const [name, header] of Object.entries(drawn.components?.headers ?? {})) {
      expect(header, name).toMatchObject({ required: false, 'x-interface': 'sandbox' })
    }
  })

  it('an answer that made something says where it is', () => {
    for (const { operationId, responses } of operationsIn) {
      if (responses['201'] === undefined) continue
      expect(responses['201'].headers, operationId).toHaveProperty('Location')
    }
  })

  it('every tag is described', () => {
    const tags = new Set(drawn.tags?.map(({ name }) => name))
    for (const operation of operationsIn)
      for (const tag of operation.tags) expect(tags).toContain(tag)
  })
})
