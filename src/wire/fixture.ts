/** Fixtures on the wire: a sandbox written down as a file to start from. */
import * as z from 'zod'
import { strictObject } from 'zod'
import { InstantOut, sandbox } from './fields.ts'
import { WireState } from './state.ts'

/** What an export has in it. */
export const FixtureQuery = strictObject({
  content: z.enum(['state', 'catalog']).default('state').meta({
    accepts: 'state or catalog',
    description:
      '`state`: everything, as it is. `catalog`: products, plans, customers, coupons, promotions, keys and settings, to be read and edited, without what happened.',
  }),
})

const description = z.string().describe('What it was exported from.')
const list = (what: string) =>
  z.unknown().meta({ type: 'array', items: { type: 'object' }, description: what })

export const WireFixture = z
  .xor([
    strictObject({ description, state: WireState }).meta({ id: 'FixtureOfState' }),
    strictObject({
      description,
      now: InstantOut.describe('The virtual now.'),
      settings: z
        .unknown()
        .meta({ type: 'object', description: 'The settings that are not as usual.' }),
      api_keys: list('The further API keys.'),
      products: list('The products.'),
      plans: list('The plans.'),
      customers: list('The customers.'),
      coupons: list('The coupons, as if nobody had redeemed them.'),
      promotions: list('The promotions, likewise.'),
    }).meta({ id: 'FixtureOfCatalog' }),
  ])
  .meta({
    id: 'Fixture',
    description: 'A sandbox as a fixture: a file to start from, as --fixture takes it.',
    ...sandbox,
  })
