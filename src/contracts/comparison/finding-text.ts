/**
 * The text of a finding: the comparator's message, with the operation, the value, and what the document defines. Owns what
 * a place of the document rests on: sections of the interface, or assumptions.
 */

import { type PactRequest, valueText } from '../pacts/pact-request.ts'
import type { OpenApi } from './operations.ts'

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

/** A result as a sentence without its end. */
export function sentenceOf(
  { code, message, mockDetails, specDetails }: CompareResult,
  request: PactRequest,
  document: OpenApi,
): string {
  if (code === 'request.path-or-method.unknown') return `${message}; ${definedText(document.paths)}`
  const { pathName, pathMethod } = specDetails ?? {}
  const operation = `${(pathMethod ?? request.method).toUpperCase()} ${pathName ?? request.path}`
  const text = message.replace(/must NOT have additional properties - (.*)$/, 'has no field "$1"')
  const field = /\.body\.?(.+)$/.exec(mockDetails?.location ?? '')?.[1]
  const placed = field === undefined ? text : text.replace(/(?<=spec file: )/, `${field} `)
  const got = code.endsWith('.incompatible') ? `; got ${valueText(mockDetails?.value)}` : ''
  const known = listing.test(code) ? `; ${definedText(specDetails?.value)}` : ''
  return `${operation}: ${placed}${got}${known}`
}

function definedText(value: unknown): string {
  const names = Array.isArray(value) ? value : Object.keys(value ?? {})
  return `defined: ${names.join(', ')}`
}

export function basisText(basis: readonly string[]): string {
  const sections = basis.filter((name) => /^\d/.test(name))
  const slugs = basis.filter((name) => !/^\d/.test(name)).map((slug) => `\`${slug}\``)
  const texts = [
    ...(sections.length === 0 ? [] : [`documented in section ${sections.join(', ')}`]),
    ...(slugs.length === 0 ? [] : [`assumed: ${slugs.join(', ')}`]),
  ]
  return texts.length === 0 ? '' : ` (${texts.join('; ')})`
}

/** What the document holds at a place; undefined where it holds nothing. */
export function valueAt(document: OpenApi, location?: string): unknown {
  return nodesOn(document, location).at(-1)
}

/** The keywords of what an extension for bounds is about. */
const bounding = /\.(?:minimum|maximum|additionalProperties)$/

/** The extension that names the basis of a place, nearest to the place that the comparator wrote down. */
export function basisAt(document: OpenApi, location = ''): string[] {
  const nodes = nodesOn(document, location).map((node) => resolveReference(document, node))
  const bounds = bounding.test(location) ? nodes.at(-2)?.['x-interface-bounds'] : undefined
  const nearest = nodes.findLast((node) => node['x-interface'] !== undefined)?.['x-interface']
  return String(bounds ?? nearest ?? '')
    .split(/, */)
    .filter(Boolean)
}

/** The basis of all answers of the same class (2xx, 4xx): for a status that the document does not define. */
export function basisOfStatus(document: OpenApi, responses = '', status: unknown = 0): string[] {
  const declared = Object(valueAt(document, responses))
  const alike = Object.keys(declared).filter((each) => each[0] === String(status)[0])
  return [...new Set(alike.flatMap((each) => basisAt(document, `${responses}.${each}`)))]
}

/** What the document holds at each step to a place. */
function nodesOn(document: OpenApi, location = ''): unknown[] {
  let node: unknown = document
  const steps = location.replace(/^\[root\]\./, '').split('.')
  return steps.map((step) => {
    // Behind a reference, the comparator goes on with the path from the root.
    const isAgain = step === 'components' && typeof node === 'object'
    node = resolveReference(document, node)[step] ?? (isAgain ? Object(document)[step] : undefined)
    return node
  })
}

/** The members of a node, or of what it refers to. */
function resolveReference(document: OpenApi, node: unknown): Readonly<Record<string, unknown>> {
  if (typeof node !== 'object' || node === null) return {}
  const { $ref: reference } = node as { readonly $ref?: unknown }
  if (typeof reference !== 'string') return { ...node }
  const steps = reference.replace(/^#\//, '').split('/')
  return steps.reduce((at, step) => Object(at)[step.replace('~1', '/')], Object(document)) ?? {}
}
