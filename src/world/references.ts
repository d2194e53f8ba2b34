/** The one table of references between records. The check of a world and the refusal of a delete use it. */
import { type CollectionName, collectionNames, type RecordOf, recordsOf } from './collections.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'

/** The ids of another collection in a record; null if it has none. */
export type IdsOf<Of extends CollectionName> = (record: RecordOf<Of>) => readonly (string | null)[]

export const references: {
  readonly [Name in CollectionName]: { readonly [To in CollectionName]?: IdsOf<Name> }
} = {
  products: {},
  plans: { products: ({ productId }) => [productId] },
  customers: {},
  coupons: {
    plans: ({ appliesToPlans }) => appliesToPlans ?? [],
    products: ({ appliesToProducts }) => appliesToProducts ?? [],
  },
  promotions: { coupons: ({ couponId }) => [couponId] },
  subscriptions: {
    customers: ({ customerId }) => [customerId],
    plans: ({ planId, pendingPlanId }) => [planId, pendingPlanId],
    invoices: ({ billed }) => [billed?.invoiceId ?? null],
    coupons: ({ discounts }) => couponIdsOf(discounts),
  },
  invoices: {
    plans: ({ lines }) => lines.map(({ planId }) => planId),
    coupons: ({ discounts }) => couponIdsOf(discounts),
  },
  charges: {
    customers: ({ customerId }) => [customerId],
    coupons: ({ couponId }) => [couponId],
  },
  paymentScripts: {
    subscriptions: ({ scope }) => [scope.subscriptionId],
    customers: ({ scope }) => [scope.customerId],
  },
  tokenFamilies: {},
  tokens: { tokenFamilies: ({ familyId }) => [familyId] },
  faults: {},
  webhooks: {},
  webhookDeliveries: { webhooks: ({ webhookId }) => [webhookId] },
}

/** Throws for the first reference to a missing record; reads one record with each step. */
export function* checkReferences(world: World): Generator<void> {
  for (const name of collectionNames) {
    const all = Object.entries(references[name]) as [CollectionName, IdsOf<CollectionName>][]
    for (const [key, record] of recordsOf(world, name)) {
      yield
      for (const [to, idsOf] of all) {
        const id = idsOf(record).find((each) => each !== null && !world[to].has(each))
        if (id === undefined) continue
        // The keys of scripts and tokens must not appear in a message.
        const referrer = name === 'paymentScripts' || name === 'tokens' ? name : key
        throw new StateDocumentError(referrer, `refers to "${id}", which is not there`)
      }
    }
  }
}

function couponIdsOf(discounts: readonly { readonly couponId: string }[]): string[] {
  return discounts.map(({ couponId }) => couponId)
}
