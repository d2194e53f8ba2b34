/** The example calls of the documented surface. */
import { body, EXAMPLE_REFRESH_TOKEN, type ExampleCalls, exampleOf } from './call.ts'

/**
 * Each has its own subscription, because one change can forbid another. With a body each succeeds twice, since
 * tools send it once in each media type; so none cancels at once.
 */
export const v1Calls = (): ExampleCalls => ({
  createSubscription: {
    trial: {
      summary: 'With a trial of 14 days',
      body: { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 },
    },
    paid: { summary: 'Without a trial', body: { customer_id: 'cus_linus', plan: 'pro' } },
  },
  updateSubscription: {
    upgrade: {
      summary: 'To the dearer plan',
      params: { subscription_id: 'sub_000001' },
      body: { plan: 'pro' },
    },
    downgrade: {
      summary: 'To the cheaper plan, which waits for the next billing cycle',
      params: { subscription_id: 'sub_000002' },
      body: { plan: 'basic' },
    },
  },
  pauseSubscription: exampleOf({ subscription_id: 'sub_000003' }),
  cancelSubscription: exampleOf({ subscription_id: 'sub_000004' }, { at_period_end: true }),
  applyCoupon: exampleOf({ subscription_id: 'sub_000005' }, { coupon_id: 'SAVE20' }),
  refreshToken: body({ refresh_token: EXAMPLE_REFRESH_TOKEN }),
})
