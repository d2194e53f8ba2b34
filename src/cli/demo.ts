/**
 * `npm run demo`: lives a year of one subscription through the real server, as a client and its test would, and
 * prints what happened. Ends with 1 when the year does not come to what it must.
 */
import { startInMemory } from './in-memory.ts'
import { tolerateClosedOutput } from './standard-streams.ts'
import { timeline } from './timeline.ts'

/** What the year must come to, in minor units: three months at 800, 600 for the upgrade, eight at 2500. */
const YEAR_TOTAL = 3 * 800 + 600 + 8 * 2500

interface Page<Item> {
  readonly data: readonly Item[]
}

interface InvoiceSummary {
  readonly amount_paid: number
}

tolerateClosedOutput()
const startedAt = performance.now()
const sandbox = await startInMemory()
const total = await liveAYear()
await sandbox.close()
const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`\nA year, ${(total / 100).toFixed(2)} USD collected, lived in ${seconds} s.`)
if (total !== YEAR_TOTAL) {
  console.error(`It must come to ${YEAR_TOTAL} minor units, not ${total}.`)
  process.exitCode = 1
}

async function liveAYear(): Promise<number> {
  const say = narrator()
  await say('Ada takes Basic with a trial of 14 days, and a coupon for 20 % off three months', [
    form('/v1/subscriptions', { customer_id: 'cus_ada', plan: 'basic', trial_period_days: '14' }),
    form('/v1/subscriptions/sub_000001/apply-coupon', { coupon_id: 'SAVE20' }),
  ])
  await say('The trial ends', [advance({ by: 'P14D' })])
  await say('Her card fails twice on the first renewal, then works again', [
    json('/sandbox/payment-outcomes', {
      subscription_id: 'sub_000001',
      outcomes: ['card_declined', 'insufficient_funds'],
    }),
    advance({
      until: { subscription_id: 'sub_000001', status: 'past_due' },
      within: 'P1Y',
    }),
    advance({ until: { subscription_id: 'sub_000001', status: 'active' }, within: 'P30D' }),
  ])
  await say('Halfway through the third month she moves up to Pro', [
    advance({ to: '2027-03-30T12:00:00Z' }),
    form('/v1/subscriptions/sub_000001/update', { plan: 'pro' }),
  ])
  await say('The coupon has run out; the months go by', [advance({ to: '2027-11-20T09:00:00Z' })])
  await say('She cancels at the end of the period', [
    form('/v1/subscriptions/sub_000001/cancel', { at_period_end: 'true' }),
    advance({ to: '2028-01-01T00:00:00Z' }),
  ])
  const invoices = await get<Page<InvoiceSummary>>('/sandbox/invoices')
  return invoices.data.reduce((sum, invoice) => sum + invoice.amount_paid, 0)
}

/** Prints a heading, sends the requests in order, and prints the events that followed. */
function narrator() {
  let seen = 0
  return async (heading: string, requests: readonly (() => Promise<unknown>)[]) => {
    console.log(`\n${heading}`)
    for (const send of requests) await send()
    const events = await get<Page<Parameters<typeof timeline>[0][number]>>(
      `/sandbox/events?limit=1000&after=${seen}`,
    )
    for (const line of timeline(events.data)) console.log(line)
    seen = events.data.at(-1)?.seq ?? seen
  }
}

function form(path: string, fields: Record<string, string>) {
  return () => send(path, { method: 'POST', body: new URLSearchParams(fields) })
}

function json(path: string, fields: object) {
  const headers = { 'Content-Type': 'application/json' }
  return () => send(path, { method: 'POST', body: JSON.stringify(fields), headers })
}

function advance(destination: object) {
  return json('/sandbox/clock/advance', destination)
}

async function get<Answer>(path: string): Promise<Answer> {
  return (await send(path, {})) as Answer
}

async function send(path: string, request: RequestInit): Promise<unknown> {
  const headers = { ...request.headers, Authorization: `Bearer ${sandbox.registry.default.apiKey}` }
  const response = await fetch(`${sandbox.url}${path}`, { ...request, headers })
  const text = await response.text()
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
  return JSON.parse(text)
}
