/** A world filled to its bounds: what it has goes on, among a million invoices and long lists of everything else. */
import { RECORDS_MAX } from '../../src/assumptions/bounds.ts'
import { instantAt, millisOf } from '../../src/time/instant.ts'
import { countRecords } from '../../src/world/capacity.ts'
import {
  createCoupon,
  createCustomer,
  createPlan,
  createProduct,
  createPromotion,
} from '../../src/world/commands/catalog.ts'
import { createCharge, scriptPayments } from '../../src/world/commands/payments.ts'
import { createSubscription } from '../../src/world/commands/subscriptions.ts'
import { issueTokens } from '../../src/world/commands/tokens.ts'
import { advanceTo } from '../../src/world/engine.ts'
import { VirtualClock } from '../../src/world/virtual-clock.ts'
import type { World } from '../../src/world/world.ts'

const CUSTOMERS = 5000
const SUBSCRIPTIONS = 10_000
/** One customer in so many cannot pay. */
const UNPAID_EVERY = 50
/** The first customer of the world has so many of the subscriptions. */
const OF_ONE_CUSTOMER = 1000
/** How many there are of each of the other kinds. */
const LISTED = 1000
const DAYS = 119
const DAY_MS = 86_400_000
/** What stays free, so that calls can create something. */
const FREE_RECORDS = 2000

const cause = { kind: 'request', requestId: null } as const

/** Fills a world with what happened in the days before its now; what it held, and its now, stay as they are. */
export async function fill(world: World): Promise<World> {
  const now = world.clock.now()
  const begin = millisOf(now) - DAYS * DAY_MS
  const filled = { ...world, clock: new VirtualClock(instantAt(begin)) }
  furnish(filled)
  for (let made = 0; made < SUBSCRIPTIONS; made += 1) {
    filled.clock.moveTo(instantAt(begin + made * 1000), null)
    const customerId = made < OF_ONE_CUSTOMER ? 'cus_ada' : `cus_full_${made % CUSTOMERS}`
    const order = { customerId, plan: 'full_0', trialPeriodDays: null }
    createSubscription(filled, { ...order, couponId: null, promotionCode: null }, cause)
  }
  const isDone = () => countRecords(filled) > RECORDS_MAX - FREE_RECORDS
  let ending = await advanceTo(filled, now, { cause, isDone })
  while (ending === 'item_limit') ending = await advanceTo(filled, now, { cause, isDone })
  if (ending !== 'target') throw new Error(`The world is ${ending} at ${filled.clock.now()}`)
  return filled
}

/** Long lists of everything that is not made by an advance. */
function furnish(world: World): void {
  for (let made = 0; made < CUSTOMERS; made += 1) {
    const paymentMethod = made % UNPAID_EVERY === 0 ? 'none' : 'valid'
    const rest = { name: `Customer ${made}`, email: null, currency: null, balance: 0 }
    createCustomer(world, { customerId: `cus_full_${made}`, paymentMethod, ...rest })
  }
  const daily = { amount: 1000, currency: 'USD', interval: 'day', intervalCount: 1 } as const
  const coupon = { type: 'percentage', value: 10, currency: null, duration: 'forever' } as const
  const unlimited = { maxRedemptions: null, expiresAt: null } as const
  const lasting = { durationInMonths: null, appliesToPlans: null, appliesToProducts: null }
  for (let made = 0; made < LISTED; made += 1) {
    const id = `full_${made}`
    createProduct(world, { productId: id, name: `Product ${made}` })
    createPlan(world, { planId: id, productId: id, name: `Plan ${made}`, ...daily })
    const couponId = `FULL${made}`
    createCoupon(world, { couponId, ...coupon, ...unlimited, ...lasting, stackable: true })
    createPromotion(world, { code: `CODE${made}`, couponId, startsAt: null, ...unlimited })
    const customerId = `cus_full_${made}`
    createCharge(world, { customerId, amount: 500, currency: 'USD', couponId: null }, cause)
    if (made % UNPAID_EVERY !== 0) {
      scriptPayments(world, {
        scope: { customerId, subscriptionId: null },
        outcomes: ['succeed'],
        always: null,
      })
    }
    issueTokens(world, { subject: customerId }, cause)
  }
}
