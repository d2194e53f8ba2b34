/**
 * The state document: one sandbox as one JSON value. Owns how a world is written down and read back; the same
 * schemas guard the disk and `/sandbox/state`.
 */
import * as z from 'zod'
import { Settings } from '../assumptions/register.ts'
import { audit } from '../billing/audit.ts'
import { Plan, Product } from '../billing/catalog.ts'
import { Charge } from '../billing/charge.ts'
import { Coupon, Promotion } from '../billing/coupon.ts'
import { Customer } from '../billing/customer.ts'
import { Event } from '../billing/event.ts'
import { Instant } from '../billing/instant.ts'
import { Invoice } from '../billing/invoice.ts'
import { PaymentScript } from '../billing/payment.ts'
import { Subscription } from '../billing/subscription.ts'
import type { Kept } from '../store/store.ts'
import { Token, TokenFamily } from '../tokens/family.ts'
import { CLOCK_MAX } from './advance.ts'
import { JournalEntry, replay } from './journal-entry.ts'
import { Sequences } from './sequences.ts'
import { checkWorld, refer, StateDocumentError } from './state-checks.ts'
import {
  currentDocument,
  currentEntry,
  type StateVersions,
  stateVersions,
} from './state-versions.ts'
import { emptyWorld, putInvoice, putScript, putSubscription, type World } from './world.ts'

export const StateDocument = z.strictObject({
  /** The version of its shape; older ones are brought up to it before they are checked. */
  format: z.int(),
  sandboxId: z.string(),
  origin: z.strictObject({
    fixture: z.string(),
    startAt: Instant.nullable(),
    startsRunning: z.boolean(),
    settings: Settings,
  }),
  clock: z.strictObject({ now: Instant, offsetMs: z.int().nullable() }),
  settings: Settings,
  apiKeys: z.array(z.strictObject({ suffix: z.string(), revoked: z.boolean() })),
  sequences: Sequences,
  products: z.array(Product),
  plans: z.array(Plan),
  customers: z.array(Customer),
  coupons: z.array(Coupon),
  promotions: z.array(Promotion),
  subscriptions: z.array(Subscription),
  invoices: z.array(Invoice),
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
    format: stateVersions.current,
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

/**
 * Reads a world back under the id of the sandbox it is for. Throws `StateDocumentError` with the path of the first
 * field that is wrong, or with what the document contradicts itself in. `entries` are what a journal appended to it.
 */
export function worldOf(
  document: unknown,
  sandboxId: string,
  entries: readonly unknown[] = [],
): World {
  return worldKept({ document, entries }, sandboxId, stateVersions)
}

/** The same with a table of versions; any other than the product's own is for tests. */
export function worldKept(kept: Kept, sandboxId: string, versions: StateVersions): World {
  const document = currentDocument(kept.document, versions)
  checkDocument(document)
  // The document itself, not zod's copy of it: the copy orders keys anew, and a restart must not change a byte.
  const valid = document as StateDocument
  if (valid.clock.now > CLOCK_MAX) {
    throw new StateDocumentError('clock.now', `lies past ${CLOCK_MAX}, the end of the clock`)
  }
  const world = worldFrom(valid, sandboxId)
  for (const [index, appended] of kept.entries.entries()) {
    const name = `entry ${index + 1}`
    const entry = currentEntry(appended, name, versions)
    check(JournalEntry, entry, { within: [], name })
    replay(world, entry as JournalEntry)
  }
  checkWorld(world)
  const [violation] = audit({ ...booksOf(world), dueNow: 'waiting' })
  if (violation !== undefined) {
    throw new StateDocumentError(
      violation.id,
      `breaks ${violation.invariant}: ${violation.message}`,
    )
  }
  return world
}

/** The world of a document that this process wrote down itself, which nobody could have changed; shares its records. */
export function worldFrom(document: StateDocument, sandboxId: string): World {
  const world = emptyWorld(sandboxId, document.origin, document.clock.now)
  world.clock.offsetMs = document.clock.offsetMs
  return fill(world, document)
}

/** Record by record: to check it whole, zod would make a copy of everything, which takes longer than the checking. */
function checkDocument(document: unknown): void {
  const lists = Object.entries(StateDocument.shape).flatMap(([field, schema]) => {
    const list = (document as Record<string, unknown> | null)?.[field]
    return schema instanceof z.ZodArray && Array.isArray(list) ? [{ field, schema, list }] : []
  })
  const emptied = Object.fromEntries(lists.map(({ field }) => [field, []]))
  const rest = lists.length === 0 ? document : { ...(document as object), ...emptied }
  check(StateDocument, rest, { within: [], name: 'document' })
  for (const { field, schema, list } of lists) {
    for (const [index, record] of list.entries()) {
      check(schema.element, record, { within: [field, index], name: field })
    }
  }
}

/** Throws with the path of what is wrong, or with a name where that is the whole value. */
function check(
  schema: z.core.$ZodType,
  value: unknown,
  place: { readonly within: readonly PropertyKey[]; readonly name: string },
): void {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return
  const [issue] = parsed.error.issues
  const path = [...place.within, ...(issue?.path ?? [])].join('.')
  throw new StateDocumentError(path || place.name, issue?.message ?? 'is wrong')
}

/** The records of a world that an audit reads. */
export function booksOf(world: World) {
  return {
    now: world.clock.now(),
    customers: world.customers.values(),
    subscriptions: world.subscriptions.values(),
    invoices: world.invoices.values(),
    events: world.events,
  }
}

function fill(world: World, document: StateDocument): World {
  world.settings = document.settings
  world.apiKeys = document.apiKeys
  keep(world.products, document.products, (each) => each.productId)
  keep(world.plans, document.plans, (each) => each.planId)
  keep(world.customers, document.customers, (each) => each.customerId)
  keep(world.coupons, document.coupons, (each) => each.couponId)
  keep(world.promotions, document.promotions, (each) => each.code)
  for (const subscription of document.subscriptions) putSubscription(world, subscription)
  for (const invoice of document.invoices) {
    refer(world.subscriptions, invoice.subscriptionId, invoice.invoiceId)
    putInvoice(world, invoice)
  }
  checkComplete(world.subscriptions, document.subscriptions, 'subscriptions')
  checkComplete(world.invoices, document.invoices, 'invoices')
  keep(world.charges, document.charges, (each) => each.chargeId)
  for (const script of document.paymentScripts) putScript(world, script)
  keep(world.families, document.tokenFamilies, (each) => each.familyId)
  keep(world.tokens, document.tokens, (each) => each.digest)
  for (const event of document.events) world.events.push(event)
  Object.assign(world.sequences, document.sequences)
  return world
}

function checkComplete(
  records: ReadonlyMap<string, unknown>,
  values: readonly unknown[],
  field: string,
): void {
  if (records.size !== values.length) throw new StateDocumentError(field, 'holds one id twice')
}

function keep<Value>(
  records: Map<string, Value>,
  values: readonly Value[],
  idOf: (value: Value) => string,
): void {
  for (const value of values) {
    const id = idOf(value)
    if (records.has(id)) throw new StateDocumentError(id, 'is there twice')
    records.set(id, value)
  }
}
