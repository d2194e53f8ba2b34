/**
 * Moves the clock of one sandbox: advances it, also in lockstep with the receivers of events, and sets it. Owns that no
 * other call moves it during an advance in lockstep.
 */
import { isRefusal, refuse } from '../billing/refusal.ts'
import { type Advance, advance, type Destination } from '../world/advance.ts'
import type { Refusal } from '../world/refusal.ts'
import type { World } from '../world/world.ts'
import {
  type LockstepAdvance,
  type LockstepOrder,
  type LockstepParts,
  lockstep,
} from './lockstep.ts'
import { type ClockOrder, followMoves, type RealTime, run } from './running-clock.ts'
import type { Work } from './session.ts'
import { refuseStoreFailure } from './store-failure.ts'

export interface ClockMovesParts extends LockstepParts {
  readonly time: RealTime
}

export class ClockMoves {
  readonly #parts: ClockMovesParts
  #isInLockstep = false

  constructor(parts: ClockMovesParts) {
    this.#parts = parts
  }

  /** Moves the virtual clock and settles what falls due. */
  async advance(destination: Destination, requestId: () => string): Promise<Advance | Refusal> {
    if (this.#isInLockstep) return refuseBusy()
    return this.#execute((world) => this.#advance(world, destination, requestId()))
  }

  /** The same in lockstep with the receivers of webhooks. */
  async lockstep(order: LockstepOrder): Promise<LockstepAdvance | Refusal> {
    if (this.#isInLockstep) return refuseBusy()
    this.#isInLockstep = true
    try {
      return await lockstep(this.#parts, order)
    } catch (error) {
      return refuseStoreFailure(error)
    } finally {
      this.#isInLockstep = false
    }
  }

  /** Sets the clock. Refuses to go backwards, and then changes nothing. */
  async setClock(
    { now, mode }: ClockOrder,
    requestId: () => string | null,
  ): Promise<Refusal | null> {
    if (this.#isInLockstep) return refuseBusy()
    return this.#execute(async (world) => {
      if (now !== null) {
        const advanced = await this.#advance(world, { to: now, field: 'now' }, requestId())
        if (isRefusal(advanced)) return advanced
      }
      const { clock } = world
      if (mode === 'frozen') clock.offsetMs = null
      if (mode === 'running' && clock.offsetMs === null) run(clock, this.#parts.time.now())
      return null
    })
  }

  #execute<Value>(work: Work<Value>): Promise<Value | Refusal> {
    return this.#parts.session.execute(work).catch(refuseStoreFailure)
  }

  /** Moves the clock. A running clock keeps the added offset, also if the advance is cut short. */
  async #advance(
    world: World,
    destination: Destination,
    requestId: string | null,
  ): Promise<Advance | Refusal> {
    const { pace } = this.#parts.session
    const cause = { kind: 'clock', requestId } as const
    const onMoved = followMoves(world.clock)
    const onPause = () => {
      onMoved()
      return pace.onPause()
    }
    const answer = await advance(world, destination, { cause, pace: { ...pace, onPause } })
    onMoved()
    return answer
  }
}

function refuseBusy(): Refusal {
  return refuse(
    'clock_busy',
    'An advance in lockstep is under way, and the clock is its own until it ends; try again then, or reset the sandbox.',
  )
}
