/**
 * Fixtures: worlds to start from, as data. Owns reading them, checking them with the schemas of the control plane,
 * and running their story with the real engine, so that no fixture can hold what billing would not do.
 */
import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import * as z from 'zod'
import { initialSettings, type Settings } from '../assumptions/register.ts'
import { numberedId } from '../billing/id.ts'
import { isRefusal, refuse } from '../billing/refusal.ts'
import type { Instant } from '../time/instant.ts'
import { packageRoot } from '../version.ts'
import { camelKeys } from '../wire/case.ts'
import {
  CustomerCreate,
  customerOrder,
  PlanCreate,
  ProductCreate,
  planOrder,
  productOrder,
} from '../wire/catalog.ts'
import { PaymentOutcomesCreate, scriptOrder } from '../wire/charge.ts'
import { CouponCreate, couponOrder, PromotionCreate, promotionOrder } from '../wire/coupon.ts'
import { InstantIn } from '../wire/fields.ts'
import { SettingsPatch, settingsOrder } from '../wire/settings.ts'
import { ApplyCoupon, CheckoutCreate, checkoutOrder } from '../wire/subscription.ts'
import { CLOCK_MAX, moveOn, refusePastEnd } from '../world/advance.ts'
import { type Executed, find } from '../world/answer.ts'
import {
  createCoupon,
  createCustomer,
  createPlan,
  createProduct,
  createPromotion,
} from '../world/commands/catalog.ts'
import { scriptPayments } from '../world/commands/payments.ts'
import { applyCoupon, subscribe } from '../world/commands/subscriptions.ts'
import type { Refusal } from '../world/refusal.ts'
import { checkWorld } from '../world/state-checks.ts'
import { emptyWorld, type World } from '../world/world.ts'

/** One step of a fixture's story: the clock moves to `at`, then at most one thing happens. */
const Step = z.strictObject({
  at: InstantIn,
  subscribe: CheckoutCreate.optional(),
  apply_coupon: ApplyCoupon.extend({ subscription_id: z.string() }).optional(),
  payment_outcomes: PaymentOutcomesCreate.optional(),
})

export const Fixture = z.strictObject({
  description: z.string(),
  now: InstantIn,
  settings: SettingsPatch.default({}),
  api_keys: z
    .array(z.strictObject({ suffix: z.string().regex(/^[a-z0-9]+$/), revoked: z.boolean() }))
    .default([]),
  products: z.array(ProductCreate).default([]),
  plans: z.array(PlanCreate).default([]),
  customers: z.array(CustomerCreate).default([]),
  coupons: z.array(CouponCreate).default([]),
  promotions: z.array(PromotionCreate).default([]),
  story: z.array(Step).default([]),
})
export type Fixture = z.output<typeof Fixture>

/** Every fixture, by name. */
export type FixtureLibrary = ReadonlyMap<string, Fixture>

/** Reads every fixture that comes with the product. Throws, naming file and field, for one that is wrong. */
export async function loadFixtures(): Promise<FixtureLibrary> {
  const folder = new URL('fixtures/', packageRoot)
  const files = (await readdir(folder)).filter((file) => file.endsWith('.json')).sort()
  const read = async (file: string): Promise<[string, Fixture]> => {
    const parsed = Fixture.safeParse(JSON.parse(await readFile(new URL(file, folder), 'utf8')))
    if (!parsed.success) throw new Error(`fixtures/${file}: ${z.prettifyError(parsed.error)}`)
    return [basename(file, '.json'), parsed.data]
  }
  return new Map(await Promise.all(files.map(read)))
}

/** The sandbox that a fixture is for, and what differs from the fixture. */
export interface FixtureOrder {
  readonly sandboxId: string
  readonly name: string
  /** Null for the fixture's own start; with a story, the clock goes on to here after it. */
  readonly startAt: Instant | null
  /** Whether the clock runs from the start on. */
  readonly startsRunning: boolean
  readonly settings: Partial<Settings>
}

/** Makes the world of a fixture. Refuses a start before the end of its story, or so late that too much falls due. */
export async function worldFromFixture(
  fixture: Fixture,
  order: FixtureOrder,
): Promise<World | Refusal> {
  const settings = { ...initialSettings, ...settingsOrder(fixture.settings), ...order.settings }
  const { name, startAt, startsRunning } = order
  const origin = { fixture: name, startAt, startsRunning, settings }
  if (order.startAt !== null && order.startAt > CLOCK_MAX) return refusePastEnd('now')
  const end = fixture.story.at(-1)?.at ?? null
  if (order.startAt !== null && end !== null && order.startAt < end) {
    return refuse(
      'clock_backwards',
      `now must be ${end}, where the fixture "${order.name}" ends, or later; got ${order.startAt}.`,
    )
  }
  const begin = end === null ? (order.startAt ?? fixture.now) : fixture.now
  const world = emptyWorld(order.sandboxId, origin, begin)
  addRecords(world, fixture)
  for (const { at, perform } of storyOf(fixture)) {
    mustSucceed(await moveOn(world, at, 'now'))
    mustSucceed(perform(world))
  }
  const refusal = order.startAt === null ? null : await moveOn(world, order.startAt, 'now')
  if (refusal !== null) return refusal
  // Where real time stands is not known here: a running clock is set going when the world is put in place.
  if (startsRunning) world.clock.offsetMs = 0
  await checkWorld(world)
  return world
}

/** Begins a sandbox's own fixture as it was then, with the start and the settings asked for; another as it is. */
export async function beginAgain(
  { sandboxId, origin }: World,
  fixtures: FixtureLibrary,
  asked?: string,
): Promise<World | Refusal> {
  const name = asked ?? origin.fixture
  const fixture = find(fixtures, { field: 'fixture', id: name })
  if (isRefusal(fixture)) return fixture
  const start =
    name === origin.fixture
      ? origin
      : { startAt: null, startsRunning: origin.startsRunning, settings: {} }
  return worldFromFixture(fixture, { ...start, sandboxId, name })
}

/** Adds the records that a fixture has from the beginning to a new world. */
function addRecords(world: World, fixture: Fixture): void {
  world.apiKeys = fixture.api_keys
  for (const each of fixture.products) mustSucceed(createProduct(world, productOrder(each)))
  for (const each of fixture.plans) mustSucceed(createPlan(world, planOrder(each)))
  for (const each of fixture.customers) mustSucceed(createCustomer(world, customerOrder(each)))
  for (const each of fixture.coupons) mustSucceed(createCoupon(world, couponOrder(each)))
  for (const each of fixture.promotions) mustSucceed(createPromotion(world, promotionOrder(each)))
}

/** What happens in a fixture, and when. Its subscriptions are numbered by the story, whatever else happens between. */
function storyOf({ story }: Fixture) {
  let subscriptions = 0
  return story.map((step) => {
    if (step.subscribe) subscriptions += 1
    const subscriptionId = numberedId('sub_', subscriptions)
    return { at: step.at, perform: (world: World) => perform(world, step, subscriptionId) }
  })
}

function perform(
  world: World,
  step: z.output<typeof Step>,
  subscriptionId: string,
): Refusal | null {
  const cause = { kind: 'request', requestId: null } as const
  const { subscribe: checkout, apply_coupon: application, payment_outcomes: script } = step
  const answers = [
    checkout && subscribe(world, { ...checkoutOrder(checkout), subscriptionId }, cause),
    script && scriptPayments(world, scriptOrder(script)),
    application && applyCoupon(world, camelKeys(application), cause),
  ]
  return answers.find((answer) => isRefusal(answer)) ?? null
}

/** A fixture that billing refuses is a defect of the fixture. */
function mustSucceed(answer: Executed<unknown> | Refusal | null): void {
  if (isRefusal(answer)) throw new Error(`A fixture asks for what is refused: ${answer.message}`)
}
