/** The bytes of a request body. Owns the size limit. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { RefusalError } from '../../surface/refusals.ts'
import { bindingsOf } from './context.ts'

/**
 * Reads a body to its end. Throws 413 for one of more than `limit` bytes, and 400 for one that is cut short. Node's own
 * stream is read by its events, because an iterator over it costs a tenth of a short call.
 */
export async function readBytes(c: Context, limit: number): Promise<Uint8Array> {
  if (Number(c.req.header('Content-Length') ?? 0) > limit) throw tooLarge(limit)
  const { incoming } = bindingsOf(c)
  const bytes = await (incoming === undefined ? joined(c, limit) : readNode(incoming, limit))
  c.set('received', bytes)
  return bytes
}

async function joined(c: Context, limit: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  for await (const piece of readPieces(c, limit)) pieces.push(piece)
  return Buffer.concat(pieces)
}

/** A body piece by piece, as it comes. Throws 413 once it has more than `limit` bytes. */
export async function* readPieces(c: Context, limit: number): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header('Content-Length') ?? 0) > limit) throw tooLarge(limit)
  const { incoming } = bindingsOf(c)
  const chunks = incoming === undefined ? (c.req.raw.body ?? []) : piecesOf(incoming)
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength
      if (size > limit) throw tooLarge(limit)
      yield chunk
    }
  } catch (error) {
    throw orCutShort(error)
  }
}

/**
 * All that has come, in one piece, and then what comes next. Leaves the connection open where it ends early: a refusal is
 * answered on it.
 */
async function* piecesOf(incoming: IncomingMessage): AsyncGenerator<Uint8Array> {
  let refusal: RefusalError | null = null
  let wake = () => {}
  const onStalled = (stalled: RefusalError) => {
    refusal = stalled
    wake()
  }
  const onChange = () => wake()
  const events = ['readable', 'end', 'error', 'close']
  for (const event of events) incoming.on(event, onChange)
  incoming.on('stalled', onStalled)
  try {
    for (;;) {
      const changed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const piece: Uint8Array | null = incoming.read()
      if (refusal !== null) throw refusal
      if (piece !== null) yield piece
      else if (incoming.readableEnded) return
      else if (incoming.destroyed) throw orCutShort(incoming.errored)
      else await changed
    }
  } finally {
    for (const event of events) incoming.off(event, onChange)
    incoming.off('stalled', onStalled)
  }
}

function readNode(incoming: IncomingMessage, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.byteLength
      chunks.push(chunk)
      if (size <= limit) return
      end(tooLarge(limit))
    }
    const end = (refusal: RefusalError) => {
      // The server sees to what is still to come.
      incoming.off('data', take).pause()
      reject(refusal)
    }
    const close = () => {
      // It is closed after its end as well, and an error with its stack costs as much as reading.
      if (!incoming.readableEnded) reject(orCutShort(incoming.errored))
    }
    incoming.on('data', take)
    incoming.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    )
    incoming.once('stalled', end)
    incoming.on('error', close)
    incoming.on('close', close)
    if (incoming.destroyed) close()
  })
}

/**
 * Has whoever reads a body throw a refusal in place of waiting for the rest of it, and answer that. A body that nobody
 * reads ends with its connection.
 */
export function endReading(incoming: IncomingMessage, refusal: RefusalError): void {
  if (!incoming.emit('stalled', refusal)) incoming.destroy(refusal)
}

function orCutShort(error: unknown): RefusalError {
  return error instanceof RefusalError ? error : cutShort()
}

function cutShort(): RefusalError {
  return new RefusalError('invalid_request', 'The body ended before it was complete.')
}

function tooLarge(limit: number): RefusalError {
  return new RefusalError('payload_too_large', `The body must have at most ${limit} bytes.`)
}
