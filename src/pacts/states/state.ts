/** Provider states: what one entry of the catalogue declares. */
import type * as z from 'zod'
import { type V1OperationId, v1Operations } from '../../operations/v1.ts'
import type { Draft, Named } from './draft.ts'

/** The ids of the six documented operations. */
export const documentedOperations: readonly V1OperationId[] = v1Operations.map(
  ({ operationId }) => operationId,
)

/** Other words for a state, for contracts that know no params: `{name}` stands for the text of one. */
export interface Wording {
  readonly text: string
  /** The params that the words alone say. */
  readonly params?: Readonly<Record<string, unknown>>
}

/** One entry of the catalogue. */
export interface ProviderState<Params extends z.ZodObject = z.ZodObject> {
  readonly name: string
  readonly description: string
  readonly params: Params
  readonly example: Readonly<Record<string, unknown>>
  readonly operations: readonly V1OperationId[]
  readonly wordings: readonly Wording[]
  /** Adds the state to a draft and returns what it named. Throws what is refused. The schema has checked the params. */
  apply(draft: Draft, params: z.output<Params>): Promise<Named>
}

/** Declares a state; the types of its params follow from its schema. */
export function providerState<const Params extends z.ZodObject>(
  declared: ProviderState<Params>,
): ProviderState {
  return declared
}
