/** Bodies in chunks of one byte: read whole, a bounded number of pieces in one turn of the event loop. */
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { Hono } from 'hono'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readBytes, takePieces } from '../../src/http/request/body.ts'
import { type Listener, listen } from '../../src/server/listen.ts'

const CHUNKS = 30_000
/** The most pieces that a reader gets in one turn. */
const PIECES_MAX = 257

let listener: Listener
/** The most pieces that were handed over in one turn. */
let most: number

beforeEach(async () => {
  most = 0
  const app = new Hono<{ Bindings: { incoming: IncomingMessage } }>()
  app.get('/nothing', (c) => c.text('<nothing>'))
  app.post('/whole', async (c) => {
    countTurns(c.env.incoming)
    return c.text(`<${(await readBytes(c, CHUNKS)).length}>`)
  })
  app.put('/pieces', async (c) => {
    let size = 0
    let pieces = 0
    await takePieces(c, CHUNKS, (piece) => {
      size += piece.length
      pieces += 1
    })
    most = pieces > CHUNKS / 10 ? pieces : 0
    return c.text(`<${size}>`)
  })
  listener = await listen(app as unknown as Hono, { host: '127.0.0.1', port: 0 })
})
afterEach(() => listener.close())

function countTurns(incoming: IncomingMessage): void {
  let pieces = 0
  incoming.on('data', () => {
    if (pieces === 0) setImmediate(() => (pieces = 0))
    pieces += 1
    most = Math.max(most, pieces)
  })
}

const body = `${'1\r\n \r\n'.repeat(CHUNKS)}0\r\n\r\n`
const head = (call: string, ...lines: string[]) =>
  [`${call} HTTP/1.1`, 'Host: localhost', ...lines, '', ''].join('\r\n')
const chunked = 'Transfer-Encoding: chunked'

it.each([
  ['POST /whole', `<${CHUNKS}>`],
  ['PUT /pieces', `<${CHUNKS}>`],
  ['GET /nothing', '<nothing>'],
])(
  '%s reads them in many turns, and the next request of the connection after it',
  async (...[call, answer]) => {
    const sockets = [1, 2, 3].map(() => connect(Number(new URL(listener.url).port), '127.0.0.1'))
    const texts = sockets.map(async (socket) => {
      let text = ''
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1')
      })
      const last = head('GET /nothing', 'Connection: close')
      socket.write(`${head(call, chunked)}${body}${last}`)
      await once(socket, 'close')
      return text.match(/<\w+>/g)
    })
    expect(await Promise.all(texts)).toEqual(sockets.map(() => [answer, '<nothing>']))
    expect(most).toBeLessThanOrEqual(PIECES_MAX)
  },
)
