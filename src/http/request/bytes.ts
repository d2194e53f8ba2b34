/** The bytes of a request body. Owns the size limit. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { RefusalError } from '../../surface/refusals.ts'

/**
 * Reads a body to its end. Throws 413 for one of more than `limit` bytes, and 400 for one that is cut short. Node's own
 * stream is read by its events, because an iterator over it costs a tenth of a short call.
 */
export async function readBytes(c: Context, limit: number): Promise<Uint8Array> {
  if (Number(c.req.header('Content-Length') ?? 0) > limit) throw tooLarge(limit)
  const { incoming } = (c.env ?? {}) as { readonly incoming?: IncomingMessage }
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
  const { incoming } = (c.env ?? {}) as { readonly incoming?: IncomingMessage }
  // A refusal must still be answered on the connection that the rest of the body would come on.
  const chunks = incoming?.iterator({ destroyOnReturn: false }) ?? c.req.raw.body ?? []
  let size = 0
  try {
    for await (const chunk of chunks) {
      size += chunk.byteLength
      if (size > limit) throw tooLarge(limit)
      yield chunk
    }
  } catch (error) {
    throw error instanceof RefusalError ? error : cutShort()
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
      // The server sees to what is still to come.
      incoming.off('data', take).pause()
      reject(tooLarge(limit))
    }
    const close = () => {
      // It is closed after its end as well, and an error with its stack costs as much as reading.
      if (!incoming.readableEnded) reject(cutShort())
    }
    incoming.on('data', take)
    incoming.on('end', () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)),
    )
    incoming.on('error', close)
    incoming.on('close', close)
    if (incoming.destroyed) close()
  })
}

function cutShort(): RefusalError {
  return new RefusalError('invalid_request', 'The body ended before it was complete.')
}

function tooLarge(limit: number): RefusalError {
  return new RefusalError('payload_too_large', `The body must have at most ${limit} bytes.`)
}
