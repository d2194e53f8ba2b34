/**
 * What is refused before the app sees it, because Node could not read it or does not take it: answered in the shape of
 * the surface that it was sent to, as everything else is.
 */
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorEnvelope, problemEnvelope } from '../http/envelopes.ts'
import { printValue } from '../http/request/field-errors.ts'
import { nextServerRequestId } from '../http/stamp.ts'
import { RefusalError } from '../surface/refusals.ts'
import { type Code, codeTable } from '../wire/errors.ts'

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
  ERR_HTTP_REQUEST_TIMEOUT: [
    'request_timeout',
    'The request must come to its end within 60 seconds, its headers within 15.',
  ],
}

/** Has a server answer by itself; `isAnswering` says whether a connection owes the answer to an earlier request. */
export function answerBeforeApp(server: Server, isAnswering: (socket: Socket) => boolean): void {
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const { expect } = request.headers
    const message = `Expect must be absent or 100-continue; got ${printValue(expect)}.`
    const { status, headers, body } = refusalAt(request.url, 'expectation_failed', message)
    response.writeHead(status, headers).end(body)
  })
  server.on('clientError', (error: UnreadRequest, socket: Socket) => {
    // An answer in the middle of another would be taken for a part of it.
    if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
      socket.destroy()
      return
    }
    const [code, message] = unread[error.code ?? ''] ?? [
      'invalid_request',
      'The request is not written as HTTP/1.1 asks for.',
    ]
    const { status, headers, body } = refusalAt(targetOf(error), code, message)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, 'Connection: close']
    socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
  })
}

function refusalAt(target: string | undefined, code: Code, message: string) {
  const { status } = codeTable[code]
  const refusal = new RefusalError(code, message)
  const isClients = target === undefined || /^\/v1(?:[/?]|$)/.test(target)
  const { mediaType, body } = isClients ? errorEnvelope(refusal) : problemEnvelope(refusal, status)
  const text = JSON.stringify(body)
  const headers = {
    'Content-Type': mediaType,
    'Content-Length': Buffer.byteLength(text),
    'Request-Id': nextServerRequestId(),
  }
  return { status, headers, body: text }
}

/** The target of a request that was not read, where its first line is there. */
function targetOf({ rawPacket }: UnreadRequest): string | undefined {
  return /^[A-Z]+ (\S+) HTTP/.exec(rawPacket?.toString('latin1', 0, 2048) ?? '')?.[1]
}
