/**
 * Compares a pact with an OpenAPI document, without a call: by the comparator, whose findings are put into plain words
 * and placed in the pact. It does not look at matching rules or states, and takes any body where a 4xx is expected.
 */
import { toDotPath } from 'zod/v4/core'
import { comparable } from './comparable.ts'
import { comparatorDocument } from './comparator-document.ts'
import { type CompareResult, sentenceOf } from './finding-text.ts'
import type { OpenApi } from './operations.ts'
import type { PactFile } from './pact-file.ts'
import type { Finding } from './report/report.ts'

/** The package's own types do not resolve where extensions are asked for, as Node does. */
interface Comparing {
  readonly Comparator: new (
    document: object,
  ) => { compare(pact: object): AsyncIterable<CompareResult> }
}

/** The findings of each HTTP interaction of a pact, in the order of the file. */
export type Compare = (pact: PactFile) => Promise<readonly (readonly Finding[])[]>

/** Makes the comparison with one document, which is compiled once for any number of pacts. */
export async function comparison(served: OpenApi): Promise<Compare> {
  const document = comparatorDocument(served)
  // It takes longer to load than the rest of the command line.
  const loaded: unknown = await import('@pactflow/openapi-pact-comparator')
  const { Comparator } = loaded as Comparing
  const comparator = new Comparator(document)
  return async (pact) => {
    const findings: Finding[][] = pact.interactions.map(() => [])
    for await (const result of comparator.compare(comparable(pact))) {
      const [, position, rest] = locationOf(result.mockDetails?.location)
      const interaction = pact.interactions[position]
      if (interaction === undefined) throw new Error(`No interaction: ${JSON.stringify(result)}`)
      const path = pathIn(pact.document, ['interactions', interaction.index, ...rest])
      findings[position]?.push({
        severity: result.type,
        code: result.code,
        message: sentenceOf(result, { request: interaction.request, document }),
        path: `$.${toDotPath(path)}`,
        line: pact.lineOf(path),
      })
    }
    return findings
  }
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
function pathIn(document: unknown, steps: readonly (string | number)[]): (string | number)[] {
  const path: (string | number)[] = []
  let value = document
  for (const step of steps) {
    const isWrapped = path.at(-1) === 'body' && keysOf(value).includes('content')
    if (isWrapped) {
      path.push('content')
      value = (value as Record<string, unknown>)['content']
    }
    const found = keyFor(value, step)
    if (found === undefined) return path
    path.push(Array.isArray(value) ? Number(found) : found)
    value = (value as Record<string, unknown>)[found]
  }
  return path
}

function keyFor(value: unknown, step: string | number): string | undefined {
  // A list may be long, and is asked for each finding.
  if (Array.isArray(value)) return Object.hasOwn(value, step) ? String(step) : undefined
  return keysOf(value).find((key) => key.toLowerCase() === String(step).toLowerCase())
}

function keysOf(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : []
}
