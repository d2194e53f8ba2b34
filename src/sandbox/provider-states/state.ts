/** Provider states: what one entry of the catalogue says, and how it becomes part of an interaction. */
import type * as z from 'zod'
import type { Instant } from '../../time/instant.ts'
import type { Refusal } from '../refusal.ts'
import type { World } from '../world.ts'
import type { Interaction, Named } from './interaction.ts'

/** The six documented operations, by the ids of their declarations. */
export const documentedOperations = [
  'createSubscription',
  'updateSubscription',
  'pauseSubscription',
  'cancelSubscription',
  'applyCoupon',
  'refreshToken',
] as const
export type DocumentedOperation = (typeof documentedOperations)[number]

/** Where an interaction stands when another state is asked for. */
export interface Scene {
  readonly interaction: Interaction
  /** The world as the interaction has it so far; only looked at. */
  readonly world: World
  readonly now: Instant
  /** The world as another interaction would have it. */
  readonly imagine: (interaction: Interaction) => Promise<World | Refusal>
}

/** An interaction with one state more, and what that state answers. */
export interface Staged {
  readonly interaction: Interaction
  readonly named: Named
}

type StagedOrNot = Staged | Refusal | Promise<Staged | Refusal>

/** Other words for a state, for contracts that know no params: `{name}` stands for the text of one. */
export interface Wording {
  readonly text: string
  /** The params that the words alone say. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** One entry of the catalogue. */
export interface ProviderState {
  readonly name: string
  readonly description: string
  readonly params: z.ZodObject
  readonly example: Readonly<Record<string, unknown>>
  readonly operations: readonly DocumentedOperation[]
  readonly wordings: readonly Wording[]
  /** Adds the state to an interaction. The params were checked by the schema. */
  readonly stage: (scene: Scene, params: unknown) => StagedOrNot
}

/** Declares a state; the types of its params follow from its schema. */
export function providerState<const Schema extends z.ZodObject>(
  declared: Omit<ProviderState, 'stage' | 'params' | 'wordings'> & {
    readonly params: Schema
    readonly wordings?: readonly Wording[]
    readonly stage: (scene: Scene, params: z.output<Schema>) => StagedOrNot
  },
): ProviderState {
  // Whoever stages a state has checked the params by the schema of the same entry, which makes the cast true.
  const stage = (scene: Scene, params: unknown) => declared.stage(scene, params as z.output<Schema>)
  return { wordings: [], ...declared, stage }
}

/** An interaction with more acts, and what their state named. */
export function withActs({ interaction }: Scene, acts: Interaction['acts'], named: Named): Staged {
  return {
    interaction: {
      ...interaction,
      acts: [...interaction.acts, ...acts],
      named: { ...interaction.named, ...named },
    },
    named,
  }
}
