/** The report of `learn`, as data: what nothing explains, and a verdict on each assumption. */
import { assumptions, settingName } from '../assumptions/register.ts'
import { snakeKey } from '../wire/case.ts'
import { type AssumptionFinding, type Attribution, isOtherOutcome } from './attribute.ts'
import type { AnswerDifference } from './compare.ts'
import type { RecordedExchange, Traffic } from './recording.ts'
import { masksFor } from './secrets.ts'

/** One kind of difference that nothing explains, and the first exchange that has it. */
export interface Unexplained {
  readonly exchange: number
  readonly place: string
  readonly request: string
  readonly at: string
  readonly differences: readonly AnswerDifference[]
  readonly sandbox: { readonly status: number; readonly body: string }
  readonly service: { readonly status: number; readonly body: string }
  /** Further exchanges that differ in the same way, or on the same subscription after it. */
  readonly also: readonly number[]
}

export interface AssumptionVerdict {
  readonly slug: string
  readonly verdict: AssumptionFinding['verdict']
  /** The key of the setting, `vary` for a variation, null where it cannot be decided otherwise. */
  readonly setting: string | null
  /** The value that fits, and the one that was compared with; null where it cannot be decided otherwise. */
  readonly value: unknown
  readonly before: unknown
  readonly also_fits: readonly { readonly slug: string; readonly value: unknown }[]
  /** Whether values that were not tried may fit as well. */
  readonly other_values_may_fit: boolean
  readonly agreeing: number
  readonly shown_by: readonly number[]
}

export interface LearnReport {
  readonly command: 'learn'
  readonly source: string
  readonly result: 'same' | 'differs'
  readonly exchanges: number
  readonly left_out: readonly string[]
  readonly inferred: readonly string[]
  readonly unexplained: readonly Unexplained[]
  readonly assumptions: readonly AssumptionVerdict[]
}

export function learnReport(
  { source, exchanges, leftOut }: Traffic,
  inferred: readonly string[],
  { replayed, findings }: Attribution,
): LearnReport {
  const masks = masksFor()
  const unexplained: Unexplained[] = []
  const groups = new Map<string, number[]>()
  for (const [at, { answer, differences }] of replayed.entries()) {
    const exchange = exchanges[at]
    if (exchange === undefined || differences.length === 0) continue
    const of = signatureOf(exchange, differences)
    const subject = `after ${subjectOf(exchange)}`
    const group = groups.get(subject) ?? groups.get(of)
    if (group !== undefined) {
      group.push(exchange.number)
      continue
    }
    const also: number[] = []
    groups.set(of, also)
    // From here on the two know different things of it.
    if (differences.some(isOtherOutcome) && subjectOf(exchange) !== '') groups.set(subject, also)
    unexplained.push({
      ...{ exchange: exchange.number, place: exchange.place, at: exchange.at },
      request: `${exchange.method} ${exchange.path}`,
      differences: differences.map((each) => withoutTokens(each)),
      sandbox: { status: answer.status, body: masks.text(answer.body, null) },
      service: { status: exchange.answer.status, body: exchange.answer.body },
      also,
    })
  }
  const isSame = findings.every(({ verdict }) => verdict !== 'contradicted')
  return {
    ...{ command: 'learn', source, exchanges: exchanges.length, left_out: leftOut, inferred },
    result: isSame && unexplained.length === 0 ? 'same' : 'differs',
    unexplained,
    assumptions: findings.map(verdictOn),
  }
}

function verdictOn({ slug, ...finding }: AssumptionFinding): AssumptionVerdict {
  const { verdict, value = null, before = null, agreeing, isOpen } = finding
  return {
    ...{ slug, verdict, setting: settingOf(slug), value, before, agreeing },
    also_fits: finding.alsoFits,
    other_values_may_fit: isOpen,
    shown_by: finding.shownBy.map((index) => index + 1),
  }
}

const register = new Map(assumptions.map((entry) => [entry.slug as string, entry]))

function settingOf(slug: string): string | null {
  const entry = register.get(slug)
  if (!entry || entry.otherwise === null) return null
  return entry.terms === null ? 'vary' : snakeKey(settingName(slug))
}

/** The operation and what differs, and how: what is alike in many answers is said once. */
function signatureOf(
  { method, path }: RecordedExchange,
  differences: readonly AnswerDifference[],
): string {
  const operation = path.replace(/^(\/v1\/subscriptions\/)[^/]+/, '$1{id}').split('?')[0]
  const kinds = differences.map(({ at, sandbox, service }) => {
    if (sandbox === null) return `+${at}`
    return service === null ? `-${at}` : `${at}=${at === 'status' ? `${sandbox} ${service}` : ''}`
  })
  return `${method} ${operation} ${kinds.join(' ')}`
}

function subjectOf({ path }: RecordedExchange): string {
  return /^\/v1\/subscriptions\/([^/?]+)/.exec(path)?.[1] ?? ''
}

function withoutTokens({ at, sandbox, service }: AnswerDifference): AnswerDifference {
  const isToken = /token$/.test(at) && sandbox !== null
  return { at, sandbox: isToken ? '"(ours)"' : sandbox, service }
}
