/**
 * How operations on a world run: reading and executing in the sandbox that a request belongs to, and the routes of
 * the table of operations.
 */
import type { Context } from 'hono'
import type { WorldOperation } from '../operations/operation.ts'
import type { LookAheadWork, WorldCommand } from '../sandbox/sandbox-types.ts'
import {
  created,
  noContent,
  ok,
  type Reply,
  type Route,
  type UntypedCall,
} from '../surface/operation.ts'
import { orThrow } from '../surface/refusals.ts'
import type { Refusal } from '../world/refusal.ts'
import { forkWorld, type World } from '../world/world.ts'
import { addAssumptions, noteTurn, noting, turnOf } from './request/context.ts'
import { requestIdInTurn } from './request-id.ts'

/** Answers a question about the world, in its turn; throws where it is refused. */
export async function readInWorld<Value>(
  c: Context,
  question: (world: World) => Value | Refusal | Promise<Value | Refusal>,
): Promise<Value> {
  return orThrow<Value>(await c.get('sandbox').read(noting(c, question)))
}

/** Executes a command, and notes what its answer rests on; throws where it is refused. */
export async function executeInWorld<Value>(
  c: Context,
  command: WorldCommand<Value>,
): Promise<Value> {
  const counted: WorldCommand<Value> = (world, cause) => {
    c.get('countFaults')?.(world)
    if (c.get('before') !== undefined) c.set('before', forkWorld(world))
    const executed = command(world, cause)
    noteTurn(c, world)
    return executed
  }
  const executed = await c.get('sandbox').execute(counted, () => requestIdInTurn(c))
  const { value, assumptions } = orThrow(executed)
  addAssumptions(c, assumptions)
  return value
}

/** Operations as routes: those on a world are performed in the sandbox of the request. */
export function routesOf(operations: readonly (WorldOperation | Route)[]): Route[] {
  return operations.map((operation) =>
    'answer' in operation
      ? operation
      : { ...operation, answer: (call) => performOperation(operation, call) },
  )
}

async function performOperation(
  operation: WorldOperation,
  { params, query, body, c }: UntypedCall,
): Promise<Reply<number, unknown>> {
  const input = { ...(params as object), ...(query as object), ...(body as object) }
  if (operation.kind === 'query') {
    return ok(await readInWorld(c, (world) => operation.read(world, input)))
  }
  if (operation.kind === 'look-ahead') {
    const work: LookAheadWork<unknown> = (fork, pace) => operation.lookAhead(fork, input, pace)
    return ok(orThrow(await c.get('sandbox').lookAhead(work, c.req.raw.signal)))
  }
  const { perform, present, replies, path, locatedBy } = operation
  const value = await executeInWorld(c, (world, cause) => perform(world, input, cause))
  if (replies[204] !== undefined) return noContent()
  const wire = present(value, turnOf(c).settings)
  if (locatedBy === undefined) return ok(wire)
  return created(`${path}/${(wire as Record<string, unknown>)[locatedBy]}`, wire)
}
