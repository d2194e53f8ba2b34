/** The command that charges a customer once. */

import { type Charge, makeCharge } from '../../billing/charge.ts'
import { numberedId } from '../../billing/id.ts'
import { isRefusal } from '../../billing/refusal.ts'
import { type Executed, executed, find } from '../answer.ts'
import { refuseWhenFull } from '../capacity.ts'
import type { Cause } from '../event.ts'
import type { Refusal } from '../refusal.ts'
import { apply, circumstancesOf, putRecord, scriptsFor, type World } from '../world.ts'

export interface NewCharge {
  readonly customerId: string
  readonly amount: number
  readonly currency: string
  readonly couponId: string | null
}

/** Charges a customer once; a failed payment is a result, not a refusal. */
export function charge(world: World, order: NewCharge, cause: Cause): Executed<Charge> | Refusal {
  const { customerId, couponId, amount, currency } = order
  const customer = find(world.customers, { field: 'customer_id', id: customerId })
  if (isRefusal(customer)) return customer
  const coupon =
    couponId === null ? null : find(world.coupons, { field: 'coupon_id', id: couponId })
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
  const full = refuseWhenFull(world, 1)
  if (full !== null) return full
  world.sequences.charges = sequence
  putRecord(world, 'charges', outcome.charge)
  apply(world, outcome, cause)
  return executed(outcome.charge, outcome.assumptions)
}
