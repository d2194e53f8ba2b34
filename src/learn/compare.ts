/** Two answers to one request, by meaning: identifiers and tokens as they stand for each other, instants by the time to them. */
import { answerFields } from '../contracts/diff.ts'
import { instantIn, isAsFar } from '../contracts/instants.ts'
import type { Instant } from '../time/instant.ts'
import type { Identities } from './identities.ts'
import type { RecordedExchange } from './recording.ts'

type Answer = RecordedExchange['answer']

/** Where two answers differ; a value is JSON, null where it is absent. */
export interface AnswerDifference {
  /** `status`, `header Content-Type`, `body`, or a path such as `$.status`. */
  readonly at: string
  readonly sandbox: string | null
  readonly service: string | null
}

export interface Meaning {
  readonly identities: Identities
  /** When each answered. */
  readonly now: { readonly sandbox: Instant; readonly service: Instant }
}

/** Where an identifier or a token is given, which each side chooses. */
const chosen = /^\$\.(?:subscription_id|id|access_token|refresh_token)$/

export function differencesIn(sandbox: Answer, service: Answer, comparing: Meaning) {
  const [ours, theirs] = [sandbox, service].map((answer) => answerFields(plain(answer)))
  const isRefused = sandbox.status >= 400 && service.status >= 400
  return [...new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])])].flatMap(
    (at): AnswerDifference[] => {
      const difference = { at, sandbox: ours?.get(at) ?? null, service: theirs?.get(at) ?? null }
      return isSame(difference, comparing, isRefused ? 'prose' : 'data') ? [] : [difference]
    },
  )
}

/** Charsets say nothing of JSON. */
function plain({ status, headers, body }: Answer) {
  const [type] = (headers['content-type'] ?? '').split(';')
  return { status, headers: type ? [['Content-Type', type] as [string, string]] : [], body }
}

function isSame(
  { at, sandbox, service }: AnswerDifference,
  { identities, now }: Meaning,
  kind: 'prose' | 'data',
): boolean {
  if (sandbox === null || service === null) return false
  const instants = [instantIn(sandbox), instantIn(service)] as const
  if (instants[0] !== null && instants[1] !== null) {
    const since = [new Date(now.sandbox), new Date(now.service)] as const
    return isAsFar([since[0], instants[0]], [since[1], instants[1]])
  }
  const [ours, theirs] = [textIn(sandbox), textIn(service)]
  if (ours === null || theirs === null) return sandbox === service
  const known = identities.areSame(theirs, ours)
  if (known !== undefined) return known
  if (chosen.test(at)) {
    identities.pair(theirs, ours)
    return true
  }
  // Sentences are for people, and each service has its own.
  return (
    ours === theirs || (kind === 'prose' && [ours, theirs].every((text) => /\S\s+\S/.test(text)))
  )
}

function textIn(json: string): string | null {
  return json.startsWith('"') ? (JSON.parse(json) as string) : null
}
