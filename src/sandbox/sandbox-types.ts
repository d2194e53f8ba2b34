/** The order for a new sandbox, its parts, and the types of its calls. Owns the form of its API key. */
import type { Settings } from '../assumptions/register.ts'
import type { StoredSandbox } from '../store/store.ts'
import type { Instant } from '../time/instant.ts'
import type { ReportedPace } from '../world/engine.ts'
import type { Cause, Fact } from '../world/event.ts'
import type { Refusal } from '../world/refusal.ts'
import type { Success } from '../world/results.ts'
import type { World } from '../world/world.ts'
import type { RecordingGap } from './call-recording.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Receivers } from './receivers.ts'
import type { RealTime } from './running-clock.ts'

/** How a new sandbox begins: from a fixture, or as a fork of another sandbox. */
export interface SandboxOrder {
  /** Null generates one. */
  readonly sandboxId: string | null
  /** Null for `starter`. */
  readonly fixture: string | null
  /** Null for the fixture's own start. */
  readonly now: Instant | null
  readonly settings: Partial<Settings>
  /** Whether the clock runs from the start; a fork's clock does what its source's does. */
  readonly startsRunning: boolean
  /** The source of a fork, as it is now or at one of its checkpoints; null to begin from the fixture. */
  readonly from: { readonly sandbox: string; readonly checkpoint?: string | undefined } | null
  /** Whether it is not stored, whatever the store. */
  readonly isVolatile?: boolean
}

/** A command on the world, for a request. */
export type WorldCommand<Value> = (
  world: World,
  cause: Cause,
) => Success<Value> | Refusal | Promise<Success<Value> | Refusal>

/** Work on a fork of the world, which it may change, at the given pace. */
export type LookAheadWork<Value> = (fork: World, pace: ReportedPace) => Promise<Value>

/** Makes the world that replaces another. */
export type WorldMaker = (
  before: World,
  checkpoints: Checkpoints,
) => World | Refusal | Promise<World | Refusal>

export interface Replacement<Value> {
  readonly as: 'reset' | 'restored'
  readonly requestId: () => string
  /** The details of the event; the fixture is that of the sandbox where it is absent. */
  readonly detail?: Partial<Fact<'sandbox.restored'>['detail']>
  /** Reads the answer from the new world, before any other call. */
  readonly answer: (world: World) => Value
}

/** How long to wait for receivers of webhooks. */
export interface DeliveryTiming {
  /** The delay after each failed attempt; after the last one, the event is given up. */
  readonly retryAfterMs: readonly number[]
  readonly timeoutMs: number
}

export interface SandboxOptions {
  readonly world: World
  readonly stored: StoredSandbox
  readonly checkpoints: Checkpoints
  readonly time: RealTime
  /** The allowed receivers of webhooks, and how long to wait for them; by default, only this machine. */
  readonly webhooks?: Partial<{ readonly receivers: Receivers; readonly timing: DeliveryTiming }>
  /** Called with a defect that no caller waits for. */
  readonly report: (defect: unknown) => void
  /** Why its recording has no beginning; absent if it has one. */
  readonly gap?: RecordingGap | undefined
}

export function apiKeyOf(sandboxId: string): string {
  return `sk_sandbox_${sandboxId}`
}
