/** Derives the forms of a document from its closed form. */
import type { OpenAPIObject } from 'openapi3-ts/oas31'
import { mapValues } from '../surface/schema-book.ts'
import { mapOperations, withoutUnused } from './document-parts.ts'
import { asYaml, downConvert } from './down-convert.ts'
import type { DocumentForm, DocumentFormat, DocumentSurface } from './forms.ts'
import { type IsPromised, openForm } from './open-form.ts'

/** What a service is bound to answer: what the interface shows. The sandbox is bound to all that its own document says. */
const promises: Readonly<Record<DocumentSurface, IsPromised>> = {
  v1: ({ 'x-interface': source = '', 'x-interface-presence': presence }) =>
    /^[\d, ]+$/.test(String(source)) && presence === undefined,
  control: () => true,
}

/** A document in one form, from its closed form. */
export function toForm(
  surface: DocumentSurface,
  document: OpenAPIObject,
  { version, media, closed }: DocumentForm,
): object {
  const opened = closed ? document : openForm(document, promises[surface])
  const chosen = media === 'json' ? jsonOnly(opened) : opened
  return version === '3.0' ? downConvert(chosen) : chosen
}

/** The text of a document in its form. */
export function documentText(document: object, format: DocumentFormat): string {
  return format === 'yaml' ? asYaml(document) : JSON.stringify(document)
}

/** The document without the media types that bodies have beside JSON, and without what they alone refer to. */
function jsonOnly(document: OpenAPIObject): OpenAPIObject {
  const lighter = mapOperations(document, ({ requestBody, responses, ...operation }) => ({
    ...operation,
    ...(requestBody && { requestBody: withJson(requestBody) as typeof requestBody }),
    responses: mapValues(responses ?? {}, withJson),
  }))
  return withoutUnused(lighter)
}

function withJson(part: unknown): unknown {
  const { content, ...rest } = part as { content?: Record<string, unknown> }
  if (content === undefined) return part
  const json = content['application/json']
  return { ...rest, content: json === undefined ? content : { 'application/json': json } }
}
