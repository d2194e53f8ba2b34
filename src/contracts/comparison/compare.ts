/**
 * Compares a pact with an OpenAPI document, without a call: by the comparator, whose findings are put into plain words
 * and placed in the pact. It takes any body where a 4xx is expected; what its findings say of an example is held against
 * the matching rules, and rules that match nothing are found here.
 */
import { toDotPath } from 'zod/v4/core'
import { requireOptional } from '../common/failure.ts'
import type { Finding } from '../common/report-shape.ts'
import { leadsSomewhere, type Rule, rulesOf } from '../pacts/matching-rules.ts'
import type { PactFile, PactInteraction } from '../pacts/pact-file.ts'
import { contentOf, type PactRequest } from '../pacts/pact-request.ts'
import { comparablePact, comparatorDocument, FORM } from './comparable.ts'
import {
  basisAt,
  basisOfStatus,
  basisText,
  type CompareResult,
  sentenceOf,
  valueAt,
} from './finding-text.ts'
import { dropOpenValues, headerMatchers } from './open-values.ts'
import { type OpenApi, operationsOf } from './operations.ts'

/** The package's own types do not resolve where extensions are asked for, as Node does. */
interface Comparing {
  readonly Comparator: new (
    document: object,
  ) => { compare(pact: object): AsyncIterable<CompareResult> }
}

/** The findings of each HTTP interaction of a pact, in the order of the file. */
export type Compare = (pact: PactFile) => Promise<readonly (readonly Finding[])[]>

/** Makes the comparison with one document, which is compiled once for any number of pacts. */
export async function createComparison(served: OpenApi): Promise<Compare> {
  const document = comparatorDocument(served)
  requireOptional('@pactflow/openapi-pact-comparator')
  // It takes longer to load than the rest of the command line.
  const loaded: unknown = await import('@pactflow/openapi-pact-comparator')
  const { Comparator } = loaded as Comparing
  const comparator = new Comparator(document)
  const { find } = operationsOf(document, () => '')
  const fieldsFor = ({ method, path }: PactRequest) => {
    const [, name = ''] = find(method, path)?.name.split(' ') ?? []
    const body = `[root].paths.${name}.${method.toLowerCase()}.requestBody`
    return Object(valueAt(document, `${body}.content.${FORM}.schema.properties`))
  }
  return async (pact) => {
    const results: CompareResult[][] = pact.interactions.map(() => [])
    for await (const result of comparator.compare(comparablePact(pact, fieldsFor))) {
      const [, position] = locationOf(result.mockDetails?.location)
      const list = results[position]
      if (list === undefined) throw new Error(`No interaction: ${JSON.stringify(result)}`)
      list.push(withValue(result, document))
    }
    return pact.interactions.map((interaction, position) => {
      const { index, request, written } = interaction
      const compared = results[position] ?? []
      const operation = find(request.method, request.path)?.name ?? ''
      const all = compared.some(({ code }) => code === OTHER_TYPE)
        ? compared
        : [...compared, ...exactType(interaction, operation, document)]
      const meant = all.filter(({ code }) => !isProvoked(code, interaction))
      const held = dropOpenValues(meant, rulesOf(written.response))
      const found = worstOf(held).map((result): Finding => {
        const { code, type: severity, mockDetails, specDetails } = result
        const [, , rest] = locationOf(mockDetails?.location)
        const path = pathIn(pact, ['interactions', index, ...rest])
        const basis =
          code === 'response.status.unknown'
            ? basisOfStatus(document, specDetails?.location, mockDetails?.value)
            : basisAt(document, specDetails?.location)
        const message = `${sentenceOf(result, request, document)}${basisText(basis)}.`
        return { ...findingAt(pact, path, { severity, code, message }), rests_on: basis }
      })
      return [
        ...found,
        ...(held.length > FINDINGS_MAX ? [furtherFindings(pact, index, held.length)] : []),
        ...unmatchedRules(pact, interaction).slice(0, FINDINGS_MAX),
      ]
    })
  }
}

/** The most findings of each kind about one interaction: a response of another service has thousands. */
const FINDINGS_MAX = 100

/** Errors come first, so that a warning is enough for what is left out. */
function furtherFindings(pact: PactFile, index: number, count: number): Finding {
  const left = count - FINDINGS_MAX
  const more = left === 1 ? 'is 1 more finding' : `are ${left} more findings`
  const message = `There ${more} about this interaction.`
  const path = ['interactions', index]
  return findingAt(pact, path, { severity: 'warning', code: 'findings.more', message })
}

/** As many as are reported: errors before warnings, where there are more. */
function worstOf(results: readonly CompareResult[]): readonly CompareResult[] {
  if (results.length <= FINDINGS_MAX) return results
  const rank = ({ type }: CompareResult) => (type === 'error' ? 0 : 1)
  return results.toSorted((one, other) => rank(one) - rank(other)).slice(0, FINDINGS_MAX)
}

/** Whether the request must be wrong to get the expected refusal. The comparator knows this of bodies only. */
function isProvoked(code: string, { status }: PactInteraction): boolean {
  return code === 'request.content-type.incompatible' && [400, 415].includes(status)
}

const OTHER_TYPE = 'response.content-type.incompatible'

/**
 * The type of an answer, where it has rules or is not letter by letter one of the document. The core compares it so, with
 * parameters such as `charset`, which the comparator leaves out.
 */
function exactType(
  { status, written }: PactInteraction,
  operation: string,
  document: OpenApi,
): CompareResult[] {
  const headers = Object.entries(Object(contentOf(written.response).headers))
  const [name, value] = headers.find(([each]) => /^content-type$/i.test(each)) ?? []
  const [pathMethod = '', pathName = ''] = operation.split(' ')
  const location = `[root].paths.${pathName}.${pathMethod.toLowerCase()}.responses.${status}.content`
  const types = Object.keys(Object(valueAt(document, location)))
  if (name === undefined || types.length === 0) return []
  const hasRules = headerMatchers(rulesOf(written.response), [name]).length > 0
  const exact = String(value).replace(/;\s*$/, '').trim()
  if (!hasRules && types.includes(exact)) return []
  const message = hasRules
    ? 'The rule of the response header Content-Type takes no type that the document defines'
    : 'The response header Content-Type must be a type of the document, without further parameters'
  const mockDetails = { location: `[root].interactions[0].response.headers.${name}`, value }
  const specDetails = { location, pathName, pathMethod, value: types }
  return [{ code: OTHER_TYPE, type: 'error', message, mockDetails, specDetails }]
}

/** The comparator leaves out what the document says behind a reference. */
function withValue(result: CompareResult, document: OpenApi): CompareResult {
  const { specDetails } = result
  if (specDetails === undefined || specDetails.value !== undefined) return result
  const value = valueAt(document, specDetails.location)
  return { ...result, specDetails: { ...specDetails, value } }
}

/** A finding at a path of a pact, which rests on nothing in the document. */
export function findingAt(
  pact: PactFile,
  path: readonly (string | number)[],
  { severity, code, message }: Pick<Finding, 'severity' | 'code' | 'message'>,
): Finding {
  const place = { path: `$.${toDotPath([...path])}`, line: pact.lineOf(path) }
  return { severity, code, message, ...place, rests_on: [] }
}

/** Rules of an interaction that match nothing in its example. Usually the path is mistyped. */
function unmatchedRules(pact: PactFile, interaction: PactInteraction): Finding[] {
  return (['request', 'response'] as const).flatMap((side) => {
    const written = interaction.written[side]
    return rulesOf(written)
      .filter((rule) => !isMatched(rule, written))
      .map((rule) => {
        const path = ['interactions', interaction.index, side, ...rule.path]
        const message = `The matching rule ${rule.path.at(-1)} matches nothing in the ${rule.part} of the ${side}.`
        return findingAt(pact, path, { severity: 'warning', code: 'rule.unmatched', message })
      })
  })
}

function isMatched({ part, steps }: Rule, written: unknown): boolean {
  const { headers, body } = contentOf(written)
  if (part === 'header') {
    const names = Object.keys(Object(headers)).map((name) => [name.toLowerCase(), true])
    const wanted = steps.slice(0, 1).map((step) => String(step).toLowerCase())
    return leadsSomewhere(wanted, Object.fromEntries(names))
  }
  if (part !== 'body') return true
  const isForm = typeof body === 'string' && /=/.test(body)
  const value = isForm ? Object.fromEntries(new URLSearchParams(body)) : body
  // Text of another kind has no fields that could be looked for.
  return typeof value === 'string' || leadsSomewhere(steps, value)
}

/** Takes a location such as `[root].interactions[2].response.body.status` apart. */
function locationOf(location = ''): [list: string, position: number, rest: string[]] {
  const steps = [...location.matchAll(/\[(\d+)\]|(?:^|\.)([^.[\]]+)/g)].map((match) => {
    return match[1] ?? match[2] ?? ''
  })
  const [list = '', position = '-1', ...rest] = steps
  return [list, Number(position), rest]
}

/**
 * The path as the file has it. The comparator writes the names of headers small, and knows nothing of the wrapping
 * that version 4 puts around a body.
 */
function pathIn(
  { document, isVersion4 }: PactFile,
  steps: readonly (string | number)[],
): (string | number)[] {
  const path: (string | number)[] = []
  let value: unknown = document
  for (const step of steps) {
    const isBody = isVersion4 && path.at(-1) === 'body'
    const isWrapped = isBody && keyFor(value, 'content') === 'content'
    for (const each of isWrapped ? ['content', step] : [step]) {
      const key = keyFor(value, each)
      if (key === undefined) return path
      path.push(Array.isArray(value) ? Number(key) : key)
      value = Object(value)[key]
    }
  }
  return path
}

function keyFor(value: unknown, step: string | number): string | undefined {
  // A list may be long, and is asked for each finding.
  if (Array.isArray(value)) return Object.hasOwn(value, step) ? String(step) : undefined
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  return keys.find((key) => key.toLowerCase() === String(step).toLowerCase())
}
