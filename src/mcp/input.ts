/** What a tool takes, from the documents: one flat object, because models are not shown unions at the root. */
import type {
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import { mapValues } from '../surface/schema-book.ts'
import type { Tool } from './tools.ts'

/** An operation of a document, with what a call of it is made from. */
export interface ToolOperation extends Readonly<ReturnType<typeof inputParts>> {
  readonly method: string
  readonly path: string
  readonly declared: OperationObject
}

type Fields = Required<Pick<SchemaObject, 'properties' | 'required'>>
type Components = Readonly<Record<string, SchemaObject>>

/** A body that a tool takes as the path of a file: no agent should have to write it out. */
const asFile = 'PactDocument'
const fileSchema: Fields = {
  properties: {
    file: { type: 'string', description: 'The path of the pact, a JSON file on this machine.' },
  },
  required: ['file'],
}

/** Every operation of a document, by its id. */
export function operationsByIdOf(document: OpenAPIObject): [string, ToolOperation][] {
  const components = (document.components?.schemas ?? {}) as Components
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, OperationObject>).map(
      ([method, declared]): [string, ToolOperation] => [
        declared.operationId ?? '',
        { method, path, declared, ...inputParts(declared, components) },
      ],
    ),
  )
}

function inputParts({ parameters = [], requestBody }: OperationObject, components: Components) {
  const taken = (parameters as ParameterObject[]).filter((each) => each.in !== 'header')
  const namesIn = (place: string) =>
    taken.filter((each) => each.in === place).map(({ name }) => name)
  const described = taken.map(({ name, description, schema = {} }) => {
    const drawn = flattenSchema(schema as SchemaObject, components)
    return [name, { ...drawn, ...(description && shortenSchema({ description })) }] as const
  })
  const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { schema?: unknown }> }
  const schema = content['application/json']?.schema as SchemaObject | undefined
  const isFile = schema !== undefined && nameOf(schema) === asFile
  const inBody = isFile ? fileSchema : flattenSchema(schema ?? {}, components)
  const needed = taken.filter((each) => each.required).map(({ name }) => name)
  const fields: Fields = {
    properties: { ...Object.fromEntries(described), ...inBody.properties },
    required: [...needed, ...(inBody.required ?? [])],
  }
  const body = isFile ? 'file' : 'fields'
  return {
    inPath: namesIn('path'),
    inQuery: namesIn('query'),
    /** `file` if the body is the content of a file, which the tool names; null without a body. */
    body: schema === undefined ? null : body,
    /** What it takes by name, and which of that it needs. */
    fields,
  } as const
}

/** A tool with its operations, by what chooses each; a tool without a choice has one. */
export interface OpenTool extends Tool {
  readonly operations: ReadonlyMap<string, ToolOperation>
}

/** The schema of a tool's arguments. */
export function inputOf({ by, operations, namedOnly = [], defaults = {} }: OpenTool): SchemaObject {
  const choice: Fields = {
    properties: by === undefined ? {} : { [by]: { type: 'string', enum: [...operations.keys()] } },
    required: by === undefined ? [] : [by],
  }
  const merged = merge([...operations.values()].map(({ fields }) => fields))
  const required = [...choice.required, ...merged.required]
  const described = Object.entries(merged.properties)
    .filter(([name]) => !namedOnly.includes(name))
    .map(([name, schema]) => [name, withDefault(schema as SchemaObject, defaults[name])] as const)
  const properties = { ...choice.properties, ...Object.fromEntries(described) }
  // No list of what is required if nothing is.
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

/** A field whose default is that of the tool, where the operation has another one. */
function withDefault(schema: SchemaObject, value: string | number | undefined): SchemaObject {
  const { description } = schema
  if (value === undefined || description === undefined) return schema
  return { ...schema, description: description.replace(/Default: .*\.$/, `Default: ${value}.`) }
}

/** The most optional fields that a choice names; the schema has them all, in this order. */
const NAMED_MAX = 20

/** What each choice takes, in words: a flat object cannot say it. */
export function choicesText({ by, operations }: OpenTool): string {
  const lines = [...operations].map(([choice, { fields }]) => {
    const { properties, required } = fields
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    const named = optional.length > NAMED_MAX ? [optional[0], '...', optional.at(-1)] : optional
    const may = optional.length === 0 ? '' : `[${named.join(', ')}]`
    return `- ${choice}: ${[required.join(', '), may].filter(Boolean).join(' ') || 'nothing more'}`
  })
  return [`What each ${by} takes, the optional in brackets:`, ...lines].join('\n')
}

/** The keywords of a schema that models get; patterns of instants and durations are long, and a refusal says as much. */
const keywords = ['type', 'enum', 'const', 'description', 'minimum', 'maximum']

/** The most values that a model gets of an enumeration: it knows currencies, and can list assumptions. */
const ENUM_MAX = 36

/** The description of a field that only repeats its name, such as `plan_id`. */
const repeatsName = /^The identifier of the [a-z]+\.$/

/** What a setting is initially, and how alternatives are read over HTTP: the list of assumptions says it. */
const initially = / (?:Initially: |GET \/sandbox).*$/

/** From here on a maximum is a technical bound, which no agent meets. */
const TECHNICAL_MAX = 1_000_000_000

function shortenSchema(schema: SchemaObject): SchemaObject {
  const { description, ...picked } = pick(schema, keywords)
  if ((picked.enum?.length ?? 0) > ENUM_MAX) delete picked.enum
  if ((picked.maximum ?? 0) >= TECHNICAL_MAX) delete picked.maximum
  if (description === undefined || repeatsName.test(description)) return picked
  return { ...picked, description: description.replace(initially, '') }
}

/** A schema without references, with unions of objects as one object. */
function flattenSchema(schema: SchemaObject, components: Components): SchemaObject {
  const name = nameOf(schema)
  if (name !== null) {
    const { description: _, ...inlined } = flattenSchema(components[name] ?? {}, components)
    // What the field says of itself is enough.
    return { ...inlined, ...pick(schema, ['description']) }
  }
  const inner = (each: unknown) => flattenSchema(each as SchemaObject, components)
  const variants = (schema.oneOf ?? schema.anyOf)?.map(inner)
  if (variants !== undefined) {
    const isObject = variants.every(({ properties }) => properties !== undefined)
    const one = isObject
      ? { type: 'object' as const, ...merge(variants) }
      : { anyOf: distinctSchemas(variants) }
    return { ...one, ...pick(schema, ['description']) }
  }
  const { properties, items, required } = schema
  return {
    ...shortenSchema(schema),
    ...(properties && { properties: mapValues(properties, inner) }),
    ...(required && { required }),
    ...(items && { items: inner(items) }),
  }
}

/** One object for several: with the fields of all, and what all of them require. */
function merge(shapes: readonly Partial<Fields>[]): Fields {
  const names = [...new Set(shapes.flatMap(({ properties }) => Object.keys(properties ?? {})))]
  const fields = names.map((name) => {
    const schemas = shapes.flatMap(({ properties }) => properties?.[name] ?? [])
    return [name, mergeAlternatives(distinctSchemas(schemas as SchemaObject[]))] as const
  })
  const required = names.filter((name) => shapes.every((shape) => shape.required?.includes(name)))
  return { properties: Object.fromEntries(fields), required }
}

/** A field that several shapes have. */
function mergeAlternatives(several: readonly SchemaObject[]): SchemaObject {
  const [first = {}] = several
  if (several.length === 1) return first
  const values = several.map((each) => each.enum ?? ('const' in each ? [each.const] : null))
  if (values.every((each) => each !== null)) {
    return { ...pick(first, ['type']), enum: [...new Set(values.flat())] }
  }
  const bare = distinctSchemas(several.map(({ description: _, ...each }) => each))
  const [type, another] = new Set(several.flatMap((each) => each.type ?? []))
  if (bare.length > 1 && (another !== undefined || type === undefined)) {
    return { anyOf: [...several] }
  }
  // What one record says of a field would mislead about the others.
  const isSaidByAll = several.every(({ description }) => description === first.description)
  const described = isSaidByAll ? pick(first, ['description']) : {}
  return { ...(bare.length === 1 ? bare[0] : type && { type }), ...described }
}

function distinctSchemas(schemas: readonly SchemaObject[]): SchemaObject[] {
  return [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()]
}

function pick(schema: SchemaObject, keys: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keys.includes(key)))
}

function nameOf(schema: SchemaObject): string | null {
  return /[^/]+$/.exec((schema as { $ref?: string }).$ref ?? '')?.[0] ?? null
}
