/**
 * A proxy that records: it passes every request on to a service and every answer back, piece by piece and unchanged, and
 * keeps both without their secrets, as a HAR.
 */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import { reasonOf } from '../contracts/failure.ts'
import { listenOnLoopback } from '../contracts/loopback-server.ts'
import { VERSION } from '../version.ts'
import { masksFor } from './secrets.ts'

/** The most of one body that is kept; all of it is passed on. */
const KEPT_MAX = 16 * 1024 * 1024

/** Headers of a connection, and not of a message. */
const ofConnection = /^(?:connection|keep-alive|transfer-encoding|proxy-connection)$/i

export interface TrafficRecorder {
  readonly url: string
  /** What was recorded so far, as HAR 1.2. */
  readonly har: () => object
  readonly close: () => Promise<void>
}

/** Listens on loopback; `report` is told what could not be passed on. */
export async function recordTraffic(
  service: string,
  port: number,
  report: (line: string) => void,
): Promise<TrafficRecorder> {
  const base = new URL(service)
  const masks = masksFor()
  const entries: (object | null)[] = []
  const { url, close } = await listenOnLoopback((incoming, outgoing) => {
    const started = new Date()
    // In the order in which they came, whichever is answered first.
    const place = entries.push(null) - 1
    const path = `${base.pathname.replace(/\/$/, '')}${incoming.url}`
    passOn(incoming, outgoing, { base, path })
      .then((passed) => {
        const time = Date.now() - started.getTime()
        entries[place] = entryOf({ ...passed, base, path, started, time }, masks)
      })
      .catch((error: unknown) => {
        report(`${incoming.method} ${masks.target(path)}: ${reasonOf(error)}`)
        if (outgoing.headersSent) outgoing.destroy()
        else outgoing.writeHead(502).end(`${base.origin} did not answer: ${reasonOf(error)}\n`)
      })
  }, port)
  const creator = { name: 'subscription-sandbox learn', version: VERSION }
  const har = () => ({
    log: { version: '1.2', creator, entries: entries.filter((each) => each !== null) },
  })
  return { url, har, close }
}

interface Passed {
  readonly incoming: IncomingMessage
  readonly received: IncomingMessage
  readonly sent: Buffer | null
  readonly answered: Buffer | null
}

/** Passes a request on and its answer back; resolves when both have ended. */
function passOn(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { base, path }: { readonly base: URL; readonly path: string },
): Promise<Passed> {
  const send = base.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    const sending = send({
      hostname: base.hostname.replace(/^\[|\]$/g, ''),
      port: base.port,
      method: incoming.method,
      path,
      headers: headersOf(incoming).flatMap(([name, value]) => [
        name,
        /^host$/i.test(name) ? base.host : value,
      ]),
      setHost: false,
    })
    sending.once('error', reject)
    incoming.once('error', reject)
    const sent = kept(incoming)
    incoming.pipe(sending)
    sending.once('response', (received) => {
      const answered = kept(received)
      const { statusCode = 502, statusMessage } = received
      outgoing.writeHead(statusCode, statusMessage, headersOf(received).flat())
      // What is streamed may wait long for its first piece.
      outgoing.flushHeaders()
      received.once('error', reject)
      received.once('end', () =>
        resolve({ incoming, received, sent: sent(), answered: answered() }),
      )
      received.pipe(outgoing)
    })
    outgoing.once('close', () => {
      if (outgoing.writableFinished) return
      sending.destroy()
      reject(new Error('the client left before the answer ended'))
    })
  })
}

function headersOf({ rawHeaders }: IncomingMessage): [name: string, value: string][] {
  return rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 && !ofConnection.test(name) ? [[name, rawHeaders[at + 1] ?? '']] : [],
  )
}

/** Keeps what passes; null in the end where it is more than is kept. */
function kept(message: IncomingMessage): () => Buffer | null {
  const pieces: Buffer[] = []
  let bytes = 0
  message.on('data', (piece: Buffer) => {
    bytes += piece.length
    if (bytes <= KEPT_MAX) pieces.push(piece)
  })
  return () => (bytes <= KEPT_MAX ? Buffer.concat(pieces) : null)
}

const unpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  deflate: inflateSync,
}

function textOf(bytes: Buffer | null, { headers }: IncomingMessage): string | null {
  if (bytes === null) return null
  const unpack = unpackers[headers['content-encoding'] ?? '']
  return (unpack === undefined || bytes.length === 0 ? bytes : unpack(bytes)).toString()
}

interface Timed extends Passed {
  readonly base: URL
  readonly path: string
  readonly started: Date
  readonly time: number
}

function entryOf(passed: Timed, masks: ReturnType<typeof masksFor>): object {
  const { incoming, received, sent, answered, base, path, started, time } = passed
  const headers = (message: IncomingMessage) =>
    headersOf(message).map(([name, value]) => ({ name, value: masks.header(name, value) }))
  const type = (message: IncomingMessage) => message.headers['content-type'] ?? ''
  const target = masks.target(path)
  const query = new URL(target, base).searchParams
  const asked = masks.text(textOf(sent, incoming) ?? '', type(incoming))
  const text = masks.text(textOf(answered, received) ?? '', type(received))
  const common = { cookies: [], httpVersion: 'HTTP/1.1', headersSize: -1 }
  return {
    startedDateTime: started.toISOString(),
    time,
    request: {
      ...common,
      method: incoming.method,
      url: `${base.origin}${target}`,
      headers: headers(incoming),
      queryString: [...query].map(([name, value]) => ({ name, value })),
      bodySize: sent?.length ?? -1,
      ...(asked !== '' && { postData: { mimeType: type(incoming), text: asked } }),
    },
    response: {
      ...common,
      status: received.statusCode,
      statusText: received.statusMessage,
      headers: headers(received),
      content: {
        size: answered === null ? KEPT_MAX : Buffer.byteLength(text),
        mimeType: type(received),
        ...(answered !== null && { text }),
      },
      redirectURL: '',
      bodySize: answered?.length ?? -1,
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  }
}
