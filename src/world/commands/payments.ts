/** Commands that charge a customer once, and that determine the outcome of payments. */
import { OUTCOMES_MAX } from '../../assumptions/bounds.ts'
import { type Charge, makeCharge } from '../../billing/charge.ts'
import { numberedId } from '../../billing/id.ts'
import {
  type PaymentScript,
  type ScriptedOutcome,
  type ScriptScope,
  scopeKey,
} from '../../billing/payment.ts'
import { isRefusal, refuse } from '../../billing/refusal.ts'
import { checkCapacity } from '../capacity.ts'
import type { Cause } from '../event.ts'
import type { Refusal } from '../refusal.ts'
import { checkExists, findRecord, type Success, success } from '../results.ts'
import { applyOutcome, circumstancesOf, putRecord, scriptsFor, type World } from '../world.ts'

export interface NewCharge {
  readonly customerId: string
  readonly amount: number
  readonly currency: string
  readonly couponId: string | null
}

/** Charges a customer once; a failed payment is a result, not a refusal. */
export function createCharge(
  world: World,
  order: NewCharge,
  cause: Cause,
): Success<Charge> | Refusal {
  const { customerId, couponId, amount, currency } = order
  const customer = findRecord(world.customers, 'customer_id', customerId)
  if (isRefusal(customer)) return customer
  const coupon = couponId === null ? null : findRecord(world.coupons, 'coupon_id', couponId)
  if (isRefusal(coupon)) return coupon
  const sequence = world.sequences.charges + 1
  const outcome = makeCharge(
    {
      chargeId: numberedId('ch_', sequence),
      customer,
      amount,
      currency,
      coupon,
      scripts: scriptsFor(world, customerId, null),
    },
    circumstancesOf(world),
  )
  if (isRefusal(outcome)) return outcome
  const full = checkCapacity(world, 1)
  if (full !== null) return full
  world.sequences.charges = sequence
  putRecord(world, 'charges', outcome.charge)
  applyOutcome(world, outcome, cause)
  return success(outcome.charge, outcome.assumptions)
}

/** The next outcomes, in order, or a standing rule; exactly one of the two is present. */
export interface NewPaymentScript {
  readonly scope: ScriptScope
  readonly outcomes: readonly ScriptedOutcome[] | null
  readonly always: ScriptedOutcome | null
}

/** Appends scripted outcomes to a scope, or replaces its standing rule. */
export function scriptPayments(
  world: World,
  order: NewPaymentScript,
): Success<PaymentScript> | Refusal {
  const missing = checkScope(world, order.scope)
  if (missing !== null) return missing
  const scripted = world.paymentScripts.get(scopeKey(order.scope))
  const full = checkCapacity(world, scripted === undefined ? 1 : 0)
  if (full !== null) return full
  const present = scripted ?? { scope: order.scope, outcomes: [], always: null }
  const outcomes = [...present.outcomes, ...(order.outcomes ?? [])]
  if (outcomes.length > OUTCOMES_MAX) {
    const rule = `outcomes must be at most ${OUTCOMES_MAX} for each scope, with those that wait`
    return refuse('sandbox_full', `${rule}; got ${outcomes.length}.`, ['record-limit'])
  }
  const script = { ...present, outcomes, always: order.always ?? present.always }
  putRecord(world, 'paymentScripts', script)
  return success(script)
}

/** Removes the scripted outcomes and the standing rule of one scope. */
export function removePaymentScript(world: World, scope: ScriptScope): Success<null> | Refusal {
  const missing = checkScope(world, scope)
  if (missing !== null) return missing
  if (!world.paymentScripts.delete(scopeKey(scope))) {
    const { subscriptionId, customerId } = scope
    const whose = subscriptionId ?? customerId
    const payments = whose === null ? 'all payments of the sandbox' : `payments of "${whose}"`
    return refuse('not_found', `No outcome is scripted for ${payments}.`, ['error-codes'])
  }
  return success(null)
}

export function clearPaymentScripts(world: World): Success<null> {
  world.paymentScripts.clear()
  return success(null)
}

function checkScope(world: World, { subscriptionId, customerId }: ScriptScope): Refusal | null {
  if (subscriptionId !== null) {
    return checkExists(world.subscriptions, 'subscription_id', subscriptionId)
  }
  if (customerId === null) return null
  return checkExists(world.customers, 'customer_id', customerId)
}
