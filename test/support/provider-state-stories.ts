/** How a change of provider states is refused: by a state that is unknown, or that does not fit what is there. */
import type { WireSandboxSummary } from '../../src/wire/sandbox.ts'
import type { Sent, Shop } from './control.ts'
import { setUp } from './provider-states.ts'

const PAST = '2026-01-01T00:00:00Z'
/** Later than any clock may stand. */
const BEYOND = '9500-01-01T00:00:00Z'

const state = (name: string, params: object = {}): Sent => ({ json: { state: name, params } })
const stated = (name: string, params: Readonly<Record<string, unknown>> = {}) => {
  return (shop: Shop) => setUp(shop, name, params)
}

/** One interaction whose states leave no room in a sandbox of so many records. */
const fullOfStates = (most: number) => async (shop: Shop) => {
  let records = 0
  for (let number = 0; records < most; number += 1) {
    await setUp(shop, 'a customer exists', { customer_id: `cus_${number}` })
    const { body } = await shop.get<WireSandboxSummary>('/sandbox')
    const { events: _, ...counts } = body.counts
    records = Object.values(counts).reduce((sum, count) => sum + count, 0)
  }
}

/** What happens before, and what is asked, by code. */
export function stateStories(recordsMax: number) {
  return {
    not_found: [null, state('nobody knows this')],
    exists: [stated('a plan exists'), state('the fixture dunning is loaded')],
    in_use: [stated('a subscription exists'), state('a plan exists', { amount: 5 })],
    invalid_transition: [
      null,
      state('a subscription exists', { pending_plan: 'pro', plan: 'basic' }),
    ],
    fixture_unusable: [null, state('the fixture unusable is loaded')],
    clock_backwards: [stated('a subscription exists'), state(`the virtual time is ${PAST}`)],
    clock_limit: [null, state(`the virtual time is ${BEYOND}`)],
    sandbox_full: [
      fullOfStates(recordsMax),
      state('a customer exists', { customer_id: 'cus_new' }),
    ],
    currency_mismatch: [
      stated('a customer exists', { customer_id: 'cus_ada', currency: 'EUR' }),
      state('a subscription exists', { plan: 'basic' }),
    ],
    coupon_expired: [null, state('a subscription exists', { coupon_id: 'EXPIRED' })],
    coupon_exhausted: [
      stated('a coupon is exhausted', { coupon_id: 'LAST1' }),
      state('a subscription exists', { coupon_id: 'LAST1' }),
    ],
    coupon_not_applicable: [null, state('a subscription exists', { coupon_id: 'PROONLY' })],
  } as const
}
