/** The text of a finding: the comparator's message, with the operation, the value and what the document defines. */
import { basisText } from './basis.ts'
import type { OpenApi } from './operations.ts'
import { type PactRequest, shown } from './pact-request.ts'

/** One result of the comparator, as far as it is read. */
export interface CompareResult {
  readonly code: string
  readonly message: string
  readonly type: 'error' | 'warning'
  readonly mockDetails?: { readonly location: string; readonly value: unknown }
  readonly specDetails?: {
    readonly location?: string
    readonly pathName?: string | null
    readonly pathMethod?: string | null
    readonly value: unknown
  }
}

/** The results whose value in the document is a list of what is defined there. */
const listing = /^response\.status\.unknown$|\.(content-type|accept)\.incompatible$/

interface Around {
  readonly request: PactRequest
  readonly document: OpenApi
  /** What it contradicts. */
  readonly basis: readonly string[]
}

/** Says one result in a sentence. */
export function sentenceOf(
  { code, message, mockDetails, specDetails }: CompareResult,
  { request, document, basis }: Around,
): string {
  if (code === 'request.path-or-method.unknown') return `${message}; ${defined(document.paths)}.`
  const { pathName, pathMethod } = specDetails ?? {}
  const operation = `${(pathMethod ?? request.method).toUpperCase()} ${pathName ?? request.path}`
  const text = message.replace(/must NOT have additional properties - (.*)$/, 'has no field "$1"')
  const field = /\.body\.?(.+)$/.exec(mockDetails?.location ?? '')?.[1]
  const placed = field === undefined ? text : text.replace(/(?<=spec file: )/, `${field} `)
  const got = code.endsWith('.incompatible') ? `; got ${shown(mockDetails?.value)}` : ''
  const known = listing.test(code) ? `; ${defined(specDetails?.value)}` : ''
  return `${operation}: ${placed}${got}${known}${basisText(basis)}.`
}

function defined(value: unknown): string {
  const names = Array.isArray(value) ? value : Object.keys(value ?? {})
  return `defined: ${names.join(', ')}`
}
