/**
 * Measures how fast a form is read and checked over a real socket: by the router's own path, by Hono's `parseBody`
 * with the same schema, and by `URLSearchParams` with the same schema. Run: npx tsx bench/form-body.ts
 */
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { Hono } from 'hono'
import * as z from 'zod'
import { errorEnvelope } from '../src/http/envelopes.ts'
import type { Surface } from '../src/http/pipeline.ts'
import { router } from '../src/http/router.ts'
import { listen } from '../src/server/listen.ts'
import { ok, route } from '../src/surface/operation.ts'
import { SubscriptionCreate } from '../src/wire/billing/subscription.ts'

const ROUND_MS = 2000
const ROUNDS = 3
const CLIENTS = 16
const form = 'customer_id=cus_ada&plan=basic&trial_period_days=14'
const formType = 'application/x-www-form-urlencoded'

const echo = route({
  operationId: 'create',
  method: 'post',
  path: '/own',
  tag: 'Bench',
  summary: 'Create',
  description: 'Reads a form.',
  source: 'sandbox',
  security: 'none',
  body: { schema: SubscriptionCreate, media: ['form', 'json'], required: true },
  replies: { 200: { description: 'The form.', schema: z.unknown(), source: 'sandbox' } },
  refusals: [],
  answer: ({ body }) => ok(body),
})
const none = () => undefined
const surface: Surface = { prefixes: [], admit: none, envelope: errorEnvelope, report: none }

const texts = SubscriptionCreate.extend({ trial_period_days: z.coerce.number().int() })
const app = new Hono()
  .post('/parse-body', async (c) => c.json(texts.parse(await c.req.parseBody())))
  .post('/url-search-params', async (c) => {
    const fields = Object.fromEntries(new URLSearchParams(await c.req.text()))
    return c.json(texts.parse(fields))
  })
app.route('/', router(surface, [echo]))

const listener = await listen(app, { host: '127.0.0.1', port: 0 })
for (let round = 1; round <= ROUNDS; round += 1) {
  for (const path of ['/own', '/parse-body', '/url-search-params']) {
    const perSecond = Math.round((await answersOf(path)) / (ROUND_MS / 1000))
    console.log(`round ${round}  ${path.padEnd(20)} ${perSecond} requests/s`)
  }
}
await listener.close()

/** How many calls a path answers in one round. */
async function answersOf(path: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const until = performance.now() + ROUND_MS
  const client = async () => {
    let answers = 0
    while (performance.now() < until) {
      await call(agent, path)
      answers += 1
    }
    return answers
  }
  const counts = await Promise.all(Array.from({ length: CLIENTS }, client))
  agent.destroy()
  return counts.reduce((sum, each) => sum + each, 0)
}

async function call(agent: Agent, path: string): Promise<void> {
  const headers = { 'Content-Type': formType, 'Content-Length': form.length }
  const sent = request(`${listener.url}${path}`, { method: 'POST', agent, headers })
  sent.end(form)
  const [response] = await once(sent, 'response')
  if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}`)
  response.resume()
  await once(response, 'end')
}
