/**
 * Looking ahead: work on a fork of one sandbox's world, while other calls go on. Owns that such works come one after
 * another, and that they end when the sandbox does or nobody waits for them.
 */
import type { Pace } from '../world/engine.ts'
import { forkWorld, type World } from '../world/world.ts'
import { serialQueue } from './serial-queue.ts'

/** Works on a fork, which is its own to change, at the given pace. */
export type LookAheadWork<Value> = (fork: World, pace: Pace) => Promise<Value>

export interface LookAheadParts {
  /** Answers a question about the world. */
  readonly read: <Value>(question: (world: World) => Value) => Promise<Value>
  /** What a look ahead throws that was ended. */
  readonly ended: () => Error
}

export class LookAhead {
  readonly #parts: LookAheadParts
  /** One at a time: a fork may grow to as many records as its sandbox may hold. */
  readonly #queue = serialQueue()
  readonly #stop = new AbortController()
  #isBusy = false

  constructor(parts: LookAheadParts) {
    this.#parts = parts
  }

  /** Whether work is under way. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Works on a fork of the world as it is when its turn comes. Throws where it was ended before it was done. */
  async run<Value>(work: LookAheadWork<Value>, client?: AbortSignal): Promise<Value> {
    const isCut = () => this.#stop.signal.aborted || client?.aborted === true
    const check = () => {
      if (isCut()) throw this.#parts.ended()
    }
    return this.#queue(async () => {
      check()
      this.#isBusy = true
      try {
        const fork = await this.#parts.read(forkWorld)
        const answer = await work(fork, { onPause: () => undefined, isCut })
        check()
        return answer
      } finally {
        this.#isBusy = false
      }
    })
  }

  /** Ends the work under way and that which waits. */
  stop(): void {
    this.#stop.abort()
  }
}
