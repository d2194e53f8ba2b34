/** A client of the five subscription operations that sends forms, as the examples of the interface do. */
import { jsonOf, type Subscription } from './answer.ts'

/** Where the service is, and the key to it. */
export interface Access {
  readonly baseUrl: string
  readonly apiKey: string
}

/** What a subscription is created from. */
export interface SubscriptionOrder {
  readonly customerId: string
  readonly plan: string
  readonly trialPeriodDays?: number
}

/** A client that sends forms. */
export function formClient({ baseUrl, apiKey }: Access) {
  const post = async (path: string, fields?: Readonly<Record<string, string>>) => {
    const answer = await fetch(`${baseUrl}/v1/subscriptions${path}`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(fields === undefined ? {} : { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(fields === undefined ? {} : { body: new URLSearchParams(fields).toString() }),
    })
    return jsonOf<Subscription>(answer)
  }
  return {
    create: ({ customerId, plan, trialPeriodDays }: SubscriptionOrder) =>
      post('', {
        customer_id: customerId,
        plan,
        ...(trialPeriodDays === undefined ? {} : { trial_period_days: String(trialPeriodDays) }),
      }),
    update: (id: string, plan: string) => post(`/${id}/update`, { plan }),
    pause: (id: string) => post(`/${id}/pause`),
    cancelAtPeriodEnd: (id: string) => post(`/${id}/cancel`, { at_period_end: 'true' }),
    cancel: (id: string) => post(`/${id}/cancel`),
    applyCoupon: (id: string, couponId: string) =>
      post(`/${id}/apply-coupon`, { coupon_id: couponId }),
  }
}
