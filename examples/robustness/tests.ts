/** The tests of both clients. Each has a sandbox of its own. */
import assert from 'node:assert/strict'
import { test } from 'node:test'

interface Subscription {
  readonly subscription_id: string
  readonly status?: string
  readonly cancel_at_period_end?: boolean
}

interface Shop {
  subscribe(customer: string, plan: string, trialDays: number): Promise<Subscription>
  cancelAtPeriodEnd(id: string): Promise<Subscription>
  hasAccess(subscription: Subscription): boolean
}

type Known = (customer: string) => Promise<Subscription | undefined>
type ShopClass = new (url: string, key: string, known: Known) => Shop

/** A shop with a new sandbox, and what the sandbox says of a customer. */
async function open(Client: ShopClass, url: string) {
  const made = await fetch(`${url}/sandboxes`, { method: 'POST' })
  const { api_key } = (await made.json()) as { api_key: string }
  const headers = { Authorization: `Bearer ${api_key}` }
  const subscriptionsOf = async (customer: string) => {
    const found = await fetch(`${url}/sandbox/subscriptions?customer_id=${customer}`, { headers })
    return ((await found.json()) as { data: Subscription[] }).data
  }
  const shop = new Client(url, api_key, async (customer) => (await subscriptionsOf(customer))[0])
  return { shop, subscriptionsOf }
}

type Check = (Client: ShopClass, url: string) => Promise<void>

export const checks: Readonly<Record<string, Check>> = {
  'a customer in a trial has access': async (...place) => {
    const { shop } = await open(...place)
    assert.equal(shop.hasAccess(await shop.subscribe('cus_ada', 'pro', 14)), true)
  },
  'a customer is subscribed once': async (...place) => {
    const { shop, subscriptionsOf } = await open(...place)
    await shop.subscribe('cus_ada', 'basic', 0)
    assert.equal((await subscriptionsOf('cus_ada')).length, 1)
  },
  'a customer who cancels is not billed again': async (...place) => {
    const { shop, subscriptionsOf } = await open(...place)
    const { subscription_id } = await shop.subscribe('cus_ada', 'basic', 0)
    await shop.cancelAtPeriodEnd(subscription_id)
    const [kept] = await subscriptionsOf('cus_ada')
    assert.equal(kept?.cancel_at_period_end, true)
  },
  'a plan that nobody sells is refused': async (...place) => {
    const { shop } = await open(...place)
    await assert.rejects(shop.subscribe('cus_ada', 'gold', 0), /was refused/)
  },
}

export function testShop(Client: ShopClass): void {
  for (const [name, check] of Object.entries(checks)) {
    test(name, () => check(Client, process.env['SANDBOX_URL'] ?? ''))
  }
}
