/** The bytes of a request body. Owns the size limit. */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { RefusalError } from '../../surface/refusals.ts'

/** Reads a body to its end. Throws 413 for one of more than `limit` bytes, and 400 for one that is cut short. */
export async function readBytes(c: Context, limit: number): Promise<Uint8Array> {
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
    throw error instanceof RefusalError ? error : refuseCutShort()
  }
}

function refuseCutShort(): never {
  throw new RefusalError('invalid_request', 'The body ended before it was complete.')
}

function tooLarge(limit: number): RefusalError {
  return new RefusalError('payload_too_large', `The body must have at most ${limit} bytes.`)
}
