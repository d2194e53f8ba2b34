/** What a deviation changed for a client: the first answer that the run without it did not have. */
import { isDeepStrictEqual } from 'node:util'
import { jsonIn } from '../../contracts/common/json.ts'
import { DEVIATING_FAULT } from '../../http/deviations.ts'
import { maskBody, maskTarget } from '../../masking/mask.ts'
import type { CapturedCall } from '../../provider/capture/captured-call.ts'
import { countText } from '../../wire/common/text.ts'

type AnswerShown = ReturnType<typeof maskedAnswer>

export type DifferenceShown = ReturnType<typeof differenceBetween>

/** The first difference; null where every answer is one of those that the same request had. */
export function firstDifference(
  calls: readonly CapturedCall[],
  before: readonly CapturedCall[],
): DifferenceShown | null {
  const answers = new Map<string, CapturedCall[]>()
  for (const call of before) {
    const key = requestOf(call)
    answers.set(key, [...(answers.get(key) ?? []), call])
  }
  for (const call of calls) {
    const known = answers.get(requestOf(call)) ?? []
    const isSame = known.some(
      ({ status, answer }) => status === call.status && answer === call.answer,
    )
    const isFaulted = call.fault === DEVIATING_FAULT
    const [was] = known
    if (was !== undefined && (isFaulted || !isSame)) return differenceBetween(call, was)
  }
  return null
}

function requestOf({ method, target, body }: CapturedCall): string {
  return `${method} ${target} ${Buffer.from(body ?? '').toString()}`
}

function differenceBetween(call: CapturedCall, was: CapturedCall) {
  const { operationId, method, target, body, sent } = call
  const text = maskBody(Buffer.from(body ?? '').toString(), sent.mediaType)
  return {
    operation: operationId,
    request: [method, maskTarget(target), text].join(' ').trim(),
    /** `HTTP status`, `body` as a whole, or fields of the body; empty for another order of fields, and a later answer. */
    fields: fieldsBetween(call, was),
    is: maskedAnswer(call),
    was: maskedAnswer(was),
  }
}

/** An answer without its secrets; status and body are null where the connection was closed. */
function maskedAnswer({ status, answer, answered }: CapturedCall) {
  return { status, body: answer === null ? null : maskBody(answer, answered.mediaType) }
}

function fieldsBetween(one: CapturedCall, other: CapturedCall): string[] {
  const status = one.status === other.status ? [] : ['HTTP status']
  const [is, was] = [one, other].map(({ answer }) => jsonIn(answer ?? ''))
  if (one.answer === other.answer) return status
  if (!isObject(is) || !isObject(was)) return [...status, 'body']
  const names = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...status, ...[...names].filter((name) => !isDeepStrictEqual(is[name], was[name]))]
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The most fields that are listed. */
const FIELDS_SHOWN = 4

/** A line for each field that differs, and what it was. */
export function linesOfDifference({ fields, is, was }: DifferenceShown): string[] {
  if (is.status === null)
    return ['no answer: the connection is closed', `it was ${answerInLine(was)}`]
  if (is.body !== null && is.body !== '' && is.body !== was.body && was.body?.startsWith(is.body)) {
    return [`the body ends after ${is.body.length} of ${was.body.length} characters`]
  }
  if (fields.includes('body')) return [`it is ${answerInLine(is)}`, `it was ${answerInLine(was)}`]
  if (fields.length === 0) {
    return [
      `the same ${is.body === was.body ? 'answer, later' : 'fields in another order'}: ${answerInLine(is)}`,
    ]
  }
  const [now, before] = [is, was].map(({ body }) => Object(jsonIn(body ?? '')))
  const lines = fields.slice(0, FIELDS_SHOWN).map((name) => {
    const isStatus = name === 'HTTP status'
    const [value, old] = isStatus ? [is.status, was.status] : [now[name], before[name]]
    return `${name} is ${valueInLine(value)}; it was ${valueInLine(old)}`
  })
  const more = fields.length - lines.length
  return more === 0 ? lines : [...lines, `and ${countText(more, 'other field')}`]
}

const SHOWN_MAX = 160

function answerInLine({ status, body }: AnswerShown): string {
  return shorten(`${status} ${body ?? ''}`.trim())
}

function valueInLine(value: unknown): string {
  return value === undefined ? 'absent' : shorten(JSON.stringify(value))
}

function shorten(text: string): string {
  return text.length <= SHOWN_MAX ? text : `${text.slice(0, SHOWN_MAX)}...`
}
