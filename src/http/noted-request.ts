/**
 * What is noted of a request and its answer: for the log of its sandbox, and for the log of the process. Owns what is
 * noted, and which requests a sandbox keeps.
 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Content, NotedRequest } from '../sandbox/request-log.ts'
import type { RefusalError } from '../surface/refusals.ts'
import type { Instant } from '../time/instant.ts'

/** Is told of every answered request. */
export type Observer = (noted: NotedRequest, sandboxId: string) => void

declare module 'hono' {
  interface ContextVariableMap {
    observer?: Observer | undefined
    /** When its first check began, on the clock of `performance`. */
    startedAt: number
    /** What came as its body, once that is read. */
    received?: { readonly size: number; readonly kept: Uint8Array | null }
    refusal?: RefusalError | undefined
    /** The fault that hits it, by its id. */
    fault?: string
    /** What is to be noted of it once the fault has had its part in the answer. */
    answered?: Answered
  }
}

const utf8 = new TextDecoder()

const none: ReadonlySet<string> = new Set()

/** The most bytes of a body that are kept. */
const BODY_KEPT_BYTES = 8192

/** An answer, as far as it is noted; the text is null where it is none, or comes in pieces. */
export interface Answered {
  /** Null where the connection was closed instead. */
  readonly status: number | null
  readonly mediaType: string | null
  readonly text: string | null
}

/** Notes what came as a body. A call may be held up, so that it does not hold on to what is noted of none. */
export function noteReceived(c: Context, bytes: Uint8Array): void {
  const size = bytes.byteLength
  c.set('received', { size, kept: size > 0 && size <= BODY_KEPT_BYTES ? bytes : null })
}

/** Notes a request and its answer; where a fault hits it, not before `noteFaulted` is called. */
export function noteRequest(c: Context, answered: Answered, at: Instant): void {
  if (c.get('fault') === undefined) note(c, answered, at)
  else c.set('answered', answered)
}

/** Notes a request that a fault hit, with the answer as the client gets it. */
export function noteFaulted(c: Context): void {
  const answered = c.get('answered')
  if (answered !== undefined) note(c, answered, c.get('sandbox').now())
}

function note(c: Context, answered: Answered, at: Instant): void {
  const sandbox = c.get('sandbox')
  const noted: NotedRequest = {
    requestId: c.get('requestId') ?? '',
    method: c.req.method,
    target: targetOf(c),
    headers: headersOf(c),
    sent: sentBy(c),
    operationId: c.get('operation')?.operationId ?? null,
    status: answered.status,
    answered: contentOf(answered),
    refusal: c.get('refusal') ?? null,
    assumptions: c.get('assumptions') ?? none,
    fault: c.get('fault') ?? null,
    at,
    durationMs: performance.now() - c.get('startedAt'),
    replacements: c.get('replacements') ?? sandbox.replacements,
  }
  c.get('observer')?.(noted, sandbox.id)
  if (isKept(noted)) sandbox.noteRequest(noted)
}

/** Reads on the control plane that succeed would push out what somebody looks for: polling is most of them. */
function isKept({ method, target, refusal }: NotedRequest): boolean {
  const isRead = ['GET', 'HEAD', 'OPTIONS'].includes(method)
  return refusal !== null || !isRead || /^\/v1(?:[/?]|$)/.test(target)
}

function targetOf({ req: { url } }: Context): string {
  return url.slice(url.indexOf('/', url.indexOf('//') + 2))
}

function headersOf(c: Context): readonly string[] {
  const { incoming } = (c.env ?? {}) as { readonly incoming?: IncomingMessage }
  return incoming?.rawHeaders ?? [...c.req.raw.headers].flat()
}

function sentBy(c: Context): Content {
  const mediaType = c.req.header('content-type') ?? null
  const received = c.get('received')
  if (received === undefined) return { mediaType, text: null, bytes: null }
  const { size, kept } = received
  return { mediaType, bytes: size, text: kept === null ? null : utf8.decode(kept) }
}

function contentOf({ mediaType, text }: Answered): Content {
  if (text === null) return { mediaType, text, bytes: null }
  const bytes = Buffer.byteLength(text)
  return { mediaType, bytes, text: bytes <= BODY_KEPT_BYTES ? text : null }
}
