/** The control plane as a whole: every operation on one sandbox, and those on the sandboxes of the process. */
import type { Registry } from '../../sandbox/registry.ts'
import type { Declaration, Route } from '../../surface/operation.ts'
import { auditRoutes } from './audit.ts'
import { brokerRoutes } from './broker.ts'
import { chargeRoutes } from './charges.ts'
import { checkpointRoutes } from './checkpoints.ts'
import { clockRoutes } from './clock.ts'
import { contractRoutes } from './contracts.ts'
import { couponRoutes } from './coupons.ts'
import { customerRoutes } from './customers.ts'
import { eventRoutes } from './events.ts'
import { invoiceRoutes } from './invoices.ts'
import { paymentOutcomeRoutes } from './payment-outcomes.ts'
import { planRoutes } from './plans.ts'
import { productRoutes } from './products.ts'
import { promotionRoutes } from './promotions.ts'
import { providerStateOperations, providerStateRoutes } from './provider-states.ts'
import { sandboxOperations, sandboxRoutes } from './sandbox.ts'
import { sandboxesOperations, sandboxesRoutes } from './sandboxes.ts'
import { settingsRoutes } from './settings.ts'
import { stateRoutes } from './state.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { tokenRoutes } from './tokens.ts'

const fixedRoutes: readonly Route[] = [
  ...clockRoutes,
  ...productRoutes,
  ...planRoutes,
  ...customerRoutes,
  ...couponRoutes,
  ...promotionRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...chargeRoutes,
  ...paymentOutcomeRoutes,
  ...tokenRoutes,
  ...settingsRoutes,
  ...stateRoutes,
  ...checkpointRoutes,
  ...eventRoutes,
  ...auditRoutes,
  ...contractRoutes,
  ...brokerRoutes,
]

/** Every operation of the control plane with the code that answers it. */
export function controlRoutes(registry: Registry): Route[] {
  return [
    ...sandboxRoutes(registry),
    ...fixedRoutes,
    ...providerStateRoutes(registry),
    ...sandboxesRoutes(registry),
  ]
}

/** The declarations of the whole control plane, for its document. */
export const controlOperations: readonly Declaration[] = [
  ...sandboxOperations,
  ...fixedRoutes.map((each) => each.operation),
  ...providerStateOperations,
  ...sandboxesOperations,
]
