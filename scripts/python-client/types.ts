/**
 * Schemas of the documents as types of Python: an object becomes a TypedDict, and a body of several shapes becomes one.
 * Shapes that a field tells apart become a Union.
 */
import type { SchemaObject } from 'openapi3-ts/oas31'

type Named = Readonly<Record<string, SchemaObject>>

/** Draws types, and keeps the classes that they need. */
export interface TypeBook {
  /** The type of a schema; `name` is what its class is called where it has no name of its own. */
  readonly typeOf: (schema: SchemaObject, name: string) => string
  /** The source of every class that was asked for. */
  readonly classes: () => string
}

const scalars: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  object: 'Dict[str, Any]',
  null: 'None',
}

/** Shapes that are handed on as they are, because a type of them would say less than the reference does. */
const opaque: ReadonlySet<string> = new Set(['State', 'WhatIfChange'])

/** A book of the types of these components. */
export function openTypeBook(components: Named): TypeBook {
  const drawn = new Map<string, string>()
  const unions = new Map<string, string>()
  const typeOf: TypeBook['typeOf'] = (schema, name) => {
    const reference = /[^/]+$/.exec((schema as { $ref?: string }).$ref ?? '')?.[0]
    if (reference !== undefined) return typeNamed(reference)
    const variants = schema.oneOf ?? schema.anyOf
    if (variants !== undefined) {
      return union(variants.map((each) => typeOf(each as SchemaObject, name)))
    }
    return plainType(schema, name)
  }
  const typeNamed = (name: string): string => {
    if (opaque.has(name)) return 'Dict[str, Any]'
    const schema = components[name]
    if (schema === undefined) throw new Error(`The document has no ${name}`)
    const shapes = shapesOf(schema, components)
    if (shapes.some((shape) => shape.properties === undefined)) return typeOf(schema, name)
    if (schema.discriminator !== undefined) drawUnion(name, schema)
    else if (!drawn.has(name)) draw(name, shapes)
    return name
  }
  const drawUnion = (name: string, { oneOf = [], description = '' }: SchemaObject): void => {
    if (unions.has(name)) return
    const members = oneOf.map((each) => `    ${typeOf(each as SchemaObject, name)},`)
    unions.set(
      name,
      [`# ${oneLine(description)}`, `${name} = Union[`, ...members, ']', ''].join('\n'),
    )
  }
  const plainType = (schema: SchemaObject, name: string): string => {
    const values = schema.enum ?? (schema.const === undefined ? null : [schema.const])
    if (values !== null) return literalOf(values)
    const known: unknown[] = schema['x-extensible-enum'] ?? []
    return union([
      ...(known.length === 0 ? [] : [literalOf(known)]),
      ...[schema.type ?? 'any'].flat().map((type) => typeOfKind(type, schema, name)),
    ])
  }
  const typeOfKind = (type: string, schema: SchemaObject, name: string): string => {
    if (type === 'array') {
      return `List[${typeOf((schema.items ?? {}) as SchemaObject, name.replace(/s$/, ''))}]`
    }
    const { properties, additionalProperties: others } = schema
    if (type === 'object' && properties !== undefined) {
      draw(name, [schema])
      return name
    }
    if (type === 'object' && typeof others === 'object') {
      return `Dict[str, ${typeOf(others as SchemaObject, `${name}Value`)}]`
    }
    return scalars[type] ?? 'Any'
  }
  const draw = (name: string, shapes: readonly SchemaObject[]): void => {
    // Kept before it is drawn: a shape can refer to itself.
    const known = drawn.get(name)
    drawn.set(name, known ?? '')
    const source = classOf(name, shapes, typeOf)
    if (known !== undefined && known !== '' && known !== source) {
      throw new Error(`Two classes are called ${name}`)
    }
    drawn.set(name, source)
  }
  const classes = () =>
    [...drawn]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, source]) => source)
      // After their members, which Python reads at once.
      .concat([...unions.values()])
      .join('\n\n')
  return { typeOf, classes }
}

/** The objects that a schema can be. */
function shapesOf(schema: SchemaObject, components: Named): SchemaObject[] {
  const variants = schema.oneOf ?? schema.anyOf
  if (variants === undefined) return [schema]
  return variants.flatMap((variant) => {
    const name = /[^/]+$/.exec((variant as { $ref?: string }).$ref ?? '')?.[0]
    return shapesOf(
      name === undefined ? (variant as SchemaObject) : (components[name] ?? {}),
      components,
    )
  })
}

/** One class for all shapes: a field is required where each of them requires it. */
function classOf(
  name: string,
  shapes: readonly SchemaObject[],
  typeOf: TypeBook['typeOf'],
): string {
  const fields = new Map<string, { types: string[]; description: string }>()
  for (const { properties = {} } of shapes) {
    for (const [field, property] of Object.entries(properties)) {
      const schema = property as SchemaObject
      const { types, description } = fields.get(field) ?? { types: [], description: '' }
      fields.set(field, {
        types: [...types, typeOf(schema, `${name}${pascal(field)}`)],
        description: description || (schema.description ?? ''),
      })
    }
  }
  const isRequired = (field: string) =>
    shapes.every(({ required = [] }) => required.includes(field))
  const typed = [...fields].map(([field, { types, description }]) => {
    const type = union(types)
    return { field, description, type: isRequired(field) ? type : `NotRequired[${type}]` }
  })
  const about = shapes.length === 1 ? (shapes[0]?.description ?? '') : ''
  if (typed.some(({ field }) => !isIdentifier(field))) {
    const entries = typed.map(
      ({ field, type }) => `    "${field}": "${type.replaceAll('"', "'")}",`,
    )
    return [`${name} = TypedDict("${name}", {`, ...entries, '})', ''].join('\n')
  }
  const lines = typed.flatMap(({ field, type, description }) => [
    ...(description === '' ? [] : [`    # ${oneLine(description)}`]),
    `    ${field}: ${type}`,
  ])
  const docstring = about === '' ? [] : [`    """${oneLine(about)}"""`, '']
  const body = [...docstring, ...lines]
  return [`class ${name}(TypedDict):`, ...(body.length === 0 ? ['    pass'] : body), ''].join('\n')
}

/** One of several types; None last, as Optional. */
function union(types: readonly string[]): string {
  const several = [...new Set(types.flatMap(membersOf))]
  const literals = several.filter((type) => type.startsWith('Literal['))
  const merged = [...new Set(literals.flatMap((type) => type.slice(8, -1).split(', ')))]
  const others = several.filter((type) => {
    // A checker takes an int for a float.
    const isSaid = type === 'None' || (type === 'int' && several.includes('float'))
    return !isSaid && !literals.includes(type)
  })
  // Beside any text, editors offer the known ones.
  const some = [...(merged.length === 0 ? [] : [`Literal[${merged.join(', ')}]`]), ...others]
  if (some.length === 0) return 'None'
  const one = some.length === 1 ? (some[0] ?? 'Any') : `Union[${some.join(', ')}]`
  return several.includes('None') && one !== 'Any' ? `Optional[${one}]` : one
}

/** The types that a type stands for. */
function membersOf(type: string): string[] {
  const inner = /^Optional\[(.+)\]$/.exec(type)?.[1]
  return inner === undefined ? [type] : [inner, 'None']
}

function literalOf(values: readonly unknown[]): string {
  const written = values.filter((value) => value !== null).map(pythonLiteral)
  const literal = `Literal[${written.join(', ')}]`
  return values.includes(null) ? `Optional[${literal}]` : literal
}

function pythonLiteral(value: unknown): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return JSON.stringify(value)
}

const keywords = new Set(
  'False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield'.split(
    ' ',
  ),
)

/** The name of a parameter: that of a field, or with an underscore at its end where Python keeps the word. */
export function parameterName(field: string): string {
  return keywords.has(field) ? `${field}_` : field
}

function isIdentifier(field: string): boolean {
  return /^[A-Za-z_]\w*$/.test(field) && !keywords.has(field)
}

/** `payment_method` as the part of a class's name. */
export function pascal(field: string): string {
  return field.replace(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, first: string) =>
    first.toUpperCase(),
  )
}

/** What stands in a comment or a docstring of one line. */
export function oneLine(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"""', "'''").replace(/\s+/g, ' ').trim()
}
