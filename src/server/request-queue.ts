/**
 * How many requests are handled at one time: one of each connection, whose answer the client has to take before the
 * next one is handled, and a bounded number of all connections. Owns the connections and the requests that wait; does not
 * listen.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { endReading } from '../http/request/body.ts'
import type { Bindings } from '../http/request/context.ts'
import { RefusalError } from '../surface/refusals.ts'
import { answerDefect, invalidAddress, type PendingAnswer } from './before-app.ts'

/** The fewest bytes of a body from one check to the next while requests wait for places. */
const BODY_BYTES_MIN = 2048

/** What clients can have the server do at one time. */
export interface RequestLimits {
  /** Requests that are handled, until their answers begin; those to /health are not held up. */
  readonly handled: number
  /** Requests that were read and wait behind another one of their connection. */
  readonly pending: number
  /** With a further connection, one that waits for its client is closed: a client with many must not shut others out. */
  readonly connections: number
  /** While requests wait for places, how often stalled bodies are looked for. */
  readonly lookMs: number
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
  /** Whether no more requests can be read. */
  isLast: boolean
  /** The request that came last, and its answer; null before the first. */
  exchange: Exchange | null
  /** The bytes of the body at the last check; null while no body is read. */
  bytesSeen: number | null
  /** Pipelined requests that wait for the one before them. While there are some, nothing more is read. */
  readonly pending: Exchange[]
}

/** A queue in front of an app. Its identity is the connections of one server. */
export class RequestQueue {
  readonly #limits: RequestLimits
  readonly #handle: (request: IncomingMessage, response: ServerResponse) => unknown
  readonly #connections = new Map<Socket, Connection>()
  /** Requests whose turn it is on their connection, and that wait until fewer are handled. */
  readonly #waiting = new Set<Exchange>()
  #handled = 0
  #pending = 0
  #isClosing = false
  #nextLook: NodeJS.Timeout | null = null

  /** `hostname` is the host of a request without a Host header. */
  constructor(app: Hono, hostname: string, limits: RequestLimits) {
    this.#limits = limits
    // The request that the listener reads: it hands it on, or refuses it, before it gives way to others.
    let unread: IncomingMessage | null = null
    const fetch: typeof app.fetch = (request, env) => {
      unread = null
      ;(env as Bindings).releaseSlot = this.#releaseSlot
      const answer = app.fetch(request, env)
      // What is answered at once is not counted.
      if (answer instanceof Promise) this.#count(answer)
      return answer
    }
    const errorHandler = () => {
      const refused = unread
      unread = null
      return refused === null ? answerDefect() : invalidAddress(refused)
    }
    const handle = getRequestListener(fetch, { hostname, errorHandler })
    this.#handle = (request, response) => {
      unread = request
      return handle(request, response)
    }
  }

  connect(socket: Socket): void {
    if (this.#connections.size >= this.#limits.connections && !this.#makeRoom()) {
      socket.destroy()
      return
    }
    const connection: Connection = {
      socket,
      isBusy: false,
      isLast: false,
      exchange: null,
      bytesSeen: null,
      pending: [],
    }
    this.#connections.set(socket, connection)
    socket.once('close', () => {
      this.#connections.delete(socket)
      this.#pending -= connection.pending.length
      connection.pending.length = 0
    })
    // Node resumes a socket when a body is read or a buffer has drained.
    socket.on('resume', () => {
      if (connection.pending.length > 0) socket.pause()
    })
  }

  /** What a connection owes its client; the request that is being read, where nothing of its answer was sent. */
  pendingAnswerOn(socket: Socket): PendingAnswer {
    const { isBusy = false, exchange = null } = this.#connections.get(socket) ?? {}
    if (!isBusy || exchange === null) return 'nothing'
    const { request, response } = exchange
    if (response.headersSent && !response.writableEnded) return 'rest'
    return request.complete || response.headersSent ? 'answer' : request
  }

  /** Closes a connection of which no more can be read, once its client has the answers to what was read. */
  closeAfterAnswer(socket: Socket): void {
    const connection = this.#connections.get(socket)
    if (connection !== undefined) connection.isLast = true
  }

  take(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#connections.get(request.socket)
    if (connection === undefined || !connection.socket.writable) return
    if (connection.isBusy) this.#postpone(connection, { request, response })
    else this.#begin(connection, { request, response })
  }

  /** Closes the connections that wait for no answer, and from now on each one that has its answers. */
  close(): void {
    this.#isClosing = true
    for (const { socket, isBusy } of this.#connections.values()) if (!isBusy) socket.destroy()
  }

  /**
   * Closes the connection that is missed least, and answers whether there was one: one that never sent a request, one
   * between two requests, or one whose request does not end; the oldest of these. What waits for us stays.
   */
  #makeRoom(): boolean {
    // They are in the order in which they came, or were used last.
    const all = [...this.#connections.values()]
    const least =
      all.find(({ exchange }) => exchange === null) ??
      all.find(({ isBusy }) => !isBusy) ??
      all.find(({ exchange }) => exchange?.request.complete === false)
    if (least === undefined) return false
    this.#connections.delete(least.socket)
    least.socket.destroy()
    return true
  }

  /** What was read in one piece with others is parsed already, so that to pause the socket does not bound it alone. */
  #postpone({ socket, pending }: Connection, exchange: Exchange): void {
    if (this.#pending === this.#limits.pending) {
      socket.destroy()
      return
    }
    pending.push(exchange)
    this.#pending += 1
    socket.pause()
  }

  /** The turn of a request on its connection ends when the client has taken the answer, or is gone. */
  #begin(connection: Connection, exchange: Exchange): void {
    const { request, response } = exchange
    const { socket } = connection
    if (this.#connections.delete(socket)) this.#connections.set(socket, connection)
    connection.isBusy = true
    connection.exchange = exchange
    connection.bytesSeen = null
    response.once('close', () => {
      this.#waiting.delete(exchange)
      this.#next(connection)
    })
    // The health is answered however much there is to do.
    const isProbe = request.url?.startsWith('/health/')
    if (this.#handled < this.#limits.handled || isProbe) {
      this.#handle(request, response)
      return
    }
    this.#waiting.add(exchange)
    this.#nextLook ??= this.#lookLater()
  }

  /** What came while the process did something else is read before it looks. */
  #lookLater(): NodeJS.Timeout {
    return setTimeout(() => setImmediate(() => this.#endStalled()), this.#limits.lookMs).unref()
  }

  /** Ends the requests that hold a place and bring hardly anything of their bodies, while others wait for one. */
  #endStalled(): void {
    const isWaited = this.#waiting.size > 0
    for (const connection of this.#connections.values()) {
      const { socket, exchange, bytesSeen } = connection
      const bytes = isWaited && this.#isComing(connection) ? socket.bytesRead : null
      connection.bytesSeen = bytes
      if (exchange === null || bytes === null || bytesSeen === null) continue
      if (bytes - bytesSeen < BODY_BYTES_MIN) this.#end(exchange, bytes - bytesSeen)
    }
    this.#nextLook = isWaited ? this.#lookLater() : null
  }

  /** Whether a request has a place, and all that came of its body was read. */
  #isComing({ isBusy, exchange }: Connection): boolean {
    if (!isBusy || exchange === null || this.#waiting.has(exchange)) return false
    const { complete, readableLength } = exchange.request
    return !complete && readableLength === 0
  }

  #end({ request, response }: Exchange, bytes: number): void {
    const rule = `at least ${BODY_BYTES_MIN} bytes in ${this.#limits.lookMs} ms while other requests wait`
    const message = `The body must bring ${rule}; it brought ${bytes}.`
    if (response.headersSent) request.destroy()
    else endReading(request, new RefusalError('request_timeout', message))
  }

  #next(connection: Connection): void {
    const { socket, pending } = connection
    const next = socket.writable ? pending.shift() : undefined
    if (next === undefined) {
      connection.isBusy = false
      if (this.#isClosing || connection.isLast) socket.destroySoon()
      return
    }
    this.#pending -= 1
    if (pending.length === 0) socket.resume()
    // Other connections have their turn between two requests of one.
    setImmediate(() => this.#begin(connection, next))
  }

  /** Counts a request as handled until it is answered; a stream is answered once it is open. */
  #count(answer: Promise<unknown>): void {
    this.#handled += 1
    const end = () => this.#release()
    answer.then(end, end)
  }

  /** Handles other requests in the place of one that only waits. */
  readonly #releaseSlot = async (wait: Promise<unknown>): Promise<void> => {
    this.#release()
    await wait
    this.#handled += 1
  }

  #release(): void {
    this.#handled -= 1
    for (const exchange of this.#waiting) {
      if (this.#handled >= this.#limits.handled) return
      this.#waiting.delete(exchange)
      this.#handle(exchange.request, exchange.response)
    }
  }
}
