/** The whole sandbox as one document, out and in. */
import {
  documentOf,
  StateDocument,
  StateDocumentError,
  worldOf,
} from '../../sandbox/state-document.ts'
import type { World } from '../../sandbox/world.ts'
import { fieldsRefused } from '../field-errors.ts'
import { ok, operation, route } from '../operation.ts'
import { requestIdOf } from '../stamp.ts'
import { WireSandboxSummary } from '../wire/sandbox.ts'
import { camelDeep, snakeDeep, WireState } from '../wire/state.ts'
import { askWorld, controlPlane, json } from './calls.ts'
import { summarize } from './sandbox.ts'

/** A sandbox with a year of a busy shop in it is far above the limit of other bodies. */
const STATE_LIMIT_BYTES = 512 * 1024 * 1024

const shared = { ...controlPlane, path: '/sandbox/state', tag: 'Sandbox' } as const

const read = operation({
  ...shared,
  operationId: 'exportState',
  method: 'get',
  summary: 'Export the sandbox',
  description:
    'Clock, records, payment outcomes, settings, events, and the digests of tokens: everything that a restore needs.',
  replies: { 200: { description: 'The document.', schema: WireState, source: 'sandbox' } },
  refusals: [],
})

const restore = operation({
  ...shared,
  operationId: 'restoreState',
  method: 'put',
  summary: 'Restore an exported sandbox',
  description:
    'Takes what an export answered, from this sandbox or another. The sandbox keeps its own id and key; tokens work only where they were issued.',
  body: { ...json, schema: WireState, limitBytes: STATE_LIMIT_BYTES },
  replies: {
    200: { description: 'The sandbox.', schema: WireSandboxSummary, source: 'sandbox' },
  },
  refusals: [],
})

export const stateRoutes = [
  route(read, async ({ c }) =>
    ok((await askWorld(c, (world) => snakeDeep(documentOf(world)))) as WireState),
  ),
  route(restore, async ({ body, c }) => {
    const world = worldFrom(body, c.var.sandbox.id)
    await c.var.sandbox.replace(() => world, {
      as: 'restored',
      requestId: () => requestIdOf(c),
    })
    return ok(await summarize(c))
  }),
]

function worldFrom(document: WireState, sandboxId: string): World {
  try {
    return worldOf(camelDeep(document), sandboxId)
  } catch (error) {
    if (!(error instanceof StateDocumentError)) throw error
    const { message, field } = error
    const spelt = wirePathOf(field)
    throw fieldsRefused([{ field: spelt, message: message.replace(field, spelt) }])
  }
}

/** `subscriptions.0.planId` becomes `subscriptions[0].plan_id`; the id of a record stays as it is. */
function wirePathOf(field: string): string {
  if (!Object.hasOwn(StateDocument.shape, field.split('.')[0] ?? '')) return field
  return field
    .replace(/\.(\d+)(?=\.|$)/g, '[$1]')
    .replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
