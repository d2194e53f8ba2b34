/**
 * Faults on /v1: what a client meets where something goes wrong on purpose. Owns how answers are held up, replaced,
 * damaged and dropped; and that each call is decided after the calls before it, also while those are still under way, and
 * is counted in one commit with what its operation changes. Which call a fault hits is decided in the world.
 */
import { once } from 'node:events'
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import type { Context } from 'hono'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { Declaration, UntypedCall } from '../surface/operation.ts'
import { orThrow } from '../surface/refusals.ts'
import type { Code } from '../wire/common/error-codes.ts'
import { countFault, countFaults, type FaultHits, matchFaults } from '../world/commands/faults.ts'
import type { Fault, FaultCall, FaultEffect } from '../world/fault.ts'
import { success } from '../world/results.ts'
import type { World } from '../world/world.ts'
import { bindingsOf, type LoggedReply, resetAssumptions } from './request/context.ts'
import { requestIdInTurn } from './request-id.ts'
import { answerWith } from './response-headers.ts'

/** The header that names the fault that shaped an answer. */
const HEADER = 'Sandbox-Fault'

const PIECES_MAX = 100

/** The statuses whose error body the interface shows, and the code in it. (Interface section 7) */
const documentedErrors: Readonly<Record<number, Code>> = {
  400: 'invalid_request',
  401: 'unauthorized',
  403: 'invalid_grant',
}

/** Answers a request as the fault that hits it says; `call` is null where it is refused, `perform` what happens without one. */
export async function injectFaults(
  c: Context,
  { route, call }: { readonly route: Declaration; readonly call: UntypedCall | null },
  perform: () => Promise<Response>,
): Promise<Response> {
  const found = await faultsFor(c, {
    operation: route.operationId,
    header: (name) => c.req.header(name),
    fields: (call?.body ?? null) as FaultCall['fields'],
  })
  const carryOut = async () => {
    const own = await perform()
    await found.countAlone()
    return own
  }
  try {
    const hit = found.hit ?? deviatingFault(c, route.operationId)
    if (hit === null) return await carryOut()
    c.set('fault', hit.faultId)
    return await applyFault(c, hit, { ...found, carryOut })
  } finally {
    found.end()
  }
}

/** The fault with which the whole server deviates. */
function deviatingFault(c: Context, operation: string): Fault | null {
  const { id, replacements } = c.get('sandbox')
  const body = Buffer.from(c.get('received') ?? '').toString()
  const request = [id, replacements, c.req.method, c.req.url, body].join(' ')
  return c.get('server').deviation?.faultOf?.({ operation, request }) ?? null
}

async function applyFault(
  c: Context,
  fault: Fault,
  call: CallFaults & { readonly carryOut: () => Promise<Response> },
): Promise<Response> {
  const { when, effect, faultId } = fault
  const isLeft = effect.status === null && !effect.drop
  const isCarriedOut = isLeft || when === 'after'
  if (!isCarriedOut) await call.countAlone()
  if (when === 'before') await delayCall(c, effect.delayMs)
  // A reset must not find a call in its new world that was sent to the one before.
  if (call.isReset()) return drop(c)
  const own = isCarriedOut ? await call.carryOut() : null
  if (when === 'after') await delayCall(c, effect.delayMs)
  if (effect.drop) return drop(c)
  const replaced = effect.status === null ? null : replacement(c, fault, effect.status)
  const given = replaced ?? own
  if (given === null) throw new Error(`${faultId} leaves a call without an answer`)
  given.headers.set(HEADER, faultId)
  const isWhole = effect.slowMs === 0 && !effect.cut && !effect.malformed
  return isWhole ? given : await damageBody(c, given, effect)
}

function replacement(c: Context, { faultId, effect }: Fault, status: number): Response {
  forgetOwnAnswer(c)
  const headers: Record<string, string> = {}
  const code = documentedErrors[status]
  let text = effect.body?.text ?? null
  if (effect.body !== null) headers['Content-Type'] = mediaTypes[effect.body.media]
  else if (code !== undefined) {
    text = JSON.stringify({ error: code, message: `Fault ${faultId} answers this call.` })
    headers['Content-Type'] = mediaTypes.json
  }
  const answer = answerWith(c, text, { status, headers })
  for (const { name, value } of effect.headers) answer.headers.set(name, value)
  logAs(c, { status, mediaType: answer.headers.get('Content-Type'), text })
  return answer
}

/** The answer of a fault rests on no assumption and is no refusal: somebody asked for it. */
function forgetOwnAnswer(c: Context): void {
  resetAssumptions(c)
  c.set('refusal', undefined)
}

const mediaTypes = { json: 'application/json', text: 'text/plain; charset=utf-8' } as const

/** Closes the connection. A call without one gets the response that means a network error. */
function drop(c: Context): Response {
  forgetOwnAnswer(c)
  logAs(c, { status: null, mediaType: null, text: null })
  const { outgoing } = bindingsOf(c)
  if (outgoing === undefined) return Response.error()
  outgoing.destroy()
  return RESPONSE_ALREADY_SENT
}

function logAs(c: Context, reply: Omit<LoggedReply, 'at'>): void {
  c.set('reply', { ...reply, at: c.get('sandbox').now() })
}

/** The same answer with its body broken, cut, or slow to come. */
async function damageBody(c: Context, answer: Response, effect: FaultEffect): Promise<Response> {
  const { cut, malformed } = effect
  const own = await answer.text()
  const text = malformed ? withoutEnd(own) : own
  const { status, headers } = answer
  // One that is cut must promise more than comes, also where it has nothing to begin with.
  headers.set('Content-Length', String(Math.max(Buffer.byteLength(text), cut ? 1 : 0)))
  const sent = cut ? text.slice(0, text.length >> 1) : text
  logAs(c, { status, mediaType: headers.get('Content-Type'), text: sent })
  // A piece is asked for when the one before it was written.
  const pieces = ReadableStream.from(piecesOf(c, Buffer.from(sent), effect))
  return new Response(pieces, { status, headers })
}

/** JSON without its last character is invalid, and so is a single brace. */
function withoutEnd(text: string): string {
  return text === '' ? '{' : text.slice(0, -1)
}

async function* piecesOf(
  c: Context,
  bytes: Buffer,
  { slowMs, cut }: FaultEffect,
): AsyncGenerator<Uint8Array> {
  const { outgoing } = bindingsOf(c)
  const count = slowMs === 0 ? 1 : Math.min(PIECES_MAX, Math.max(1, bytes.length))
  let pauseMs = slowMs / count
  for (let piece = 0; piece < count; piece += 1) {
    if (pauseMs > 0 && (await pause(c, pauseMs)) === 'ended') pauseMs = 0
    const end = Math.floor((bytes.length * (piece + 1)) / count)
    const next = bytes.subarray(Math.floor((bytes.length * piece) / count), end)
    if (next.length > 0) yield next
  }
  if (!cut) return
  if (outgoing === undefined) throw new TypeError('The body is cut by a fault')
  // Head and body may be written together, and what is written is sent before the connection ends.
  do await nextTurn()
  while (!outgoing.headersSent && !outgoing.destroyed)
  if (outgoing.destroyed) return
  const closed = once(outgoing, 'close')
  outgoing.socket?.destroySoon()
  await closed
}

/** The longest body of a delayed call that gives up its place: the log and the recording keep it in memory. */
const RELEASED_BODY_MAX = 65_536

/** Delays a call. Others are handled in its place, unless its body is long. */
function delayCall(c: Context, ms: number): Promise<unknown> {
  if (ms === 0) return Promise.resolve()
  const paused = pause(c, ms)
  const { releaseSlot } = bindingsOf(c)
  const isLong = (c.get('received')?.byteLength ?? 0) > RELEASED_BODY_MAX
  return releaseSlot === undefined || isLong ? paused : releaseSlot(paused)
}

/** Waits in real time. Ends early with the sandbox or the client, so that a stop does not wait for a fault. */
async function pause(c: Context, ms: number): Promise<'over' | 'ended'> {
  const { notifications, isEnded } = c.get('sandbox')
  const { outgoing } = bindingsOf(c)
  if (isEnded || outgoing?.destroyed) return 'ended'
  const stop = new AbortController()
  const end = () => stop.abort()
  notifications.once('end', end)
  outgoing?.once('close', end)
  const paused = wait(ms, 'over' as const, { signal: stop.signal }).catch(() => 'ended' as const)
  return paused.finally(() => {
    notifications.off('end', end)
    outgoing?.off('close', end)
  })
}

/** A call that is not counted yet, with its faults, and its world: counted by how often one was replaced. */
interface Pending extends FaultHits {
  readonly replacements: number
}

const uncounted = new WeakMap<Sandbox, Set<Pending>>()

type CallFaults = Awaited<ReturnType<typeof faultsFor>>

/** Finds the faults that hit a call. Its operation counts it where it is carried out. */
async function faultsFor(c: Context, call: FaultCall) {
  const sandbox = c.get('sandbox')
  const waiting = uncountedIn(sandbox)
  const found = await decide(c, call, waiting)
  /** Whether the world that the call was sent to is gone. */
  const isReset = () => found.replacements !== sandbox.replacements
  const count = (world: World) => {
    if (waiting.delete(found) && !isReset()) countFaults(world, found)
    return success(null)
  }
  c.set('countFaults', count)
  /** Counts the call by itself, unless its operation did: where that is not carried out, or was refused before its turn. */
  const countAlone = async () => {
    if (!waiting.has(found) || isReset()) return
    orThrow(await sandbox.execute(count, () => requestIdInTurn(c)))
  }
  return { hit: found.hit, countAlone, isReset, end: () => waiting.delete(found) }
}

/** A fault as it is once the calls under way are counted. */
export function withPendingCalls(sandbox: Sandbox, fault: Fault): Fault {
  return pendingIn(sandbox, uncountedIn(sandbox)).reduce(countFault, fault)
}

function decide(c: Context, call: FaultCall, waiting: Set<Pending>): Promise<Pending> {
  const sandbox = c.get('sandbox')
  let found: Pending | null = null
  const forget = () => found !== null && waiting.delete(found)
  const decided = sandbox.read((world) => {
    requestIdInTurn(c)
    // A question is asked again where what it saw could not be stored.
    forget()
    const { replacements } = sandbox
    found = { ...matchFaults(world, call, pendingIn(sandbox, waiting)), replacements }
    waiting.add(found)
    return found
  })
  decided.catch(forget)
  return decided
}

function pendingIn({ replacements }: Sandbox, waiting: ReadonlySet<Pending>): readonly Pending[] {
  return [...waiting].filter((each) => each.replacements === replacements)
}

function uncountedIn(sandbox: Sandbox): Set<Pending> {
  const known = uncounted.get(sandbox) ?? new Set()
  uncounted.set(sandbox, known)
  return known
}
