/** Checkpoints: named moments of a sandbox, to return to. */
import * as z from 'zod'
import { takePage } from '../../operations/page.ts'
import { CHECKPOINTS_MAX, type Checkpoint } from '../../sandbox/checkpoints.ts'
import type { WorldMaker } from '../../sandbox/sandbox-parts.ts'
import { answers, controlPlane, deletes, json, makes, pages } from '../../surface/declarations.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { presentAs, snakeKeys } from '../../wire/case.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import { CheckpointCreate, WireCheckpoint, WireSandboxSummary } from '../../wire/sandbox.ts'
import { find } from '../../world/answer.ts'
import { requestIdInNewWorld, requestIdInTurn } from '../request-id.ts'
import { summarize } from './sandbox.ts'

const shared = { ...controlPlane, tag: 'Sandbox' } as const
const params = z.strictObject({ name: Reference })

export const checkpointRoutes = [
  route({
    ...shared,
    operationId: 'listCheckpoints',
    method: 'get',
    path: '/sandbox/checkpoints',
    summary: 'List checkpoints',
    description: 'Oldest first.',
    query: PageQuery,
    replies: pages('Checkpoint', WireCheckpoint),
    answer: ({ query, c }) => ok(takePage(c.get('sandbox').checkpoints, query, presentCheckpoint)),
  }),
  route({
    ...shared,
    operationId: 'createCheckpoint',
    method: 'post',
    path: '/sandbox/checkpoints',
    summary: 'Create a checkpoint',
    description: `Keeps the sandbox as it is now under a name. At most ${CHECKPOINTS_MAX}, until one is deleted.`,
    body: { ...json, schema: CheckpointCreate },
    replies: makes('The checkpoint.', WireCheckpoint),
    refusals: ['exists', 'checkpoint_limit'],
    answer: async ({ body: { name }, c }) => {
      const made = orThrow(
        await c.get('sandbox').checkpoint((checkpoints, world) => {
          requestIdInTurn(c)
          return checkpoints.create(world, name)
        }),
      )
      return created(`/sandbox/checkpoints/${name}`, presentCheckpoint(made))
    },
  }),
  route({
    ...shared,
    operationId: 'retrieveCheckpoint',
    method: 'get',
    path: '/sandbox/checkpoints/{name}',
    summary: 'Retrieve a checkpoint',
    description: 'Its moment, and what it holds.',
    params,
    replies: answers('The checkpoint.', WireCheckpoint),
    refusals: ['not_found'],
    answer: ({ params: { name }, c }) => {
      const named = { field: 'name', id: name }
      const found = find(c.get('sandbox').checkpoints, named)
      return ok(presentCheckpoint(orThrow<Checkpoint>(found)))
    },
  }),
  route({
    ...shared,
    operationId: 'deleteCheckpoint',
    method: 'delete',
    path: '/sandbox/checkpoints/{name}',
    summary: 'Delete a checkpoint',
    description: 'The sandbox itself stays as it is, and so do forks that began there.',
    params,
    replies: deletes,
    refusals: ['not_found'],
    answer: async ({ params: { name }, c }) => {
      orThrow(await c.get('sandbox').checkpoint((checkpoints) => checkpoints.remove(name)))
      return noContent()
    },
  }),
  route({
    ...shared,
    operationId: 'restoreCheckpoint',
    method: 'post',
    path: '/sandbox/checkpoints/{name}/restore',
    summary: 'Return to a checkpoint',
    description:
      'Clock, records, payment outcomes, settings, tokens and events are what they were then, and one event says so. Every checkpoint stays, later ones too, so that it can be done again.',
    params,
    replies: answers('The sandbox.', WireSandboxSummary),
    refusals: ['not_found', 'checkpoint_unusable'],
    answer: async ({ params: { name }, c }) => {
      const { sandbox } = c.var
      const make: WorldMaker = (_, checkpoints) =>
        checkpoints.worldAt({ field: 'name', name }, sandbox.id)
      const detail = { checkpoint: name }
      const replacement = {
        as: 'restored',
        requestId: () => requestIdInNewWorld(c),
        detail,
      } as const
      orThrow(await sandbox.replace(make, replacement))
      return ok(await summarize(c))
    },
  }),
]

/** A checkpoint by its name, and what it holds. */
function presentCheckpoint(checkpoint: Checkpoint): WireCheckpoint {
  return presentAs(WireCheckpoint, { ...checkpoint, counts: snakeKeys(checkpoint.counts) })
}
