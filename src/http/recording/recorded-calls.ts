/**
 * The calls of a recording: the request and the expected answer of each. Owns how a call reaches the new sandbox, and how
 * it gets the same request id, because events name it.
 */
import { jsonIn } from '../../contracts/common/json.ts'
import { pairsOf } from '../../contracts/replay/exchange-recorder.ts'
import { maskBody } from '../../masking/mask.ts'
import { numberOf, type UnmaskedCall } from '../../sandbox/call-recording.ts'
import { DEFAULT_SANDBOX } from '../../sandbox/registry.ts'
import type { RecordedCall } from '../../wire/sandbox/recording.ts'
import { sandboxOfToken } from '../../world/commands/tokens.ts'
import { TimeSlice } from '../../world/time-slice.ts'
import { encodeBody, joinParts, keySuffixOf, Secrets } from './secrets.ts'

/** The members of answers that differ each time. */
export const leftOut = [
  'access_token',
  'refresh_token',
  'sandbox_id',
  'api_key',
  'issued_by',
  'deliveries',
]

/** Headers of the connection, of the client, or of the page that calls. */
const ownHeaders =
  /^(?:accept|accept-(?:charset|encoding|language)|cache-control|connection|content-length|cookie|date|dnt|expect|host|keep-alive|origin|pragma|priority|proxy-.*|referer|sandbox-id|sandbox-request-id|sec-.*|te|trailer|transfer-encoding|upgrade|upgrade-insecure-requests|user-agent)$/

/** Calls after which the sandbox counts its requests from 1 again. */
const resets = ['resetSandbox', 'changeProviderState']

/** The calls of a recording, in order, as a replay sends them. */
export async function recordedCalls(
  calls: readonly UnmaskedCall[],
  sandboxId: string,
): Promise<readonly RecordedCall[]> {
  const secrets = new Secrets(sandboxId)
  const recorded: RecordedCall[] = []
  const slice = new TimeSlice()
  let count = 0
  for (const call of withoutQuestions(sortCalls(calls))) {
    if (slice.isOver()) await slice.next()
    const number = numberOf(call)
    const isNext = number === count + 1 || (resets.includes(call.operationId ?? '') && number === 1)
    const asks = isNext ? null : call.requestId
    count = number
    const why = whyOnlyCounted(call)
    if (why !== null) {
      recorded.push(countingCall(why, asks))
    } else if (isAttributed(call, sandboxId)) {
      recorded.push(recordedCall(call, secrets, { asks, isOurs: true }))
    } else {
      recorded.push(recordedCall(call, secrets, { asks: null, isOurs: false }))
      recorded.push(
        countingCall('The call before named no sandbox: the default one counted it.', asks),
      )
    }
  }
  return recorded.map(({ keeps = {}, ...call }) => {
    const kept = Object.entries(keeps).filter(([variable]) => secrets.used.has(variable))
    return kept.length === 0 ? call : { ...call, keeps: Object.fromEntries(kept) }
  })
}

/** By the numbers of their request ids, which begin again after a reset. */
function sortCalls(calls: readonly UnmaskedCall[]): UnmaskedCall[] {
  return [...calls].sort(
    (one, other) => one.replacements - other.replacements || numberOf(one) - numberOf(other),
  )
}

/** A question is left out as a read is, but before a provider state: it parts that from the states before it. */
function withoutQuestions(sorted: readonly UnmaskedCall[]): UnmaskedCall[] {
  return sorted.filter(
    ({ isQuestion }, at) => !isQuestion || sorted[at + 1]?.operationId === 'changeProviderState',
  )
}

/** Why a call that changed nothing here is not sent again; null if it is sent. */
function whyOnlyCounted(call: UnmaskedCall): string | null {
  const { target, method, operationId, refusal, body } = call
  if (call.isQuestion) return 'A question, which changes nothing.'
  if (/^\/sandboxes(?:[/?]|$)/.test(target)) return 'A call about other sandboxes.'
  if (/^\/sandbox\/webhooks(?:[/?]|$)/.test(target)) {
    return 'A call about webhooks, which are no part of the state.'
  }
  if (/^\/sandbox\/broker(?:[/?]|$)/.test(target)) {
    return 'A call about published pacts, which are no part of the state.'
  }
  if (!/^(?:GET|HEAD|OPTIONS|POST|PUT|PATCH|DELETE)$/.test(method)) {
    return 'A call by a method that not every client has.'
  }
  const { code = '', message = '' } = refusal ?? {}
  if (/^(?:Host must|Origin |Sec-Fetch-Site |Sandbox-Request-Id must)/.test(message)) {
    return 'A call that was refused for a header that says who calls.'
  }
  const isCut = code === 'payload_too_large' || message.startsWith('The body ended')
  const isUnread = body === null && operationId === 'restoreState'
  return isCut || isUnread ? 'A call that was refused, with a body that is not kept.' : null
}

/** A call that only takes the request id of a call that is not sent. */
function countingCall(why: string, asks: string | null): RecordedCall {
  return {
    note: `${why} It is only counted.`,
    method: 'PATCH',
    target: ['/sandbox/settings'],
    headers: [
      ['Content-Type', ['application/json']],
      ['Sandbox-Id', [{ variable: 'id' }]],
      ...requestIdHeader(asks),
    ],
    body: ['{}'],
    status: 200,
  }
}

function requestIdHeader(requestId: string | null): RecordedCall['headers'] {
  return requestId === null ? [] : [['Sandbox-Request-Id', [requestId]]]
}

/** Whether a call can be sent to the new sandbox. The default sandbox also gets calls that name none. */
function isAttributed(call: UnmaskedCall, sandboxId: string): boolean {
  if (sandboxId !== DEFAULT_SANDBOX && !call.byAddress) return true
  const authorization = headerOf(call, 'authorization')
  const { operationId, refusal } = call
  if (operationId === 'refreshToken') return /^Bearer +[\x21-\x7e]+$/i.test(authorization ?? '')
  const isRefused = refusal?.code === 'unauthorized'
  // A recording writes keys and tokens that name its sandbox as those of the new one, live or not.
  const credential = authorization?.replace(/^Bearer +/i, '') ?? ''
  const isOurKey = keySuffixOf(credential, sandboxId) !== null
  const isNamed = isOurKey || sandboxOfToken(credential) === sandboxId
  if (operationId !== null && call.target.startsWith('/v1/')) return !isRefused || isNamed
  if (call.byAddress) return !isRefused
  const named = headerOf(call, 'sandbox-id')
  if (named !== undefined) return named === sandboxId
  // Of the control plane, only keys name a sandbox.
  return authorization === undefined || isOurKey || (isNamed && operationId === null)
}

function recordedCall(
  call: UnmaskedCall,
  secrets: Secrets,
  { asks, isOurs }: { readonly asks: string | null; readonly isOurs: boolean },
): RecordedCall {
  const { masked } = secrets
  const { method, status, body } = call
  if (status === null) throw new Error('A recording has a call without an answer')
  const headers = pairsOf(call.headers)
    .filter(([name]) => !ownHeaders.test(name.toLowerCase()))
    .map(([name, value]) => [name, secrets.inHeader(name, value)] as const)
  const hasKey = headers.some(([, value]) => value.some((part) => Object(part).variable === 'key'))
  const named = isOurs ? { variable: 'id' } : headerOf(call, 'sandbox-id')
  if (named !== undefined && !hasKey) headers.push(['Sandbox-Id', [named]])
  const target = secrets.inTarget(call.target.replace(/[^\x21-\x7e]/g, encodeURIComponent))
  const mediaType = headerOf(call, 'content-type') ?? ''
  const bytes = body === null ? '' : Buffer.from(body).toString('latin1')
  const sent = bytes === '' ? null : secrets.inBody(bytes, mediaType)
  return {
    ...(secrets.masked > masked ? { note: 'A secret of unknown origin is masked here.' } : {}),
    method,
    target: joinParts(target),
    headers: [
      ...headers.map(([name, value]) => [name, joinParts(value)] as const),
      ...requestIdHeader(asks),
    ],
    ...(sent === null ? {} : { body: encodeBody(sent) }),
    status,
    ...answerOf(call, secrets),
  }
}

function headerOf(call: UnmaskedCall, wanted: string): string | undefined {
  return pairsOf(call.headers).find(([name]) => name.toLowerCase() === wanted)?.[1]
}

function answerOf(call: UnmaskedCall, secrets: Secrets): Pick<RecordedCall, 'answer' | 'keeps'> {
  if (call.answer === null || call.method === 'HEAD') return {}
  // A fault may have cut it.
  const value = jsonIn(call.answer)
  if (typeof value !== 'object' || value === null) return {}
  const keeps: Record<string, string> = {}
  for (const field of ['access_token', 'refresh_token']) {
    const token = (value as Record<string, unknown>)[field]
    const variable = typeof token === 'string' ? secrets.issue(field, token) : null
    if (variable !== null) keeps[variable] = field
  }
  const host = headerOf(call, 'host') ?? ''
  // Without what differs each time, and without the address of the server.
  const text = JSON.stringify(value, (name, each) => {
    if (leftOut.includes(name)) return undefined
    return typeof each === 'string' && host !== '' ? each.replaceAll(`http://${host}`, '') : each
  })
  // An answer with other secrets than those that the new sandbox issues is not compared.
  const isOpen = maskBody(text, 'application/json') === text
  return { ...(isOpen ? { answer: JSON.parse(text) } : {}), keeps }
}
