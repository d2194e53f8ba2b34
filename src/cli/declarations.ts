/** The declared operations, by their names. */
import { controlRoutes } from '../http/control/routes.ts'
import type { Declaration } from '../surface/operation.ts'
import { v1Operations } from '../surface/v1/operations.ts'

const declarations: ReadonlyMap<string, Declaration> = new Map(
  [...v1Operations, ...controlRoutes].map((each) => [each.operationId, each]),
)

/** The declaration of an operation; undefined where there is none. */
export function declarationOf(operationId: string): Declaration | undefined {
  return declarations.get(operationId)
}

/** The declaration of an operation that a command is made of. */
export function declarationFor(operationId: string): Declaration {
  const found = declarationOf(operationId)
  if (found === undefined) throw new Error(`${operationId} is not declared`)
  return found
}
