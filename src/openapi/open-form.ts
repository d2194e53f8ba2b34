/**
 * The open form of a document, which clients are generated from. An answer may hold more than the sandbox answers today,
 * and less where the interface promises nothing. What clients send stays as strict as it is.
 */
import type { OpenAPIObject, OperationObject } from 'openapi3-ts/oas31'
import { type Json, mapValues } from '../surface/schema-book.ts'
import { mapOperations, schemasReached, withoutUnused } from './document-parts.ts'

type Entry = [string, unknown]

/** Whether every answer has a field, by what the field and its presence rest on. */
export type IsPromised = (field: Json) => boolean

/** The open form of a document that is in its closed form. */
export function openForm(closed: OpenAPIObject, isPromised: IsPromised): OpenAPIObject {
  const { components = {}, ...document } = closed
  const schemas = components.schemas as Json
  const requests: unknown[] = []
  const opened = mapOperations(document, ({ responses, ...operation }) => {
    requests.push(operation)
    return { ...operation, responses: openResponses(responses) } as OperationObject
  })
  const sent = schemasReached(requests, schemas)
  // What only the variants of a union were: they are one object.
  return withoutUnused({
    ...opened,
    info: { ...document.info, description: `${document.info.description} ${openness}` },
    components: {
      ...components,
      responses: openResponses(components.responses),
      headers: mapValues(components.headers ?? {}, withOpenSchema),
      schemas: mapValues(schemas, (each, name) => (sent.has(name) ? each : open(each))),
    },
  } as OpenAPIObject)

  function openResponses(responses: unknown): Json {
    return mapValues(responses as Json, (response) => {
      const { headers = {}, content, ...rest } = response as { headers?: Json; content?: Json }
      if ('$ref' in rest) return rest
      const media = content && { content: mapValues(content, withOpenSchema) }
      return { ...rest, headers: mapValues(headers, withOpenSchema), ...media }
    })
  }

  function withOpenSchema(part: unknown): Json {
    const { schema, ...rest } = part as Json
    return schema === undefined ? rest : { schema: open(schema), ...rest }
  }

  function open(schema: unknown): unknown {
    if (Array.isArray(schema)) return schema.map(open)
    if (typeof schema !== 'object' || schema === null) return schema
    const { oneOf, discriminator, ...rest } = schema as {
      oneOf?: { $ref: string }[]
      discriminator?: object
    }
    if (oneOf !== undefined && discriminator !== undefined) {
      const variants = oneOf.map(
        ({ $ref }) => open(schemas[$ref.split('/').at(-1) ?? '']) as Variant,
      )
      return { ...rest, ...mergeVariants(variants) }
    }
    const entries = Object.entries(schema).flatMap(([key, value]) => {
      return openKeyword(key, value, schema as Json)
    })
    return Object.fromEntries(entries)
  }

  function openKeyword(key: string, value: unknown, schema: Json): Entry[] {
    if (limits.has(key) || (key === 'additionalProperties' && value === false)) return []
    if (key === 'properties') return [[key, mapValues(value as Json, open)]]
    if (key === 'required') return promised(schema as unknown as Variant)
    if (key === 'enum') return known(value as unknown[], schema)
    return [[key, key.startsWith('x-') || key === 'examples' ? value : open(value)]]
  }

  function promised({ required, properties }: Variant): Entry[] {
    const kept = required.filter((name) => isPromised(properties[name] ?? {}))
    return kept.length === 0 ? [] : [['required', kept]]
  }
}

const openness =
  'Answers may have more fields and values than this document lists. With `?closed=true` it lists all that the sandbox answers today.'

interface Variant {
  readonly required: readonly string[]
  readonly properties: Readonly<Record<string, Json>>
}

/** Keywords that refuse a value for what it is, and not for its type. */
const limits: ReadonlySet<string> = new Set([
  ...['pattern', 'minLength', 'maxLength', 'minItems', 'maxItems', 'uniqueItems', 'not'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
])

/** The known values of an enumeration that may grow. */
function known(values: readonly unknown[], { examples }: Json): Entry[] {
  const texts = values.filter((value) => value !== null)
  const shown: Entry[] = examples === undefined ? [['examples', texts]] : []
  return [...shown, ['x-extensible-enum', texts]]
}

/** What the variants of a union have in common: a client reads a variant that it does not know. */
function mergeVariants(variants: readonly Variant[]): Json {
  const names = [...new Set(variants.flatMap(({ properties }) => Object.keys(properties)))]
  const properties = names.map((name) => {
    const own = variants.map(({ properties }) => properties[name])
    return [name, mergeSchemas(own.filter((each) => each !== undefined))]
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: names.filter((name) => variants.every(({ required }) => required.includes(name))),
  }
}

/** One schema for a property that variants describe in different ways. */
function mergeSchemas(schemas: readonly Json[]): Json {
  const [first = {}] = schemas
  if (schemas.every((schema) => JSON.stringify(schema) === JSON.stringify(first))) return first
  const values = schemas.flatMap(({ const: value }) => value ?? [])
  const shared = Object.entries(first).filter(([key, value]) => {
    const text = JSON.stringify(value)
    return key === 'examples' || schemas.every((each) => JSON.stringify(each[key]) === text)
  })
  return {
    ...Object.fromEntries(shared),
    ...Object.fromEntries(values.length === 0 ? [] : known(values, {})),
  }
}
