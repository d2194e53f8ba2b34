/** A client of /v1 that tells what it met, also where that is no answer of the documents. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type Listener, listen } from '../../src/server/listen.ts'
import type { WireFault } from '../../src/wire/sandbox/fault.ts'
import { openShop, type Shop } from './control.ts'

export const faultsPath = '/sandbox/faults'

const key = { Authorization: 'Bearer sk_sandbox_default' }
const order = { customer_id: 'cus_ada', plan: 'basic' }

/** A shop behind a port. */
export interface FaultyShop {
  readonly shop: Shop
  readonly listener: Listener
}

export async function openFaultyShop(
  limits?: NonNullable<Parameters<typeof listen>[1]['limits']>,
): Promise<FaultyShop> {
  const shop = await openShop()
  const address = { host: '127.0.0.1', port: 0 }
  return { shop, listener: await listen(shop.app, limits ? { ...address, limits } : address) }
}

/** Makes a fault; answers it. Throws where it is refused. */
export async function makeFault(shop: Shop, fault: object): Promise<WireFault> {
  const { status, body, text } = await shop.post<WireFault>(faultsPath, fault)
  if (status !== 201) throw new Error(text)
  return body
}

/** Faults as they stand, oldest first. */
export async function faultsOf(shop: Shop, query = ''): Promise<readonly WireFault[]> {
  const { body } = await shop.get<{ data: WireFault[] }>(`${faultsPath}${query}`)
  return body.data
}

/** Subscribes inside the process; whatever comes is answered as it is. */
export async function subscribe(
  shop: Shop,
  sent: { readonly fields?: object; readonly headers?: Record<string, string> } = {},
): Promise<Response> {
  return shop.app.request('/v1/subscriptions', {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json', ...sent.headers },
    body: JSON.stringify({ ...order, ...sent.fields }),
  })
}

/** The statuses of so many subscriptions one after another. */
export async function statuses(shop: Shop, count: number): Promise<readonly number[]> {
  const answered: number[] = []
  for (let left = count; left > 0; left -= 1) answered.push((await subscribe(shop)).status)
  return answered
}

/** Subscribes over the network, as `fetch` sees it. */
export function fetchSubscribe({ listener }: FaultyShop, fields: object = {}): Promise<Response> {
  return fetch(`${listener.url}/v1/subscriptions`, {
    method: 'POST',
    headers: { ...key, 'Content-Type': 'application/json' },
    body: JSON.stringify({ ...order, ...fields }),
  })
}

/** How many subscriptions there are. */
export async function subscriptionsIn(shop: Shop): Promise<number> {
  return (await shop.get<{ data: unknown[] }>('/sandbox/subscriptions')).body.data.length
}

/** How many calls on /v1 are over, as far as the request log goes. */
export async function loggedCalls(shop: Shop): Promise<number> {
  const { body } = await shop.get<{ data: { request: { path: string } }[] }>('/sandbox/requests')
  return body.data.filter(({ request }) => request.path.startsWith('/v1')).length
}

/** The bytes of a call that subscribes. */
export function rawSubscribe(): string {
  const body = JSON.stringify(order)
  const head = [
    'POST /v1/subscriptions HTTP/1.1',
    'Host: localhost',
    `Authorization: ${key.Authorization}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** A piece of what came, and how long after the beginning. */
export interface Piece {
  readonly text: string
  readonly afterMs: number
}

/** A bare connection, all that came on it so far, and its end. */
export interface RawConnection {
  readonly socket: Socket
  readonly pieces: readonly Piece[]
  readonly text: () => string
  readonly ended: Promise<unknown>
}

/** Connects, and sends these bytes at once. */
export async function sendRaw({ listener }: FaultyShop, bytes: string): Promise<RawConnection> {
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(listener.url).port) })
  const pieces: Piece[] = []
  const ended = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  const start = performance.now()
  socket.on('data', (chunk) => {
    pieces.push({ text: chunk.toString(), afterMs: performance.now() - start })
  })
  socket.write(bytes)
  const text = () => pieces.map((piece) => piece.text).join('')
  return { socket, pieces, text, ended }
}

/** What stands before and after the empty line of an answer. */
export function partsOf(answer: string): { readonly head: string; readonly body: string } {
  const [head = '', ...rest] = answer.split('\r\n\r\n')
  return { head, body: rest.join('\r\n\r\n') }
}
