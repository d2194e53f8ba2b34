/**
 * The one table of collections: every kind of record in a world. Worlds, forks, journal entries, state documents and
 * counts are derived from it: a new kind of record is one row.
 */
import * as z from 'zod'
import { Plan, Product } from '../billing/catalog.ts'
import { Charge } from '../billing/charge.ts'
import { Coupon, Promotion } from '../billing/coupon.ts'
import { Customer } from '../billing/customer.ts'
import { InvoiceStatus } from '../billing/invoice.ts'
import { CheckedInvoice } from '../billing/invoice-checks.ts'
import { PaymentScript, scopeKey } from '../billing/payment.ts'
import { Status } from '../billing/status.ts'
import { Subscription } from '../billing/subscription.ts'
import { Token, TokenFamily } from '../tokens/family.ts'
import { Fault } from './fault.ts'
import type { Indexing, Lookup, Records } from './records.ts'
import { Webhook, WebhookDelivery } from './webhook.ts'

/**
 * Records are put into a world in this order: a record comes after those that it refers to. Collections that lists can
 * filter are indexed, unless they hold 1,000 records at most.
 */
export const collections = {
  products: collection(Product, ({ productId }) => productId),
  plans: collection(Plan, ({ planId }) => planId),
  customers: collection(Customer, ({ customerId }) => customerId),
  coupons: collection(Coupon, ({ couponId }) => couponId),
  promotions: collection(Promotion, ({ code }) => code),
  subscriptions: collection(Subscription, ({ subscriptionId }) => subscriptionId, {
    statuses: Status.options,
    owners: ['customerId'],
  }),
  invoices: collection(CheckedInvoice, ({ invoiceId }) => invoiceId, {
    statuses: InvoiceStatus.options,
    owners: ['subscriptionId', 'customerId'],
  }),
  charges: collection(Charge, ({ chargeId }) => chargeId, {
    statuses: Charge.shape.status.options,
    owners: ['customerId'],
  }),
  paymentScripts: collection(PaymentScript, ({ scope }) => scopeKey(scope)),
  tokenFamilies: collection(TokenFamily, ({ familyId }) => familyId),
  tokens: collection(Token, ({ digest }) => digest),
  faults: collection(Fault, ({ faultId }) => faultId),
  webhooks: collection(Webhook, ({ webhookId }) => webhookId),
  webhookDeliveries: collection(WebhookDelivery, ({ deliveryId }) => deliveryId),
}

type Table = typeof collections
export type CollectionName = keyof Table
export type RecordOf<Name extends CollectionName> = z.output<Table[Name]['schema']>

export type Collections = { readonly [Name in CollectionName]: Records<RecordOf<Name>> }

/** The records of one collection. TypeScript cannot infer the record type from the name alone. */
export function recordsOf<Name extends CollectionName>(
  world: Collections,
  name: Name,
): Records<RecordOf<Name>> {
  return world[name] as unknown as Records<RecordOf<Name>>
}

export const collectionNames = Object.keys(collections) as CollectionName[]

/**
 * Collections that are stored with a world, but absent from documents, counts and limits, and not copied to another
 * world. Their content depends on real time, and the same script must leave the same bytes.
 */
const notExported = ['webhooks', 'webhookDeliveries'] as const satisfies readonly CollectionName[]
export type DocumentName = Exclude<CollectionName, (typeof notExported)[number]>

export const documentNames = collectionNames.filter(
  (name): name is DocumentName => !notExported.some((each) => each === name),
)

export const recordLists = eachCollection((name) => z.array(collections[name].schema)) as {
  readonly [Name in CollectionName]: z.ZodArray<Table[Name]['schema']>
}

export function eachCollection<Value>(make: (name: CollectionName) => Value) {
  return Object.fromEntries(collectionNames.map((name) => [name, make(name)])) as Record<
    CollectionName,
    Value
  >
}

function collection<Schema extends z.ZodType>(
  schema: Schema,
  keyOf: (record: z.output<Schema>) => string,
  indexing: Indexing | null = null,
): Lookup<z.output<Schema>> & { readonly schema: Schema } {
  return { schema, keyOf, indexing }
}
