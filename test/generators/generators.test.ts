/**
 * Clients as the common generators make them from the served document: each creates with a trial, applies a coupon and
 * cancels at the period's end, and what the sandbox then holds is what its caller meant.
 */
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Listener, listen } from '../../src/server/listen.ts'
import { openShop, type Shop } from '../support/control.ts'
import { generators, missingFor, runIn } from './tools.ts'

/** The slowest downloads what its client is compiled with. */
const PATIENCE_MS = 300_000

const here = fileURLToPath(new URL('.', import.meta.url))
let shop: Shop
let server: Listener

beforeAll(async () => {
  shop = await openShop()
  server = await listen(shop.app, { host: '127.0.0.1', port: 0 })
})
afterAll(() => server.close())

it.for(generators)(
  '$name makes a client that does what its caller means',
  {
    timeout: PATIENCE_MS,
  },
  async (generator, { skip }) => {
    const missing = missingFor(generator)
    skip(missing !== null, `not run: the machine has no ${missing}`)
    const folder = await mkdtemp(join(here, 'out-'))
    try {
      const document = await fetch(`${server.url}/openapi.json`)
      await writeFile(join(folder, 'openapi.json'), await document.text())
      const [from, to] = generator.client
      await cp(join(here, 'clients', from), join(folder, to), { recursive: true })
      for (const command of generator.make) await runIn(folder, command)
      const environment = { BASE_URL: server.url, API_KEY: 'sk_sandbox_default' }
      const printed = await runIn(folder, generator.run, environment)
      const answered = printed
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line))
      expect(answered).toHaveLength(generator.subscriptions)
      for (const { subscription_id: id, status, cancel_at_period_end: ends } of answered) {
        expect({ status, ends }).toEqual({ status: 'trialing', ends: true })
        const { body } = await shop.get<Record<string, unknown>>(`/sandbox/subscriptions/${id}`)
        expect(body).toMatchObject({
          customer_id: 'cus_ada',
          plan: 'basic',
          status: 'trialing',
          trial_period_days: 14,
          cancel_at_period_end: true,
          ended_at: null,
          discounts: [{ coupon_id: 'SAVE20', value: 20 }],
        })
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
