/** The report of `learn`, as data: what nothing explains, and a verdict on each assumption. */
import { type Attribution, isOtherOutcome } from './attribute.ts'
import type { AnswerDifference } from './compare.ts'
import type { RecordedExchange, Traffic } from './recording.ts'
import { masksFor } from './secrets.ts'

/** One kind of difference that nothing explains, and the first exchange that has it. */
export interface Unexplained {
  readonly exchange: number
  readonly place: string
  readonly at: string
  readonly request: string
  readonly differences: readonly AnswerDifference[]
  readonly sandbox: { readonly status: number; readonly body: string }
  readonly service: { readonly status: number; readonly body: string }
  /** Further exchanges that differ in the same way, or on the same subscription after it. */
  readonly also: readonly number[]
}

export type LearnReport = ReturnType<typeof learnReport>

export function learnReport(
  { source, exchanges, leftOut }: Traffic,
  inferred: readonly string[],
  { replayed, verdicts }: Attribution,
) {
  const masks = masksFor()
  const unexplained: Unexplained[] = []
  const groups = new Map<string, number[]>()
  for (const [index, { answer, differences }] of replayed.entries()) {
    const exchange = exchanges[index]
    if (exchange === undefined || differences.length === 0) continue
    const { number, place, at, method, path, answer: service } = exchange
    const of = signatureOf(exchange, differences)
    const [, subject] = /^\/v1\/subscriptions\/([^/?]+)/.exec(path) ?? []
    const group = groups.get(`after ${subject}`) ?? groups.get(of)
    if (group !== undefined) {
      group.push(number)
      continue
    }
    const also: number[] = []
    groups.set(of, also)
    // From here on the two know different things of it.
    const isParting = differences.some(isOtherOutcome) && subject !== undefined
    if (isParting) groups.set(`after ${subject}`, also)
    unexplained.push({
      ...{ exchange: number, place, at, request: `${method} ${path}` },
      differences: differences.map(withoutTokens),
      sandbox: { status: answer.status, body: masks.text(answer.body, null) },
      service: { status: service.status, body: service.body },
      also,
    })
  }
  const isSame = verdicts.every(({ verdict }) => verdict !== 'contradicted')
  return {
    command: 'learn' as const,
    ...{ source, exchanges: exchanges.length, left_out: leftOut, inferred },
    result: isSame && unexplained.length === 0 ? ('same' as const) : ('differs' as const),
    unexplained,
    assumptions: verdicts,
  }
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

function withoutTokens({ at, sandbox, service }: AnswerDifference): AnswerDifference {
  const isToken = /token$/.test(at) && sandbox !== null
  return { at, sandbox: isToken ? '"(ours)"' : sandbox, service }
}
