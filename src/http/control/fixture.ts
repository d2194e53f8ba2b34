/** A sandbox as a fixture: a file that another one starts from. */
import type * as z from 'zod'
import { initialSettings } from '../../assumptions/register.ts'
import { answers, endpoints } from '../../surface/declarations.ts'
import { route } from '../../surface/operation.ts'
import { type CamelKeys, presentAs } from '../../wire/case.ts'
import { WireCustomer, WirePlan, WireProduct } from '../../wire/catalog.ts'
import { WireCoupon, WirePromotion } from '../../wire/coupon.ts'
import { presentSettings } from '../../wire/settings.ts'
import { FixtureQuery, WireFixture } from '../../wire/state.ts'
import { Slice } from '../../world/paced.ts'
import type { World } from '../../world/world.ts'
import { streamed } from '../streamed.ts'
import { readInWorld } from '../world-calls.ts'
import { copyOf, piecesOfState } from './state.ts'

export const fixtureRoutes = [
  route({
    ...endpoints('Sandbox').get('/sandbox/fixture', 'exportFixture'),
    summary: 'Export the sandbox as a fixture',
    description:
      'A file that `--fixture` takes. With its state, a sandbox that begins with it has the same records, events, settings and clock as this one had; tokens work only where they were issued. With its catalog, it is what somebody would write by hand.',
    query: FixtureQuery,
    replies: answers('The fixture.', WireFixture),
    answer: async ({ query, c }) => {
      const pieces =
        query.content === 'catalog'
          ? piecesOfCatalog(await readInWorld(c, catalogOf))
          : piecesWithState(await copyOf(c))
      return streamed(pieces, { headers: { 'Content-Type': 'application/json' } })
    },
  }),
]

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
  const usual = presentSettings(initialSettings)
  const settings = Object.entries(presentSettings(world.settings)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(usual[key as keyof typeof usual]),
  )
  const head = {
    description: describe(world),
    now: world.clock.now(),
    settings: Object.fromEntries(settings),
    api_keys: world.apiKeys,
  }
  return {
    head,
    lists: {
      products: listOf(WireProduct, world.products.list()),
      plans: listOf(WirePlan, world.plans.list()),
      customers: listOf(WireCustomer, world.customers.list()),
      coupons: listOf(WireCoupon, world.coupons.list()),
      promotions: listOf(WirePromotion, world.promotions.list()),
    },
  }
}

/** The records of a list as a fixture has them, each made when it is asked for. */
function* listOf<Wire extends z.ZodObject>(
  wire: Wire,
  records: readonly CamelKeys<z.input<Wire>>[],
): Generator<object> {
  for (const record of records) yield written(presentAs(wire, record))
}

/** The catalog as indented JSON, a record at a time. */
async function* piecesOfCatalog({
  head,
  lists,
}: ReturnType<typeof catalogOf>): AsyncGenerator<string> {
  const slice = new Slice()
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
function written(record: object): object {
  return Object.fromEntries(
    Object.entries(record).filter(([key, value]) => value !== null && key !== 'times_redeemed'),
  )
}
