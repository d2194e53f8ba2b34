/**
 * What is noted of a request and its answer: for the log of its sandbox, and for the log of the process. Owns what is
 * noted, and which requests a sandbox keeps.
 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Content, NotedRequest } from '../sandbox/request-log.ts'
import type { ToldCall } from '../sandbox/story.ts'
import type { RefusalError } from '../surface/refusals.ts'

/** Is told of every answered request. */
export type Observer = (noted: NotedRequest, sandboxId: string) => void

declare module 'hono' {
  interface ContextVariableMap {
    observer?: Observer | undefined
    /** When its first check began, on the clock of `performance`. */
    startedAt: number
    /** The bytes of its body, once they are read. */
    received?: Uint8Array
    refusal?: RefusalError
    /** The fault that shaped its answer. */
    fault?: string
  }
}

const utf8 = new TextDecoder()

/** The most bytes of a body that are kept. */
const BODY_KEPT_BYTES = 8192

/** An answer, as far as it is noted; the text is null where it is none, or comes in pieces. */
export interface Answered {
  readonly status: number
  readonly mediaType: string | null
  readonly text: string | null
}

/** Notes a request and its answer. Nothing is noted of what is for no sandbox, such as health and documents. */
export function noteRequest(c: Context, answered: Answered): void {
  const { sandbox, requestId = '', refusal, observer } = c.var
  const { method } = c.req
  const noted: NotedRequest = {
    requestId,
    method,
    target: targetOf(c),
    headers: headersOf(c),
    sent: sentBy(c),
    operationId: c.get('operation')?.operationId ?? null,
    status: answered.status,
    answered: contentOf(answered),
    refusal: refusal ?? null,
    assumptions: [...(c.get('assumptions') ?? [])],
    fault: c.get('fault') ?? null,
    at: sandbox.now(),
    durationMs: performance.now() - c.get('startedAt'),
    replacements: sandbox.replacements,
  }
  observer?.(noted, sandbox.id)
  const isLook = isRead(method) && !isDocumented(noted.target)
  if (!isLook) sandbox.story.add(callOf(c, noted, answered.text))
  // Reads that succeed would push out what somebody looks for: polling is most of them.
  if (!isLook || noted.refusal !== null) sandbox.noteRequest(noted)
}

/** What the story of the sandbox keeps of a request that may have changed something. */
function callOf(c: Context, noted: NotedRequest, answer: string | null): ToldCall {
  const { requestId, replacements, method, target, headers, operationId, status, refusal } = noted
  return {
    requestId,
    replacements,
    method,
    target,
    headers,
    body: c.get('received') ?? null,
    operationId,
    status,
    answer,
    isVaried: noted.assumptions.includes('access-tokens-on-subscription-calls'),
    // The error itself would hold all that stood around it.
    refusal: refusal === null ? null : { code: refusal.code, message: refusal.message },
  }
}

function isRead(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method)
}

/** Whether a path is on the documented surface, where nothing is only looked at. */
function isDocumented(target: string): boolean {
  return /^\/v1(?:[/?]|$)/.test(target)
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
  const bytes = received.byteLength
  const isText = bytes > 0 && bytes <= BODY_KEPT_BYTES
  return { mediaType, bytes, text: isText ? utf8.decode(received) : null }
}

function contentOf({ mediaType, text }: Answered): Content {
  if (text === null) return { mediaType, text, bytes: null }
  const bytes = Buffer.byteLength(text)
  return { mediaType, bytes, text: bytes <= BODY_KEPT_BYTES ? text : null }
}
