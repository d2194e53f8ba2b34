/** A scenario for timelines: a downgrade, an end of a coupon, a cancellation, a failing card and a trial without a card. */
import type { Sandbox } from '../../src/index.ts'

/** Plays it in a sandbox that begins at 2027-01-01, and returns the ids of its subscriptions; now is three days later. */
export async function playTimelineScenario({ subscriptions, payments, clock }: Sandbox) {
  const subscribe = async (more: object = {}) => {
    const order = { customer_id: 'cus_ada', plan: 'pro', ...more }
    return (await subscriptions.create(order)).subscription_id
  }
  const moving = await subscribe()
  await subscriptions.update(moving, { plan: 'basic' })
  const ending = await subscribe()
  await subscriptions.cancel(ending, { at_period_end: true })
  const reduced = await subscribe({ coupon_id: 'SAVE20' })
  const failing = await subscribe()
  await payments.script({ subscription_id: failing, always: 'card_declined' })
  const trial = await subscribe({ customer_id: 'cus_grace', plan: 'basic', trial_period_days: 14 })
  const stopped = await subscribe()
  await clock.advance('P3D')
  await subscriptions.cancel(stopped)
  return { moving, ending, reduced, failing, trial, stopped }
}
