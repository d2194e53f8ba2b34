/** Sandboxes as the wire shows them. */
import { nextDue } from '../../sandbox/advance.ts'
import type { Checkpoint } from '../../sandbox/checkpoints.ts'
import { countsOf } from '../../sandbox/counts.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { World } from '../../sandbox/world.ts'
import { snakeKeys } from '../../wire/case.ts'
import type { WireCheckpoint } from '../../wire/checkpoint.ts'
import type { WireSandbox, WireSandboxSummary } from '../../wire/sandbox.ts'

/** A sandbox by its identity. */
export function presentSandbox(sandbox: Sandbox): WireSandbox {
  return { sandbox_id: sandbox.id, api_key: sandbox.apiKey, now: sandbox.now() }
}

/** A sandbox and how much it holds. */
export function presentSummary(sandbox: Sandbox, world: World): WireSandboxSummary {
  return {
    ...presentSandbox(sandbox),
    counts: snakeKeys(countsOf(world)),
    next_due: nextDue(world),
  }
}

/** A checkpoint by its name, and what it holds. */
export function presentCheckpoint(checkpoint: Checkpoint): WireCheckpoint {
  const { name, now, eventSeq, counts } = checkpoint
  return { name, now, event_seq: eventSeq, counts: snakeKeys(counts) }
}
