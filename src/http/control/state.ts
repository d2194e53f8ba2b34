/** The whole sandbox as one document, out and in. */
import type { Context } from 'hono'
import { answers, endpoints, json } from '../../surface/declarations.ts'
import { fieldsRefused, printValue } from '../../surface/field-problems.ts'
import { ok, route } from '../../surface/operation.ts'
import { type FieldProblem, orThrow } from '../../surface/refusals.ts'
import { childOf } from '../../surface/schema-walk.ts'
import { camelDocument, snakeDeep, snakeKey } from '../../wire/case.ts'
import { WireSandboxSummary } from '../../wire/sandbox.ts'
import { WireState } from '../../wire/state.ts'
import { refuseOversized } from '../../world/capacity.ts'
import { Slice } from '../../world/paced.ts'
import { documentParts, StateDocument, worldOf } from '../../world/state-document.ts'
import { StateDocumentError } from '../../world/state-document-error.ts'
import { copyWorld, type World } from '../../world/world.ts'
import { printName } from '../request/form.ts'
import { streamed } from '../streamed.ts'
import { readInWorld } from '../world-calls.ts'
import { replaceWorld } from './sandbox.ts'

/** A full sandbox is far above the limit of other bodies. */
const STATE_LIMIT_BYTES = 2 * 1024 * 1024 * 1024

/** How many records are written at a time. */
const PIECE = 50

const { get, put } = endpoints('Sandbox')

export const stateRoutes = [
  route({
    ...get('/sandbox/state', 'exportState'),
    summary: 'Export the sandbox',
    description:
      'Clock, records, payment outcomes, settings, events, and the digests of tokens: everything that a restore needs.',
    replies: answers('The document.', WireState),
    answer: async ({ c }) =>
      streamed(piecesOfState(await copyOf(c)), { headers: { 'Content-Type': 'application/json' } }),
  }),
  route({
    ...put('/sandbox/state', 'restoreState'),
    summary: 'Restore an exported sandbox',
    description:
      'Takes what an export answered, from this sandbox or another. The sandbox keeps its own id and key; tokens work only where they were issued.',
    body: { ...json, schema: WireState, limitBytes: STATE_LIMIT_BYTES },
    replies: answers('The sandbox.', WireSandboxSummary),
    refusals: ['sandbox_full'],
    answer: async ({ body, c }) => {
      const world = await worldFrom(body, c.get('sandbox').id)
      orThrow(refuseOversized(world))
      return ok(await replaceWorld(c, () => world, { as: 'restored' }))
    },
  }),
]

/** A copy of the world of a call, of one moment. */
export function copyOf(c: Context): Promise<World> {
  return readInWorld(c, (world) => copyWorld(world, world.sandboxId))
}

/** The document of a copy of a world as JSON, a few records at a time: it is of the moment of the copy. */
export async function* piecesOfState(copy: World): AsyncGenerator<string> {
  const slice = new Slice()
  const { head, lists } = documentParts(copy)
  yield JSON.stringify(snakeDeep(head)).slice(0, -1)
  for (const [field, records] of Object.entries(lists)) {
    let before = `,${JSON.stringify(snakeKey(field))}:[`
    for (const piece of chunksOf<unknown>(records, PIECE)) {
      yield `${before}${JSON.stringify(snakeDeep(piece)).slice(1, -1)}`
      before = ','
      if (slice.isOver()) await slice.next()
    }
    yield before === ',' ? ']' : `${before}]`
  }
  yield '}'
}

function* chunksOf<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let chunk: Item[] = []
  for (const item of items) {
    chunk.push(item)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

async function worldFrom(document: WireState, sandboxId: string): Promise<World> {
  const renamed = await camelDocument(document, misspelt)
  try {
    return await worldOf(renamed, sandboxId)
  } catch (error) {
    if (!(error instanceof StateDocumentError)) throw error
    throw fieldsRefused([problemIn(renamed, error)])
  }
}

function misspelt(key: string): Error {
  const message = `${printName(key)} is not a known field; names must be in snake case.`
  return fieldsRefused([{ field: key, message }])
}

/** What is wrong with a document, at a path or with a record. */
function problemIn(document: unknown, { field, message }: StateDocumentError): FieldProblem {
  const why = message.slice(field.length + 1)
  const expected = 'it must be as GET /sandbox/state answers it.'
  const path = field.split('.')
  // The id of a record, which the document contradicts itself about, stays as it is.
  const isPath = Object.hasOwn(StateDocument.shape, path[0] ?? '')
  if (!isPath) return { field, message: `${field} ${why}; ${expected}` }
  const got = printValue(path.reduce<unknown>(childOf, document))
  const shown = wirePath(field)
  return { field: shown, message: `${shown} is wrong: ${why}; got ${got}; ${expected}` }
}

/** `subscriptions.0.planId` becomes `subscriptions[0].plan_id`. */
function wirePath(field: string): string {
  return snakeKey(field.replace(/\.(\d+)(?=\.|$)/g, '[$1]'))
}
