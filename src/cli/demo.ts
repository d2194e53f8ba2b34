/**
 * `npm run demo`: simulates a year of one subscription through the real server, as a client and its test would, and
 * prints what happened. Ends with 1 if the total of the year is wrong.
 */
import { sandboxClient } from '../library/sandbox-client.ts'
import { start } from '../server/start.ts'
import { eventText } from '../wire/event-text.ts'
import { tolerateClosedOutput } from './standard-streams.ts'

/** The total of the year, in minor units: three months at 800, 600 for the upgrade, eight at 2500. */
const YEAR_TOTAL = 3 * 800 + 600 + 8 * 2500

/** The number of the last event that was printed. */
let seen = 0

tolerateClosedOutput()
const startedAt = performance.now()
const { url, registry, close } = await start()
const { id: sandboxId, apiKey } = registry.default
const sandbox = sandboxClient({ url, sandboxId, apiKey, controlToken: null, fetch }, close)
const total = await liveAYear()
await sandbox.close()
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`\nA year, ${(total / 100).toFixed(2)} USD collected, lived in ${seconds} s.`)
if (total !== YEAR_TOTAL) {
  console.error(`It must come to ${YEAR_TOTAL} minor units, not ${total}.`)
  process.exitCode = 1
}

async function liveAYear(): Promise<number> {
  const { subscriptions, payments, clock, invoices } = sandbox
  const id = 'sub_000001'
  const order = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 }
  await sandbox.v1.POST('/v1/subscriptions', { body: order })
  await subscriptions.applyCoupon(id, { coupon_id: 'SAVE20' })
  await say('Ada takes Basic with a trial of 14 days, and a coupon for 20 % off three months')
  await clock.advance('P14D')
  await say('The trial ends')
  await payments.script({
    subscription_id: id,
    outcomes: ['card_declined', 'insufficient_funds'],
  })
  await clock.until({ subscription_id: id, status: 'past_due' })
  await clock.until({ subscription_id: id, status: 'active', within: 'P30D' })
  await say('Her card fails twice on the first renewal, then works again')
  await clock.to('2027-03-30T12:00:00Z')
  await subscriptions.update(id, { plan: 'pro' })
  await say('Halfway through the third month she moves up to Pro')
  await clock.to('2027-11-20T09:00:00Z')
  await say('The coupon has run out; the months go by')
  await subscriptions.cancel(id, { at_period_end: true })
  await clock.to('2028-01-01T00:00:00Z')
  await say('She cancels at the end of the period')
  return (await invoices.list()).reduce((sum, { amount_paid }) => sum + amount_paid, 0)
}

/** Prints a heading, and the events since the one before. */
async function say(heading: string): Promise<void> {
  console.log(`\n${heading}`)
  const events = await sandbox.events.list({ after: seen })
  for (const event of events) {
    const text = eventText(event)
    // Others say nothing that an event of the same moment does not say.
    if (text !== null) console.log(`  ${event.at.slice(0, 16).replace('T', ' ')}  ${text}`)
  }
  seen = events.at(-1)?.seq ?? seen
}
