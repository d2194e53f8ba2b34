/**
 * What the comparator reads without loss. A pact: what is not HTTP left out, what the versions write differently made
 * alike, and the bodies decoded that version 4 encodes. A document: form values are texts, without default responses.
 */

import type { PactFile } from '../pacts/pact-file.ts'
import { contentOf } from '../pacts/pact-request.ts'
import type { OpenApi } from './operations.ts'

/** Makes the document to compare; its interactions are those of the pact, in the same order. */
export function comparablePact({ interactions }: PactFile): object {
  return {
    metadata: { pactSpecification: { version: '3.0.0' } },
    interactions: interactions.map(({ description, request, status, written }) => {
      const { method, path, query } = request
      const asked = { method, path, ...(query === '' ? {} : { query }) }
      return {
        description,
        request: { ...asked, ...contentOf(written.request) },
        response: { status, ...contentOf(written.response) },
      }
    }),
  }
}

const FORM = 'application/x-www-form-urlencoded'

interface Schema {
  readonly $ref?: string
  readonly type?: unknown
  readonly properties?: Record<string, Schema>
}

interface Operation {
  readonly requestBody?: { readonly content?: Record<string, { schema?: Schema }> }
  readonly responses?: Record<string, unknown>
}

/** The document that is served, for the comparator. */
export function comparatorDocument(served: OpenApi): OpenApi {
  const document = structuredClone(served) as OpenApi & {
    readonly components?: { readonly schemas?: Record<string, Schema> }
  }
  for (const item of Object.values(document.paths ?? {})) {
    for (const { requestBody, responses } of Object.values(item) as Operation[]) {
      // For the comparator, a default declares every status there is.
      delete responses?.['default']
      const form = requestBody?.content?.[FORM]
      if (form?.schema === undefined) continue
      const name = form.schema.$ref?.split('/').at(-1) ?? ''
      form.schema = asTexts(document.components?.schemas?.[name] ?? form.schema)
    }
  }
  return document
}

const texts: Readonly<Record<string, object>> = {
  integer: { type: 'string', pattern: '^(0|[1-9][0-9]*)$' },
  boolean: { type: 'string', enum: ['true', 'false'] },
}

function asTexts(schema: Schema): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, property]) => {
    return [name, texts[String(property.type)] ?? property]
  })
  return { ...schema, properties: Object.fromEntries(properties) }
}
