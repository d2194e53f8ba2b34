/**
 * What the comparator reads without loss. A pact: what is not HTTP left out, what the versions write differently made
 * alike, the bodies decoded that version 4 encodes, and forms read. A document: without default responses.
 */

import type { PactFile } from '../pacts/pact-file.ts'
import { contentOf, isType, type PactRequest } from '../pacts/pact-request.ts'
import type { OpenApi } from './operations.ts'

export const FORM = 'application/x-www-form-urlencoded'

/** The fields of the form of an operation, by their names. */
type FormFields = Readonly<Record<string, { readonly type?: unknown }>>

/** Makes the document to compare; its interactions are those of the pact, in the same order. */
export function comparablePact(
  { interactions }: PactFile,
  fieldsFor: (request: PactRequest) => FormFields,
): object {
  return {
    metadata: { pactSpecification: { version: '3.0.0' } },
    interactions: interactions.map(({ description, request, status, written }) => {
      const { method, path, query } = request
      const asked = { method, path, ...(query === '' ? {} : { query }) }
      const [, type = ''] = request.headers.find(isType) ?? []
      const { body, ...sent } = contentOf(written.request)
      const isForm = typeof body === 'string' && type.toLowerCase().startsWith(FORM)
      const read = isForm ? valuesIn(body, fieldsFor(request)) : body
      return {
        description,
        request: { ...asked, ...sent, body: read },
        response: { status, ...contentOf(written.response) },
      }
    }),
  }
}

/** How a form writes a value that is no text. */
const scalar = /^(?:0|[1-9][0-9]*|true|false)$/

/** The values of a form; of a field that is sent more than once, a list. */
function valuesIn(form: string, fields: FormFields): object {
  const sent = new URLSearchParams(form)
  const values = [...new Set(sent.keys())].map((name) => {
    const { type = 'string' } = fields[name] ?? {}
    const isRead = (text: string) => type !== 'string' && scalar.test(text)
    const all = sent.getAll(name).map((text) => (isRead(text) ? JSON.parse(text) : text))
    return [name, all.length === 1 ? all[0] : all]
  })
  return Object.fromEntries(values)
}

/** The document that is served, for the comparator. */
export function comparatorDocument(served: OpenApi): OpenApi {
  const document = structuredClone(served)
  const items = Object.values(document.paths ?? {}).flatMap((item) => Object.values(item))
  // For the comparator, a default declares every status there is.
  for (const { responses } of items) delete responses?.default
  return document
}
