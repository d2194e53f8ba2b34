/** Provider states: what one entry of the catalogue declares. */
import type * as z from 'zod'
import type { Draft, Named } from './draft.ts'

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

type Applied = Named | Promise<Named>

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
  /** Adds the state to a draft, and answers what it named, or stops. The params were checked by the schema. */
  readonly apply: (draft: Draft, params: unknown) => Applied
}

/** Declares a state; the types of its params follow from its schema. */
export function providerState<const Schema extends z.ZodObject>(
  declared: Omit<ProviderState, 'apply' | 'params' | 'wordings'> & {
    readonly params: Schema
    readonly wordings?: readonly Wording[]
    readonly apply: (draft: Draft, params: z.output<Schema>) => Applied
  },
): ProviderState {
  // The caller has checked the params by the schema of the same entry, which makes the cast true.
  const apply = (draft: Draft, params: unknown) => declared.apply(draft, params as z.output<Schema>)
  return { wordings: [], ...declared, apply }
}
