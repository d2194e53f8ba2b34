/** The sandbox itself: what it holds, its way back to where it began, and the moments that it can return to. */
import type { Context } from 'hono'
import { findOne, readPage } from '../../operations/page.ts'
import { CHECKPOINTS_MAX, type Checkpoint } from '../../sandbox/checkpoints.ts'
import { worldForReset } from '../../sandbox/fixtures.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { Replacement, WorldMaker } from '../../sandbox/sandbox-types.ts'
import { endpoints, json, listParts, reply } from '../../surface/declarations.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { instantAt } from '../../time/instant.ts'
import { presentAs, snakeKeys } from '../../wire/common/case.ts'
import {
  CheckpointCreate,
  HOLDS_SHOWN,
  SandboxReset,
  WireCheckpoint,
  type WireSandbox,
  WireSandboxDescription,
  WireSandboxSummary,
} from '../../wire/sandbox/sandbox.ts'
import { nextDue } from '../../world/advance.ts'
import { countsOf } from '../../world/capacity.ts'
import { holdMeter } from '../../world/hold-meter.ts'
import type { World } from '../../world/world.ts'
import { requestIdInNewWorld, requestIdInTurn } from '../request-id.ts'
import { readInWorld } from '../world-calls.ts'

const { get, post, remove } = endpoints('Sandbox')

export const sandboxRoutes = [
  route({
    ...get('/sandbox', 'describeSandbox'),
    summary: 'Describe the sandbox',
    description:
      'Returns the key of the sandbox, its virtual now, the number of its records, and the next due item. It also returns how long operations blocked others in the server process, in real time, which varies from run to run.',
    replies: reply.ok('The sandbox, and the process that serves it.', WireSandboxDescription),
    answer: async ({ c }) => {
      const sandbox = c.get('sandbox')
      const { whatIfProgress } = sandbox
      const summary = await readInWorld(c, (world) => presentSummary(sandbox, world))
      return ok({ ...summary, what_if_progress: whatIfProgress, longest_holds: longestHolds() })
    },
  }),
  route({
    ...post('/sandbox/reset', 'resetSandbox'),
    summary: 'Reset the sandbox',
    description:
      'Resets the sandbox to the fixture that it was created from, including clock and settings, or to another fixture with its clock and settings. Checkpoints are deleted. Webhooks and published pacts are kept.',
    body: { ...json, schema: SandboxReset, required: false },
    replies: reply.ok('The sandbox after the reset.', WireSandboxSummary),
    refusals: ['not_found', 'fixture_unusable', 'sandbox_full', 'clock_backwards', 'clock_limit'],
    answer: async ({ body, c }) => {
      const make = (world: World) => worldForReset(world, c.get('server').registry, body.fixture)
      return ok(await replaceWorld(c, make, { as: 'reset' }))
    },
  }),
]

/** Replaces the world of the sandbox of a call; answers how much the sandbox then holds. */
export async function replaceWorld(
  c: Context,
  make: WorldMaker,
  replacement: Pick<Replacement<WireSandboxSummary>, 'as' | 'detail'>,
): Promise<WireSandboxSummary> {
  const sandbox = c.get('sandbox')
  const requestId = () => requestIdInNewWorld(c)
  const answer = (world: World) => presentSummary(sandbox, world)
  return orThrow(await sandbox.replace(make, { ...replacement, requestId, answer }))
}

function presentSummary(sandbox: Sandbox, world: World): WireSandboxSummary {
  return {
    ...presentSandbox(sandbox),
    counts: snakeKeys(countsOf(world)),
    next_due: nextDue(world),
  }
}

/** How long the operations of this process held its event loop. */
function longestHolds(): WireSandboxDescription['longest_holds'] {
  const rows = holdMeter.longest?.slice(0, HOLDS_SHOWN).map(({ operation, ms, at }) => {
    return { operation, ms: Math.round(ms), at: instantAt(Math.floor(at)) }
  })
  return rows ?? null
}

export function presentSandbox(sandbox: Sandbox): WireSandbox {
  return { sandbox_id: sandbox.id, api_key: sandbox.apiKey, now: sandbox.now() }
}

const [all, one] = ['/sandbox/checkpoints', '/sandbox/checkpoints/{name}'] as const

export const checkpointRoutes = [
  route({
    ...get(all, 'listCheckpoints'),
    ...listParts('Checkpoint', WireCheckpoint),
    summary: 'List checkpoints',
    answer: ({ query, c }) => ok(readPage(c.get('sandbox').checkpoints, query, presentCheckpoint)),
  }),
  route({
    ...post(all, 'createCheckpoint'),
    summary: 'Create a checkpoint',
    description: `Saves the current state of the sandbox under a name. A sandbox has at most ${CHECKPOINTS_MAX} checkpoints.`,
    body: { ...json, schema: CheckpointCreate },
    replies: reply.created('The checkpoint.', WireCheckpoint),
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
    description: 'Returns the checkpoint: its virtual instant, and the number of its records.',
    replies: reply.ok('The checkpoint.', WireCheckpoint),
    answer: ({ params, c }) =>
      ok(orThrow(findOne(c.get('sandbox').checkpoints, params, presentCheckpoint))),
  }),
  route({
    ...remove(one, 'deleteCheckpoint'),
    summary: 'Delete a checkpoint',
    description:
      'Deletes the checkpoint. The sandbox itself stays as it is, and so do forks that began there.',
    replies: reply.deleted('The checkpoint is deleted.'),
    answer: async ({ params: { name }, c }) => {
      orThrow(await c.get('sandbox').checkpoint((checkpoints) => checkpoints.remove(name)))
      return noContent()
    },
  }),
  route({
    ...post('/sandbox/checkpoints/{name}/restore', 'restoreCheckpoint'),
    summary: 'Return to a checkpoint',
    description:
      'Restores the state of the checkpoint: clock, records, payment outcomes, settings, tokens and events, and one event that records the restore. All checkpoints are kept, also later ones.',
    replies: reply.ok('The sandbox after the return.', WireSandboxSummary),
    refusals: ['not_found', 'checkpoint_unusable'],
    answer: async ({ params: { name }, c }) => {
      const sandbox = c.get('sandbox')
      const make: WorldMaker = (_, checkpoints) => checkpoints.worldAt(name, sandbox.id)
      return ok(await replaceWorld(c, make, { as: 'restored', detail: { checkpoint: name } }))
    },
  }),
]

function presentCheckpoint(checkpoint: Checkpoint): WireCheckpoint {
  return presentAs(WireCheckpoint, { ...checkpoint, counts: snakeKeys(checkpoint.counts) })
}
