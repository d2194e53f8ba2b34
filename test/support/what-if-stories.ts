/** How a question about what would be otherwise is refused: by a change, as the operation of that refuses a call. */
import type { Sent, Shop } from './control.ts'

type Before = (shop: Shop) => Promise<unknown>

const asking = (question: object): Sent => ({
  json: { changes: [{ operation: 'clearPaymentOutcomes' }], ...question },
})
const change = (operation: string, sent: object) => asking({ changes: [{ operation, ...sent }] })

const order = { customer_id: 'cus_ada', plan: 'basic' }
const checkout = (more: object) =>
  change('createSubscriptionAtCheckout', { body: { ...order, ...more } })
const inEuro = { customer_id: 'cus_ada', amount: 900, currency: 'EUR' }

/** What happens before, and what is asked, by code. */
export function whatIfStories({
  subscribed,
  charged,
  full,
}: Readonly<Record<'subscribed' | 'charged' | 'full', Before>>) {
  return {
    not_found: [null, checkout({ plan: 'nowhere' })],
    exists: [null, change('createProduct', { body: { product_id: 'prod_app', name: 'App' } })],
    in_use: [null, change('deleteProduct', { params: { product_id: 'prod_app' } })],
    invalid_transition: [
      subscribed,
      change('payInvoice', { params: { invoice_id: 'inv_000001' } }),
    ],
    currency_mismatch: [null, change('createCharge', { body: inEuro })],
    coupon_expired: [null, checkout({ coupon_id: 'EXPIRED' })],
    coupon_exhausted: [charged, checkout({ coupon_id: 'LAST1' })],
    coupon_not_applicable: [null, checkout({ coupon_id: 'PROONLY' })],
    sandbox_full: [full, change('createProduct', { body: { name: 'App' } })],
    clock_backwards: [null, asking({ until: '2026-01-01T00:00:00Z' })],
    clock_limit: [null, asking({ until: '9500-01-01T00:00:00Z' })],
  } as const
}
