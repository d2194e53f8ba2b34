/** What tells a page in a browser that it should be loaded again: that the stream of events, or of requests, goes on. */
import type { Hono } from 'hono'

export function livePages(pages: Hono): void {
  pages.get('/live', async (c) => {
    // A HEAD wants the headers only, and nobody would ever close a stream for it.
    if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
    const of = c.req.query('of') === 'requests' ? 'requests' : 'events'
    const { body } = await c.get('visit').send(`/sandbox/${of}/stream`)
    const changes = body?.pipeThrough(onlyThatSomethingCame()) ?? null
    return new Response(changes as ReadableStream | null, {
      headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' },
    })
  })
}

/** However much comes at once, the page is loaded again once. */
function onlyThatSomethingCame() {
  return new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      const isMessage = new TextDecoder().decode(piece).includes('data:')
      controller.enqueue(new TextEncoder().encode(isMessage ? 'data: changed\n\n' : ':\n\n'))
    },
  })
}
