/**
 * Logging an answered request: for its sandbox (request log, coverage, recording), and for the log of the process. Owns
 * what an entry holds, and which requests each of them keeps.
 */
import type { Context } from 'hono'
import type { Content, RequestLogEntry } from '../sandbox/request-log.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { shorten } from '../surface/refusals.ts'
import { DASHBOARD } from '../wire/sandbox/request.ts'
import { addressedId, documentedTarget, isDocumentedPath } from './base-address.ts'
import { isSafeMethod } from './guard.ts'
import { bindingsOf, type LoggedReply } from './request/context.ts'
import { isOfServer } from './request-id.ts'

const none: ReadonlySet<string> = new Set()

/** The most bytes of a body that are kept. */
const BODY_KEPT_BYTES = 8192

/** The last step: logs a request with its answer. The server's own are logged only where nothing is at their path. */
export function logRequest(c: Context): void {
  const reply = c.get('reply')
  if (reply === undefined) return
  const isMisled = reply.status === 404 || reply.status === 405
  if (isOfServer(c) && !isMisled) return
  const sandbox = c.get('sandbox')
  const entry = entryOf(c, reply, sandbox)
  c.get('server').observer?.(entry, sandbox)
  const received = c.get('received') ?? null
  const surface = isDocumentedPath(c.req.path) ? 'documented' : 'control'
  const { settings } = sandbox
  const status = c.get('documentedStatus') ?? reply.status
  sandbox.coverage.note(entry, { surface, consumer: consumerOf(c), settings, status })
  if (surface === 'documented') {
    const before = c.get('before') ?? null
    c.get('server').onCall?.({ body: received, answer: reply.text, before, ...entry })
  }
  const isRead = surface === 'control' && isSafeMethod(entry.method)
  const isQuestion = asksOnly(c)
  if (!isRead && sandbox.recording.isKept) {
    // The entry comes last: V8 takes some microseconds for each field that is added to a spread object.
    sandbox.recording.add({
      body: received,
      answer: reply.text,
      isQuestion,
      ...entry,
    })
  }
  if ((isRead || isQuestion) && !isNoteworthy(c, entry)) return
  sandbox.requestLog.add(entry)
  sandbox.notifications.emit('request')
}

/** Reads that succeed would push out what somebody looks for: polling is most of them. So would all those of a page. */
function isNoteworthy(c: Context, { refusal }: RequestLogEntry): boolean {
  return refusal !== null && consumerOf(c) !== DASHBOARD
}

function entryOf(c: Context, reply: LoggedReply, sandbox: Sandbox): RequestLogEntry {
  const { requestId = '', replacements, eventsBefore = null } = c.get('counted') ?? {}
  const fault = c.get('fault') ?? null
  return {
    requestId,
    method: c.req.method,
    target: documentedTarget(c),
    byAddress: addressedId(c) === sandbox.id,
    headers: headersOf(c, sandbox),
    sent: sentContent(c),
    operationId: c.get('operation')?.operationId ?? null,
    status: reply.status,
    answered: repliedContent(reply),
    refusal: refusalOf(c),
    assumptions: c.get('assumptions') ?? none,
    fault,
    // A fault may have held the answer up.
    at: fault === null ? reply.at : sandbox.now(),
    answeredMs: Date.now(),
    durationMs: performance.now() - c.get('startedAt'),
    replacements: replacements ?? sandbox.replacements,
    eventsBefore,
  }
}

/** The name of the consumer as it may be shown: it may be a key that was put into the wrong header. */
function consumerOf({ req }: Context): string | null {
  const name = req.header('sandbox-consumer')
  return name ? shorten(name) : null
}

/** Whether a call only asks, whatever its method: a what-if, or the dry run of an advance. */
function asksOnly(c: Context): boolean {
  return c.get('operation')?.isQuestion === true || c.get('isDryRun') === true
}

/** The error itself would keep all that its stack refers to in memory. */
function refusalOf(c: Context): RequestLogEntry['refusal'] {
  const refusal = c.get('refusal')
  if (refusal === undefined) return null
  const { code, message, fields } = refusal
  return { code, message, fields }
}

/** A key that the address made one of its sandbox is logged as the sandbox's own: a recording has no address. */
function headersOf(c: Context, { apiKey }: Sandbox): readonly string[] {
  const sent = bindingsOf(c).incoming?.rawHeaders ?? [...c.req.raw.headers].flat()
  if (c.get('hasForeignKey') !== true) return sent
  const isKey = (at: number) => at % 2 === 1 && sent[at - 1]?.toLowerCase() === 'authorization'
  return sent.map((each, at) => (isKey(at) ? `Bearer ${apiKey}` : each))
}

function sentContent(c: Context): Content {
  const mediaType = c.req.header('content-type') ?? null
  const received = c.get('received')
  if (received === undefined) return { mediaType, body: null, bytes: null }
  const bytes = received.byteLength
  const isKept = bytes > 0 && bytes <= BODY_KEPT_BYTES
  return { mediaType, bytes, body: isKept ? received : null }
}

function repliedContent({ mediaType, text }: LoggedReply): Content {
  // No character has more than three bytes.
  if (text === null || text.length * 3 <= BODY_KEPT_BYTES)
    return { mediaType, body: text, bytes: null }
  const bytes = Buffer.byteLength(text)
  return { mediaType, body: bytes <= BODY_KEPT_BYTES ? text : null, bytes }
}
