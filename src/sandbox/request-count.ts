/** The counting of a sandbox's requests, so that a script run twice gives them the same ids. */
import type { World } from '../world/world.ts'

/** The number of the newest request that changed anything, as far as events are kept. */
export function newestRequest(world: World): number {
  const counted = /^req_(\d{1,15})$/
  const event = world.events.findLast(({ cause }) => counted.test(cause.requestId ?? ''))
  return Number(counted.exec(event?.cause.requestId ?? '')?.[1] ?? 0)
}
