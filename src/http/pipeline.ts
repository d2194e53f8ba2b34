/**
 * The pipeline: every request passes the steps of `serve`, from its first check to its log entry. The steps follow in
 * their order. Finding the sandbox, reading a body, injecting faults and logging are separate files.
 */
import type { Context } from 'hono'
import { initialSettings, type Settings } from '../assumptions/register.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { storeRefusal } from '../sandbox/store-failure.ts'
import type { Declaration, Reply, Route, SuccessStatus } from '../surface/operation.ts'
import { RefusalError, statusOf, toRefusalError } from '../surface/refusals.ts'
import type { RefusalStatus } from '../wire/common/error-codes.ts'
import { holdMeter } from '../world/hold-meter.ts'
import { forkWorld } from '../world/world.ts'
import type { Envelope } from './envelopes.ts'
import { injectFaults } from './faults.ts'
import { logRequest } from './log-request.ts'
import { readCall } from './read-call.ts'
import { addAssumptions, type Server } from './request/context.ts'
import { requestIdOf, requestNumberOf } from './request-id.ts'
import { addHeaders, answerWith } from './response-headers.ts'
import { varyAnswer } from './variation.ts'

/** What the requests of /v1, of the control plane or of the server have in common. */
export interface Surface {
  /** The paths it owns: what is refused at or below them, it refuses. */
  readonly prefixes: readonly `/${string}`[]
  /** The first step, which may refuse the request. */
  readonly admit: (c: Context) => void
  /** Finds the sandbox of the request; throws `unauthorized` for an unknown key. Runs before the body is read. */
  readonly authenticate?: (c: Context, operation: Declaration) => void | Promise<void>
  /** Finds the sandbox of a request that no operation serves; the default one without it. */
  readonly locate?: (c: Context) => Promise<void>
  /** The settings of this request; the initial ones without it. */
  readonly settings?: (
    c: Context,
  ) => Pick<Settings, 'unknownFields' | 'invalidGrantStatus' | 'vary' | 'strict'>
  readonly envelope: (refusal: RefusalError, status: RefusalStatus, c: Context) => Envelope
  /** Whether its requests meet the faults of their sandbox, and its answers the variations. */
  readonly isDocumented?: true
  /** Logs a defect. The answer says only that there was one. */
  readonly report: (defect: unknown, c: Context) => void
}

/** One request from its first check to its log entry. */
export async function serve(c: Context, route: Route, surface: Surface): Promise<Response> {
  const run = holdMeter.begin(route.operationId)
  let sandbox: Sandbox | undefined
  try {
    c.set('operation', route)
    surface.admit(c)
    await surface.authenticate?.(c, route)
    sandbox = c.get('sandbox') as Sandbox | undefined
    if (sandbox !== undefined) sandbox.callsUnderWay += 1
    if (surface.isDocumented && c.get('server').onCall !== undefined) {
      c.set('before', await c.get('sandbox').read(forkWorld))
    }
    // What is wrong with it is refused when it is performed: a fault may come first.
    const reading = readCall(c, route, settingsOf(c, surface))
    const call = await reading.catch(() => null)
    const perform = async () => {
      try {
        const read = await reading
        holdMeter.mark(run)
        const reply = await route.answer(read)
        holdMeter.mark(run)
        return reply instanceof Response
          ? addHeaders(c, reply)
          : respond(c, reply, { route, surface })
      } catch (error) {
        return answerRefusal(c, error, surface)
      }
    }
    const mayHaveFaults =
      surface.isDocumented === true &&
      (c.get('sandbox').hasFaults || c.get('server').deviation?.faultOf !== undefined)
    const answer = await (mayHaveFaults ? injectFaults(c, { route, call }, perform) : perform())
    logRequest(c)
    return answer
  } catch (error) {
    return answerError(c, error, surface)
  } finally {
    if (sandbox !== undefined) sandbox.callsUnderWay -= 1
    holdMeter.end(run)
  }
}

/** The first step: a request belongs to the default sandbox until its own is known; the guard may refuse it. */
export function createAdmit(server: Server, guard: (c: Context) => void): Surface['admit'] {
  return (c) => {
    c.set('startedAt', performance.now())
    c.set('server', server)
    c.set('sandbox', server.registry.default)
    guard(c)
    c.set('requestNumber', requestNumberOf(c))
  }
}

/** Varies a reply, and adds the response headers. */
function respond(
  c: Context,
  reply: Reply<number, unknown>,
  { route, surface }: { readonly route: Route; readonly surface: Surface },
): Response {
  const declared = route.replies[reply.status as SuccessStatus]
  addAssumptions(c, declared?.assumptions ?? [])
  const headers: Record<string, string> = { ...reply.headers }
  if (reply.body === null) return answerWith(c, null, { status: reply.status, headers })
  headers['Content-Type'] = declared?.mediaType ?? 'application/json'
  const { status, body } = varyFor(c, surface, reply)
  return answerWith(c, JSON.stringify(body), { status, headers })
}

/** An answer as the settings of its sandbox vary it. Coverage counts the status of the documents. */
function varyFor(
  c: Context,
  surface: Surface,
  answer: Pick<Reply<number, unknown>, 'status' | 'body'>,
) {
  c.set('documentedStatus', answer.status)
  return surface.isDocumented ? varyAnswer(c, answer) : answer
}

/** Answers a refusal in the envelope of the surface, varied and with the response headers. */
function answerRefusal(c: Context, error: unknown, surface: Surface): Response {
  const refusal = refusalOf(c, error, surface)
  c.set('refusal', refusal)
  const due = statusOf(refusal.code, settingsOf(c, surface))
  const envelope = surface.envelope(refusal, due, c)
  const own = c.get('operation')?.refusalAssumptions?.[refusal.code]
  addAssumptions(c, own ?? refusal.assumptions)
  const { status, body } = varyFor(c, surface, { status: due, body: envelope.body })
  const headers = {
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer realm="subscription-sandbox"' } : {}),
    // They go with the status: a 404 that is varied from a 405 has no Allow.
    ...(status === due ? refusal.headers : {}),
    'Content-Type': envelope.mediaType,
  }
  return answerWith(c, JSON.stringify(body), { status, headers })
}

/** Anything that is thrown beside a refusal, and that is no failure of the store, is a defect. */
function refusalOf(c: Context, error: unknown, surface: Surface): RefusalError {
  if (error instanceof RefusalError) return error
  try {
    return toRefusalError(storeRefusal(error))
  } catch (defect) {
    surface.report(defect, c)
    const message = `The sandbox has a defect. Its log says more under request id ${requestIdOf(c)}.`
    return new RefusalError('internal', message)
  }
}

/** Refuses a request that no operation serves. */
export async function answerUnserved(
  c: Context,
  refusal: unknown,
  surface: Surface,
): Promise<Response> {
  try {
    surface.admit(c)
    await surface.locate?.(c)
  } catch (error) {
    return answerError(c, error, surface)
  }
  return answerError(c, refusal, surface)
}

/** Refuses a request whose sandbox is known by now. */
export function answerError(c: Context, error: unknown, surface: Surface): Response {
  const answer = answerRefusal(c, error, surface)
  logRequest(c)
  return answer
}

function settingsOf(c: Context, { settings }: Surface) {
  return settings?.(c) ?? initialSettings
}
