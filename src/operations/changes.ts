/** Every operation that changes what is billed, by its id: what what-ifs and fixtures can do. */
import { catalogOperations } from './catalog.ts'
import { chargeOperations, paymentOperations } from './charges.ts'
import { invoiceOperations } from './invoices.ts'
import type { Change, WorldOperation } from './operation.ts'
import { settingOperations } from './settings.ts'
import { subscriptionOperations } from './subscriptions.ts'
import { documentedChanges } from './v1.ts'

const all = [
  ...documentedChanges,
  ...catalogOperations,
  ...subscriptionOperations,
  ...invoiceOperations,
  ...chargeOperations,
  ...paymentOperations,
  ...settingOperations,
]

/** The id of an operation that changes what is billed. */
export type ChangeId = Extract<(typeof all)[number], Change>['operationId']

export const changes: ReadonlyMap<ChangeId, Change> = new Map(
  all.flatMap((each: WorldOperation) =>
    each.kind === 'change' ? [[each.operationId as ChangeId, each] as const] : [],
  ),
)
