/**
 * The request log of one sandbox: its newest requests with their answers, in memory only. Owns how many are kept; what
 * of them may be shown is decided by who shows them.
 */
import type { Instant } from '../time/instant.ts'
import type { World } from '../world/world.ts'

export const REQUESTS_KEPT = 250

/** One request and its answer, as they were: secrets are in it. */
export interface RequestLogEntry {
  readonly requestId: string
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Whether the base address of its sandbox placed it; `target` leaves that out. */
  readonly byAddress: boolean
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[]
  readonly sent: Content
  /** Null where no operation fits path and method. */
  readonly operationId: string | null
  /** Null where the connection was closed instead. */
  readonly status: number | null
  readonly answered: Content
  readonly refusal: RefusedBecause | null
  readonly assumptions: ReadonlySet<string>
  /** The fault that shaped the answer. */
  readonly fault: string | null
  /** The virtual now of the answer. */
  readonly at: Instant
  /** When it was answered, in milliseconds of real time. */
  readonly answeredMs: number
  /** From the first check to the answer, in real milliseconds. */
  readonly durationMs: number
  /** How often the sandbox's world had been replaced when it came: request ids restart after a reset. */
  readonly replacements: number
  /** The number of the newest event before it; null where it is not known, or of another world. */
  readonly eventsBefore: number | null
}

/** What was sent in one direction. */
export interface Content {
  readonly mediaType: string | null
  /** As it was sent or written, so that most are never converted; null if there is none, or more than is kept. */
  readonly body: Uint8Array | string | null
  /** Its length where it is known without its body. */
  readonly bytes: number | null
}

const utf8 = new TextDecoder()

/** What was sent as text; null if there is none, or more than is kept. */
export function bodyTextOf({ body }: Content): string | null {
  return ArrayBuffer.isView(body) ? utf8.decode(body) : body
}

/** How many bytes were sent; null where they were not read. */
export function bytesOf({ body, bytes }: Content): number | null {
  return typeof body === 'string' ? Buffer.byteLength(body) : (body?.byteLength ?? bytes)
}

export interface RefusedBecause {
  readonly code: string
  readonly message: string
  readonly fields: readonly { readonly field: string; readonly message: string }[]
}

/** A request under its number. */
export interface Logged {
  /** Counts on through resets, so that a stream can go on after any of them. */
  readonly number: number
  readonly noted: RequestLogEntry
}

/** A log. Its identity is the numbers that it gave. */
export class RequestLog {
  #kept: Logged[] = []
  #newest = 0
  #since = 0

  /** The number of the newest request; 0 before the first. */
  get newest(): number {
    return this.#newest
  }

  /** Adds a request, unless the log was cleared after it came. */
  add(entry: RequestLogEntry): void {
    if (entry.replacements < this.#since) return
    this.#newest += 1
    this.#kept.push({ number: this.#newest, noted: entry })
    if (this.#kept.length > REQUESTS_KEPT) this.#kept.shift()
  }

  /** Those with a number above `number`, oldest first. */
  after(number: number): readonly Logged[] {
    return this.#kept.filter((each) => each.number > number)
  }

  /** Forgets all requests, also those that are not answered yet: of before so many replacements. */
  clear(replacements: number): void {
    this.#kept = []
    this.#since = replacements
  }
}

/** The highest number among the requests that changed a world, as far as its events are stored; they commit out of order. */
export function newestRequestIn({ events }: World): number {
  let newest = 0
  // Requests before a reset or a restore were counted separately.
  events.findLast(({ subject, cause }) => {
    newest = Math.max(newest, Number(/^req_(\d{1,15})$/.exec(cause.requestId ?? '')?.[1] ?? 0))
    return subject.kind === 'sandbox'
  })
  return newest
}
