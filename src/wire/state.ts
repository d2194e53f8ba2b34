/**
 * The state document on the wire. Says what stands at the top; what is below is checked by the schemas that guard the
 * disk, which it follows key by key, in snake case.
 */
import * as z from 'zod'
import { strictObject } from 'zod'
import { type DocumentName, documentNames } from '../world/collections.ts'
import { STATE_FORMAT } from '../world/state-document.ts'
import { snakeKey } from './case.ts'

const records = (description: string) =>
  z.unknown().meta({ type: 'array', items: { type: 'object' }, description })

const part = (description: string) => z.unknown().meta({ type: 'object', description })

const descriptions: Readonly<Record<DocumentName, string>> = {
  products: 'The products.',
  plans: 'The plans.',
  customers: 'The customers.',
  coupons: 'The coupons.',
  promotions: 'The promotions.',
  subscriptions: 'The subscriptions.',
  invoices: 'The invoices.',
  charges: 'The one-time charges.',
  paymentScripts: 'The payment outcomes to come.',
  tokenFamilies: 'The logins.',
  tokens: 'The tokens, by their digests alone.',
  faults: 'The faults, and how often each was used.',
}

/** A whole sandbox as one document. */
export const WireState = strictObject({
  format: z
    .unknown()
    .meta({ type: 'integer', const: STATE_FORMAT, description: 'The version of the shape.' }),
  sandbox_id: z.unknown().meta({
    type: 'string',
    description: 'Whose state it is; a restore keeps that of the target.',
  }),
  origin: part('What a reset returns to.'),
  clock: part('Where the clock stands.'),
  settings: part('All settings.'),
  api_keys: records('The further API keys.'),
  sequences: part('The newest number of each kind of counted identifier.'),
  ...Object.fromEntries(documentNames.map((name) => [snakeKey(name), records(descriptions[name])])),
  events: records('The events.'),
}).meta({ id: 'State', description: 'A whole sandbox as one document.', source: 'sandbox' })
export type WireState = z.input<typeof WireState>
