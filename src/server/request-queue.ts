/**
 * How many requests are handled at one time: one of each connection, whose answer the client has to take before the
 * next one is handled, and a bounded number of all connections. Owns the requests that wait; does not listen.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'

/** What clients can have the server do at one time. */
export interface RequestLimits {
  /** Requests that are handled, until their answers begin; those to /health are not held up. */
  readonly handled: number
  /** Requests that were read and wait behind another one of their connection. */
  readonly pending: number
}

/** A request, and the answer to it. */
interface Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
}

interface Connection {
  readonly socket: Socket
  /** Whether a request is handled, or the client has not taken its answer yet. */
  isBusy: boolean
  /** Pipelined requests that wait for the one before them. While there are some, nothing more is read. */
  readonly pending: Exchange[]
}

interface Queue {
  readonly limits: RequestLimits
  readonly handle: (request: IncomingMessage, response: ServerResponse) => unknown
  readonly connections: Map<Socket, Connection>
  /** Requests whose turn it is on their connection, and that wait for a place. */
  readonly line: Set<Exchange>
  handled: number
  pending: number
  isClosing: boolean
}

/** What a server does with its connections and their requests. */
export interface RequestQueue {
  readonly connect: (socket: Socket) => void
  readonly take: (request: IncomingMessage, response: ServerResponse) => void
  /** Closes the connections that wait for no answer, and from now on each one that has its answers. */
  readonly close: () => void
}

/** A queue in front of an app; `hostname` is the host of a request that names none. */
export function requestQueue(app: Hono, hostname: string, limits: RequestLimits): RequestQueue {
  const fetch: typeof app.fetch = (request, env) => {
    const answer = app.fetch(request, env)
    // What is answered at once takes no place.
    if (answer instanceof Promise) holdPlace(queue, answer)
    return answer
  }
  const queue: Queue = {
    limits,
    handle: getRequestListener(fetch, { hostname }),
    connections: new Map(),
    line: new Set(),
    handled: 0,
    pending: 0,
    isClosing: false,
  }
  return {
    connect: (socket) => connect(queue, socket),
    take: (request, response) => take(queue, { request, response }),
    close: () => close(queue),
  }
}

function connect(queue: Queue, socket: Socket): void {
  const connection: Connection = { socket, isBusy: false, pending: [] }
  queue.connections.set(socket, connection)
  socket.once('close', () => {
    queue.connections.delete(socket)
    queue.pending -= connection.pending.length
    connection.pending.length = 0
  })
  // Node resumes a socket when a body is read or a buffer has drained.
  socket.on('resume', () => {
    if (connection.pending.length > 0) socket.pause()
  })
}

function take(queue: Queue, exchange: Exchange): void {
  const connection = queue.connections.get(exchange.request.socket)
  if (connection === undefined || !connection.socket.writable) return
  if (connection.isBusy) postpone(queue, connection, exchange)
  else begin(queue, connection, exchange)
}

/** What was read in one piece with others is parsed already, so that to pause the socket does not bound it alone. */
function postpone(queue: Queue, { socket, pending }: Connection, exchange: Exchange): void {
  if (queue.pending === queue.limits.pending) {
    socket.destroy()
    return
  }
  pending.push(exchange)
  queue.pending += 1
  socket.pause()
}

/** The turn of a request on its connection ends when the client has taken the answer, or is gone. */
function begin(queue: Queue, connection: Connection, exchange: Exchange): void {
  connection.isBusy = true
  exchange.response.once('close', () => {
    queue.line.delete(exchange)
    goOn(queue, connection)
  })
  if (queue.handled < queue.limits.handled || isProbe(exchange)) {
    queue.handle(exchange.request, exchange.response)
  } else {
    queue.line.add(exchange)
  }
}

function goOn(queue: Queue, connection: Connection): void {
  const { socket, pending } = connection
  const next = socket.writable ? pending.shift() : undefined
  if (next === undefined) {
    connection.isBusy = false
    if (queue.isClosing) socket.destroy()
    return
  }
  queue.pending -= 1
  if (pending.length === 0) socket.resume()
  // Other connections have their turn between two requests of one.
  setImmediate(() => begin(queue, connection, next))
}

/** Until it is answered; a stream is answered once it is open. */
function holdPlace(queue: Queue, answer: Promise<unknown>): void {
  queue.handled += 1
  const free = () => {
    queue.handled -= 1
    handleWaiting(queue)
  }
  answer.then(free, free)
}

function handleWaiting(queue: Queue): void {
  for (const exchange of queue.line) {
    if (queue.handled >= queue.limits.handled) return
    queue.line.delete(exchange)
    queue.handle(exchange.request, exchange.response)
  }
}

/** Whether a request asks how the process does, which it says however much it has to do. */
function isProbe({ request }: Exchange): boolean {
  return request.url?.startsWith('/health/') ?? false
}

function close(queue: Queue): void {
  queue.isClosing = true
  for (const { socket, isBusy } of queue.connections.values()) if (!isBusy) socket.destroy()
}
