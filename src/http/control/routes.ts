/** The control plane as a whole: every operation on one sandbox, and those on the sandboxes of the process. */
import type { Route } from '../../surface/operation.ts'
import { v1Operations } from '../../surface/v1/operations.ts'
import { auditRoutes } from './audit.ts'
import { brokerRoutes } from './broker.ts'
import { brokerMatrixRoutes } from './broker-matrix.ts'
import { brokerSelectionRoutes } from './broker-selection.ts'
import { brokerVersionRoutes } from './broker-versions.ts'
import { catalogRoutes } from './catalog.ts'
import { chargeRoutes } from './charges.ts'
import { checkpointRoutes } from './checkpoints.ts'
import { clockRoutes } from './clock.ts'
import { contractRoutes } from './contracts.ts'
import { coverageRoutes } from './coverage.ts'
import { eventRoutes } from './events.ts'
import { faultRoutes } from './faults.ts'
import { fixtureRoutes } from './fixture.ts'
import { invoiceRoutes } from './invoices.ts'
import { paymentOutcomeRoutes } from './payment-outcomes.ts'
import { providerStateRoutes } from './provider-states.ts'
import { requestRoutes } from './requests.ts'
import { sandboxRoutes } from './sandbox.ts'
import { sandboxesRoutes } from './sandboxes.ts'
import { settingsRoutes } from './settings.ts'
import { stateRoutes } from './state.ts'
import { storyRoutes } from './story.ts'
import { subscriptionRoutes } from './subscriptions.ts'
import { tokenRoutes } from './tokens.ts'
import { webhookRoutes } from './webhooks.ts'
import { whatIfRoutes } from './what-if.ts'

/** Every operation of the control plane, in the order of its document. */
export const controlRoutes: readonly Route[] = [
  ...sandboxRoutes,
  ...clockRoutes,
  ...whatIfRoutes,
  ...catalogRoutes,
  ...subscriptionRoutes,
  ...invoiceRoutes,
  ...chargeRoutes,
  ...paymentOutcomeRoutes,
  ...faultRoutes,
  ...tokenRoutes,
  ...settingsRoutes,
  ...stateRoutes,
  ...fixtureRoutes,
  ...checkpointRoutes,
  ...eventRoutes,
  ...requestRoutes(() => [...v1Operations, ...controlRoutes]),
  ...webhookRoutes,
  ...coverageRoutes,
  ...storyRoutes,
  ...auditRoutes,
  ...contractRoutes,
  ...brokerRoutes,
  ...brokerSelectionRoutes,
  ...brokerVersionRoutes,
  ...brokerMatrixRoutes,
  ...providerStateRoutes,
  ...sandboxesRoutes,
]
