/**
 * Examples of single values: what the recorded examples of bodies and answers hold at each property, and what the answers
 * of an operation have for its parameters. Owns how a value is found; the recordings are in `examples/`.
 */
import type { MediaTypeObject, OpenAPIObject, SchemaObject } from 'openapi3-ts/oas31'
import type { Json, SchemaBook } from '../surface/schema-book.ts'
import { type AnsweredCall, examplesAt } from './examples/call.ts'

type Schemas = Readonly<Record<string, SchemaObject>>
type Drawn = ReturnType<SchemaBook['toJsonSchema']>

/**
 * Gives each text and number among the properties the first value that an example of the document has there; else the
 * value of a property of the same name and shape. `recorded` are examples of whole schemas, by name.
 */
export function addValueExamples(
  { paths, components = {} }: OpenAPIObject,
  recorded: Readonly<Record<string, unknown>>,
): void {
  const schemas = components.schemas as Schemas
  const plain = Object.values(schemas).flatMap(plainProperties)
  const byHand = new Set(plain.filter(([, { examples }]) => examples !== undefined))
  for (const { schema, examples } of mediaTypesIn([paths, components.responses])) {
    for (const example of Object.values(examples ?? {})) {
      addExamples((example as { value: unknown }).value, schema as Drawn, schemas)
    }
  }
  for (const [name, value] of Object.entries(recorded)) {
    const schema = Object.assign(schemas[name] as Drawn, { examples: [value] })
    addExamples(value, schema, schemas)
  }
  const known = new Map<string, Drawn['examples']>()
  const others = plain.filter((each) => !byHand.has(each))
  // The last one counts: the first that was recorded, if any was.
  for (const [name, { examples, ...shape }] of [...byHand, ...others.toReversed()]) {
    if (examples !== undefined) for (const key of keysOf(name, shape)) known.set(key, examples)
  }
  for (const [name, property] of plain) {
    const alike = keysOf(name, property).map((key) => known.get(key))
    const examples = property.examples ?? alike.find((each) => each !== undefined)
    if (examples !== undefined) Object.assign(property, { examples })
  }
}

/** The properties of a schema that take examples, and those of the objects within it that have no name. */
function plainProperties({ properties = {}, items = {} }: SchemaObject): [string, Drawn][] {
  const own = Object.entries(properties) as [string, Drawn][]
  const within = own.flatMap(([, property]) => plainProperties(property))
  return [
    ...own.filter(([, property]) => needsExample(property)),
    ...within,
    ...(Object.keys(items).length === 0 ? [] : plainProperties(items as Drawn)),
  ]
}

/** What properties have in common that take the same values; instants do whatever their names. */
function keysOf(name: string, { type, format, pattern }: SchemaObject): string[] {
  const shape = JSON.stringify([[type].flat().filter((each) => each !== 'null'), format, pattern])
  return format === 'date-time' ? [`${name} ${shape}`, shape] : [`${name} ${shape}`]
}

function mediaTypesIn(node: unknown): MediaTypeObject[] {
  if (typeof node !== 'object' || node === null) return []
  const { content = {}, ...others } = node as { content?: Record<string, MediaTypeObject> }
  return [...Object.values(content), ...Object.values(others).flatMap(mediaTypesIn)]
}

function addExamples(value: unknown, drawn: SchemaObject, schemas: Schemas): void {
  const schema = resolve(drawn, schemas)
  for (const option of optionsOf(schema)) {
    if (fits(value, option, schemas)) addExamples(value, option, schemas)
  }
  if (Array.isArray(value)) {
    for (const item of value) addExamples(item, (schema.items ?? {}) as Drawn, schemas)
  } else if (isObject(value)) {
    for (const [name, property] of Object.entries(schema.properties ?? {}) as [string, Drawn][]) {
      if (isShown(value[name]) && needsExample(property)) property.examples ??= [value[name]]
      addExamples(value[name], property, schemas)
    }
  }
}

/** Whether a value says something that a description does not. */
function isShown(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number'
}

function needsExample({ type, enum: members, const: constant }: SchemaObject): boolean {
  return type !== undefined && members === undefined && constant === undefined
}

/** Whether a value is of an alternative: by its types, its constants and the names of its fields. */
function fits(value: unknown, drawn: SchemaObject, schemas: Schemas): boolean {
  const schema = resolve(drawn, schemas)
  const options = optionsOf(schema)
  if (options.length > 0) return options.some((option) => fits(value, option, schemas))
  const { type, enum: members, const: constant = value, properties = {}, required = [] } = schema
  if (value !== constant || members?.includes(value) === false || !isTyped(value, type)) {
    return false
  }
  if (!isObject(value)) return true
  return (
    required.every((name) => Object.hasOwn(value, name)) &&
    Object.entries(value).every(([name, held]) => {
      const property = properties[name] as Drawn | undefined
      if (property === undefined) return schema.additionalProperties !== false
      return fits(held, property, schemas)
    })
  )
}

/** The examples of a parameter that calls send; else a value known of it: that of its schema, or of the answers. */
export function parameterExamples(
  { name, place, drawn }: { name: string; place: 'path' | 'query'; drawn: Drawn },
  shown: readonly AnsweredCall[],
): { sent: ReturnType<typeof examplesAt>; known?: unknown } {
  const sent = examplesAt(shown, (each) => (place === 'path' ? each.params : each.query)?.[name])
  if (sent.examples !== undefined || drawn.enum !== undefined) return { sent }
  const answered = shown.map(({ answer }) =>
    valueAt(name === 'after' ? 'next_after' : name, answer.body),
  )
  const found = answered.find((value) => isShown(value) && isTyped(value, drawn.type))
  const [known = found] = drawn.examples ?? []
  return { sent, known }
}

/** The first value of that name within an answer. */
function valueAt(name: string, node: unknown): unknown {
  if (typeof node !== 'object' || node === null) return undefined
  if (Object.hasOwn(node, name)) return (node as Json)[name]
  return Object.values(node)
    .map((inner) => valueAt(name, inner))
    .find(isShown)
}

function resolve(schema: SchemaObject, schemas: Schemas): SchemaObject {
  const { $ref } = schema as { $ref?: string }
  const name = $ref?.slice('#/components/schemas/'.length)
  return name === undefined ? schema : resolve(schemas[name] ?? {}, schemas)
}

function optionsOf({ anyOf, oneOf }: SchemaObject): Drawn[] {
  return (anyOf ?? oneOf ?? []) as Drawn[]
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTyped(value: unknown, type: SchemaObject['type']): boolean {
  if (type === undefined) return true
  if (value === null) return [type].flat().includes('null')
  const own = Array.isArray(value) ? 'array' : typeof value
  return [type].flat().some((each) => each === own || (each === 'integer' && own === 'number'))
}
