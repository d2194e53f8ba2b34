/**
 * The state document on the wire. Says what stands at the top; what is below is checked by the schemas that guard the
 * disk, which it follows key by key, in snake case.
 */
import * as z from 'zod'

const records = (description: string) =>
  z.unknown().meta({ type: 'array', items: { type: 'object' }, description })

const part = (description: string) => z.unknown().meta({ type: 'object', description })

/** A whole sandbox as one document. */
export const WireState = z
  .strictObject({
    format: z.unknown().meta({ type: 'integer', description: 'The version of the shape.' }),
    sandbox_id: z.unknown().meta({
      type: 'string',
      description: 'Whose state it is; a restore keeps that of the target.',
    }),
    origin: part('What a reset returns to.'),
    clock: part('Where the clock stands.'),
    settings: part('All settings.'),
    api_keys: records('The further API keys.'),
    sequences: part('The newest number of each kind of counted identifier.'),
    products: records('The products.'),
    plans: records('The plans.'),
    customers: records('The customers.'),
    coupons: records('The coupons.'),
    promotions: records('The promotions.'),
    subscriptions: records('The subscriptions.'),
    invoices: records('The invoices.'),
    charges: records('The one-time charges.'),
    payment_scripts: records('The payment outcomes to come.'),
    token_families: records('The logins.'),
    tokens: records('The tokens, by their digests alone.'),
    events: records('The events.'),
  })
  .meta({ id: 'State', description: 'A whole sandbox as one document.', source: 'sandbox' })
export type WireState = z.input<typeof WireState>
