/**
 * Setting provider states up and tearing them down, one sandbox at a time. Owns which states belong to one interaction:
 * those that follow each other without any other request between them. The next one starts clean.
 */
import { isRefusal } from '../../billing/refusal.ts'
import { beginAgain, type FixtureLibrary } from '../fixtures.ts'
import type { Refusal } from '../refusal.ts'
import type { Sandbox } from '../sandbox.ts'
import type { World } from '../world.ts'
import { cleanStart, type Interaction, live, type Named, type Theatre } from './interaction.ts'
import type { ProviderState, Staged } from './state.ts'

/** A state that is asked for, with its params as its schema read them. */
export interface StateAsked {
  readonly state: ProviderState
  readonly params: unknown
}

/** An interaction under way, and how many requests its sandbox had seen when its last state was set up. */
interface Underway {
  readonly interaction: Interaction
  readonly deeds: number
}

export class ProviderStates {
  readonly #fixtures: FixtureLibrary
  readonly #underway = new WeakMap<Sandbox, Underway>()

  constructor(fixtures: FixtureLibrary) {
    this.#fixtures = fixtures
  }

  /** Sets states up, in order: all of them or, with a refusal, none. Answers what they named. */
  async setUp(
    sandbox: Sandbox,
    asked: readonly StateAsked[],
    requestId: () => string,
  ): Promise<Named | Refusal> {
    let staged: Staged = { interaction: cleanStart, named: {} }
    const make = async ({ sandboxId, origin }: World) => {
      const theatre = { sandboxId, origin, fixtures: this.#fixtures }
      staged = { interaction: this.#soFar(sandbox), named: {} }
      let world = await live(staged.interaction, theatre)
      for (const each of asked) {
        if (isRefusal(world)) return world
        const next = await stageNext(staged, each, { world, theatre })
        if (isRefusal(next)) return next
        staged = next
        world = await live(staged.interaction, theatre)
      }
      return world
    }
    // Asked once the world is made and still in the turn, so that no other setup can come between.
    const counted = () => {
      const id = requestId()
      this.#underway.set(sandbox, { interaction: staged.interaction, deeds: sandbox.deeds })
      return id
    }
    const detail = { providerStates: asked.map(({ state }) => state.name).join(', ') }
    const refusal = await sandbox.replace(make, { as: 'reset', requestId: counted, detail })
    if (refusal === null) return staged.named
    this.#underway.delete(sandbox)
    return refusal
  }

  /** Returns a sandbox to what it was made from, its clock and settings included. */
  tearDown(sandbox: Sandbox, requestId: () => string): Promise<Refusal | null> {
    this.#underway.delete(sandbox)
    const make = (before: World) => beginAgain(before, this.#fixtures)
    return sandbox.replace(make, { as: 'reset', requestId })
  }

  /** The interaction that another state belongs to: the last one where nothing else was asked since. */
  #soFar(sandbox: Sandbox): Interaction {
    const underway = this.#underway.get(sandbox)
    return underway?.deeds === sandbox.deeds ? underway.interaction : cleanStart
  }
}

async function stageNext(
  { interaction, named }: Staged,
  { state, params }: StateAsked,
  { world, theatre }: { readonly world: World; readonly theatre: Theatre },
): Promise<Staged | Refusal> {
  const imagine = (imagined: Interaction) => live(imagined, theatre)
  const scene = { interaction, world, now: world.clock.now(), imagine }
  const staged = await state.stage(scene, params)
  return isRefusal(staged) ? staged : { ...staged, named: { ...named, ...staged.named } }
}
