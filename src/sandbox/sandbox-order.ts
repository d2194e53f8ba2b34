/** How a sandbox is asked for. */
import type { Settings } from '../assumptions/register.ts'
import type { Instant } from '../time/instant.ts'

/** Where a fork begins: a sandbox as it is now, or at one of its checkpoints. */
export interface ForkPoint {
  readonly sandbox: string
  readonly checkpoint?: string | undefined
}

/** How a new sandbox begins: from a fixture, or as a fork of another sandbox. */
export interface SandboxOrder {
  /** Null has one generated. */
  readonly sandboxId: string | null
  /** Null for `starter`. */
  readonly fixture: string | null
  /** Null for the fixture's own start. */
  readonly now: Instant | null
  readonly settings: Partial<Settings>
  /** Whether the clock runs from the start on; a fork's does as that of its source. */
  readonly startsRunning: boolean
  /** What to fork; null to begin from the fixture. */
  readonly from: ForkPoint | null
  /** Whether it is not stored, wherever the others are. */
  readonly isVolatile?: boolean
}
