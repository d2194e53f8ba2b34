/**
 * A proxy that records: it passes every request on to a service and every answer back, piece by piece and unchanged, and
 * keeps both without their secrets, as a HAR.
 */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { brotliDecompressSync, inflateRawSync, unzipSync } from 'node:zlib'
import { reasonOf } from '../contracts/common/failure.ts'
import { listenOnLoopback } from '../contracts/common/loopback-server.ts'
import { messageHeaders, passOn } from '../contracts/replay/exchange-recorder.ts'
import { VERSION } from '../version.ts'
import { type Masks, masksFor } from './secrets.ts'

/** The most of one body that is kept; all of it is passed on. */
const KEPT_MAX = 16 * 1024 * 1024

/** Listens on loopback; `report` is told what could not be passed on; `har` is what was recorded so far, as HAR 1.2. */
export async function recordTraffic(service: string, port: number, report: (line: string) => void) {
  const provider = new URL(service)
  const masks = masksFor()
  const entries: (object | null)[] = []
  const { url, close } = await listenOnLoopback(async (incoming, outgoing) => {
    const started = new Date()
    // In the order in which they came, whichever is answered first.
    const place = entries.push(null) - 1
    const target = `${provider.pathname.replace(/\/$/, '')}${incoming.url}`
    try {
      const headers = messageHeaders(incoming).map(([name, value]): [string, string] =>
        /^host$/i.test(name) ? [name, provider.host] : [name, value],
      )
      const sent = collectBytes(incoming)
      const left = 'its sender closed the connection'
      const sending = passOn({ incoming, outgoing, left }, provider, headers)
      pipeline(incoming, sending).catch((error) => sending.destroy(error))
      const [received] = (await once(sending, 'response')) as [IncomingMessage]
      const answered = collectBytes(received)
      const { statusCode = 502, statusMessage } = received
      outgoing.writeHead(statusCode, statusMessage, messageHeaders(received).flat())
      // What is streamed may wait long for its first piece.
      outgoing.flushHeaders()
      await pipeline(received, outgoing)
      entries[place] = entryOf(sent(), answered(), {
        ...{ masks, started },
        address: `${provider.origin}${masks.target(target)}`,
      })
    } catch (error) {
      report(`${incoming.method} ${masks.target(target)}: ${reasonOf(error)}`)
      if (outgoing.headersSent) outgoing.destroy()
      else outgoing.writeHead(502).end(`${provider.origin} did not answer: ${reasonOf(error)}\n`)
    }
  }, port)
  const creator = { name: 'subscription-sandbox learn', version: VERSION }
  const har = () => ({
    log: { version: '1.2', creator, entries: entries.filter((each) => each !== null) },
  })
  return { url, har, close }
}

/** A message that passed; without its bytes where these are more than is kept. */
interface RecordedMessage {
  readonly message: IncomingMessage
  readonly size: number
  readonly bytes: Buffer | null
}

/** Keeps the bytes of a message while they pass; the function that it returns tells what was kept so far. */
function collectBytes(message: IncomingMessage): () => RecordedMessage {
  const pieces: Buffer[] = []
  let size = 0
  message.on('data', (piece: Buffer) => {
    size += piece.length
    if (size <= KEPT_MAX) pieces.push(piece)
  })
  return () => ({ message, size, bytes: size <= KEPT_MAX ? Buffer.concat(pieces) : null })
}

const unpackers: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: unzipSync,
  'x-gzip': unzipSync,
  // With the header of zlib, or without, as some services send it.
  deflate: (bytes) => ((bytes[0] ?? 0) % 16 === 8 ? unzipSync(bytes) : inflateRawSync(bytes)),
  br: brotliDecompressSync,
  identity: (bytes) => bytes,
}

/** Bytes before they were packed; null where nobody here can unpack them. */
function unpack(bytes: Buffer, codings: string | undefined): Buffer | null {
  try {
    const names = codings?.toLowerCase().split(/\s*,\s*/) ?? []
    return names.reduceRight<Buffer | null>(
      (packed, name) => packed && (unpackers[name]?.(packed) ?? null),
      bytes,
    )
  } catch {
    return null
  }
}

interface EntryContext {
  readonly masks: Masks
  readonly started: Date
  readonly address: string
}

function entryOf(
  sent: RecordedMessage,
  answered: RecordedMessage,
  { masks, started, address }: EntryContext,
): object {
  const time = Date.now() - started.getTime()
  const request = withoutSecrets(sent, masks)
  const { text, mimeType, ...response } = withoutSecrets(answered, masks)
  const { statusCode: status, statusMessage: statusText } = answered.message
  return {
    startedDateTime: started.toISOString(),
    time,
    request: {
      ...{ method: sent.message.method, url: address, httpVersion: 'HTTP/1.1', cookies: [] },
      headers: request.headers,
      queryString: [...new URL(address).searchParams].map(([name, value]) => ({ name, value })),
      ...{ headersSize: -1, bodySize: sent.size },
      ...(request.text && { postData: { mimeType: request.mimeType, text: request.text } }),
    },
    response: {
      ...{ status, statusText, httpVersion: 'HTTP/1.1', cookies: [], redirectURL: '' },
      headers: response.headers,
      ...{ headersSize: -1, bodySize: answered.size },
      content: { size: answered.size, mimeType, ...(text !== null && { text }) },
    },
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
  }
}

/** A message without its secrets, and unpacked. */
function withoutSecrets({ message, bytes }: RecordedMessage, masks: Masks) {
  const { 'content-type': mimeType = '', 'content-encoding': codings } = message.headers
  const plain = bytes?.length ? unpack(bytes, codings) : bytes
  const headers = messageHeaders(message).map(([name, value]) => ({
    name,
    value: masks.header(name, value),
  }))
  const text = plain && masks.text(plain.toString(), mimeType)
  return { mimeType: masks.header('content-type', mimeType), headers, text }
}
