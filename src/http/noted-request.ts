/**
 * What is noted of a request and its answer: for the log of its sandbox, and for the log of the process. Owns what is
 * noted, and which requests a sandbox keeps.
 */
import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import type { Content, NotedRequest } from '../sandbox/request-log.ts'
import type { ToldCall } from '../sandbox/story.ts'
import { type RefusalError, shortened } from '../surface/refusals.ts'
import type { Instant } from '../time/instant.ts'
import { isSafeMethod } from './safe-method.ts'

/** Is told of every answered request. */
export type Observer = (noted: NotedRequest, sandboxId: string) => void

declare module 'hono' {
  interface ContextVariableMap {
    /** When its first check began, on the clock of `performance`. */
    startedAt: number
    /** The bytes of its body, once they are read. */
    received?: Uint8Array
    refusal?: RefusalError | undefined
    /** The fault that hits it, by its id. */
    fault?: string
    /** What is to be noted of it once the fault has had its part in the answer. */
    answered?: Answered
  }
}

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
  const { requestId = '', replacements, eventsBefore = null } = c.get('counted') ?? {}
  const noted: NotedRequest = {
    requestId,
    method: c.req.method,
    target: targetOf(c),
    headers: headersOf(c),
    sent: sentBy(c),
    operationId: c.get('operation')?.operationId ?? null,
    status: answered.status,
    answered: contentOf(answered),
    refusal: refusalOf(c),
    assumptions: c.get('assumptions') ?? none,
    fault: c.get('fault') ?? null,
    at,
    durationMs: performance.now() - c.get('startedAt'),
    replacements: replacements ?? sandbox.replacements,
    eventsBefore,
  }
  c.get('server').observer?.(noted, sandbox.id)
  const surface = /^\/v1(?:[/?]|$)/.test(noted.target) ? 'documented' : 'control'
  sandbox.coverage.note(noted, {
    surface,
    consumer: consumerOf(c),
    settings: sandbox.settings,
  })
  const isLook = surface === 'control' && isSafeMethod(noted.method)
  const isQuestion = asksOnly(c)
  if (!isLook && sandbox.story.isKept) {
    sandbox.story.add(callOf(c, noted, { answer: answered.text, isQuestion }))
  }
  // Reads that succeed would push out what somebody looks for: polling is most of them.
  if ((isLook || isQuestion) && noted.refusal === null) return
  sandbox.requestLog.add(noted)
  sandbox.notifications.emit('request')
}

/** The name of the consumer as it may be shown: it may be a key that was put into the wrong header. */
function consumerOf({ req }: Context): string | null {
  const name = req.header('sandbox-consumer')
  return name ? shortened(name) : null
}

/** What the story of the sandbox keeps of a request that may have changed something. */
function callOf(
  c: Context,
  noted: NotedRequest,
  told: Pick<ToldCall, 'answer' | 'isQuestion'>,
): ToldCall {
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
    ...told,
    isVaried: noted.assumptions.has('access-tokens-on-subscription-calls'),
    refusal,
  }
}

/** Whether a call only asks, whatever its method: what would be, or what an advance would do. */
function asksOnly(c: Context): boolean {
  const operation = c.get('operation')
  if (operation?.operationId !== 'advanceClock') return operation?.isQuestion === true
  return /"dry_run"\s*:\s*true/.test(Buffer.from(c.get('received') ?? '').toString())
}

/** The error itself would hold all that stood around it for as long as it is kept. */
function refusalOf(c: Context): NotedRequest['refusal'] {
  const refusal = c.get('refusal')
  if (refusal === undefined) return null
  const { code, message, fields } = refusal
  return { code, message, fields }
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
  if (received === undefined) return { mediaType, body: null, bytes: null }
  const bytes = received.byteLength
  const isKept = bytes > 0 && bytes <= BODY_KEPT_BYTES
  return { mediaType, bytes, body: isKept ? received : null }
}

function contentOf({ mediaType, text }: Answered): Content {
  // No character has more than three bytes.
  if (text === null || text.length * 3 <= BODY_KEPT_BYTES)
    return { mediaType, body: text, bytes: null }
  const bytes = Buffer.byteLength(text)
  return { mediaType, body: bytes <= BODY_KEPT_BYTES ? text : null, bytes }
}
