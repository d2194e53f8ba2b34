/** Every operation that changes what is billed, by its id: what what-ifs and fixtures can do. */
import { catalogOperations } from './catalog.ts'
import { chargeOperations, paymentOperations } from './charges.ts'
import { invoiceOperations } from './invoices.ts'
import type { WorldOperation, WorldWrite } from './operation.ts'
import { settingOperations } from './settings.ts'
import { subscriptionOperations } from './subscriptions.ts'
import { documentedWrites } from './v1.ts'

const all = [
  ...documentedWrites,
  ...catalogOperations,
  ...subscriptionOperations,
  ...invoiceOperations,
  ...chargeOperations,
  ...paymentOperations,
  ...settingOperations,
]

/** The id of an operation that changes what is billed. */
export type BillingOperationId = Extract<(typeof all)[number], WorldWrite>['operationId']

export const billingOperations = Object.fromEntries(
  all.flatMap((each: WorldOperation) => (each.kind === 'write' ? [[each.operationId, each]] : [])),
) as Readonly<Record<BillingOperationId, WorldWrite>>
