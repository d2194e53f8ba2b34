/** Sandboxes aside: over a world that nobody else sees, and of which nothing is stored. */
import { memoryStore } from '../store/memory-store.ts'
import { leaveWebhooks } from '../world/commands/webhooks.ts'
import type { World } from '../world/world.ts'
import { Checkpoints } from './checkpoints.ts'
import { realTime } from './running-clock.ts'
import { Sandbox } from './sandbox.ts'

/** A sandbox over this very world: a call does there what it does in any other one, and no webhook is told of it. */
export async function sandboxAside(world: World): Promise<Sandbox> {
  leaveWebhooks(world)
  const stored = await memoryStore().create(world.sandboxId)
  const report = (defect: unknown) => {
    throw defect
  }
  const checkpoints = new Checkpoints(stored)
  return new Sandbox({ world, stored, checkpoints, time: realTime, report })
}
