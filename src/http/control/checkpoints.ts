/** Checkpoints: named moments of a sandbox, to return to. */
import * as z from 'zod'
import { CHECKPOINTS_MAX } from '../../sandbox/checkpoints.ts'
import type { WorldMaker } from '../../sandbox/sandbox.ts'
import { created, noContent, ok, operation, route } from '../../surface/operation.ts'
import { granted } from '../../surface/refusals.ts'
import { CheckpointCreate, WireCheckpoint } from '../../wire/checkpoint.ts'
import { PageQuery, pageOf, Reference } from '../../wire/fields.ts'
import { WireSandboxSummary } from '../../wire/sandbox.ts'
import { presentCheckpoint } from '../present/sandbox.ts'
import { requestIdOf } from '../stamp.ts'
import { controlPlane, json, takePage } from './calls.ts'
import { summarize } from './sandbox.ts'

const shared = { ...controlPlane, tag: 'Sandbox' } as const
const params = z.strictObject({ name: Reference })

const list = operation({
  ...shared,
  operationId: 'listCheckpoints',
  method: 'get',
  path: '/sandbox/checkpoints',
  summary: 'List checkpoints',
  description: 'Oldest first.',
  query: PageQuery,
  replies: {
    200: {
      description: 'One page of them.',
      schema: pageOf('Checkpoint', WireCheckpoint),
      source: 'sandbox',
    },
  },
  refusals: [],
})

const create = operation({
  ...shared,
  operationId: 'createCheckpoint',
  method: 'post',
  path: '/sandbox/checkpoints',
  summary: 'Create a checkpoint',
  description: `Keeps the sandbox as it is now under a name. At most ${CHECKPOINTS_MAX}, until one is deleted.`,
  body: { ...json, schema: CheckpointCreate },
  replies: {
    201: { description: 'The checkpoint.', schema: WireCheckpoint, source: 'sandbox' },
  },
  refusals: ['exists', 'checkpoint_limit'],
})

const remove = operation({
  ...shared,
  operationId: 'deleteCheckpoint',
  method: 'delete',
  path: '/sandbox/checkpoints/{name}',
  summary: 'Delete a checkpoint',
  description: 'The sandbox itself stays as it is, and so do forks that began there.',
  params,
  replies: { 204: { description: 'It is gone.', schema: null, source: 'sandbox' } },
  refusals: ['not_found'],
})

const restore = operation({
  ...shared,
  operationId: 'restoreCheckpoint',
  method: 'post',
  path: '/sandbox/checkpoints/{name}/restore',
  summary: 'Return to a checkpoint',
  description:
    'Clock, records, payment outcomes, settings, tokens and events are what they were then, and one event tells of it. Every checkpoint stays, later ones too, so that it can be done again.',
  params,
  replies: {
    200: { description: 'The sandbox.', schema: WireSandboxSummary, source: 'sandbox' },
  },
  refusals: ['not_found', 'checkpoint_unusable'],
})

export const checkpointRoutes = [
  route(list, ({ query, c }) =>
    ok(takePage(c.var.sandbox.checkpoints, query, { present: presentCheckpoint })),
  ),
  route(create, async ({ body: { name }, c }) => {
    const made = granted(
      await c.var.sandbox.checkpoint((checkpoints, world) => checkpoints.create(world, name)),
    )
    return created(`/sandbox/checkpoints/${name}`, presentCheckpoint(made))
  }),
  route(remove, async ({ params: { name }, c }) => {
    granted(await c.var.sandbox.checkpoint((checkpoints) => checkpoints.remove(name)))
    return noContent()
  }),
  route(restore, async ({ params: { name }, c }) => {
    const { sandbox } = c.var
    const make: WorldMaker = (_, checkpoints) =>
      checkpoints.worldAt({ field: 'name', name }, sandbox.id)
    const detail = { checkpoint: name }
    const told = { as: 'restored', requestId: () => requestIdOf(c), detail } as const
    granted(await sandbox.replace(make, told))
    return ok(await summarize(c))
  }),
]
