/** Sandboxes as the wire shows them. */
import { nextDue } from '../../sandbox/advance.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import type { World } from '../../sandbox/world.ts'
import type { WireSandbox, WireSandboxSummary } from '../../wire/sandbox.ts'

/** A sandbox by its identity. */
export function presentSandbox(sandbox: Sandbox): WireSandbox {
  return { sandbox_id: sandbox.id, api_key: sandbox.apiKey, now: sandbox.now() }
}

/** A sandbox and how much it holds. */
export function presentSummary(sandbox: Sandbox, world: World): WireSandboxSummary {
  return {
    ...presentSandbox(sandbox),
    counts: {
      products: world.products.size,
      plans: world.plans.size,
      customers: world.customers.size,
      coupons: world.coupons.size,
      promotions: world.promotions.size,
      subscriptions: world.subscriptions.size,
      invoices: world.invoices.size,
      charges: world.charges.size,
      token_families: world.families.size,
      events: world.events.length,
    },
    next_due: nextDue(world),
  }
}
