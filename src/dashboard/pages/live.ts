/**
 * The stream that tells a page in a browser which requests may have changed it, by their numbers. It begins after the
 * newest request that the page shows.
 */
import { createParser } from 'eventsource-parser'
import type { Schemas } from '../../library/sandbox.ts'
import type { PageRow } from '../page-kinds/page-row.tsx'
import { isOwnRead } from '../reading/log.ts'

export const liveStream: PageRow = {
  show: async ({ c, send, query }) => {
    // A HEAD wants the headers only, and nobody would ever close a stream for it.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
    const concerns = query('of') === 'requests' ? isOfOthers : isAccepted
    const after = query('after')
    const lastEventId = c.req.header('Last-Event-ID')
    const { body } = await send(
      `/sandbox/requests/stream${after === undefined ? '' : `?after=${encodeURIComponent(after)}`}`,
      lastEventId === undefined ? {} : { headers: { 'Last-Event-ID': lastEventId } },
    )
    const changes = body?.pipeThrough(noticesOf(concerns)) ?? null
    return new Response(changes as ReadableStream | null, {
      headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
    })
  },
}

/** A page follows all requests but its own reads. */
function isOfOthers(event: string): boolean {
  return !isOwnRead(JSON.parse(event))
}

/** A page whose own reading is refused, such as of a deleted record, must not have itself loaded again for it. */
function isAccepted(event: string): boolean {
  const { refusal }: Schemas['Request'] = JSON.parse(event)
  return refusal === null
}

/** A notice in place of each event that concerns the page; signs of life stay. */
function noticesOf(concerns: (event: string) => boolean) {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let parser: ReturnType<typeof createParser>
  return new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => {
      const send = (text: string) => controller.enqueue(encoder.encode(text))
      parser = createParser({
        onEvent: ({ id, data }) => concerns(data) && send(`id: ${id}\ndata: changed\n\n`),
        onComment: () => send(':\n\n'),
      })
    },
    transform: (piece) => parser.feed(decoder.decode(piece, { stream: true })),
  })
}
