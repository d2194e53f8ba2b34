/**
 * The state document: one sandbox as one JSON value. Owns how a world is written down, whole or as entries, and how a
 * document from outside is checked, record by record, before a world is made of it.
 */
import * as z from 'zod'
import { Plan, Product } from '../billing/catalog.ts'
import { Charge } from '../billing/charge.ts'
import { Coupon, Promotion } from '../billing/coupon.ts'
import { Customer } from '../billing/customer.ts'
import { CheckedInvoice } from '../billing/invoice-checks.ts'
import { PaymentScript } from '../billing/payment.ts'
import { Subscription } from '../billing/subscription.ts'
import { Token, TokenFamily } from '../tokens/family.ts'
import { Event } from './event.ts'
import { type Collection, collections } from './journal-entry.ts'
import { Slice } from './paced.ts'
import { Sequences } from './sequences.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'
import { check, headShape, readWorld } from './world-entries.ts'

/** How many records are written down together. */
const PIECE = 100

/** The version of the document's shape. */
const FORMAT = 3

export const StateDocument = z.strictObject({
  format: z.literal(FORMAT),
  sandboxId: z.string(),
  ...headShape,
  sequences: Sequences,
  products: z.array(Product),
  plans: z.array(Plan),
  customers: z.array(Customer),
  coupons: z.array(Coupon),
  promotions: z.array(Promotion),
  subscriptions: z.array(Subscription),
  invoices: z.array(CheckedInvoice),
  charges: z.array(Charge),
  paymentScripts: z.array(PaymentScript),
  tokenFamilies: z.array(TokenFamily),
  tokens: z.array(Token),
  events: z.array(Event),
})
export type StateDocument = z.infer<typeof StateDocument>

/** Writes a world down as it is now: the records are shared, and never mutated. */
export function documentOf(world: World): StateDocument {
  return {
    format: FORMAT,
    sandboxId: world.sandboxId,
    origin: world.origin,
    clock: { now: world.clock.now(), offsetMs: world.clock.offsetMs },
    settings: world.settings,
    apiKeys: [...world.apiKeys],
    sequences: { ...world.sequences },
    products: [...world.products.values()],
    plans: [...world.plans.values()],
    customers: [...world.customers.values()],
    coupons: [...world.coupons.values()],
    promotions: [...world.promotions.values()],
    subscriptions: [...world.subscriptions.values()],
    invoices: [...world.invoices.values()],
    charges: [...world.charges.values()],
    paymentScripts: [...world.scripts.values()],
    tokenFamilies: [...world.families.values()],
    tokens: [...world.tokens.values()],
    events: [...world.events],
  }
}

/** What a collection is called in a document. */
const fieldOf = {
  products: 'products',
  plans: 'plans',
  customers: 'customers',
  coupons: 'coupons',
  promotions: 'promotions',
  subscriptions: 'subscriptions',
  invoices: 'invoices',
  charges: 'charges',
  scripts: 'paymentScripts',
  families: 'tokenFamilies',
  tokens: 'tokens',
} as const satisfies Record<Collection, keyof StateDocument>

/** The entries that make the world of a document. */
function* entriesOf(document: StateDocument): Generator<object> {
  const { origin, clock, settings, apiKeys, sequences } = document
  yield { origin, clock, settings, apiKeys }
  for (const name of collections) {
    const records: readonly unknown[] = document[fieldOf[name]]
    for (const piece of piecesOf(records)) yield { put: { [name]: piece } }
  }
  for (const events of piecesOf(document.events)) yield { events }
  yield { sequences }
}

/** The entries of a world as it is now; later changes do not show in them. */
export function entriesOfWorld(world: World): Generator<object> {
  return entriesOf(documentOf(world))
}

/** A copy of a world as it is now, for another sandbox; the records are shared. */
export function copyOf(world: World, sandboxId: string): Promise<World> {
  return readWorld(entriesOfWorld(world), { sandboxId, shape: 'known' })
}

/**
 * The world of a document from outside, under the id of the sandbox it is for. Throws `StateDocumentError` with the path
 * of the first field that is wrong, or with what the document contradicts itself in.
 */
export async function worldOf(document: unknown, sandboxId: string): Promise<World> {
  await checkDocument(document)
  const valid = document as StateDocument
  const world = await readWorld(entriesOf(valid), { sandboxId, shape: 'known' })
  for (const name of collections) {
    if (world[name].size !== valid[fieldOf[name]].length) {
      throw new StateDocumentError(fieldOf[name], 'holds one id twice, or an empty record')
    }
  }
  return world
}

/** Record by record: to check it whole, zod would make a copy of everything, and nobody else would have a turn. */
async function checkDocument(document: unknown): Promise<void> {
  const lists = Object.entries(StateDocument.shape).flatMap(([field, schema]) => {
    const list = (document as Record<string, unknown> | null)?.[field]
    return schema instanceof z.ZodArray && Array.isArray(list) ? [{ field, schema, list }] : []
  })
  const emptied = Object.fromEntries(lists.map(({ field }) => [field, []]))
  const rest = lists.length === 0 ? document : { ...(document as object), ...emptied }
  const parsed = z.safeParse(StateDocument, rest)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    throw new StateDocumentError(issue?.path.join('.') || 'document', issue?.message ?? 'is wrong')
  }
  const slice = new Slice()
  for (const { field, schema, list } of lists) {
    for (const [index, record] of list.entries()) {
      check(schema.element, record, `${field}.${index}`)
      if (slice.isOver()) await slice.next()
    }
  }
}

function* piecesOf<Value>(list: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < list.length; from += PIECE) yield list.slice(from, from + PIECE)
}
