/**
 * Schemas for documents: converts zod schemas to JSON Schema, with named ones as components. Owns how zod's output
 * becomes portable for every reader of OpenAPI; uses only what converts down to 3.0.
 */
import type { SchemaObject } from 'openapi3-ts/oas31'
import * as z from 'zod'

type Direction = 'input' | 'output'

export interface SchemaBook {
  readonly toJsonSchema: (schema: z.ZodType, direction: Direction) => SchemaObject
  /** The separate schema of a form body: text in a form rests on an assumption. */
  readonly toFormSchema: (schema: z.ZodType) => SchemaObject
  readonly components: () => Record<string, SchemaObject>
}

export type Json = Record<string, unknown>

const componentPath = '#/components/schemas/'

export function createSchemaBook(): SchemaBook {
  const named = new Map<string, SchemaObject>()
  const keep = (name: string, schema: SchemaObject) => {
    const known = named.get(name)
    if (known !== undefined && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`Two different schemas are called ${name}`)
    }
    named.set(name, schema)
  }
  const toJsonSchema: SchemaBook['toJsonSchema'] = (schema, direction) => {
    const {
      $defs = {},
      $schema: _,
      ...drawn
    } = z.toJSONSchema(schema, {
      io: direction,
      unrepresentable: 'any',
      override: addDiscriminator,
    })
    for (const [name, definition] of Object.entries($defs)) keep(name, tidy(definition as Json))
    return tidy(drawn as Json)
  }
  const toFormSchema: SchemaBook['toFormSchema'] = (schema) => {
    const drawn = toJsonSchema(schema, 'input')
    const name = String(drawn['$ref'] ?? '').slice(componentPath.length)
    const form = asForm(named.get(name) ?? drawn)
    if (name === '') return form
    keep(`${name}Form`, form)
    return { $ref: `${componentPath}${name}Form` }
  }
  const components = () => {
    const sorted = [...named].sort(([one], [other]) => (one < other ? -1 : 1))
    return Object.fromEntries(sorted.map(([name, schema]) => [name, withoutDefaults(schema)]))
  }
  return { toJsonSchema, toFormSchema, components }
}

/** Says which member of a discriminated union is meant by which value, where all are named objects and have the field. */
function addDiscriminator({ zodSchema, jsonSchema }: Drawn): void {
  // Beside a reference the keyword is not allowed: the schema that is referred to has it.
  if (!(zodSchema instanceof z.ZodDiscriminatedUnion) || '$ref' in jsonSchema) return
  const { discriminator: propertyName } = zodSchema.def
  const mapping: Record<string, string> = {}
  for (const member of zodSchema.options as readonly z.ZodType[]) {
    const name = member.meta()?.id
    if (name === undefined || !(member instanceof z.ZodObject)) return
    for (const value of member._zod.propValues?.[propertyName] ?? []) {
      if (typeof value !== 'string') return
      mapping[value] = `${componentPath}${name}`
    }
  }
  jsonSchema['discriminator'] = { propertyName, mapping }
}

interface Drawn {
  readonly zodSchema: z.core.$ZodType
  readonly jsonSchema: Json
}

/** Makes zod's output portable: our own keywords renamed or dropped, null as a type, references by component. */
function tidy(schema: unknown): SchemaObject {
  if (Array.isArray(schema)) return schema.map(tidy) as unknown as SchemaObject
  if (typeof schema !== 'object' || schema === null) return schema as unknown as SchemaObject
  const {
    accepts: _accepts,
    bounds,
    joined: _joined,
    members,
    presence,
    secret,
    source,
    propertyNames: _names,
    ...others
  } = schema as Json
  const entries = Object.entries(others).filter(([key, value]) => !isSafeBound(key, value))
  const tidied: Json = Object.fromEntries(
    entries.map(([key, value]) => [key, tidyKeyword(key, value)]),
  )
  if (secret === true) tidied['format'] = 'password'
  if (source !== undefined) tidied['x-interface'] = source
  if (bounds !== undefined) tidied['x-interface-bounds'] = bounds
  if (presence !== undefined) tidied['x-interface-presence'] = presence
  if (members !== undefined) tidied['x-interface-enum'] = members
  return withFormat(mergeNull(tidied))
}

/** The format of a number, for typed languages. */
function withFormat(schema: SchemaObject): SchemaObject {
  const types = [schema.type].flat()
  // Generators write a constant of 64 bits as a value that no JSON has.
  if (Number.isInteger(schema.const)) return { ...schema, type: 'integer' }
  if (types.includes('integer')) return { ...schema, format: 'int64' }
  if (!types.includes('number')) return schema
  // zod knows literal numbers, but not that they are integers.
  const isWhole = schema.enum?.every(Number.isInteger)
  return isWhole ? { ...schema, type: 'integer', format: 'int64' } : { ...schema, format: 'double' }
}

/** Generators treat a field with a default as always present, so a component describes the default in words. */
function withoutDefaults(schema: SchemaObject): SchemaObject {
  if (schema.properties === undefined) return schema
  return { ...schema, properties: mapValues(schema.properties, withoutDefault) }
}

function withoutDefault(field: unknown): SchemaObject {
  const { default: value, ...schema } = field as SchemaObject
  if (value === undefined) return schema
  const { description, ...rest } = schema
  const words = `Default: ${JSON.stringify(value)}.`
  return { description: description === undefined ? words : `${description} ${words}`, ...rest }
}

function tidyKeyword(key: string, value: unknown): unknown {
  if (key === 'properties') return mapValues(value as Json, tidy)
  // A union within a union has no name: generators make better code of one list.
  if (key === 'oneOf') return (value as Json[]).flatMap((each) => tidy(each['oneOf'] ?? [each]))
  if (key === '$ref') return String(value).replace('#/$defs/', componentPath)
  return keepsAsIs.has(key) ? value : tidy(value)
}

/** Keywords whose values callers see, in which nothing may be renamed. */
const keepsAsIs = new Set(['enum', 'const', 'default', 'discriminator', 'examples', 'required'])

/** zod bounds every integer by the safe integers, which the document omits. */
function isSafeBound(key: string, value: unknown): boolean {
  return (
    (key === 'minimum' && value === Number.MIN_SAFE_INTEGER) ||
    (key === 'maximum' && value === Number.MAX_SAFE_INTEGER)
  )
}

/** `anyOf` of a plain type and null becomes one schema with two types; a reference stays as it is. */
function mergeNull(schema: Json): SchemaObject {
  const { anyOf, ...rest } = schema as { anyOf?: Json[] }
  const [inner, second] = anyOf ?? []
  const isNullable = anyOf?.length === 2 && second?.['type'] === 'null'
  if (!isNullable || typeof inner?.['type'] !== 'string') return schema as SchemaObject
  const values = inner['enum'] as unknown[] | undefined
  return {
    ...inner,
    ...rest,
    type: [inner['type'], 'null'],
    ...(values === undefined ? {} : { enum: [...values, null] }),
  } as SchemaObject
}

function asForm(schema: SchemaObject): SchemaObject {
  if (schema.properties === undefined) return schema
  const properties = mapValues(schema.properties as Json, (each) => {
    const property = each as SchemaObject & { 'x-interface'?: string }
    const isText = property.type !== 'integer' && property.type !== 'boolean'
    if (isText) return property
    const sources = [property['x-interface'], 'form-scalars'].filter(Boolean)
    return { ...property, 'x-interface': sources.join(', ') }
  })
  return { ...schema, properties }
}

/** The same keys with other values. */
export function mapValues<Value>(
  record: object,
  change: (value: unknown, key: string) => Value,
): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value, key)]))
}
