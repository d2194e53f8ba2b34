/**
 * The state document on the wire. Describes the top level; what is below is checked by the schemas that guard the
 * disk, which it follows key by key, in snake case.
 */
import * as z from 'zod'
import { strictObject, string, unknown, xor } from 'zod'
import { type DocumentName, documentNames } from '../../world/collections.ts'
import { STATE_FORMAT } from '../../world/state-document.ts'
import { snakeKey } from '../common/case.ts'
import { InstantOut, inSandbox } from '../common/fields.ts'

const records = (description: string) =>
  unknown().meta({ type: 'array', items: { type: 'object' }, description })

const part = (description: string) => unknown().meta({ type: 'object', description })

const descriptions: Readonly<Record<DocumentName, string>> = {
  products: 'The products.',
  plans: 'The plans.',
  customers: 'The customers.',
  coupons: 'The coupons.',
  promotions: 'The promotions.',
  subscriptions: 'The subscriptions.',
  invoices: 'The invoices.',
  charges: 'The one-time charges.',
  paymentScripts: 'The payment outcomes that are not used yet.',
  tokenFamilies: 'The logins.',
  tokens: 'The tokens, each as a digest.',
  faults: 'The faults, and how often each was used.',
}

export const WireState = strictObject({
  format: unknown().meta({
    type: 'integer',
    const: STATE_FORMAT,
    description: 'The version of the format of the document.',
  }),
  sandbox_id: unknown().meta({
    type: 'string',
    description: 'The identifier of the exported sandbox; a restored sandbox keeps its own.',
  }),
  origin: part('The origin of the sandbox, to which a reset returns.'),
  clock: part('The virtual clock.'),
  settings: part('All settings.'),
  api_keys: records('The further API keys.'),
  sequences: part('The newest number of each kind of counted identifier.'),
  ...Object.fromEntries(documentNames.map((name) => [snakeKey(name), records(descriptions[name])])),
  events: records('The events.'),
}).meta(inSandbox('State', 'The state: a whole sandbox as one document.'))
export type WireState = z.input<typeof WireState>

/** What an export has in it: a fixture, which is a sandbox written down as a file to start from. */
export const FixtureQuery = strictObject({
  content: z.enum(['state', 'catalog']).default('state').meta({
    accepts: 'state or catalog',
    description:
      'The content of the fixture. `state`: everything, as it is. `catalog`: products, plans, customers, coupons, promotions, keys and settings, to be read and edited, without what happened.',
  }),
})

const description = string().describe('The sandbox and the instant of the export, in words.')
export const WireFixture = xor([
  strictObject({ description, state: WireState.describe('The state of the sandbox.') }).meta({
    id: 'FixtureOfState',
    description: 'A fixture with the whole state of a sandbox.',
  }),
  strictObject({
    description,
    now: InstantOut.describe('The virtual now of the sandbox.'),
    settings: part('The settings that differ from the initial ones.'),
    api_keys: records('The further API keys.'),
    products: records('The products.'),
    plans: records('The plans.'),
    customers: records('The customers.'),
    coupons: records('The coupons, without their redemptions.'),
    promotions: records('The promotions, without their redemptions.'),
  }).meta({ id: 'FixtureOfCatalog', description: 'A fixture with the catalog of a sandbox.' }),
]).meta(
  inSandbox('Fixture', 'A sandbox as a fixture: a file to start from, as --fixture takes it.'),
)
