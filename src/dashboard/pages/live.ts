/** What tells a page in a browser that it should be loaded again: that a request came which may have changed what it shows. */
import { createParser } from 'eventsource-parser'
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'

export function livePages(pages: Hono): void {
  pages.get('/live', async (c) => {
    // A HEAD wants the headers only, and nobody would ever close a stream for it.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
    const tells = c.req.query('of') === 'requests' ? () => true : isAccepted
    const { body } = await c.get('visit').send('/sandbox/requests/stream')
    const changes = body?.pipeThrough(noticesOf(tells)) ?? null
    return new Response(changes as ReadableStream | null, {
      headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
    })
  })
}

/** A page whose own reading is refused, such as of a record that is gone, must not have itself loaded again for it. */
function isAccepted(data: string): boolean {
  const { refusal }: Schemas['Request'] = JSON.parse(data)
  return refusal === null
}

/** That something came, in place of what came; signs of life stay. */
function noticesOf(tells: (data: string) => boolean) {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let parser: ReturnType<typeof createParser>
  return new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => {
      const send = (text: string) => controller.enqueue(encoder.encode(text))
      parser = createParser({
        onEvent: ({ data }) => tells(data) && send('data: changed\n\n'),
        onComment: () => send(':\n\n'),
      })
    },
    transform: (piece) => parser.feed(decoder.decode(piece, { stream: true })),
  })
}
