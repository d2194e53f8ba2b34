/**
 * Looks ahead: runs work on a fork of one sandbox's world, while other calls continue. Owns that works run one after
 * another, and that they end with the sandbox or with their client.
 */
import type { Pace } from '../world/engine.ts'
import { forkWorld, type World } from '../world/world.ts'
import { serialQueue } from './serial-queue.ts'

/** Work on a fork, which it may change, at the given pace. */
export type LookAheadWork<Value> = (fork: World, pace: Pace) => Promise<Value>

export interface LookAheadParts {
  /** Runs a function on the world and returns its result. */
  readonly read: <Value>(question: (world: World) => Value) => Promise<Value>
  /** The error of a look ahead that was ended. */
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

  /** Whether work is running. */
  get isBusy(): boolean {
    return this.#isBusy
  }

  /** Runs work on a fork of the world when its turn comes. Throws if it is ended before it is done. */
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

  /** Ends the running and the waiting work. */
  stop(): void {
    this.#stop.abort()
  }
}
