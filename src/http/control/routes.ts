/** The control plane as a whole: every operation on one sandbox, and those on the sandboxes of the process. */
import type { Registry } from '../../sandbox/registry.ts'
import type { Declaration, Route } from '../../surface/operation.ts'
import { auditRoutes } from './audit.ts'
import { brokerRoutes } from './broker.ts'
import { catalogRoutes } from './catalog.ts'
import { chargeRoutes } from './charges.ts'
import { checkpointRoutes } from './checkpoints.ts'
import { clockRoutes } from './clock.ts'
import { contractRoutes } from './contracts.ts'
import { eventRoutes } from './events.ts'
import { invoiceRoutes } from './invoices.ts'
import { paymentOutcomeRoutes } from './payment-outcomes.ts'
import { providerStateOperations, providerStateRoutes } from './provider-states.ts'
import { sandboxRoutes } from './sandbox.ts'
import { sandboxesRoutes } from './sandboxes.ts'
import { settingsRoutes } from './settings.ts'
import { stateRoutes } from './state.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { tokenRoutes } from './tokens.ts'

const sandboxPart: readonly Route[] = [
  ...sandboxRoutes,
  ...clockRoutes,
  ...catalogRoutes,
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
  return [...sandboxPart, ...providerStateRoutes(registry), ...sandboxesRoutes]
}

/** The declarations of the whole control plane, for its document. */
export const controlOperations: readonly Declaration[] = [
  ...sandboxPart.map(({ operation }) => operation),
  ...providerStateOperations,
  ...sandboxesRoutes.map(({ operation }) => operation),
]
