/** The declared operations, by their ids. */
import { controlRoutes } from '../http/control/routes.ts'
import type { Declaration } from '../surface/operation.ts'
import { v1Operations } from '../surface/v1/operations.ts'

export type Declarations = ReadonlyMap<string, Declaration>

export const declarations: Declarations = new Map(
  [...v1Operations, ...controlRoutes].map((each) => [each.operationId, each]),
)

/** The declaration of an operation that a command is made of. */
export function declarationFor(operationId: string, declared: Declarations): Declaration {
  const found = declared.get(operationId)
  if (found === undefined) throw new Error(`${operationId} is not declared`)
  return found
}
