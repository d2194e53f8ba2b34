/**
 * What is refused before the app sees it, because Node could not read it or does not take it: answered in the shape of
 * the surface that it was sent to, as everything else is.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorEnvelope, problemEnvelope } from '../http/envelopes.ts'
import { endReading } from '../http/request/body.ts'
import { nextServerRequestId } from '../http/request-id.ts'
import { printValue, RefusalError } from '../surface/refusals.ts'
import { type Code, codeTable } from '../wire/common/error-codes.ts'

/** What Node says of a request that it could not read. */
interface UnreadRequest extends Error {
  readonly code?: string
  readonly rawPacket?: Buffer
}

const unread: Readonly<Record<string, readonly [Code, string]>> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers must have at most 16384 bytes.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [
    'payload_too_large',
    'The extensions of a chunk must have at most 16384 bytes.',
  ],
  HPE_INVALID_TRANSFER_ENCODING: [
    'invalid_request',
    'Transfer-Encoding must be absent, or chunked without a Content-Length.',
  ],
  HPE_INVALID_CHUNK_SIZE: [
    'invalid_request',
    'The size of a chunk must be a hexadecimal number; what came is none.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request_timeout',
    'The request must come to its end within 60 seconds, its headers within 15.',
  ],
}

const unreadable = ['invalid_request', 'The request is not written as HTTP/1.1 asks for.'] as const

/** What a connection owes its client: nothing, an answer to a request still being read, an answer, or its rest. */
export type PendingAnswer = 'nothing' | IncomingMessage | 'answer' | 'rest'

interface Connections {
  readonly pendingAnswerOn: (socket: Socket) => PendingAnswer
  readonly closeAfterAnswer: (socket: Socket) => void
}

/** Has a server answer by itself what it does not hand to the app. */
export function answerBeforeApp(server: Server, queue: Connections): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { url, headers } = request
    const message = `Expect must be absent or 100-continue; got ${printValue(headers.expect)}.`
    writeAnswer(response, answerAt(url, new RefusalError('expectation_failed', message)))
  })
  server.on('clientError', (error: UnreadRequest, socket: Socket) => {
    const pending = queue.pendingAnswerOn(socket)
    // An answer in the middle of another would be taken for a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || pending === 'rest') {
      socket.destroy()
      return
    }
    // A proxy may send more than it says, and learns from the answer what is wrong.
    if (pending === 'answer') return queue.closeAfterAnswer(socket)
    const refusal = new RefusalError(...(unread[error.code ?? ''] ?? unreadable))
    const request = pending === 'nothing' ? null : pending
    const answer = textOf(request?.url ?? targetOf(error), refusal)
    // What reads the body learns of it once the answer is on its way: it may close the connection.
    socket.end(answer, () => request !== null && endReading(request, refusal))
  })
  server.on('connect', ({ url }: IncomingMessage, socket: Socket) => {
    const message = 'The method must not be CONNECT: this server is no proxy.'
    // Node no longer listens to it, and a client that is gone would end the process.
    socket.on('error', () => undefined)
    socket.end(textOf(url, new RefusalError('invalid_request', message)), () => socket.destroy())
  })
}

/** Refuses a request without a host, which HTTP/1.1 asks every server to do; answers whether it did. */
export function answerMissingHost(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.headers.host !== undefined || request.httpVersion !== '1.1') return false
  const message = 'Host must be there: HTTP/1.1 asks for it; got nothing.'
  const answer = answerAt(request.url, new RefusalError('invalid_request', message))
  writeAnswer(response, { ...answer, headers: { ...answer.headers, Connection: 'close' } })
  return true
}

/** The answer to a request whose target and Host make no address, as those of `OPTIONS *` do not. */
export function invalidAddress({ url, headers: { host } }: IncomingMessage): Response {
  const message = `Host and target of the request must make an address, such as localhost and /v1/subscriptions; got ${printValue(host)} and ${printValue(url)}.`
  const { body, ...head } = answerAt(url, new RefusalError('invalid_request', message))
  return new Response(body, head)
}

/** The answer if the app threw instead of answering. */
export function answerDefect(): Response {
  const message = 'The sandbox has a defect: it could not answer.'
  const { body, ...head } = answerAt('/', new RefusalError('internal', message))
  return new Response(body, head)
}

/** A whole answer, as it goes to a connection that closes after it. */
function textOf(target: string | undefined, refusal: RefusalError): string {
  const { status, headers, body } = answerAt(target, refusal)
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, 'Connection: close']
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

type Answer = ReturnType<typeof answerAt>

function writeAnswer(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, headers).end(body)
}

function answerAt(target: string | undefined, refusal: RefusalError) {
  const { status } = codeTable[refusal.code]
  const isClients = target === undefined || /^(?:\/sandboxes\/[^/?]+)?\/v1(?:[/?]|$)/.test(target)
  const { mediaType, body } = isClients ? errorEnvelope(refusal) : problemEnvelope(refusal, status)
  const text = JSON.stringify(body)
  const headers: Record<string, string> = {
    'Content-Type': mediaType,
    'Content-Length': String(Buffer.byteLength(text)),
    'Request-Id': nextServerRequestId(),
  }
  return { status, headers, body: text }
}

/** The target of a request that was not read, as far as it is there. */
function targetOf({ rawPacket }: UnreadRequest): string | undefined {
  return /^[A-Z]+ (\S+)/.exec(rawPacket?.toString('latin1', 0, 2048) ?? '')?.[1]
}
