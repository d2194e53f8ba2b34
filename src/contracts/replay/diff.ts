/** Where two providers disagree on the same pacts: in their verdicts, and in the answers themselves. */
import { instantIn, isAsFar } from '../common/instants.ts'
import { jsonIn, treeIn } from '../common/json.ts'
import {
  type AnswerReport,
  cutText,
  type Difference,
  type InteractionReport,
  type PactReport,
  type Report,
} from '../common/report-shape.ts'
import type { PactInteraction } from '../pacts/pact-file.ts'
import { headerIn } from './exchange-recorder.ts'

/** What the requests and states of interactions name, by the place of each: `source:line`. */
type NamedTexts = ReadonlyMap<string, ReadonlySet<string>>

/**
 * The interactions that the two answer differently. Tokens, and identifiers that a provider chose, are not compared;
 * instants are by the time between them.
 */
export function differencesBetween(
  sandbox: readonly PactReport[],
  base: readonly PactReport[],
  named: NamedTexts = new Map(),
): Difference[] {
  return pairsOf(sandbox, base).flatMap(({ source, one, other }) => {
    const isMeant = identifiers(one, other, named.get(`${source}:${one.line}`) ?? new Set())
    const fields = fieldsBetween(one.answer, other.answer, isMeant)
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

/** What was compared: all answers or, if one is missing, only what the pacts assert; null if a pact was not compared. */
export function extentOf(
  sandbox: readonly PactReport[],
  base: readonly PactReport[],
): Report['compared'] {
  const isLeftOut = ({ result }: PactReport) => /^un(?:verified|readable)$/.test(result)
  if ([...sandbox, ...base].some(isLeftOut)) return null
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
  isMeant: ReturnType<typeof identifiers>,
): Difference['fields'] | null {
  if (sandbox === null || base === null) return null
  const ours = answerFields(sandbox)
  const theirs = answerFields(base)
  const isSameInstant = instants()
  return [...new Set([...ours.keys(), ...theirs.keys()])].flatMap((at) => {
    const one = ours.get(at) ?? null
    const other = theirs.get(at) ?? null
    const values = { sandbox: one && cutText(one), base: other && cutText(other) }
    if (one === null) return { at, change: 'added', ...values }
    if (other === null) return { at, change: 'removed', ...values }
    const pair = [instantIn(one), instantIn(other)] as const
    const isSame =
      isSameInstant(pair) ??
      (one === other ||
        (normalizeValue(at, one) === normalizeValue(at, other) && isMeant(one, other)))
    return isSame ? [] : { at, change: 'changed', ...values }
  })
}

/**
 * Compares the instants of two answers, one after the other: each must be as far from the first as there. Undefined for
 * what is no instant in both.
 */
function instants() {
  let first: readonly [Date, Date] | null = null
  return ([one, other]: readonly [Date | null, Date | null]): boolean | undefined => {
    if (one === null || other === null) return undefined
    first ??= [one, other]
    return isAsFar([first[0], one], [first[1], other])
  }
}

/**
 * Whether two values can stand for the same: identifiers that states answered to both must be those, and what the
 * interaction names is itself. Other identifiers are the provider's own.
 */
function identifiers(
  one: InteractionReport,
  other: InteractionReport,
  named: ReadonlySet<string>,
): (ours: string, theirs: string) => boolean {
  const [ours, theirs] = [statesIn(one), statesIn(other)]
  const pairs = new Map([...ours].flatMap(([name, value]) => [[value, theirs.get(name)]] as const))
  return (value, found) => {
    if (!pairs.has(value)) return !named.has(value)
    const wanted = pairs.get(value)
    return wanted === undefined || wanted === found
  }
}

/** The texts that the states of an interaction answered, by name, as JSON. */
function statesIn({ states }: InteractionReport): Map<string, string> {
  const answers = states.flatMap(({ answers }) => answers.map(({ body }) => Object(jsonIn(body))))
  return new Map(
    answers.flatMap((answer) =>
      Object.entries(answer).map(([name, value]) => [name, JSON.stringify(value)] as const),
    ),
  )
}

/** The texts in the request and the states of an interaction, as JSON: the pact, and not the provider, chose them. */
export function textsOfPact({ request, states }: PactInteraction): ReadonlySet<string> {
  const { path, query, body } = request
  const json = jsonIn(body ?? '')
  const form = json === undefined ? Object.fromEntries(new URLSearchParams(body ?? '')) : json
  const fields = new Map<string, string>()
  const sent = { path: path.split('/'), query: Object.fromEntries(new URLSearchParams(query)) }
  addLeaves(fields, '$', { ...sent, form, states: states.map(({ params }) => params) })
  return new Set(fields.values())
}

/** Status, media type, and every value of the body by its path. Other headers depend on the server. */
export function answerFields({ status, headers, body }: AnswerReport): Map<string, string> {
  const type = headerIn(headers, 'content-type')?.toLowerCase().replaceAll(' ', '')
  const fields = new Map([['status', String(status)]])
  if (type !== undefined) fields.set('header Content-Type', type)
  if (body === '') return fields
  const json = treeIn(body)
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
function normalizeValue(at: string, value: string): string {
  const isIdentifier = /[._]id$/.test(at) && value.startsWith('"')
  return isIdentifier ? 'an identifier' : normalizeText(value)
}

/** The mismatches of an answer, without instants and identifiers, which always differ. */
function signature({ mismatches }: InteractionReport): string {
  const signs = mismatches.map(({ kind, at, got, message }) => {
    return `${kind} ${at} ${kind === 'setup' || kind === 'request' ? message : normalizeText(got)}`
  })
  return [...new Set(signs)].sort().join('\n')
}

function normalizeText(got: string): string {
  return got
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, 'an instant')
    .replace(/\b(?:sub|inv|cus)_\w+|\b[ar]t_[\w-]{20,}/g, 'an identifier')
}
