/** Where two providers disagree on the same pacts: in their verdicts, and in the answers themselves. */
import { jsonIn } from './json.ts'
import { headerIn } from './recorder.ts'
import type { AnswerReport, Difference, InteractionReport, PactReport } from './report-shape.ts'

/** The interactions that the two answer differently, but for instants, identifiers and tokens. */
export function differencesBetween(
  sandbox: readonly PactReport[],
  base: readonly PactReport[],
): Difference[] {
  return pairsOf(sandbox, base).flatMap(({ source, one, other }) => {
    const fields = fieldsBetween(one.answer, other.answer)
    // Without both answers, what the pact asserts is all that can be compared.
    const isSame = fields === null ? signature(one) === signature(other) : fields.length === 0
    if (isSame && one.result === other.result) return []
    const { description, line, operation } = one
    const sides = {
      sandbox: { result: one.result, mismatches: one.mismatches },
      base: { result: other.result, mismatches: other.mismatches },
    }
    const { curl } = other
    return { source, description, line, operation, curl, ...sides, fields: fields ?? [] }
  })
}

/** What was compared: all answers or, if one is missing, only what the pacts assert. */
export function extentOf(
  sandbox: readonly PactReport[],
  base: readonly PactReport[],
): 'answers' | 'assertions' {
  const hasBoth = pairsOf(sandbox, base).every(({ one, other }) => one.answer && other.answer)
  return hasBoth ? 'answers' : 'assertions'
}

function pairsOf(sandbox: readonly PactReport[], base: readonly PactReport[]) {
  return sandbox.flatMap(({ source, interactions }, position) =>
    interactions.flatMap((one, index) => {
      const other = base[position]?.interactions[index]
      return other === undefined ? [] : [{ source, one, other }]
    }),
  )
}

/** The fields that differ; null if an answer is missing. */
function fieldsBetween(
  sandbox: AnswerReport | null,
  base: AnswerReport | null,
): Difference['fields'] | null {
  if (sandbox === null || base === null) return null
  const ours = fieldsOf(sandbox)
  const theirs = fieldsOf(base)
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((at) => {
    const one = ours.get(at) ?? null
    const other = theirs.get(at) ?? null
    const values = { sandbox: one, base: other }
    if (one === null) return { at, change: 'added', ...values }
    if (other === null) return { at, change: 'removed', ...values }
    const isSame = steadyAt(at, one) === steadyAt(at, other)
    return isSame ? [] : { at, change: 'changed', ...values }
  })
}

/** Status, media type, and every value of the body by its path. Other headers depend on the server. */
function fieldsOf({ status, headers, body }: AnswerReport): Map<string, string> {
  const type = headerIn(headers, 'content-type')?.toLowerCase().replaceAll(' ', '')
  const fields = new Map([['status', String(status)]])
  if (type !== undefined) fields.set('header Content-Type', type)
  if (body === '') return fields
  const json = jsonIn(body)
  if (json === undefined) fields.set('body', body)
  else addLeaves(fields, '$', json)
  return fields
}

function addLeaves(fields: Map<string, string>, at: string, value: unknown): void {
  const isOpen = typeof value === 'object' && value !== null
  const inner = isOpen ? Object.entries(value) : []
  if (inner.length === 0) fields.set(at, JSON.stringify(value))
  for (const [name, each] of inner) {
    addLeaves(fields, Array.isArray(value) ? `${at}[${name}]` : `${at}.${name}`, each)
  }
}

/** Each provider has its own identifiers. */
function steadyAt(at: string, value: string): string {
  const isIdentifier = /[._]id$/.test(at) && value.startsWith('"')
  return isIdentifier ? 'an identifier' : steady(value)
}

/** The mismatches of an answer, without instants and identifiers, which always differ. */
function signature({ mismatches }: InteractionReport): string {
  const signs = mismatches.map(({ kind, at, got, message }) => {
    return `${kind} ${at} ${kind === 'setup' || kind === 'request' ? message : steady(got)}`
  })
  return [...new Set(signs)].sort().join('\n')
}

function steady(got: string): string {
  return got
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, 'an instant')
    .replace(/\b(sub|inv|cus|at|rt)_\w+/g, 'an identifier')
}
