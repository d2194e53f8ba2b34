/** What one request carries from step to step of the pipeline. */
import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import {
  type AssumptionSlug,
  initialSettings,
  isDecidedInitially,
} from '../../assumptions/register.ts'
import { warnings } from '../../assumptions/warnings.ts'
import type { OnCall } from '../../provider/capture/captured-call.ts'
import type { Registry } from '../../sandbox/registry.ts'
import type { RequestLogEntry } from '../../sandbox/request-log.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Declaration } from '../../surface/operation.ts'
import type { RefusalError } from '../../surface/refusals.ts'
import type { Instant } from '../../time/instant.ts'
import { settingsOf, type World } from '../../world/world.ts'
import type { DeviationInForce } from './deviation.ts'

declare module 'hono' {
  interface ContextVariableMap {
    server: Server
    /** The sandbox that the request belongs to; the default one until authentication says otherwise. */
    sandbox: Sandbox
    /** When its first check began, on the clock of `performance`. */
    startedAt: number
    /** The number that the request asks for, so that a recording gives the same ids when it is replayed. */
    requestNumber?: number
    /** Its id, once it is asked for, and when that was counted. */
    counted?: CountedRequest
    operation?: Declaration
    /** Whether the Authorization header held the control token, and so names no sandbox. */
    hasTokenInAuthorization?: boolean
    /** Whether its key is no key of ours, and was taken because the address names the sandbox. */
    hasForeignKey?: boolean
    received?: Uint8Array
    /** Whether its operation was told to change nothing. */
    isDryRun?: boolean
    /** What its operation saw in its turn; absent before it, and where nothing has one. */
    turn?: Turn
    /** The world before the call, where it is recorded: as it came, and then as its turn found it. */
    before?: World
    /** The assumptions that shape the answer; absent where they are not reported. */
    assumptions?: Set<AssumptionSlug>
    /** Those that the answer warns of; absent where it warns of nothing. */
    warnings?: Set<AssumptionSlug> | undefined
    refusal?: RefusalError | undefined
    /** The id of the fault that hits it. */
    fault?: string
    /** The status before settings varied it. */
    documentedStatus?: number
    /** Has the faults count the call. Runs in the turn of its operation, so that one commit has both. */
    countFaults?: (world: World) => unknown
    /** The answer as the client gets it, for the log. */
    reply?: LoggedReply
  }
}

export interface Server {
  readonly registry: Registry
  readonly observer: Observer | undefined
  /** Has every call of /v1, with the world before it. */
  readonly onCall: OnCall | undefined
  /** What it does otherwise; absent where it does nothing so. */
  readonly deviation?: DeviationInForce
}

export type Observer = (entry: RequestLogEntry, sandbox: Sandbox) => void

/** The virtual now and the settings in force of one moment. */
export type Turn = Pick<Sandbox, 'settings'> & { readonly at: Instant }

/** The id of a request, and the state of its sandbox when it was counted. */
interface CountedRequest {
  /** Where it was counted; null for a request that is the server's own. */
  readonly sandbox: Sandbox | null
  readonly requestId: string
  /** How often the world of its sandbox had been replaced; null for a request that is the server's own. */
  readonly replacements: number | null
  /** The number of the newest event; null for a request that replaces the world. */
  readonly eventsBefore: number | null
}

/** An answer, as far as it is logged. */
export interface LoggedReply {
  /** Null where the connection was closed instead. */
  readonly status: number | null
  readonly mediaType: string | null
  /** Null where there is no text, or it is streamed. */
  readonly text: string | null
  /** The virtual now of the answer. */
  readonly at: Instant
}

/** What the server hands to each request; a call inside the process has no connection. */
export interface Bindings extends Partial<HttpBindings> {
  /** Handles other requests while this one only waits. */
  releaseSlot?: (wait: Promise<unknown>) => Promise<void>
}

export function bindingsOf(c: Context): Bindings {
  return c.env ?? {}
}

/** The moment that an answer is of: the turn of its operation, else now. Later calls may have had their turns since. */
export function turnOf(c: Context): Turn {
  const own = c.get('turn')
  if (own !== undefined) return own
  const sandbox = c.get('sandbox')
  return { at: sandbox.now(), settings: sandbox.settings }
}

export function noteTurn(c: Context, world: World): void {
  c.set('turn', { at: world.clock.now(), settings: settingsOf(world) })
}

/** The same question, which also notes the moment of the turn in which it is answered. */
export function noting<Value>(c: Context, question: (world: World) => Value) {
  return (world: World): Value => {
    noteTurn(c, world)
    return question(world)
  }
}

/** Begins an empty list of the assumptions behind the answer; without a list none are reported. */
export function resetAssumptions(c: Context): void {
  c.set('assumptions', new Set())
  c.set('warnings', undefined)
}

/** Adds assumptions that the answer rests on; their warnings also where assumptions are not reported. */
export function addAssumptions(c: Context, slugs: readonly AssumptionSlug[]): void {
  for (const slug of slugs) c.get('assumptions')?.add(slug)
  const { settings = initialSettings } = (c.get('sandbox') as Sandbox | undefined) ?? {}
  // A warning says what the initial decision does.
  const surprising = slugs.filter(
    (slug) => warnings[slug] !== undefined && isDecidedInitially(settings, slug),
  )
  if (surprising.length > 0)
    c.set('warnings', new Set([...(c.get('warnings') ?? []), ...surprising]))
}
