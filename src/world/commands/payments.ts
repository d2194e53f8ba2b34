/** Commands that determine the outcome of payments: scripted outcomes and standing rules. */

import {
  type PaymentScript,
  type ScriptedOutcome,
  type ScriptScope,
  scopeKey,
} from '../../billing/payment.ts'
import { type Executed, executed, refuseUnknown } from '../answer.ts'
import { refuseWhenFull } from '../capacity.ts'
import type { Refusal } from '../refusal.ts'
import { putRecord, type World } from '../world.ts'

/** The next outcomes, in order, or a standing rule; exactly one of the two is present. */
export interface ScriptOrder {
  readonly scope: ScriptScope
  readonly outcomes: readonly ScriptedOutcome[] | null
  readonly always: ScriptedOutcome | null
}

/** Appends scripted outcomes to a scope, or replaces its standing rule. */
export function scriptPayments(
  world: World,
  order: ScriptOrder,
): Executed<PaymentScript> | Refusal {
  const missing = findScope(world, order.scope)
  if (missing !== null) return missing
  const scripted = world.paymentScripts.get(scopeKey(order.scope))
  const full = refuseWhenFull(world, scripted === undefined ? 1 : 0)
  if (full !== null) return full
  const present = scripted ?? { scope: order.scope, outcomes: [], always: null }
  const script = {
    ...present,
    outcomes: [...present.outcomes, ...(order.outcomes ?? [])],
    always: order.always ?? present.always,
  }
  putRecord(world, 'paymentScripts', script)
  return executed(script)
}

export function clearPaymentScripts(world: World): Executed<null> {
  world.paymentScripts.clear()
  return executed(null)
}

function findScope(world: World, { subscriptionId, customerId }: ScriptScope): Refusal | null {
  if (subscriptionId !== null) {
    return refuseUnknown(world.subscriptions, { field: 'subscription_id', id: subscriptionId })
  }
  if (customerId === null) return null
  return refuseUnknown(world.customers, { field: 'customer_id', id: customerId })
}
