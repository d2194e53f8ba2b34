/** How many records a world holds, by kind. */
import type { World } from './world.ts'

/** Counts by kind, spelled as code spells them. */
export type Counts = Readonly<Record<string, number>>

/** Counts what a world holds. */
export function countsOf(world: World): Counts {
  return {
    products: world.products.size,
    plans: world.plans.size,
    customers: world.customers.size,
    coupons: world.coupons.size,
    promotions: world.promotions.size,
    subscriptions: world.subscriptions.size,
    invoices: world.invoices.size,
    charges: world.charges.size,
    tokenFamilies: world.families.size,
    events: world.events.length,
  }
}
