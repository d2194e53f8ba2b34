/**
 * The calls of a recording as the steps of a test. Owns which calls a method of the libraries can make, and what matters
 * of an answer; each language owns how its test says that.
 */
import { jsonIn } from '../../contracts/common/json.ts'
import { calledOperations } from '../../generated/operations.ts'
import { v1Operations } from '../../operations/v1.ts'
import { RefusalError } from '../../surface/refusals.ts'
import { SubscriptionCreate } from '../../wire/billing/subscription.ts'
import type { WireEvent } from '../../wire/events/event.ts'
import type { Body, Parts, RecordedCall } from '../../wire/sandbox/recording.ts'
import { readForm } from '../request/form.ts'
import type { Recording } from './recording.ts'

/** An operation with its values, in which variables are marked. */
export interface MethodCall {
  readonly operationId: string
  /** The parameters of the path. */
  readonly ids: readonly string[]
  /** Null where the operation takes no body. */
  readonly fields: Readonly<Record<string, unknown>> | null
}

export interface RecordingStep {
  readonly call: RecordedCall
  /** The same call by a method; null for one that must be sent as it was. */
  readonly method: MethodCall | null
  /** The code of a refusal. */
  readonly refusal: string | null
  /** What matters of the answer; null if nothing does. */
  readonly expected: object | null
}

/** How a language writes a step; `index` is its place in the recording. */
export type StepLines = (step: RecordingStep, index: number) => readonly string[]

/** Writes the calls of a recording as steps, each with its note. What only takes a request id is left out. */
export function stepWriter(
  recording: Pick<Recording, 'varies' | 'calls'>,
  { comment, indent, linesOf }: { comment: string; indent: string; linesOf: StepLines },
) {
  const isExact = isExactRecording(recording)
  return (call: RecordedCall, index: number): readonly string[] => {
    const { note } = call
    if (note?.endsWith('It is only counted.')) return []
    const lines = linesOf(stepOf(call, isExact), index)
    const all = note === undefined ? lines : [`${comment} ${note}`, ...lines]
    return all.flatMap((each) => each.split('\n')).map((line) => `${indent}${line}`)
  }
}

function stepOf(call: RecordedCall, isExact: boolean): RecordingStep {
  const { answer, status, target } = call
  const method = isExact && textOf(target).startsWith('/v1/') ? null : methodOf(call)
  if (status < 400) return { call, method, refusal: null, expected: whatMatters(answer) ?? null }
  const named = Object.entries(Object(answer)).find(([name]) => name === 'code' || name === 'error')
  if (typeof named?.[1] !== 'string') return { call, method: null, refusal: null, expected: null }
  return { call, method, refusal: named[1], expected: Object.fromEntries([named]) }
}

/** The steps of calls that were refused. */
export function refusedSteps(recording: Pick<Recording, 'varies' | 'calls'>): RecordingStep[] {
  const isExact = isExactRecording(recording)
  const refused = recording.calls.filter(({ status }) => status >= 400)
  return refused.map((call) => stepOf(call, isExact)).filter(({ refusal }) => refusal !== null)
}

/** The headers of a call that is sent as it was; what has one name is joined, as HTTP does. */
export function headersOf({ headers }: RecordedCall): [name: string, value: Parts][] {
  const merged = new Map<string, Parts>()
  for (const [name, value] of headers) {
    if (/^sandbox-request-id$/i.test(name)) continue
    const before = merged.get(name)
    merged.set(name, before === undefined ? value : [...before, ', ', ...value])
  }
  return [...merged]
}

/** Whether faults or variations may change what /v1 answers: then its calls are sent as they were. */
function isExactRecording({ varies, calls }: Pick<Recording, 'varies' | 'calls'>): boolean {
  return varies || calls.some((call) => /^\/sandbox\/faults|"vary"/.test(headOf(call)))
}

function headOf({ target, body = [] }: RecordedCall): string {
  const path = textOf(target)
  return path === '/sandbox/settings' ? textOf(body) : path
}

/** The statuses of refusals that are about how a call is written. */
const aboutWriting: readonly number[] = [400, 413, 415, 501]

/** Headers that change nothing in a sandbox, and those that every method sends. */
const usualHeaders =
  /^(?:authorization|content-type|idempotency-key|sandbox-(?:consumer|id|request-id)|trace\w+|x-.*)$/i

const operations = Object.entries(calledOperations).map(([operationId, called]) => ({
  operationId,
  ...called,
  pattern: new RegExp(`^${called.path.replace(/\{\w+\}/g, '([^/]+)')}$`),
}))

function methodOf(call: RecordedCall): MethodCall | null {
  if (!isUsual(call)) return null
  const target = textOf(call.target)
  const found = operations.find(
    ({ method, pattern }) => method === call.method && pattern.test(target),
  )
  if (found === undefined) return null
  const { pattern, operationId } = found
  const takesBody = 'takesBody' in found
  const fields = fieldsOf(call, operationId)
  const ids = (pattern.exec(target) ?? []).slice(1).map(decodeSegment)
  const isWhole = fields !== null && (takesBody || Object.keys(fields).length === 0)
  if (!isWhole || ids.includes(null)) return null
  const known = { ids: ids as string[], fields: takesBody ? fields : null }
  if (operationId !== 'createSubscription') return { operationId, ...known }
  // The libraries create subscriptions at the control plane, which answers the same fields, in no envelope, and ignores none.
  const isSame = call.status >= 400 || 'subscription_id' in Object(call.answer)
  const isKnown = Object.keys(fields).every((name) => Object.hasOwn(SubscriptionCreate.shape, name))
  return isSame && isKnown ? { operationId: 'createSubscriptionAtCheckout', ...known } : null
}

/** Whether a method would send the call so, and read its answer. */
function isUsual(call: RecordedCall): boolean {
  const { answer, status, headers } = call
  const isRead = status === 204 || (typeof answer === 'object' && answer !== null)
  if (!isRead || aboutWriting.includes(status)) return false
  return headers.every(([name]) => usualHeaders.test(name)) && isAuthorized(call)
}

/** Whether the call carries what a method would: the key of the sandbox, or the token that is refreshed. */
function isAuthorized({ target, headers, body }: RecordedCall): boolean {
  const headerOf = (wanted: string) => {
    const found = headers.find(([name]) => name.toLowerCase() === wanted)
    return found === undefined ? null : textOf(found[1])
  }
  const authorization = headerOf('authorization')
  const path = textOf(target)
  if (path === '/v1/auth/refresh') {
    const { refresh_token: token } = Object(jsonIn(textOf(body ?? [])))
    return typeof token === 'string' && authorization === `Bearer ${token}`
  }
  if (authorization !== null) return authorization === `Bearer ${markVariable('key')}`
  return !path.startsWith('/v1/') && headerOf('sandbox-id') === markVariable('id')
}

/** The fields of a body; null for one that a method cannot send. */
function fieldsOf(
  { headers, body }: RecordedCall,
  operationId: string,
): Readonly<Record<string, unknown>> | null {
  if (body === undefined) return {}
  const [, type = ['']] = headers.find(([name]) => /^content-type$/i.test(name)) ?? []
  const text = textOf(body)
  if (text.includes('__proto__') || body.some((part) => Object(part).base64 !== undefined)) {
    return null
  }
  if (/^application\/json\b/i.test(textOf(type))) {
    const value = jsonIn(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  }
  const declared = v1Operations.find((each) => each.operationId === operationId)
  if (declared?.body === undefined || !/^application\/x-www-form/.test(textOf(type))) return null
  try {
    return readForm(text, declared.body.schema, { where: 'body' })
  } catch (error) {
    // What is no form is sent as it was.
    if (error instanceof RefusalError) return null
    throw error
  }
}

/** What a reader of a test looks for: statuses and amounts, and which record they are of. */
const mattering =
  /^(?:status|plan|pending_plan|coupon_id|cancel_at_period_end|reason|failure_reason)$/
const amounts = /^\w*amount\w*$|^(?:balance|\w*total)$/

/** The most events that a test compares. */
const EVENTS_MAX = 100

/** The part of an answer that matters; undefined if nothing does. */
function whatMatters(value: unknown): object | undefined {
  const { events } = Object(value)
  if (Array.isArray(events))
    return events.length > EVENTS_MAX ? undefined : { events: summarizeEvents(events) }
  if (Array.isArray(value)) {
    const parts = value.map(whatMatters)
    return parts.some((each) => each !== undefined) ? parts.map((each) => each ?? {}) : undefined
  }
  const members = Object.entries(Object(value)).flatMap(([name, each]): [string, unknown][] => {
    const part = typeof each === 'object' ? whatMatters(each) : undefined
    if (part !== undefined) return [[name, part]]
    // Of what is usually nothing, only something matters.
    const isAmount = typeof each === 'number' && amounts.test(name)
    const isShown = isAmount ? each !== 0 || name.startsWith('amount') : mattering.test(name)
    return isShown && typeof each !== 'object' && each !== false ? [[name, each]] : []
  })
  return members.length === 0 ? undefined : Object.fromEntries(members)
}

/** Events in short: the first one of each instant says when. */
function summarizeEvents(events: readonly WireEvent[]): object[] {
  return events.map(({ at, type, subject: { id }, detail }, index) => {
    const matters = whatMatters(detail)
    return {
      ...(at === events[index - 1]?.at ? {} : { at }),
      type,
      subject: { id },
      ...(matters && { detail: matters }),
    }
  })
}

/** The text of parts, in which variables are marked by two characters that no text has. */
function textOf(parts: Parts | Body): string {
  return parts
    .map((part) => {
      if (typeof part === 'string') return part
      return 'variable' in part ? markVariable(part.variable) : part.base64
    })
    .join('')
}

function markVariable(variable: string): string {
  return `\uFDD0${variable}\uFDD1`
}

/** The parts of a text that `textOf` wrote. */
export function partsOf(text: string): Parts {
  return text
    .split(/(\uFDD0\w+\uFDD1)/)
    .map((part) => (part.startsWith('\uFDD0') ? { variable: part.slice(1, -1) } : part))
    .filter((part) => part !== '')
}

function decodeSegment(segment: string): string | null {
  try {
    return decodeURIComponent(segment)
  } catch {
    return null
  }
}
