/**
 * What records refer to: one table, by which a world is checked, and a delete refused while something refers to the
 * record.
 */
import { type CollectionName, collectionNames, type RecordOf, recordsOf } from './collections.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'

/** Called with each reference; null where a record does without it. */
type Visit = (to: CollectionName, id: string | null) => void

type References = {
  readonly [Name in CollectionName]: (record: RecordOf<Name>, visit: Visit) => void
}

const none = () => undefined

const references: References = {
  products: none,
  plans: ({ productId }, visit) => visit('products', productId),
  customers: none,
  coupons: ({ appliesToPlans, appliesToProducts }, visit) => {
    for (const planId of appliesToPlans ?? []) visit('plans', planId)
    for (const productId of appliesToProducts ?? []) visit('products', productId)
  },
  promotions: ({ couponId }, visit) => visit('coupons', couponId),
  subscriptions: ({ customerId, planId, pendingPlanId, billed, discounts }, visit) => {
    visit('customers', customerId)
    visit('plans', planId)
    visit('plans', pendingPlanId)
    visit('invoices', billed?.invoiceId ?? null)
    for (const { couponId } of discounts) visit('coupons', couponId)
  },
  invoices: ({ lines, discounts }, visit) => {
    for (const { planId } of lines) visit('plans', planId)
    for (const { couponId } of discounts) visit('coupons', couponId)
  },
  charges: ({ customerId, couponId }, visit) => {
    visit('customers', customerId)
    visit('coupons', couponId)
  },
  paymentScripts: ({ scope }, visit) => {
    visit('subscriptions', scope.subscriptionId)
    visit('customers', scope.customerId)
  },
  tokenFamilies: none,
  tokens: ({ familyId }, visit) => visit('tokenFamilies', familyId),
}

/** Throws for the first reference to what is not there; looks at a record with each step. */
export function* checkReferences(world: World): Generator<void> {
  for (const name of collectionNames) {
    for (const [key, record] of recordsOf(world, name)) {
      yield
      visitReferences(name, record, (to, id) => {
        if (id === null || world[to].has(id)) return
        // What tokens are found by has no place in a message.
        const referrer = name === 'tokens' ? name : key
        throw new StateDocumentError(referrer, `refers to "${id}", which is not there`)
      })
    }
  }
}

/** The first record that refers to another; null where none does. Payment scripts go with what they are for. */
export function referrerOf(world: World, of: CollectionName, id: string): string | null {
  for (const name of collectionNames) {
    if (name === 'paymentScripts') continue
    let isReferrer = false
    const visit: Visit = (to, referred) => {
      isReferrer ||= to === of && referred === id
    }
    for (const [key, record] of recordsOf(world, name)) {
      visitReferences(name, record, visit)
      // Collections are called by the plural of what is in them.
      if (isReferrer) return `${name.slice(0, -1)} "${key}"`
    }
  }
  return null
}

function visitReferences<Name extends CollectionName>(
  name: Name,
  record: RecordOf<Name>,
  visit: Visit,
): void {
  references[name](record, visit)
}
