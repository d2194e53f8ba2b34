/** The whole sandbox as one document, out and in; and as a fixture: a file that another one starts from. */
import type { Context } from 'hono'
import type * as z from 'zod'
import { initialSettings } from '../../assumptions/register.ts'
import { CATALOG_KIND_MAX } from '../../sandbox/fixture-format.ts'
import { endpoints, json, reply } from '../../surface/declarations.ts'
import { ok, route } from '../../surface/operation.ts'
import {
  type FieldProblem,
  invalidField,
  invalidFields,
  orThrow,
  printName,
  printValue,
} from '../../surface/refusals.ts'
import { memberOf } from '../../surface/schema-walk.ts'
import { WireCustomer, WirePlan, WireProduct } from '../../wire/billing/catalog.ts'
import { WireCoupon, WirePromotion } from '../../wire/billing/coupon.ts'
import {
  type CamelKeys,
  camelDocument,
  presentAs,
  snakeDeep,
  snakeKey,
} from '../../wire/common/case.ts'
import { WireSandboxSummary } from '../../wire/sandbox/sandbox.ts'
import { presentOtherSettings } from '../../wire/sandbox/settings.ts'
import { FixtureQuery, WireFixture, WireState } from '../../wire/sandbox/state.ts'
import { checkSize } from '../../world/capacity.ts'
import { documentParts, StateDocument, worldOfDocument } from '../../world/state-document.ts'
import { StateDocumentError } from '../../world/state-document-error.ts'
import { TimeSlice } from '../../world/time-slice.ts'
import { copyWorld, type World } from '../../world/world.ts'
import { chunksOf } from '../../world/world-entries.ts'
import { stream } from '../streamed.ts'
import { readInWorld } from '../world-calls.ts'
import { replaceWorld } from './sandbox.ts'

/** A full sandbox is far above the limit of other bodies. */
const STATE_LIMIT_BYTES = 2 * 1024 * 1024 * 1024

const PIECE = 50

const { get, put } = endpoints('Sandbox')

export const stateRoutes = [
  route({
    ...get('/sandbox/state', 'exportState'),
    summary: 'Export the sandbox',
    description:
      'Exports the whole sandbox for a restore: clock, records, payment outcomes, settings, events, and the digests of tokens.',
    replies: reply.ok('The state of the sandbox.', WireState),
    answer: async ({ c }) =>
      stream(piecesOfState(await copyOf(c)), { 'Content-Type': 'application/json' }),
  }),
  route({
    ...put('/sandbox/state', 'restoreState'),
    summary: 'Restore an exported sandbox',
    description:
      'Restores the state that an export answered, of this sandbox or another. The sandbox keeps its own id and key; tokens work only where they were issued.',
    body: { ...json, schema: WireState, limitBytes: STATE_LIMIT_BYTES },
    replies: reply.ok('The restored sandbox.', WireSandboxSummary),
    refusals: ['sandbox_full'],
    answer: async ({ body, c }) => {
      const world = await worldFrom(body, c.get('sandbox').id)
      orThrow(checkSize(world))
      return ok(await replaceWorld(c, () => world, { as: 'restored' }))
    },
  }),
  route({
    ...get('/sandbox/fixture', 'exportFixture'),
    summary: 'Export the sandbox as a fixture',
    description:
      'Exports the sandbox as a file that `--fixture` takes. With its state, a sandbox that begins with it has the same records, events, settings and virtual now as this one had; tokens work only where they were issued. With its catalog, the file is like one that is written by hand, which has at most 10,000 records of a kind; of more, the export is refused. A file has at most 64 MiB; what is larger, PUT /sandbox/state takes.',
    query: FixtureQuery,
    replies: reply.ok('The sandbox as a fixture.', WireFixture),
    answer: async ({ query, c }) => {
      const pieces =
        query.content === 'catalog'
          ? piecesOfCatalog(await readInWorld(c, catalogOf))
          : piecesWithState(await copyOf(c))
      return stream(pieces, { 'Content-Type': 'application/json' })
    },
  }),
]

/** A copy of the world of a call, of one moment. */
function copyOf(c: Context): Promise<World> {
  return readInWorld(c, (world) => copyWorld(world, world.sandboxId))
}

/** The document of a copy of a world as JSON, a few records at a time: it is of the moment of the copy. */
async function* piecesOfState(copy: World): AsyncGenerator<string> {
  const slice = new TimeSlice()
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

async function worldFrom(document: WireState, sandboxId: string): Promise<World> {
  const renamed = await camelDocument(document, misspelt)
  try {
    return await worldOfDocument(renamed, sandboxId)
  } catch (error) {
    if (!(error instanceof StateDocumentError)) throw error
    throw invalidFields([problemIn(renamed, error)])
  }
}

function misspelt(key: string): Error {
  const message = `${printName(key)} is not a known field; names must be in snake case.`
  return invalidFields([{ field: key, message }])
}

function problemIn(document: unknown, { field, message }: StateDocumentError): FieldProblem {
  const why = message.slice(field.length + 1)
  const expected = 'it must be as GET /sandbox/state answers it.'
  const path = field.split('.')
  // The id of a record, which the document contradicts itself about, stays as it is.
  const isPath = Object.hasOwn(StateDocument.shape, path[0] ?? '')
  if (!isPath) return { field, message: `${field} ${why}; ${expected}` }
  const got = printValue(path.reduce<unknown>(memberOf, document))
  // `subscriptions.0.planId` becomes `subscriptions[0].plan_id`.
  const shown = snakeKey(field.replace(/\.(\d+)(?=\.|$)/g, '[$1]'))
  return { field: shown, message: `${shown} is wrong: ${why}; got ${got}; ${expected}` }
}

async function* piecesWithState(copy: World): AsyncGenerator<string> {
  yield `{"description":${JSON.stringify(describe(copy))},"state":`
  yield* piecesOfState(copy)
  yield '}\n'
}

function describe({ sandboxId, clock }: World): string {
  return `The sandbox "${sandboxId}" as it was at ${clock.now()}.`
}

/** What somebody would write down of a world, leaving out what is as usual and what happened. */
function catalogOf(world: World) {
  const head = {
    description: describe(world),
    now: world.clock.now(),
    settings: presentOtherSettings(world.chosenSettings, initialSettings),
    api_keys: world.apiKeys,
  }
  const kinds = ['products', 'plans', 'customers', 'coupons', 'promotions'] as const
  const large = kinds.find((kind) => world[kind].size > CATALOG_KIND_MAX)
  if (large !== undefined) {
    const rule = `must be state for more than ${CATALOG_KIND_MAX} ${large}, which a fixture with a catalog cannot have`
    throw invalidField('content', `${rule}; got "catalog"`)
  }
  return {
    head,
    lists: {
      products: listOf(WireProduct, [...world.products.values()]),
      plans: listOf(WirePlan, [...world.plans.values()]),
      customers: listOf(WireCustomer, [...world.customers.values()]),
      coupons: listOf(WireCoupon, [...world.coupons.values()]),
      promotions: listOf(WirePromotion, [...world.promotions.values()]),
    },
  }
}

/** The records of a list as a fixture has them, each made when it is asked for. */
function* listOf<Wire extends z.ZodObject>(
  wire: Wire,
  records: readonly CamelKeys<z.input<Wire>>[],
): Generator<object> {
  for (const record of records) yield toFixtureRecord(presentAs(wire, record))
}

/** The catalog as indented JSON, a record at a time. */
async function* piecesOfCatalog({
  head,
  lists,
}: ReturnType<typeof catalogOf>): AsyncGenerator<string> {
  const slice = new TimeSlice()
  yield JSON.stringify(head, null, 2).slice(0, -'\n}'.length)
  for (const [name, records] of Object.entries(lists)) {
    yield `,\n  ${JSON.stringify(name)}: [`
    let before = '\n    '
    for (const record of records) {
      yield `${before}${JSON.stringify(record, null, 2).replaceAll('\n', '\n    ')}`
      before = ',\n    '
      if (slice.isOver()) await slice.next()
    }
    yield before.startsWith(',') ? '\n  ]' : ']'
  }
  yield '\n}\n'
}

/** What is null is left out, and so is what only redemptions count. */
function toFixtureRecord(record: object): object {
  return Object.fromEntries(
    Object.entries(record).filter(([key, value]) => value !== null && key !== 'times_redeemed'),
  )
}
