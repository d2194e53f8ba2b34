/** Sandboxes: making, listing and deleting them. These operations belong to the process, not to one sandbox. */

import * as z from 'zod'
import { isRefusal } from '../../billing/refusal.ts'
import { takePage } from '../../operations/page.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { apiKeyOf } from '../../sandbox/sandbox-parts.ts'
import { answers, controlPlane, deletes, json, makes, pages } from '../../surface/declarations.ts'
import { created, noContent, ok, route } from '../../surface/operation.ts'
import { orThrow } from '../../surface/refusals.ts'
import { PageQuery, Reference } from '../../wire/fields.ts'
import {
  SandboxCreate,
  SandboxId,
  sandboxOrder,
  WireSandbox,
  WireSandboxRow,
} from '../../wire/sandbox.ts'
import { notFound } from '../../world/answer.ts'
import type { Refusal } from '../../world/refusal.ts'
import { presentSandbox } from './sandbox.ts'

const shared = { ...controlPlane, tag: 'Sandboxes' } as const
const creation = {
  description:
    'From a fixture, or as a fork of another sandbox as it is now or at a checkpoint. Checkpoints are not forked along.',
  body: { ...json, schema: SandboxCreate, required: false },
  replies: makes('The sandbox.', WireSandbox),
} as const
const params = z.strictObject({ sandbox_id: Reference })

const creationRefusals = [
  'not_found',
  'sandbox_limit',
  'sandbox_full',
  'checkpoint_unusable',
  'fixture_unusable',
  'clock_backwards',
  'clock_limit',
] as const

export const sandboxesRoutes = [
  route({
    ...shared,
    operationId: 'listSandboxes',
    storeFailures: [],
    method: 'get',
    path: '/sandboxes',
    summary: 'List sandboxes',
    description:
      'Oldest first. One whose data cannot be read has no `now`; its own calls say what is wrong.',
    query: PageQuery,
    replies: pages('SandboxRow', WireSandboxRow),
    answer: async ({ query, c }) => {
      const { registry } = c.var.server
      const ids = new Map(registry.ids.map((id) => [id, id]))
      const page = takePage(ids, query, (id) => id)
      const found = await Promise.all(page.data.map((id) => registry.find(id)))
      return ok({ ...page, data: found.flatMap((each, at) => rowOf(each, page.data[at])) })
    },
  }),
  route({
    ...shared,
    operationId: 'createSandbox',
    method: 'post',
    path: '/sandboxes',
    summary: 'Create a sandbox under a generated identifier',
    ...creation,
    refusals: creationRefusals,
    answer: async ({ body, c }) => {
      const sandbox = orThrow(await c.get('server').registry.create(sandboxOrder(body, null)))
      return created(`/sandboxes/${sandbox.id}`, presentSandbox(sandbox))
    },
  }),
  route({
    ...shared,
    operationId: 'createNamedSandbox',
    method: 'put',
    path: '/sandboxes/{sandbox_id}',
    summary: 'Create a sandbox',
    ...creation,
    params: z.strictObject({ sandbox_id: SandboxId }),
    refusals: ['exists', ...creationRefusals],
    answer: async ({ params, body, c }) => {
      const sandbox = orThrow(
        await c.get('server').registry.create(sandboxOrder(body, params.sandbox_id)),
      )
      return created(`/sandboxes/${sandbox.id}`, presentSandbox(sandbox))
    },
  }),
  route({
    ...shared,
    operationId: 'retrieveSandbox',
    method: 'get',
    path: '/sandboxes/{sandbox_id}',
    summary: 'Retrieve a sandbox',
    description: 'Its key and its virtual now.',
    params,
    replies: answers('The sandbox.', WireSandbox),
    refusals: ['not_found'],
    answer: async ({ params, c }) => {
      const { registry } = c.var.server
      const named = { field: 'sandbox_id', id: params.sandbox_id }
      const found = await registry.find(params.sandbox_id)
      const sandbox = found ?? notFound(named, new Set(registry.ids))
      return ok(presentSandbox(orThrow<Sandbox>(sandbox)))
    },
  }),
  route({
    ...shared,
    operationId: 'deleteSandbox',
    storeFailures: ['storage_unavailable'],
    method: 'delete',
    path: '/sandboxes/{sandbox_id}',
    summary: 'Delete a sandbox',
    description: 'With all that it holds, its checkpoints too. The default one stays.',
    params,
    replies: deletes,
    refusals: ['not_found', 'in_use'],
    answer: async ({ params, c }) => {
      orThrow(await c.get('server').registry.remove(params.sandbox_id))
      return noContent()
    },
  }),
]

/** A sandbox in a list; one that was deleted meanwhile is left out. */
function rowOf(found: Sandbox | Refusal | null, sandboxId = ''): WireSandboxRow[] {
  if (found === null) return []
  if (!isRefusal(found)) return [presentSandbox(found)]
  return [{ sandbox_id: sandboxId, api_key: apiKeyOf(sandboxId), now: null }]
}
