/** What the comparator finds, in plain words. */
import type { OpenApi } from './operations.ts'
import type { PactRequest } from './pact-request.ts'

/** One result of the comparator, as far as it is told. */
export interface CompareResult {
  readonly code: string
  readonly message: string
  readonly type: 'error' | 'warning'
  readonly mockDetails?: { readonly location: string; readonly value: unknown }
  readonly specDetails?: {
    readonly pathName?: string | null
    readonly pathMethod?: string | null
    readonly value: unknown
  }
}

/** What a sentence is made of. */
interface Told {
  /** The operation, as the interface has it. */
  readonly operation: string
  /** What the comparator says after its own preamble. */
  readonly detail: string
  readonly value: string
  /** What the document has in its place. */
  readonly known: string
}

const sentences: Readonly<Record<string, (told: Told) => string>> = {
  'request.authorization.missing': ({ operation }) =>
    `${operation} needs an Authorization header, and the request has none`,
  'request.body.incompatible': ({ operation, detail, value }) =>
    `${operation} does not take this body: ${detail}; it is ${value}`,
  'request.body.unknown': ({ operation }) => `${operation} takes no body of this type`,
  'request.content-type.incompatible': ({ operation, value, known }) =>
    `the Content-Type of ${operation} must be ${known}; got ${value}`,
  'request.content-type.missing': ({ operation }) =>
    `the request has a body for ${operation} and no Content-Type`,
  'request.content-type.unknown': ({ operation }) => `${operation} takes no body at all`,
  'request.accept.incompatible': ({ operation, value, known }) =>
    `${operation} does not answer ${value}, which the request accepts alone; it answers ${known}`,
  'request.query.unknown': ({ operation, detail }) =>
    `${operation} knows no query parameter ${detail}`,
  'request.header.unknown': ({ operation, detail }) => `${operation} knows no header ${detail}`,
  'response.status.unknown': ({ operation, value, known }) =>
    `${operation} never answers ${value}; its statuses are ${known}`,
  'response.body.incompatible': ({ operation, detail, value }) =>
    `${operation} does not answer such a body: ${detail}; the pact expects ${value}`,
  'response.body.unknown': ({ operation }) => `${operation} answers no body of this type`,
  'response.content-type.incompatible': ({ operation, value, known }) =>
    `${operation} does not answer with the Content-Type ${value}; it answers ${known}`,
  'response.header.unknown': ({ operation, detail }) =>
    `${operation} answers with no header ${detail}`,
}

/** How long a value may be that is told in a sentence. */
const VALUE_MAX = 120

/** Tells one result. */
export function sentenceOf(
  result: CompareResult,
  { request, document }: { readonly request: PactRequest; readonly document: OpenApi },
): string {
  const { code, message, mockDetails, specDetails } = result
  const { pathName, pathMethod } = specDetails ?? {}
  if (code === 'request.path-or-method.unknown') {
    return `The interface has no ${request.method} ${request.path}; its paths are ${listed(document.paths ?? {})}.`
  }
  const tell = sentences[code] ?? ((told: Told) => `${told.operation}: ${message}`)
  const sentence = tell({
    operation: `${(pathMethod ?? request.method).toUpperCase()} ${pathName ?? request.path}`,
    detail: detailOf(message, mockDetails?.location ?? ''),
    value: shown(mockDetails?.value),
    known: listed(specDetails?.value),
  })
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`
}

/** What follows the preamble, which says of every result that the spec file has it otherwise. */
function detailOf(message: string, location: string): string {
  const detail = message
    .replace(/^.*? spec file: /, '')
    .replace(/^must NOT have additional properties - (.*)$/, 'has no field "$1"')
  const field = /\.body\.?(.+)$/.exec(location)?.[1]
  return field === undefined ? detail : `${field} ${detail}`
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : (JSON.stringify(value) ?? 'nothing')
  return text.length > VALUE_MAX ? `${text.slice(0, VALUE_MAX)}…` : text
}

function listed(value: unknown): string {
  if (typeof value !== 'object' || value === null) return shown(value)
  return (Array.isArray(value) ? value : Object.keys(value)).join(', ')
}
