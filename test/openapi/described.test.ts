/** Every parameter, property and schema of both documents says what it is; parameters and plain properties show a value. */
import { Validator } from '@cfworker/json-schema'
import type {
  OpenAPIObject,
  OperationObject,
  ParameterObject,
  SchemaObject,
} from 'openapi3-ts/oas31'
import { describe, expect, it } from 'vitest'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { controlDocument } from '../../src/openapi/control.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { VERSION } from '../../src/version.ts'

type Named<Value> = readonly [name: string, value: Value]

function parametersIn({ paths = {} }: OpenAPIObject): Named<ParameterObject>[] {
  const operations = Object.values(paths).flatMap((item) => Object.values(item as object))
  return operations.flatMap(({ operationId, parameters = [] }: OperationObject) =>
    (parameters as ParameterObject[]).map((each) => [`${operationId} ${each.name}`, each] as const),
  )
}

function schemasIn({ components }: OpenAPIObject): Named<SchemaObject>[] {
  return Object.entries(components?.schemas ?? {}) as [string, SchemaObject][]
}

/** The properties of every component, and of the objects within them that have no name. */
function propertiesIn(document: OpenAPIObject): Named<SchemaObject>[] {
  return schemasIn(document).flatMap(([name, schema]) => propertiesOf(name, schema))
}

function propertiesOf(
  name: string,
  { properties = {}, items = {} }: SchemaObject,
): Named<SchemaObject>[] {
  const own = Object.entries(properties) as [string, SchemaObject][]
  const found: Named<SchemaObject>[] = own.flatMap(([key, schema]) => [
    [`${name}.${key}`, schema] as const,
    ...propertiesOf(`${name}.${key}`, schema),
  ])
  const hasItems = Object.keys(items).length > 0
  return hasItems ? [...found, ...propertiesOf(`${name}[]`, items as SchemaObject)] : found
}

const isUndescribed = ([, { description }]: Named<SchemaObject | ParameterObject>) => !description
const nameOf = ([name]: Named<unknown>) => name

/** Whether a reader cannot tell from the schema alone what a value looks like. */
function needsExample({ type, enum: members, const: constant }: SchemaObject): boolean {
  const isPlain = [type].flat().some((each) => /string|number|integer/.test(each ?? ''))
  return isPlain && members === undefined && constant === undefined
}

function examplesOf({ example, examples, schema = {} }: ParameterObject): unknown[] {
  if (example !== undefined) return [example]
  const named = Object.values(examples ?? {}).map((each) => (each as { value: unknown }).value)
  return named.length > 0 ? named : ((schema as SchemaObject).examples ?? [])
}

describe.each([
  ['/v1', v1Document(VERSION)],
  ['the control plane', controlDocument(controlRoutes, VERSION)],
])('in the document of %s', (_, document) => {
  const parameters = parametersIn(document)
  const schemas = schemasIn(document)
  const properties = propertiesIn(document)

  it('every parameter is described', () => {
    expect(parameters).not.toEqual([])
    expect(parameters.filter(isUndescribed).map(nameOf)).toEqual([])
  })

  it('every parameter that takes more than a few words has an example', () => {
    const wanted = parameters.filter(([, { schema }]) => {
      const { type, enum: members, const: constant } = schema as SchemaObject
      return type !== 'boolean' && members === undefined && constant === undefined
    })
    const without = wanted.filter(([, parameter]) => examplesOf(parameter).length === 0)
    expect(without.map(nameOf)).toEqual([])
  })

  it('every schema is described', () => {
    expect(schemas.filter(isUndescribed).map(nameOf)).toEqual([])
  })

  it('every property is described', () => {
    expect(properties.length).toBeGreaterThan(schemas.length)
    expect(properties.filter(isUndescribed).map(nameOf)).toEqual([])
  })

  it('no property of a creation is described as null where null is refused', () => {
    const creations = properties.filter(([name]) => /Create(Form)?\./.test(name))
    const promised = creations.filter(([, { description = '' }]) => /\bnull\b/.test(description))
    const isRefused = (schema: SchemaObject) => ![schema.type].flat().includes('null')
    expect(promised.filter(([, schema]) => isRefused(schema)).map(nameOf)).toEqual([])
  })

  it('every text and number among the properties has an example', () => {
    const without = properties.filter(
      ([, schema]) => needsExample(schema) && schema.examples === undefined,
    )
    expect(without.map(nameOf)).toEqual([])
  })

  it('every example is valid for its schema', () => {
    const { components } = document
    const problems = (name: string, schema: object, examples: readonly unknown[]) => {
      // A validator reads all that it is given, and few schemas name another one.
      const named = JSON.stringify(schema).includes('$ref') ? { components } : {}
      const validator = new Validator({ ...named, ...schema }, '2020-12', false)
      return examples.flatMap((value) => {
        const { valid } = validator.validate(value)
        return valid ? [] : [`${name}: ${JSON.stringify(value)}`]
      })
    }
    const ofParameters = parameters.flatMap(([name, each]) =>
      problems(name, each.schema as object, examplesOf(each)),
    )
    const ofProperties = properties.flatMap(([name, schema]) =>
      problems(name, schema, schema.examples ?? []),
    )
    expect([...ofParameters, ...ofProperties]).toEqual([])
  })
})
