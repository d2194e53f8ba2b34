/**
 * Documents as other tools read them: as YAML, and as OpenAPI 3.0. Owns the translation of the keywords that our documents
 * use; what they do not use, such as `if`, is not translated.
 */
import type { OpenAPIObject as Document30 } from 'openapi3-ts/oas30'
import type { LicenseObject, OpenAPIObject } from 'openapi3-ts/oas31'
import { stringify } from 'yaml'
import { type Json, mapValues } from '../surface/schema-book.ts'
import { withoutUnused } from './document-parts.ts'

/** A document as YAML, every value written out. */
export function asYaml(document: object): string {
  return stringify(document, { aliasDuplicateObjects: false, lineWidth: 100, version: '1.1' })
}

/** The same document as OpenAPI 3.0.3. It has no webhooks, and no schemas for them alone. */
export function downConvert({ info, webhooks, ...rest }: OpenAPIObject): Document30 {
  const license = info.license && { license: license30(info.license) }
  const own = webhooks === undefined ? rest : withoutUnused(rest)
  const converted = convert(own) as unknown as Document30
  return { ...converted, openapi: '3.0.3', info: { ...info, ...license } }
}

/** 3.0 has no identifiers of licences, so theirs becomes the page about it. */
function license30({ name, identifier }: LicenseObject) {
  return { name, url: `https://spdx.org/licenses/${identifier}.html` }
}

/** Values that callers see: whatever they contain is no schema. */
const verbatim = new Set(['example', 'default', 'discriminator', 'enum', 'value'])

function convert(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert)
  if (typeof node !== 'object' || node === null) return node
  const entries = Object.entries(node).map(([key, value]) => {
    if (key === 'properties') return [key, mapValues(value as Json, convert)]
    const isExamples = key === 'examples' && Array.isArray(value)
    return [key, verbatim.has(key) || isExamples ? value : convert(value)]
  })
  return schema30(Object.fromEntries(entries) as Json)
}

/** null beside a reference: in 3.0 `nullable` counts only beside `type`, and would not reach into the reference. */
const onlyNull = { type: 'object', nullable: true, enum: [null] }

/** 3.0 knows one type beside null; several are alternatives. */
function typed30(types: readonly string[], schema: Json): Json {
  const [only, another] = types.filter((each) => each !== 'null')
  const nullable = types.includes('null') ? { nullable: true } : {}
  if (another === undefined) return { type: only, ...nullable }
  const { format } = schema
  delete schema['format']
  const numeric = (type: string) => type === 'number' || type === 'integer'
  const plain = types.map((type) => {
    if (type === 'null') return onlyNull
    if (type === 'array') return { type, items: {} }
    return numeric(type) && format !== undefined ? { type, format } : { type }
  })
  return { anyOf: plain }
}

function schema30(node: Json): Json {
  const { type, anyOf, const: constant, examples, exclusiveMinimum, $ref, ...schema } = node
  if (Array.isArray(type)) Object.assign(schema, typed30(type, schema))
  else if (type !== undefined) Object.assign(schema, type === 'null' ? onlyNull : { type })
  if (Array.isArray(anyOf)) {
    schema['anyOf'] = anyOf.map((branch) => (branch.type === 'null' ? onlyNull : branch))
  }
  if (constant !== undefined) schema['enum'] = [constant]
  // Media types keep their named examples; only a schema's list is one.
  if (Array.isArray(examples)) schema['example'] = examples[0]
  else if (examples !== undefined) schema['examples'] = examples
  if (exclusiveMinimum !== undefined) {
    Object.assign(schema, { minimum: exclusiveMinimum, exclusiveMinimum: true })
  }
  if ($ref === undefined) return schema
  return Object.keys(schema).length === 0 ? { $ref } : { ...schema, allOf: [{ $ref }] }
}
