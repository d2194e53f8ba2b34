/** What a tool takes, from the documents: one flat object, because models are not shown unions at the root. */
import type {
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import type { Tool } from './tools.ts'

/** An operation of a document, with what a call of it is made from. */
export interface ToolOperation {
  readonly method: string
  readonly path: string
  readonly declared: OperationObject
  /** What goes into the path, and into the query. */
  readonly inPath: readonly string[]
  readonly inQuery: readonly string[]
  readonly hasBody: boolean
  /** Whether its body is the content of a file, which the tool names. */
  readonly bodyIsFile: boolean
  /** What it takes by name, and which of that it needs. */
  readonly fields: SchemaObject
}

type Components = Readonly<Record<string, SchemaObject>>

/** A body that a tool takes as the path of a file: no agent should have to write it out. */
const asFile = 'PactDocument'
const fileField: SchemaObject = {
  type: 'string',
  description: 'The path of the pact, a JSON file on this machine.',
}

/** Every operation of a document, by its id. */
export function operationsByIdOf(document: OpenAPIObject): [string, ToolOperation][] {
  const components = (document.components?.schemas ?? {}) as Components
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, value]): [string, ToolOperation][] => {
      const declared = value as OperationObject
      const { operationId } = declared
      if (operationId === undefined) return []
      return [[operationId, operationOf({ method, path, declared }, components)]]
    }),
  )
}

function operationOf(
  named: Pick<ToolOperation, 'method' | 'path' | 'declared'>,
  components: Components,
): ToolOperation {
  const parameters = (named.declared.parameters ?? []) as ParameterObject[]
  const of = (place: string) => parameters.filter((each) => each.in === place)
  const body = bodyOf(named.declared, components)
  const shapes = [
    objectOf([...of('path'), ...of('query')], components),
    ...(body === null ? [] : [body]),
  ]
  return {
    ...named,
    inPath: of('path').map(({ name }) => name),
    inQuery: of('query').map(({ name }) => name),
    hasBody: body !== null,
    bodyIsFile: body !== null && Object.keys(body.properties ?? {}).join() === 'file',
    fields: {
      type: 'object',
      properties: Object.assign({}, ...shapes.map(({ properties }) => properties)),
      required: shapes.flatMap(({ required = [] }) => required),
    },
  }
}

function objectOf(parameters: readonly ParameterObject[], components: Components): SchemaObject {
  const properties = parameters.map(({ name, description, schema = {} }) => {
    const drawn = plain(schema as SchemaObject, components)
    return [name, description === undefined ? drawn : { ...drawn, description }] as const
  })
  const required = parameters.filter((each) => each.required).map(({ name }) => name)
  return { type: 'object', properties: Object.fromEntries(properties), required }
}

function bodyOf({ requestBody }: OperationObject, components: Components): SchemaObject | null {
  const { content = {} } = (requestBody ?? {}) as { content?: Record<string, { schema?: unknown }> }
  const schema = content['application/json']?.schema as SchemaObject | undefined
  if (schema === undefined) return null
  if (nameOf(schema) === asFile) {
    return { type: 'object', properties: { file: fileField }, required: ['file'] }
  }
  return plain(schema, components)
}

/** A tool with its operations, by what chooses each; a tool without a choice has one. */
export interface OpenTool extends Tool {
  readonly operations: ReadonlyMap<string, ToolOperation>
}

/** The schema of a tool's arguments. */
export function inputOf({ by, operations }: OpenTool): SchemaObject {
  const shapes = [...operations.values()].map(({ fields }) => fields)
  if (by === undefined) return compact(shapes[0] ?? {})
  const merged = merge(shapes)
  const choice: SchemaObject = { type: 'string', enum: [...operations.keys()] }
  return compact({
    ...merged,
    properties: { [by]: choice, ...merged.properties },
    required: [by, ...(merged.required ?? [])],
  })
}

/** What each choice takes, in words: a flat object cannot say it. */
export function choicesText({ by, operations }: OpenTool): string {
  const lines = [...operations].map(([choice, { fields }]) => {
    const { properties = {}, required = [] } = fields
    const optional = Object.keys(properties).filter((name) => !required.includes(name))
    const may = optional.length === 0 ? '' : `[${optional.join(', ')}]`
    return `- ${choice}: ${[required.join(', '), may].filter(Boolean).join(' ') || 'nothing more'}`
  })
  return [`What each ${by} takes, the optional in brackets:`, ...lines].join('\n')
}

/** The keywords of a schema that models get; patterns of instants and durations are hundreds of characters that say no more than a refusal. */
const keywords = ['type', 'enum', 'const', 'description', 'minimum', 'maximum']

/** A schema without references, with unions of objects as one object. */
function plain(schema: SchemaObject, components: Components): SchemaObject {
  const name = nameOf(schema)
  if (name !== null) return plain(components[name] ?? {}, components)
  const variants = (schema.oneOf ?? schema.anyOf)?.map((each) =>
    plain(each as SchemaObject, components),
  )
  if (variants !== undefined) {
    const one = variants.every((each) => each.properties !== undefined)
      ? merge(variants)
      : { anyOf: distinct(variants) }
    return { ...one, ...pick(schema, ['description']) }
  }
  const { properties, items, required } = schema
  return {
    ...pick(schema, keywords),
    ...(properties === undefined
      ? {}
      : {
          properties: Object.fromEntries(
            Object.entries(properties).map(([field, each]) => [
              field,
              plain(each as SchemaObject, components),
            ]),
          ),
        }),
    ...(required === undefined ? {} : { required }),
    ...(items === undefined ? {} : { items: plain(items as SchemaObject, components) }),
  }
}

/** One object for several: with the fields of all, and what all of them require. */
function merge(shapes: readonly SchemaObject[]): SchemaObject {
  const names = new Set(shapes.flatMap(({ properties = {} }) => Object.keys(properties)))
  const fields = [...names].map((name) => {
    const schemas = shapes.flatMap(
      ({ properties = {} }) => (properties[name] ?? []) as SchemaObject,
    )
    return [name, either(schemas)] as const
  })
  const required = [...names].filter((name) =>
    shapes.every((shape) => (shape.required ?? []).includes(name)),
  )
  return { type: 'object', properties: Object.fromEntries(fields), required }
}

/** A field that several shapes have. */
function either(schemas: readonly SchemaObject[]): SchemaObject {
  const several = distinct(schemas)
  const [first = {}] = several
  if (several.length === 1) return first
  const values = several.map(
    (each) => each.enum ?? (each.const === undefined ? null : [each.const]),
  )
  if (values.every((each) => each !== null)) {
    return { ...pick(first, ['type']), enum: [...new Set(values.flat())] }
  }
  const types = [...new Set(several.flatMap(({ type = [] }) => type))]
  const description = several.find((each) => each.description)?.description
  const described = description === undefined ? {} : { description }
  return types.length === 1
    ? ({ type: types[0], ...described } as SchemaObject)
    : { anyOf: several }
}

function distinct(schemas: readonly SchemaObject[]): SchemaObject[] {
  return [...new Map(schemas.map((each) => [JSON.stringify(each), each])).values()]
}

/** No list of what is required where nothing is. */
function compact(schema: SchemaObject): SchemaObject {
  const { required = [], ...rest } = schema
  return required.length === 0 ? rest : schema
}

function pick(schema: SchemaObject, keys: readonly string[]): SchemaObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => keys.includes(key)))
}

function nameOf(schema: SchemaObject): string | null {
  return /[^/]+$/.exec((schema as { $ref?: string }).$ref ?? '')?.[0] ?? null
}
