/** The order for a new sandbox. */
import type { Settings } from '../assumptions/register.ts'
import type { Instant } from '../time/instant.ts'

/** The start of a fork: a sandbox as it is now, or one of its checkpoints. */
export interface ForkPoint {
  readonly sandbox: string
  readonly checkpoint?: string | undefined
}

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
  /** The source of a fork; null to begin from the fixture. */
  readonly from: ForkPoint | null
  /** Whether it is not stored, whatever the store. */
  readonly isVolatile?: boolean
}
