/**
 * OpenAPI 3.0 for tools that do not read 3.1 yet. Owns the translation of the keywords that our documents use; what
 * they do not use, such as `if`, is not translated.
 */
import type { OpenAPIObject as Document30 } from 'openapi3-ts/oas30'
import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { mapValues } from '../surface/schema-book.ts'

type Json = Record<string, unknown>

/** The same document as OpenAPI 3.0.3. */
export function downConvert(document: OpenAPIObject): Document30 {
  const { info, ...rest } = document as unknown as { info: Json } & Json
  const { summary: _, license, ...kept } = info
  const converted = convert(rest) as Json
  return {
    ...converted,
    openapi: '3.0.3',
    info: { ...kept, ...(license === undefined ? {} : { license: license30(license as Json) }) },
  } as unknown as Document30
}

/** 3.0 has no identifiers of licences, so theirs becomes the page about it. */
function license30({ identifier, ...named }: Json): Json {
  return identifier === undefined
    ? named
    : { ...named, url: `https://spdx.org/licenses/${identifier}.html` }
}

/** Values that callers see: whatever they contain is no schema. */
const verbatim = new Set(['example', 'default', 'enum', 'value', 'requestBody'])

function convert(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => {
    const isVerbatim = verbatim.has(key) && !isSchemaMap(key, value)
    if (key === 'properties') return [key, mapValues(value as Json, convert)]
    return [key, isVerbatim ? value : convert(value)]
  })
  return asSchema30(Object.fromEntries(entries) as Json)
}

/** An operation's request body is no value, unlike that of a link. */
function isSchemaMap(key: string, value: unknown): boolean {
  return key === 'requestBody' && typeof value === 'object' && value !== null && 'content' in value
}

function asSchema30(node: Json): Json {
  return [nullType, nullBranch, constant, firstExample, exclusive, siblings].reduce(
    (schema, rule) => rule(schema),
    node,
  )
}

function nullType({ type, ...rest }: Json): Json {
  if (!Array.isArray(type)) return type === undefined ? rest : { type, ...rest }
  return { type: type.find((each) => each !== 'null'), ...rest, nullable: true }
}

/** null beside a reference: in 3.0 `nullable` counts only where `type` stands, and would not reach into the reference. */
function nullBranch(node: Json): Json {
  const { anyOf, ...rest } = node
  if (!Array.isArray(anyOf) || !anyOf.some(isNull)) return node
  return { ...rest, anyOf: anyOf.map((branch) => (isNull(branch) ? onlyNull : branch)) }
}

const onlyNull = { type: 'object', nullable: true, enum: [null] }

function isNull(branch: unknown): boolean {
  return (branch as Json)['type'] === 'null'
}

function constant({ const: value, ...rest }: Json): Json {
  return value === undefined ? rest : { ...rest, enum: [value] }
}

/** Media types keep their named examples; only a schema's list is one. */
function firstExample(node: Json): Json {
  const { examples, ...rest } = node
  return Array.isArray(examples) ? { ...rest, example: examples[0] } : node
}

function exclusive(node: Json): Json {
  const { exclusiveMinimum, exclusiveMaximum, ...rest } = node
  return {
    ...rest,
    ...(typeof exclusiveMinimum === 'number'
      ? { minimum: exclusiveMinimum, exclusiveMinimum: true }
      : {}),
    ...(typeof exclusiveMaximum === 'number'
      ? { maximum: exclusiveMaximum, exclusiveMaximum: true }
      : {}),
  }
}

function siblings(node: Json): Json {
  const { $ref, ...rest } = node
  return $ref === undefined || Object.keys(rest).length === 0
    ? node
    : { ...rest, allOf: [{ $ref }] }
}
