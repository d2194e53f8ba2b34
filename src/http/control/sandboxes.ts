/** Sandboxes: making, listing and deleting them. These operations belong to the process, not to one sandbox. */
import type { Context } from 'hono'
import * as z from 'zod'
import { isRefusal } from '../../billing/refusal.ts'
import { readPage } from '../../operations/page.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { apiKeyOf } from '../../sandbox/sandbox-types.ts'
import { endpoints, json, listParts, reply } from '../../surface/declarations.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import {
  SandboxCreate,
  SandboxId,
  toNewSandbox,
  WireSandbox,
  WireSandboxRow,
} from '../../wire/sandbox/sandbox.ts'
import type { Refusal } from '../../world/refusal.ts'
import { notFound } from '../../world/results.ts'
import { presentSandbox } from './sandbox.ts'

const { get, post, put, remove } = endpoints('Sandboxes')
const creation = {
  description:
    'Creates a sandbox from a fixture, or as a fork of another sandbox as it is now or at a checkpoint. A fork has no checkpoints. Its base address is `/sandboxes/{sandbox_id}`: `/v1` below it answers as this sandbox, to any key that is not of another sandbox.',
  body: { ...json, schema: SandboxCreate, required: false },
  replies: reply.created('The new sandbox.', WireSandbox),
  refusals: [
    ...(['not_found', 'sandbox_limit', 'sandbox_full', 'checkpoint_unusable'] as const),
    ...(['fixture_unusable', 'clock_backwards', 'clock_limit'] as const),
  ],
} as const

/** How many sandboxes are loaded at once. */
const LANES = 8

export const sandboxesRoutes = [
  route({
    ...get('/sandboxes', 'listSandboxes'),
    ...listParts('SandboxRow', WireSandboxRow),
    storeFailures: [],
    summary: 'List sandboxes',
    description:
      'Lists sandboxes. `now` is null for a sandbox whose data cannot be read; calls to that sandbox say why.',
    answer: async ({ query, c }) => {
      const { registry } = c.get('server')
      const ids = new Map(registry.ids.map((id) => [id, id]))
      const page = readPage(ids, query, (id) => id)
      const rows: WireSandboxRow[][] = []
      const waiting = page.data.entries()
      const lane = async () => {
        for (const [at, id] of waiting) rows[at] = rowOf(await registry.find(id), id)
      }
      // All at once would hold up other calls.
      await Promise.all(Array.from({ length: LANES }, lane))
      return ok({ ...page, data: rows.flat() })
    },
  }),
  route({
    ...post('/sandboxes', 'createSandbox'),
    summary: 'Create a sandbox under a generated identifier',
    ...creation,
    answer: ({ body, c }) => createSandbox(c, toNewSandbox(body, null)),
  }),
  route({
    ...put('/sandboxes/{sandbox_id}', 'createNamedSandbox'),
    summary: 'Create a sandbox',
    ...creation,
    params: z.strictObject({ sandbox_id: SandboxId }),
    refusals: ['exists', ...creation.refusals],
    answer: ({ params, body, c }) => createSandbox(c, toNewSandbox(body, params.sandbox_id)),
  }),
  route({
    ...get('/sandboxes/{sandbox_id}', 'retrieveSandbox'),
    summary: 'Retrieve a sandbox',
    description: 'Returns the key of the sandbox and its virtual now.',
    replies: reply.ok('The sandbox.', WireSandbox),
    answer: async ({ params, c }) => {
      const { registry } = c.get('server')
      const id = params.sandbox_id
      const found = await registry.find(id)
      const sandbox = found ?? notFound(new Set(registry.ids), 'sandbox_id', id)
      return ok(presentSandbox(orThrow<Sandbox>(sandbox)))
    },
  }),
  route({
    ...remove('/sandboxes/{sandbox_id}', 'deleteSandbox'),
    storeFailures: ['storage_unavailable'],
    summary: 'Delete a sandbox',
    description:
      'Deletes the sandbox with all that it holds, its checkpoints too. The default sandbox cannot be deleted.',
    replies: reply.deleted('The sandbox is deleted.'),
    refusals: ['not_found', 'in_use'],
    answer: async ({ params, c }) => {
      orThrow(await c.get('server').registry.remove(params.sandbox_id))
      return noContent()
    },
  }),
]

async function createSandbox(c: Context, order: ReturnType<typeof toNewSandbox>) {
  const sandbox = orThrow(await c.get('server').registry.create(order))
  return created(`/sandboxes/${sandbox.id}`, presentSandbox(sandbox))
}

/** A sandbox in a list; one that was deleted meanwhile is left out. */
function rowOf(found: Sandbox | Refusal | null, sandboxId: string): WireSandboxRow[] {
  if (found === null) return []
  if (!isRefusal(found)) return [presentSandbox(found)]
  return [{ sandbox_id: sandboxId, api_key: apiKeyOf(sandboxId), now: null }]
}
