/** A receiver of webhooks: a real server on loopback, which verifies what it gets with the library's own verifier. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { onTestFinished } from 'vitest'
import type { WireEvent } from '../../src/wire/events/event.ts'

export const SECRET = `whsec_${Buffer.from('a secret of the tests, 32 bytes!').toString('base64')}`

/** What was received, once it was verified. */
export interface Heard {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly sandboxId: string
  readonly event: WireEvent
}

/** How a receiver behaves: a status, a connection that is dropped, or no answer at all. */
export type Behaviour = number | 'drop' | 'hang'
export type Handler = (heard: Heard, count: number) => Behaviour | Promise<Behaviour>

export interface Receiver {
  readonly url: string
  /** Everything that it got, failures included, in order. */
  readonly heard: readonly Heard[]
  /** The number of the event of each. */
  readonly seqs: () => readonly number[]
  /** Waits until it got so many. */
  readonly until: (count: number) => Promise<void>
}

/** Opens a receiver, which answers 204 unless told otherwise, and closes it with the test. */
export async function openReceiver(
  behave: Handler = () => 204,
  secret = SECRET,
): Promise<Receiver> {
  const heard: Heard[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const message = verified(await text(request), request, secret)
    heard.push(message)
    for (const { count, resolve } of waiting) if (heard.length >= count) resolve()
    const behaviour = await behave(message, heard.length)
    if (behaviour === 'drop') request.socket.destroy()
    else if (behaviour !== 'hang') response.writeHead(behaviour, { Location: '/elsewhere' }).end()
  }
  const server = createServer((request, response) => void receive(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hook`,
    heard,
    seqs: () => heard.map(({ event }) => event.seq),
    until: (count) =>
      heard.length >= count
        ? Promise.resolve()
        : new Promise((resolve) => waiting.push({ count, resolve })),
  }
}

function verified(body: string, { headers }: IncomingMessage, secret: string): Heard {
  const payload = new Webhook(secret).verify(body, headers as Record<string, string>)
  const { sandbox_id: sandboxId, data: event, ...rest } = payload as Payload
  return { id: String(headers['webhook-id']), sandboxId, event, ...rest }
}

type Payload = Pick<Heard, 'type' | 'timestamp'> & {
  readonly sandbox_id: string
  readonly data: WireEvent
}
