/** What one sandbox is made from, and the shapes of what is asked of it. Owns how its key is written. */
import type { StoredSandbox } from '../store/store.ts'
import type { Executed } from '../world/answer.ts'
import type { Cause, Fact } from '../world/event.ts'
import type { Refusal } from '../world/refusal.ts'
import type { World } from '../world/world.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { DeliveryTerms } from './deliveries.ts'
import type { Receivers } from './receivers.ts'
import type { RealTime } from './running-clock.ts'
import type { NoStory } from './story.ts'

/** A change to the world that a request asks for. */
export type WorldCommand<Value> = (
  world: World,
  cause: Cause,
) => Executed<Value> | Refusal | Promise<Executed<Value> | Refusal>

/** Makes the world that takes the place of another. */
export type WorldMaker = (
  before: World,
  checkpoints: Checkpoints,
) => World | Refusal | Promise<World | Refusal>

/** The event of a world that takes the place of another. */
export interface Replacement {
  readonly as: 'reset' | 'restored'
  readonly requestId: () => string
  /** What the event says beside the fixture. */
  readonly detail?: Omit<Fact<'sandbox.restored'>['detail'], 'fixture'>
}

export interface SandboxParts {
  readonly world: World
  readonly stored: StoredSandbox
  readonly checkpoints: Checkpoints
  readonly time: RealTime
  /** Whom webhooks may tell, and how long those are waited for; this machine alone, unless it says otherwise. */
  readonly webhooks?: Partial<{ readonly receivers: Receivers; readonly terms: DeliveryTerms }>
  /** Called with a defect that shows while nobody waits for an answer. */
  readonly report: (defect: unknown) => void
  /** Why its story does not begin with it; absent where it does. */
  readonly noStory?: NoStory | undefined
}

/** The API key of a sandbox. */
export function apiKeyOf(sandboxId: string): string {
  return `sk_sandbox_${sandboxId}`
}
