/**
 * `npm run demo`: simulates a year of one subscription through the real server, as a client and its test would, and
 * prints what happened. Ends with 1 if the total of the year is wrong.
 */
import { playDemoYear } from '../library/demo-year.ts'
import { sandboxClient } from '../library/sandbox-client.ts'
import { start } from '../server/start.ts'
import { eventText } from '../wire/events/event-text.ts'
import { tolerateClosedOutput } from './terminal/standard-streams.ts'

/** The total of the year, in minor units: three months at 800, 600 for the upgrade, eight at 2500. */
const YEAR_TOTAL = 3 * 800 + 600 + 8 * 2500

/** The number of the last event that was printed. */
let seen = 0

tolerateClosedOutput()
const startedAt = performance.now()
const { url, registry, close } = await start()
const { id: sandboxId, apiKey } = registry.default
const sandbox = sandboxClient({ url, sandboxId, apiKey, controlToken: null, fetch }, close)
await playDemoYear(sandbox, printStep)
const total = (await sandbox.invoices.list()).reduce((sum, { amount_paid }) => sum + amount_paid, 0)
await sandbox.close()
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`\nA year, ${(total / 100).toFixed(2)} USD collected, lived in ${seconds} s.`)
if (total !== YEAR_TOTAL) {
  console.error(`It must come to ${YEAR_TOTAL} minor units, not ${total}.`)
  process.exitCode = 1
}

/** Prints a heading, and the events since the one before. */
async function printStep(heading: string): Promise<void> {
  console.log(`\n${heading}`)
  const events = await sandbox.events.list({ after: seen })
  for (const event of events) {
    const text = eventText(event)
    // Others say nothing that an event of the same moment does not say.
    if (text !== null) console.log(`  ${event.at.slice(0, 16).replace('T', ' ')}  ${text}`)
  }
  seen = events.at(-1)?.seq ?? seen
}
