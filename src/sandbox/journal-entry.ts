/**
 * The journal entry: what one command changed, as one JSON value. Owns how changes are taken from a world and how
 * they are put into one again, so that a replay leaves the same bytes as the command did.
 */
import * as z from 'zod'
import { Settings } from '../assumptions/register.ts'
import { Plan, Product } from '../billing/catalog.ts'
import { Charge } from '../billing/charge.ts'
import { Coupon, Promotion } from '../billing/coupon.ts'
import { Customer } from '../billing/customer.ts'
import { CheckedInvoice } from '../billing/invoice-checks.ts'
import { PaymentScript } from '../billing/payment.ts'
import { Subscription } from '../billing/subscription.ts'
import { Instant } from '../time/instant.ts'
import { Token, TokenFamily } from '../tokens/family.ts'
import { Event } from './event.ts'
import { Records } from './records.ts'
import { refer } from './reference-checks.ts'
import { Sequences } from './sequences.ts'
import { putInvoice, putScript, putSubscription, type World } from './world.ts'

/** Every collection, in the order in which a replay puts its records: what is referred to comes first. */
const put = z.strictObject({
  products: z.array(Product).optional(),
  plans: z.array(Plan).optional(),
  customers: z.array(Customer).optional(),
  coupons: z.array(Coupon).optional(),
  promotions: z.array(Promotion).optional(),
  subscriptions: z.array(Subscription).optional(),
  invoices: z.array(CheckedInvoice).optional(),
  charges: z.array(Charge).optional(),
  scripts: z.array(PaymentScript).optional(),
  families: z.array(TokenFamily).optional(),
  tokens: z.array(Token).optional(),
})
type Put = z.infer<typeof put>
export type Collection = keyof Put
export const collections = Object.keys(put.shape) as Collection[]

/** What one command changed, or a piece of a whole world: what is absent stays as it was. */
export const JournalEntry = z.strictObject({
  now: Instant.optional(),
  offsetMs: z.int().nullable().optional(),
  sequences: Sequences.optional(),
  settings: Settings.optional(),
  deleted: z.partialRecord(z.enum(collections), z.array(z.string())).optional(),
  put: put.optional(),
  events: z.array(Event).optional(),
})
export type JournalEntry = z.infer<typeof JournalEntry>

/** How far a world's changes have been taken already. */
export interface Taken {
  readonly now: Instant
  readonly offsetMs: number | null
  readonly settings: Settings
  /** The number of the newest event taken. */
  readonly eventSeq: number
}

/** Marks everything in a world as taken. */
export function takeAll(world: World): Taken {
  for (const collection of collections) recordsOf(world, collection).forget()
  return reachOf(world)
}

/** How far a world has come. */
export function reachOf({ clock, settings, sequences }: World): Taken {
  return { now: clock.now(), offsetMs: clock.offsetMs, settings, eventSeq: sequences.events }
}

/** Takes what changed since; null when nothing did. That a running clock moved on is no change: it would anyway. */
export function takeEntry(world: World, taken: Taken): JournalEntry | null {
  const { clock, sequences } = world
  const now = clock.now()
  const events = world.events.after(taken.eventSeq)
  const isSet = world.settings !== taken.settings
  const isClockSet = clock.offsetMs !== taken.offsetMs
  const isMoved = now !== taken.now && clock.offsetMs === null
  const deleted: Partial<Record<Collection, string[]>> = {}
  const put: Partial<Record<Collection, unknown[]>> = {}
  let isEmpty = !isMoved && !isClockSet && events.length === 0 && !isSet
  for (const name of collections) {
    const changes = recordsOf(world, name).drain()
    if (changes === null) continue
    isEmpty = false
    if (changes.deleted.length > 0) deleted[name] = changes.deleted
    if (changes.put.length > 0) put[name] = changes.put
  }
  if (isEmpty) return null
  return {
    now,
    ...(isClockSet ? { offsetMs: clock.offsetMs } : {}),
    sequences: { ...sequences },
    ...(isSet ? { settings: world.settings } : {}),
    ...(isFilled(deleted) ? { deleted } : {}),
    ...(isFilled(put) ? { put: put as Put } : {}),
    ...(events.length > 0 ? { events } : {}),
  }
}

/** Puts an entry into a world. The entry has been checked by its schema. */
export function replay(world: World, entry: JournalEntry): void {
  const { now, offsetMs, settings, deleted = {}, put = {}, events = [], sequences } = entry
  if (now !== undefined) world.clock.moveTo(now, null)
  if (offsetMs !== undefined) world.clock.offsetMs = offsetMs
  if (settings !== undefined) world.settings = settings
  for (const name of collections) {
    for (const id of deleted[name] ?? []) world[name].delete(id)
  }
  for (const name of collections) putAll(world, name, put)
  for (const event of events) world.events.push(event)
  Object.assign(world.sequences, sequences)
}

function isFilled(byCollection: object): boolean {
  for (const _ in byCollection) return true
  return false
}

type Putters = {
  readonly [Name in Collection]: (world: World, record: NonNullable<Put[Name]>[number]) => void
}

const putters: Putters = {
  products: (world, each) => world.products.set(each.productId, each),
  plans: (world, each) => world.plans.set(each.planId, each),
  customers: (world, each) => world.customers.set(each.customerId, each),
  coupons: (world, each) => world.coupons.set(each.couponId, each),
  promotions: (world, each) => world.promotions.set(each.code, each),
  subscriptions: putSubscription,
  invoices: (world, each) => {
    refer(world.subscriptions, each.subscriptionId, each.invoiceId)
    putInvoice(world, each)
  },
  charges: (world, each) => world.charges.set(each.chargeId, each),
  scripts: putScript,
  families: (world, each) => world.families.set(each.familyId, each),
  tokens: (world, each) => world.tokens.set(each.digest, each),
}

function putAll(world: World, name: Collection, records: Put): void {
  const putOne = putters[name] as (world: World, record: unknown) => void
  for (const each of records[name] ?? []) putOne(world, each)
}

function recordsOf(world: World, name: Collection): Records<unknown> {
  const records: Map<string, unknown> = world[name]
  if (!(records instanceof Records)) throw new Error(`The ${name} of a fork are not journaled`)
  return records
}
