/**
 * The bytes of a request body. Owns the size limit. Node's own stream is read where there is one, because the copy that
 * a `Request` makes of it, and its listeners, are a tenth of what a short call costs.
 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { RefusalError } from './errors.ts'

/** Reads a body to its end. Throws 413 for one of more than `limit` bytes, and 400 for one that is cut short. */
export async function readBytes(c: Context, limit: number): Promise<Uint8Array> {
  if (Number(c.req.header('Content-Length') ?? 0) > limit) throw tooLarge(limit)
  const { incoming } = (c.env ?? {}) as { readonly incoming?: IncomingMessage }
  try {
    return await (incoming === undefined
      ? readWeb(c.req.raw.body, limit)
      : readNode(incoming, limit))
  } catch (error) {
    if (error instanceof RefusalError) throw error
    throw new RefusalError('invalid_request', 'The body ended before it was complete.')
  }
}

/** A body piece by piece, as it comes. Throws 413 once it has more than `limit` bytes. */
export async function* readPieces(c: Context, limit: number): AsyncGenerator<Uint8Array> {
  if (Number(c.req.header('Content-Length') ?? 0) > limit) throw tooLarge(limit)
  const { incoming } = (c.env ?? {}) as { readonly incoming?: IncomingMessage }
  let size = 0
  try {
    // A refusal must still be answered on the connection that the rest of the body would come on.
    for await (const chunk of incoming?.iterator({ destroyOnReturn: false }) ??
      c.req.raw.body ??
      []) {
      size += chunk.byteLength
      if (size > limit) throw tooLarge(limit)
      yield chunk
    }
  } catch (error) {
    if (error instanceof RefusalError) throw error
    throw new RefusalError('invalid_request', 'The body ended before it was complete.')
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
      incoming.off('data', take)
      incoming.pause()
      reject(tooLarge(limit))
    }
    const close = () => {
      // Closed it is after the end as well, and an error costs as much as reading.
      if (!incoming.readableEnded) reject(new Error('The connection was closed'))
    }
    incoming.on('data', take)
    incoming.on('end', () => resolve(joined(chunks)))
    incoming.on('error', reject)
    incoming.on('close', close)
    if (incoming.destroyed) close()
  })
}

async function readWeb(
  stream: ReadableStream<Uint8Array> | null,
  limit: number,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of stream ?? []) {
    size += chunk.byteLength
    if (size > limit) throw tooLarge(limit)
    chunks.push(chunk)
  }
  return joined(chunks)
}

/** Most bodies come in one piece, which then is not copied. */
function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [first] = chunks
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks)
}

function tooLarge(limit: number): RefusalError {
  return new RefusalError(
    'payload_too_large',
    `The body is too large; one of at most ${limit} bytes would be accepted.`,
  )
}
