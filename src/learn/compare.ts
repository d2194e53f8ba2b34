/** Compares two answers to one request by meaning: identifiers and tokens by their places, instants by the time to them. */

import { instantIn, isAsFar } from '../contracts/common/instants.ts'
import { answerFields } from '../contracts/replay/diff.ts'
import type { Instant } from '../time/instant.ts'
import type { RecordedExchange } from './recording.ts'

type Answer = RecordedExchange['answer']

/** Where two answers differ; a value is JSON, null where it is absent. */
export interface AnswerDifference {
  /** `status`, `header Content-Type`, `body`, or a path such as `$.status`. */
  readonly at: string
  readonly sandbox: string | null
  readonly service: string | null
}

export type Identities = ReturnType<typeof identities>

/** What stands for what: identifiers and tokens of the recording, and those that the sandbox gave instead. */
export function identities() {
  const byTheirs = new Map<string, string>()
  const known = new Set<string>()
  return {
    /** Theirs and ours are the same from now on. */
    pair: (theirs: string, ours: string) => {
      byTheirs.set(theirs, ours)
      known.add(ours)
    },
    /** Whether two values can be the same thing; undefined where neither is known. */
    areSame: (theirs: string, ours: string) =>
      byTheirs.has(theirs) || known.has(ours) ? byTheirs.get(theirs) === ours : undefined,
    /** A text of the recording as it is sent to the sandbox. */
    translated: (text: string) =>
      // Words that stand for secrets, and segments of paths; base64 ends with signs of equality.
      text.replace(/\[masked\]|[^\s"/?&=]+=*/g, (each) => byTheirs.get(each) ?? each),
  }
}

export interface Meaning {
  readonly identities: Identities
  /** When each answered. */
  readonly now: { readonly sandbox: Instant; readonly service: Instant }
}

/** An identifier of a subscription of the sandbox. */
export const ownId = /^sub_\d{6,}$/

/** Where a token is given. As an identifier, each side chooses it. */
const chosen = /\.(?:subscription_id|id|access_token|refresh_token)$/

export function differencesIn(sandbox: Answer, service: Answer, comparing: Meaning) {
  const [ours, theirs] = [sandbox, service].map((answer) => answerFields(plainAnswer(answer)))
  const isRefused = sandbox.status >= 400 && service.status >= 400
  const names = [...new Set([...(ours?.keys() ?? []), ...(theirs?.keys() ?? [])])]
  return names
    .filter((at) => at === 'status' || service.isBodyKnown !== false)
    .flatMap((at): AnswerDifference[] => {
      const difference = { at, sandbox: ours?.get(at) ?? null, service: theirs?.get(at) ?? null }
      return isSame(difference, comparing, isRefused ? 'prose' : 'data') ? [] : [difference]
    })
}

/** Charsets say nothing of JSON. */
function plainAnswer({ status, headers, body }: Answer) {
  const [type] = (headers['content-type'] ?? '').split(';')
  return { status, headers: type ? [['Content-Type', type] as [string, string]] : [], body }
}

function isSame(
  { at, sandbox, service }: AnswerDifference,
  { identities, now }: Meaning,
  kind: 'prose' | 'data',
): boolean {
  if (sandbox === null || service === null) return false
  const [ours, theirs] = [textIn(sandbox), textIn(service)]
  const [instant, otherwise] = [momentIn(sandbox), momentIn(service)]
  const isOneForm = (ours === null) === (theirs === null)
  if (instant !== null && otherwise !== null && isOneForm) {
    return isAsFar([new Date(now.sandbox), instant], [new Date(now.service), otherwise])
  }
  if (ours === null || theirs === null) return sandbox === service
  const known = identities.areSame(theirs, ours)
  if (known !== undefined) return known
  if (chosen.test(at) || ownId.test(ours)) {
    identities.pair(theirs, ours)
    return true
  }
  // A sentence of the sandbox is for people, and each service has its own, or one word; a code of the sandbox is one word.
  return ours === theirs || (kind === 'prose' && /\S\s+\S/.test(ours))
}

/** The instant in JSON, as a text or as seconds since 1970; null for another value. */
export function momentIn(json: string): Date | null {
  return /^\d{10}(\.\d+)?$/.test(json) ? new Date(Number(json) * 1000) : instantIn(json)
}

function textIn(json: string): string | null {
  return json.startsWith('"') ? (JSON.parse(json) as string) : null
}
