/** A year of one subscription, as a client and its test would have it: what `npm run demo` and the dashboard play. */
import type { Sandbox } from './sandbox.ts'

const DAY_MS = 86_400_000

/** Retries within a month, before the rest of the year goes on. */
const SOON = /^P(?:T\d\d?H|[12]?\dD)/

/**
 * Plays the year in a sandbox of the fixture `starter`, from its virtual now on. `say` receives what was done, after each
 * part of it.
 */
export async function playDemoYear(
  { clock, subscriptions, payments, settings }: Sandbox,
  say: (heading: string) => Promise<void> = async () => undefined,
): Promise<void> {
  const start = Date.parse((await clock.get()).now)
  const day = (days: number) => new Date(start + days * DAY_MS).toISOString()
  const order = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 }
  const { subscription_id: id } = await subscriptions.create(order)
  await subscriptions.applyCoupon(id, { coupon_id: 'SAVE20' })
  await say('Ada takes Basic with a trial of 14 days, and a coupon for 20 % off three months')
  await clock.advance('P14D')
  await say('The trial ends')
  const { retry_schedule, vary } = await settings.get()
  // Each failure needs a retry after it: without, she would be canceled.
  const schedule = vary.includes('retry-schedule') ? [] : retry_schedule
  const retries = schedule.filter((offset) => SOON.test(offset))
  const outcomes = (['card_declined', 'insufficient_funds'] as const).slice(0, retries.length)
  if (outcomes.length > 0) {
    await payments.script({ subscription_id: id, outcomes: [...outcomes] })
    await clock.until({ subscription_id: id, status: 'past_due' })
    await clock.until({ subscription_id: id, status: 'active' })
  }
  await say('Her card fails twice on the first renewal, then works again')
  await clock.to(day(88.5))
  await subscriptions.update(id, { plan: 'pro' })
  await say('Halfway through the third month she moves up to Pro')
  await clock.to(day(323.375))
  await say('The coupon has run out; the months go by')
  await subscriptions.cancel(id, { at_period_end: true })
  await clock.to(day(365))
  await say('She cancels at the end of the period')
}
