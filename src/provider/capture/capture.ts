/** A capture: the calls of an application's tests as the interactions of a pact. Owns which calls are one interaction. */
import { isDeepStrictEqual } from 'node:util'
import { maskTarget } from '../../masking/mask.ts'
import { askedBy, type CapturedCall, type OnCall } from './captured-call.ts'
import { type Expecting, expectationOf, normalizeAnswer } from './expectation.ts'
import { requestOf } from './request.ts'
import { statesBefore } from './states-before.ts'
import { wordingOf } from './wording.ts'

/** An interaction of a pact, and the whole answers to the calls that it came from, each once. */
export interface CapturedInteraction {
  readonly description: string
  readonly written: object
  readonly answers: readonly WrittenAnswer[]
}

interface WrittenAnswer {
  readonly status: number | null
  readonly body: unknown
}

/** Calls that are in no pact, and why. */
export interface NotCaptured {
  readonly what: string
  readonly why: string
}

/** Begins a capture. Calls with the same states, request and expectation are one interaction. */
export function startCapture(extent: Expecting) {
  const kept = new Map<string, CapturedInteraction>()
  const left = new Map<string, NotCaptured>()
  let count = 0
  const note: OnCall = (call) => {
    count += 1
    const found = interactionOf(call, extent)
    if ('why' in found) left.set(`${found.what}: ${found.why}`, found)
    else {
      const key = JSON.stringify([found.description, found.written])
      const answers = kept.get(key)?.answers ?? []
      const isNew = !answers.some((each) => isDeepStrictEqual(each, found.answers[0]))
      kept.set(key, { ...found, answers: isNew ? [...answers, ...found.answers] : answers })
    }
  }
  const inOrder = <Value>(entries: ReadonlyMap<string, Value>) =>
    [...entries].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, value]) => value)
  return {
    note,
    /** How many calls there were. */
    calls: () => count,
    interactions: () => inOrder(kept),
    leftOut: () => inOrder(left),
  }
}

/** The interaction of a call, or why there is none. */
function interactionOf(call: CapturedCall, extent: Expecting): CapturedInteraction | NotCaptured {
  const { method, target, status, answer, fault, before } = call
  const asked = askedBy(call)
  if (asked === null) {
    const what = `${method} ${maskTarget(target).split('?')[0]}`
    return { what, why: 'the interface has no such operation' }
  }
  const description = wordingOf(call, asked)
  if (fault !== null) return { what: description, why: 'a fault shaped the answer' }
  const response = expectationOf(call, asked, extent)
  if (response === null) {
    const why = 'the interface shows no errors of this operation; --with-assumptions records them'
    return { what: description, why }
  }
  const written = {
    providerStates: before === null ? [] : statesBefore(asked, before),
    request: requestOf(asked, before),
    response,
  }
  return { description, written, answers: [{ status, body: normalizeAnswer(answer ?? '') }] }
}

/** The fields in which an answer differs from the recorded one that is nearest to it. */
export function differencesFrom(
  { answers }: CapturedInteraction,
  { status, body }: { readonly status: number; readonly body: string },
): readonly string[] {
  const given: WrittenAnswer = { status, body: normalizeAnswer(body) }
  const differing = answers.map((each) => fieldsBetween(each, given))
  const [nearest = []] = differing.sort((one, other) => one.length - other.length)
  return nearest
}

function fieldsBetween(one: WrittenAnswer, other: WrittenAnswer): string[] {
  const [ours, theirs] = [one, other].map(({ status, body }) => ({
    ...Object(body),
    'HTTP status': status,
  }))
  const names = [...new Set([...Object.keys(ours), ...Object.keys(theirs)])]
  return names.filter((name) => !isDeepStrictEqual(ours[name], theirs[name])).sort()
}

/** The text of a pact, version 4. Descriptions that are the same for different interactions are numbered. */
export function pactOf(
  consumer: string,
  provider: string,
  interactions: readonly CapturedInteraction[],
): string {
  const seen = new Map<string, number>()
  const described = interactions.map(({ description, written }) => {
    const count = (seen.get(description) ?? 0) + 1
    seen.set(description, count)
    const unique = count === 1 ? description : `${description} (${count})`
    return { type: 'Synchronous/HTTP', description: unique, pending: false, ...written }
  })
  const document = {
    consumer: { name: consumer },
    provider: { name: provider },
    interactions: described,
    metadata: { pactSpecification: { version: '4.0' } },
  }
  return `${JSON.stringify(document, null, 2)}\n`
}
