/** Recordings: what an exchange is, when it was, and which ones are replayed; no exchange has a secret. */
import { jsonIn } from '../contracts/common/json.ts'
import { MASK } from '../masking/mask.ts'
import { v1Operations } from '../operations/v1.ts'
import { type Instant, instantAt, isWritable } from '../time/instant.ts'
import { type RawExchange, type RawMessage, RecordingError, writtenIn } from './recording-files.ts'
import { type Masks, masksFor } from './secrets.ts'

export { RecordingError }

type Headers = Readonly<Record<string, string>>
export type JsonFields = Readonly<Record<string, unknown>>

/** A request and its answer; headers by their names in lower case. */
export interface RecordedExchange {
  /** Its number among those that are replayed, from 1. */
  readonly number: number
  /** Where it is in the file, such as `log.entries[3]`. */
  readonly place: string
  readonly at: Instant
  readonly method: string
  /** From `/v1` on, with the query. */
  readonly path: string
  readonly headers: Headers
  readonly body: string
  readonly answer: RecordedAnswer
}

export interface RecordedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
  /** False where the recording has its status alone. */
  readonly isBodyKnown?: boolean
}

export interface Traffic {
  readonly source: string
  readonly exchanges: readonly RecordedExchange[]
  /** What is not replayed, and why. */
  readonly leftOut: readonly string[]
  /** What is taken for granted, in words. */
  readonly inferred: readonly string[]
}

/** Reads a recording. Throws `RecordingError`. */
export function readRecording(source: string, text: string): Traffic {
  const all = writtenIn(source, text)
  const isStripped = all.every(({ request }) => request.headers['authorization'] === undefined)
  const done = new Set<string>()
  const reading = { masks: masksFor(text), host: serviceIn(all), isStripped, done }
  const leftOut = missingBefore(all)
  const twice = repeatedIn(all)
  const exchanges: RecordedExchange[] = []
  for (const written of all) {
    const found = twice.has(written)
      ? 'it is in the recording twice.'
      : exchangeOf(written, reading)
    const isKept = typeof found !== 'string'
    if (isKept) exchanges.push({ ...found, number: exchanges.length + 1 })
    if (isKept && !isWithoutBody(written.answer)) continue
    const why = isKept ? 'the body of its answer is not in the recording.' : found
    leftOut.push(`${written.place}: ${why}`)
  }
  const granted = 'no exchange shows its Authorization: what was granted had the right key or token'
  return requireExchanges({ source, exchanges, leftOut, inferred: isStripped ? [granted] : [] })
}

export function requireExchanges(traffic: Traffic): Traffic {
  const { source, exchanges, leftOut } = traffic
  if (exchanges.length > 0) return traffic
  const why = leftOut.length === 0 ? 'it is empty.' : leftOut.slice(0, 3).join(' ')
  throw new RecordingError(`${source} must have an exchange with a path below /v1; ${why}`)
}

/** The end of an address that belongs to an operation; the base address before it may have a path, also with a version. */
const documented = new RegExp(
  String.raw`(?:${v1Operations.map(({ path }) => path.replace(/\{\w+\}/, '[^/?]+')).join('|')})/?(?:\?.*)?$`,
  's',
)

function isDocumented({ request: { method, path } }: RawExchange): boolean {
  return /^post$/i.test(method) && documented.test(path)
}

/**
 * What is there again where overlapping recordings are joined, which a creation shows that is: other calls may be made, and
 * answered alike, twice in one instant.
 */
function repeatedIn(all: readonly RawExchange[]): ReadonlySet<RawExchange> {
  const seen = new Set<string>()
  const again = all.filter((each) => {
    const whole = JSON.stringify({ ...each, place: '' })
    const isAgain = seen.has(whole)
    seen.add(whole)
    return isAgain
  })
  const isJoined = again.some(
    ({ request, answer }) =>
      /\/subscriptions\/?$/.test(request.path) && Number(answer.status) < 300,
  )
  return new Set(isJoined ? again : [])
}

/** The host with most calls of the operations: what a browser records goes to others too. */
function serviceIn(all: readonly RawExchange[]): string | undefined {
  const hosts = all.filter(isDocumented).map(({ host }) => host)
  const count = (wanted: string | undefined) => hosts.filter((host) => host === wanted).length
  return [...new Set(hosts)].sort((one, other) => count(other) - count(one))[0]
}

/** Says that the request log of a sandbox has lost its beginning; a reset is one. */
function missingBefore([first]: readonly RawExchange[]): string[] {
  const { place, number = 1, request } = first ?? {}
  if (number === 1 || /\/(?:reset|provider-states)$/.test(`${request?.path}`)) return []
  return [
    `${place}: requests before number ${number} are not in the recording; list them by --limit 250.`,
  ]
}

/** What a subscription call was answered: its record, also where that is the one member of an envelope. */
export function recordIn(body: string): JsonFields {
  const json: JsonFields = Object(jsonIn(body))
  return envelopeOf(json) === null ? json : Object(Object.values(json)[0])
}

/** The name of the one member of an object that is an object itself; null without one. */
export function envelopeOf(json: JsonFields): string | null {
  const [member, ...others] = Object.entries(json)
  if (member === undefined || others.length > 0 || Array.isArray(member[1])) return null
  return typeof member[1] === 'object' && member[1] !== null ? member[0] : null
}

interface Reading {
  readonly masks: Masks
  /** The host of the service. */
  readonly host: string | undefined
  /** Whether the recorder left the credentials out. */
  readonly isStripped: boolean
  /** What was granted with an Idempotency-Key, by which a service does it once. */
  readonly done: Set<string>
}

function exchangeOf(written: RawExchange, reading: Reading): RecordedExchange | string {
  const { place, request, answer } = written
  const { masks, isStripped, done } = reading
  const [path = ''] = documented.exec(request.path) ?? /\/v1\/.*$/s.exec(request.path) ?? []
  if (path === '') return 'its path is not below /v1.'
  const why = reasonToLeaveOut(written, reading)
  if (why !== null) return why
  const method = request.method.toUpperCase()
  const sent = maskedMessage(request, masks)
  const shown = isWithoutBody(answer) ? { isBodyKnown: false } : {}
  const got = { status: answer.status ?? 0, ...shown, ...maskedMessage(answer, masks) }
  if (isStripped && !isUnauthorized(got)) {
    const { refresh_token: token = MASK } = Object(jsonIn(sent.body))
    sent.headers['authorization'] = `Bearer ${token}`
  }
  const { authorization, 'idempotency-key': key = MASK } = sent.headers
  if (/\/auth\/refresh/.test(path) && `${authorization}${sent.body}`.includes(MASK)) {
    return 'its token is masked, so that nobody knows which one it was; --from tells tokens apart, but only in JSON and forms.'
  }
  const what = JSON.stringify([key, method, path, sent.body, got.status, got.body])
  if (done.has(what)) return 'it repeats a request with the same Idempotency-Key.'
  if (key !== MASK && got.status < 300) done.add(what)
  const said = Date.parse(got.headers['sandbox-time'] ?? got.headers['date'] ?? '')
  const at = instantAt(isWritable(said) ? said : Date.parse(written.at))
  const target = masks.target(path).replace(/^[^?]+/, plainPath)
  return { number: 0, place, at, method, path: target, ...sent, answer: got }
}

/** A path with what only some clients encode as it is in answers: an identifier such as `a@b`. */
function plainPath(path: string): string {
  return path.replace(/%(?!2[35F]|3F|5C)[2-7][\dA-F]/gi, (each) => decodeURIComponent(each))
}

/** The methods of requests that can be sent again. */
const method = /^(?!(?:connect|trace|track)$)[\w!#$%&'*+.^`|~-]+$/i

function reasonToLeaveOut(written: RawExchange, { host }: Reading): string | null {
  const { request, answer } = written
  const status = answer.status ?? 0
  if (host !== undefined && written.host !== host) return `its host is not ${host}.`
  if (/^options$/i.test(request.method)) return 'a browser asked by it whether it may call.'
  if (status < 100) return 'it has no answer.'
  if (status >= 300 && status < 400) return 'the service redirected it.'
  if (status >= 500) return `the service failed with ${status}.`
  if (status < 300 && !isDocumented(written)) return 'the interface does not show this operation.'
  const { content_type: type, headers } = request
  const sent = `${headers['content-type'] ?? type ?? ''}${headers['accept'] ?? ''}`
  if (!method.test(request.method) || !/^[\t -~\x80-\xff]*$/.test(sent)) {
    return 'its method or a header of it cannot be sent again.'
  }
  return isWithoutBody(request) ? 'the body of its request is not in the recording.' : null
}

function isWithoutBody({ body, bytes }: RawMessage): boolean {
  return body == null && (bytes ?? 0) > 0
}

export function isUnauthorized({ status, body }: RecordedAnswer): boolean {
  return status === 401 || (status >= 400 && /unauthori[sz]ed/i.test(body))
}

function maskedMessage({ headers: sent, body, content_type: type }: RawMessage, masks: Masks) {
  const all = Object.entries({ ...(type && { 'content-type': type }), ...sent })
  const masked = all.map(([name, value]) => [name, masks.header(name, value)])
  const headers: Record<string, string> = Object.fromEntries(masked)
  return { headers, body: masks.text(body ?? '', headers['content-type'] ?? null) }
}
