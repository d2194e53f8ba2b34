/** The control plane as a whole: every operation on one sandbox, and those on the sandboxes of the process. */
import { catalogOperations } from '../../operations/catalog.ts'
import { chargeOperations, paymentOperations } from '../../operations/charges.ts'
import { invoiceOperations } from '../../operations/invoices.ts'
import { settingOperations } from '../../operations/settings.ts'
import { subscriptionOperations } from '../../operations/subscriptions.ts'
import { tokenOperations } from '../../operations/tokens.ts'
import { v1Operations } from '../../operations/v1.ts'
import { whatIfOperations } from '../../operations/what-if.ts'
import type { Route } from '../../surface/operation.ts'
import { routesOf } from '../world-calls.ts'
import { auditOperations } from './audit.ts'
import { brokerRoutes } from './broker.ts'
import { clockOperations } from './clock.ts'
import { contractRoutes } from './contracts.ts'
import { coverageRoutes } from './coverage.ts'
import { eventOperations } from './events.ts'
import { faultOperations } from './faults.ts'
import { providerStateRoutes } from './provider-states.ts'
import { recordingRoutes } from './recording.ts'
import { requestRoutes } from './requests.ts'
import { checkpointRoutes, sandboxRoutes } from './sandbox.ts'
import { sandboxesRoutes } from './sandboxes.ts'
import { stateRoutes } from './state.ts'
import { webhookOperations } from './webhooks.ts'

export { brokerRest } from './broker.ts'

/** Every operation of the control plane, in the order of its document. */
export const controlRoutes: readonly Route[] = routesOf([
  ...sandboxRoutes,
  ...clockOperations,
  ...whatIfOperations,
  ...catalogOperations,
  ...subscriptionOperations,
  ...invoiceOperations,
  ...chargeOperations,
  ...paymentOperations,
  ...faultOperations,
  ...tokenOperations,
  ...settingOperations,
  ...stateRoutes,
  ...checkpointRoutes,
  ...eventOperations,
  ...requestRoutes(() => [...v1Operations, ...controlRoutes]),
  ...webhookOperations,
  ...coverageRoutes,
  ...recordingRoutes,
  ...auditOperations,
  ...contractRoutes,
  ...brokerRoutes,
  ...providerStateRoutes,
  ...sandboxesRoutes,
])
