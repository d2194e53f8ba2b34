/** Answers in pieces, so that a large one is never made as one string. */
import { Readable } from 'node:stream'
import { holdMeter, type OperationRun } from '../world/hold-meter.ts'

type Pieces = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>

/** A response whose body is the pieces, one after another. */
export function stream(pieces: Pieces, headers: Record<string, string>, status = 200): Response {
  const body = Readable.toWeb(Readable.from(bytesOf(pieces, holdMeter.running)))
  return new Response(body as ReadableStream<Uint8Array>, { status, headers })
}

async function* bytesOf(pieces: Pieces, run: OperationRun | null): AsyncGenerator<Uint8Array> {
  holdMeter.mark(run)
  for await (const piece of pieces) {
    yield typeof piece === 'string' ? Buffer.from(piece) : piece
    holdMeter.mark(run)
  }
}
