/** Checkpoints: named moments of a sandbox, to return to. */
import { takeOne, takePage } from '../../operations/page.ts'
import { CHECKPOINTS_MAX, type Checkpoint } from '../../sandbox/checkpoints.ts'
import type { WorldMaker } from '../../sandbox/sandbox-parts.ts'
import { answers, deletes, endpoints, json, lists, makes } from '../../surface/declarations.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { presentAs, snakeKeys } from '../../wire/case.ts'
import { CheckpointCreate, WireCheckpoint, WireSandboxSummary } from '../../wire/sandbox.ts'
import { requestIdInTurn } from '../request-id.ts'
import { replaceWorld } from './sandbox.ts'

const { get, post, remove } = endpoints('Sandbox')
const [all, one] = ['/sandbox/checkpoints', '/sandbox/checkpoints/{name}'] as const

export const checkpointRoutes = [
  route({
    ...get(all, 'listCheckpoints'),
    ...lists('Checkpoint', WireCheckpoint),
    summary: 'List checkpoints',
    answer: ({ query, c }) => ok(takePage(c.get('sandbox').checkpoints, query, presentCheckpoint)),
  }),
  route({
    ...post(all, 'createCheckpoint'),
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
    ...get(one, 'retrieveCheckpoint'),
    summary: 'Retrieve a checkpoint',
    description: 'Its moment, and what it holds.',
    replies: answers('The checkpoint.', WireCheckpoint),
    answer: ({ params, c }) =>
      ok(orThrow(takeOne(c.get('sandbox').checkpoints, params, presentCheckpoint))),
  }),
  route({
    ...remove(one, 'deleteCheckpoint'),
    summary: 'Delete a checkpoint',
    description: 'The sandbox itself stays as it is, and so do forks that began there.',
    replies: deletes,
    answer: async ({ params: { name }, c }) => {
      orThrow(await c.get('sandbox').checkpoint((checkpoints) => checkpoints.remove(name)))
      return noContent()
    },
  }),
  route({
    ...post('/sandbox/checkpoints/{name}/restore', 'restoreCheckpoint'),
    summary: 'Return to a checkpoint',
    description:
      'Clock, records, payment outcomes, settings, tokens and events are what they were then, and one event says so. Every checkpoint stays, later ones too, so that it can be done again.',
    replies: answers('The sandbox.', WireSandboxSummary),
    refusals: ['not_found', 'checkpoint_unusable'],
    answer: async ({ params: { name }, c }) => {
      const { sandbox } = c.var
      const make: WorldMaker = (_, checkpoints) =>
        checkpoints.worldAt({ field: 'name', name }, sandbox.id)
      return ok(await replaceWorld(c, make, { as: 'restored', detail: { checkpoint: name } }))
    },
  }),
]

/** A checkpoint by its name, and what it holds. */
function presentCheckpoint(checkpoint: Checkpoint): WireCheckpoint {
  return presentAs(WireCheckpoint, { ...checkpoint, counts: snakeKeys(checkpoint.counts) })
}
