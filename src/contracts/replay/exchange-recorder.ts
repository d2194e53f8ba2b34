/**
 * A proxy between the core and a provider that records every exchange, because the core reports mismatches but not
 * answers. It passes requests on unchanged, except for the headers that the run sets.
 */
import { once } from 'node:events'
import {
  type ClientRequest,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import { request as httpsRequest } from 'node:https'
import { buffer as bytesFrom } from 'node:stream/consumers'
import { reasonOf } from '../common/failure.ts'
import { listenOnLoopback } from '../common/loopback-server.ts'

type Headers = readonly (readonly [name: string, value: string])[]

/** What a provider answered. */
export interface ProviderAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: string
}

/** One request of the core as it was sent, and its answer. */
export interface Exchange {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Headers
  readonly body: string
  readonly answer: ProviderAnswer | null
  /** Why there is no answer; null where there is one. */
  readonly failure: string | null
  /** How many states had been set up before it. */
  readonly setups: number
}

/** The key in the pacts, and the key that this run sends in its place. */
export interface Key {
  readonly written: string
  readonly sent: string
}

/** What the run changes in the requests of a pact. */
export interface RequestEdits {
  /** Headers that every request gets, in place of those of the same name. */
  readonly headers: Readonly<Record<string, string>>
  readonly key: Key | null
}

/** The provider to record. */
export interface Recorded {
  readonly url: string
  readonly edits: RequestEdits
  readonly setups: () => number
  /** Called before each request, which waits for it. */
  readonly prepare?: () => Promise<void>
  /** What the core gets if the provider did not answer: no answer either, or the reason with this status. */
  readonly unanswered: 'nothing' | number
  /** Called before the core has its answer. */
  readonly onExchange: (exchange: Exchange) => void
}

/** Listens on loopback and passes everything on to a provider. */
export function startRecorder(recorded: Recorded) {
  const { url, edits, setups, prepare, unanswered, onExchange } = recorded
  const provider = new URL(url)
  return listenOnLoopback(async (incoming, outgoing) => {
    const before = setups()
    const body = await bytesFrom(incoming).catch(() => null)
    // The core died while it asked.
    if (body === null) return
    const headers = editHeaders(pairsOf(incoming.rawHeaders), edits, provider)
    const { method = 'GET', url: target = '/' } = incoming
    const exchange = { method, target, headers, body: textOf(body), setups: before }
    try {
      await prepare?.()
      const sending = passOn({ incoming, outgoing }, provider, headers)
      sending.end(body)
      const [received] = (await once(sending, 'response')) as [IncomingMessage]
      const { statusCode: status = 0 } = received
      const answered = messageHeaders(received)
      const bytes = await bytesFrom(received)
      const answer = { status, headers: answered, body: textOf(bytes) }
      onExchange({ ...exchange, answer, failure: null })
      outgoing.writeHead(status, answered.flat()).end(bytes)
    } catch (error) {
      const failure = reasonOf(error)
      onExchange({ ...exchange, answer: null, failure })
      if (unanswered === 'nothing') incoming.socket.destroy()
      else outgoing.writeHead(unanswered).end(`${url} cannot be reached: ${failure}`)
    }
  })
}

/** A request that came in, and its answer. */
interface PassingRequest {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** What is wrong where nobody waits for the answer any more. */
  readonly left?: string
}

/** Opens the request that passes one on to a provider, with these headers. It ends when nobody waits for it any more. */
export function passOn(
  { incoming: { method, url = '/' }, outgoing, left }: PassingRequest,
  provider: URL,
  headers: Headers,
): ClientRequest {
  const send = provider.protocol === 'https:' ? httpsRequest : httpRequest
  const sending = send({
    hostname: provider.hostname.replace(/^\[|\]$/g, ''),
    port: provider.port,
    method,
    path: `${provider.pathname.replace(/\/$/, '')}${url}`,
    headers: headers.flat(),
    // One connection for each request: a provider may close a kept connection just when it is used again.
    agent: false,
    setHost: false,
  })
  // The core gives up after its timeout, and closes the connection.
  outgoing.once('close', () => {
    const why = left ?? 'no answer within the timeout'
    if (!outgoing.writableFinished) sending.destroy(new Error(why))
  })
  // What breaks off later is an error of the answer as well, where it is seen.
  return sending.on('error', () => undefined)
}

/** The value of a header, by its name in any case; null if it is absent. */
export function headerIn(headers: Headers, wanted: string): string | null {
  const values = headers.filter(([name]) => name.toLowerCase() === wanted.toLowerCase())
  return values.length === 0 ? null : values.map(([, value]) => value).join(', ')
}

/** The headers of a message that are not those of its connection. */
export function messageHeaders({ rawHeaders }: IncomingMessage): [string, string][] {
  return pairsOf(rawHeaders).filter(([name]) => !ofConnection.test(name))
}

const ofConnection = /^(?:connection|keep-alive|transfer-encoding|proxy-connection)$/i

function editHeaders(
  headers: Headers,
  { headers: set, key }: RequestEdits,
  { host }: URL,
): Headers {
  const names = Object.keys(set).map((name) => name.toLowerCase())
  const own = headers
    .filter(([name]) => !names.includes(name.toLowerCase()) && !/^connection$/i.test(name))
    .map(([name, value]): [string, string] => {
      if (/^host$/i.test(name)) return [name, host]
      // The core unpacks what is compressed, and says so by itself; uncompressed, it can be shown.
      if (/^accept-encoding$/i.test(name) && value === 'gzip,deflate') return [name, 'identity']
      const isKey =
        key !== null && /^authorization$/i.test(name) && value.endsWith(` ${key.written}`)
      return [name, isKey ? value.replace(key.written, key.sent) : value]
    })
  return [...own, ...Object.entries(set)]
}

/** Names and values that come in turn, as pairs. */
export function pairsOf(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, at) => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []))
}

function textOf(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes('\uFFFD') ? `(${bytes.length} bytes that are not UTF-8)` : text
}
