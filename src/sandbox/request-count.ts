/** The counting of one sandbox's requests: events name their request, so that the same script must count the same. */
import { numberedId } from '../billing/id.ts'
import type { World } from '../world/world.ts'

/** A count. It goes on from the newest request that changed anything, as far as its events are stored. */
export class RequestCount {
  #newest: number
  #writes = 0

  constructor(world: World) {
    this.#newest = newestIn(world)
  }

  /** How many requests came that may have done something, resets or not; those that only look do not count. */
  get writes(): number {
    return this.#writes
  }

  /** The next request's id, or the one that it asks for, where that is still ahead. */
  next(kind: 'read' | 'write', asked = 0): string {
    this.#newest = Math.max(this.#newest + 1, asked)
    if (kind === 'write') this.#writes += 1
    return numberedId('req_', this.#newest)
  }

  /** Counts anew; answers what has it go on as before. */
  restart(): () => void {
    const before = this.#newest
    this.#newest = 0
    return () => {
      this.#newest = before
    }
  }
}

/** The highest number among the requests that changed a world, as far as its events are stored; they commit out of order. */
function newestIn({ events }: World): number {
  const counted = /^req_(\d{1,15})$/
  let newest = 0
  // What was before a reset or a restore counted on its own.
  events.findLast(({ subject, cause }) => {
    newest = Math.max(newest, Number(counted.exec(cause.requestId ?? '')?.[1] ?? 0))
    return subject.kind === 'sandbox'
  })
  return newest
}
