/**
 * The format of fixtures: the initial world as data. It uses the schemas of the control plane. The published JSON
 * Schema is generated from it.
 */
import type * as z from 'zod'
import { array, strictObject, string } from 'zod'
import type { Instant } from '../time/instant.ts'
import { CustomerCreate, PlanCreate, ProductCreate } from '../wire/billing/catalog.ts'
import { CouponCreate, PromotionCreate } from '../wire/billing/coupon.ts'
import { DurationIn, Flag, InstantIn, listUpTo, textUpTo } from '../wire/common/fields.ts'
import { SettingsPatch } from '../wire/sandbox/settings.ts'
import { WireState } from '../wire/sandbox/state.ts'
import { ApiKey } from '../world/world.ts'
import { actNames, actOperations, actSchema, actsOf } from './fixture-acts.ts'

/** The start of the clock, unless a fixture has another. */
const USUAL_START = '2027-01-01T00:00:00.000Z' as Instant

/** A longer history belongs in a test. */
const STEPS_MAX = 10_000

/** More records of one kind belong in a state. */
export const CATALOG_KIND_MAX = 10_000

const DESCRIPTION_MAX = 1000

const acts = Object.fromEntries(
  actNames.map((name) => {
    const description = `What ${actOperations[name]} does, with all that it takes.`
    return [name, actSchema(name).optional().describe(description)]
  }),
)

/** One step of a fixture's history: the clock moves, then at most one act is performed. */
const Step = strictObject({
  at: InstantIn.optional().describe('When, as an instant; where the step before was, if absent.'),
  ago: DurationIn.optional().describe(
    'When, as a time before the end of the history, such as P1M2D: two days back, then a month. The history then ends at `now`.',
  ),
  ...acts,
})
  .refine((step) => actsOf(step).length <= 1 && (step.at === undefined || step.ago === undefined))
  .meta({
    accepts: `an object with at most one of at and ago, and at most one of ${actNames.join(', ')}`,
  })

const ApiKeys = array(
  strictObject({
    suffix: ApiKey.shape.suffix
      .describe('What the key ends with.')
      .meta({ accepts: '1 to 64 of a-z and 0-9' }),
    revoked: Flag,
  }),
)

const records = {
  settings: SettingsPatch.default({}).describe('The assumptions to decide otherwise.'),
  api_keys: ApiKeys.default([]).describe('Keys beside the sandbox’s own: sk_sandbox_ID_SUFFIX.'),
  products: listOf(ProductCreate, 'What is sold.'),
  plans: listOf(PlanCreate, 'What products cost, and how often.'),
  customers: listOf(CustomerCreate, 'Who is billed.'),
  coupons: listOf(CouponCreate, 'Rules for discounts.'),
  promotions: listOf(PromotionCreate, 'Codes that stand for coupons.'),
  history: listUpTo(Step, STEPS_MAX, 'steps')
    .default([])
    .describe('What happens then, in order, carried out by the billing itself.'),
}

export const Fixture = strictObject({
  $schema: string().optional().meta({
    accepts: 'an address',
    description: 'Where editors find this schema, in JSON; YAML says it in a comment.',
  }),
  description: textUpTo(DESCRIPTION_MAX).default(''),
  now: InstantIn.default(USUAL_START).describe(
    'Where the clock begins; with a history that tells its times by `ago`, where it ends. Another start, such as that of --clock-start, goes before it.',
  ),
  ...records,
  state: WireState.optional().describe(
    'A whole sandbox, as GET /sandbox/state answers it, in place of all records and the history.',
  ),
}).meta({ accepts: 'an object with plans, customers, coupons, a history and so on' })
export type Fixture = z.output<typeof Fixture>

/** The fields that a fixture with a state must not have: they are in the state. */
export const fieldsOfState = ['now', ...Object.keys(records)]

function listOf<Item extends z.ZodType>(item: Item, description: string) {
  return array(item)
    .max(CATALOG_KIND_MAX)
    .default([])
    .meta({
      accepts: `a list of at most ${CATALOG_KIND_MAX} (for more, export a state: npx subscription-sandbox fixture)`,
      description,
    })
}
