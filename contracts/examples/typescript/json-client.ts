/**
 * A client of the five subscription operations that sends JSON. The interface shows a JSON body for creation only;
 * that the others take one too is an assumption.
 */
import { jsonOf, type Subscription } from './answer.ts'
import type { Access, SubscriptionOrder } from './form-client.ts'

/** A client that sends JSON. */
export function jsonClient({ baseUrl, apiKey }: Access) {
  const post = async (path: string, body?: unknown) => {
    const answer = await fetch(`${baseUrl}/v1/subscriptions${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return jsonOf<Subscription>(answer)
  }
  return {
    create: ({ customerId, plan, trialPeriodDays }: SubscriptionOrder) =>
      post('', { customer_id: customerId, plan, trial_period_days: trialPeriodDays }),
    update: (id: string, plan: string) => post(`/${id}/update`, { plan }),
    pause: (id: string) => post(`/${id}/pause`),
    cancelAtPeriodEnd: (id: string) => post(`/${id}/cancel`, { at_period_end: true }),
    cancel: (id: string) => post(`/${id}/cancel`, { at_period_end: false }),
    applyCoupon: (id: string, couponId: string) =>
      post(`/${id}/apply-coupon`, { coupon_id: couponId }),
  }
}
