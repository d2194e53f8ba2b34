import { beforeAll, describe, expect, it, vi } from 'vitest'
import { controlRoutes } from '../../../src/http/control/routes.ts'
import type { Declaration } from '../../../src/surface/operation.ts'
import { openShop, type Shop } from '../../support/control.ts'
import { readsOf } from '../../support/reads.ts'

const CUSTOMERS = 12
const EACH = 10

/** Far fewer than there are invoices or events. */
const READS_MAX = 1000

let shop: Shop

/** More than four thousand invoices, most of them paid, and sixteen thousand events. */
beforeAll(async () => {
  shop = await openShop()
  for (let number = 1; number <= CUSTOMERS; number += 1) {
    const customer_id = `cus_${number}`
    await shop.post('/sandbox/customers', { customer_id, payment_method: 'valid' })
    await shop.post('/sandbox/charges', { customer_id, amount: number, currency: 'USD' })
    for (let count = 0; count < EACH; count += 1) {
      await shop.post('/sandbox/subscriptions', { customer_id, plan: 'basic' })
    }
  }
  await shop.post('/sandbox/payment-outcomes', {
    subscription_id: 'sub_000007',
    always: 'card_declined',
  })
  await shop.post('/sandbox/clock/advance', { by: 'P36M' })
})

/** What a filter may name, where it is not the status of something. */
const values: Readonly<Record<string, string>> = {
  subscription_id: 'sub_000007',
  customer_id: 'cus_1',
  webhook_id: 'wh_000001',
  type: 'payment.failed',
  subject_kind: 'invoice',
  subject_id: 'inv_000007',
  unused: 'true',
  operation_id: 'listInvoices',
  unmatched: 'true',
  consumer: 'shop',
  order: 'newest',
  // One that all have: others read further, until a page is full.
  search: 'cus_',
}

const statuses: Readonly<Record<string, readonly string[]>> = {
  '/sandbox/invoices': ['open', 'paid', 'void', 'uncollectible'],
  '/sandbox/subscriptions': ['active', 'canceled'],
  '/sandbox/webhooks/deliveries': ['failed'],
  '/sandbox/requests': ['404'],
}

function isList({ method, path, query }: Declaration): boolean {
  const hasPages = query !== undefined && 'limit' in query.shape && 'after' in query.shape
  return method === 'get' && hasPages && !path.includes('{') && !path.endsWith('/stream')
}

/** Every combination of what a list can be filtered by. */
function filtersOf({ path, query }: Declaration): string[] {
  const filters = ['']
  for (const field of Object.keys(query?.shape ?? {})) {
    if (field === 'limit' || field === 'after') continue
    const known = field === 'status' ? statuses[path] : [values[field]]
    if (known?.[0] === undefined) throw new Error(`${path} is filtered by ${field}: name a value`)
    const before = [...filters]
    for (const each of known) filters.push(...before.map((filter) => `${filter}&${field}=${each}`))
  }
  return filters
}

const lists = controlRoutes.filter((each) => isList(each) && each.operationId !== 'listAgenda')

describe.each(lists.map((each) => [each.path, each] as const))('a page of %s', (path, declared) => {
  it.each(filtersOf(declared))('reads few records of thousands: limit=5%s', async (filter) => {
    let next: string | number | null = null
    const first = await readsOf(async () => {
      const { status, body } = await shop.get<{ next_after: typeof next }>(
        `${path}?limit=5${filter}`,
      )
      expect(status).toBe(200)
      next = body.next_after
    })
    expect(first).toBeLessThan(READS_MAX)
    if (next === null) return
    const then = await readsOf(() => shop.get(`${path}?limit=5${filter}&after=${next}`))
    expect(then).toBeLessThan(READS_MAX)
  })
})

describe('what concerns one customer', () => {
  it('is forecast by reading what is theirs', async () => {
    const reads = await readsOf(() => shop.get('/sandbox/subscriptions/sub_000009/forecast'))
    // Ten subscriptions for a year, a hundred reads for each invoice.
    expect(reads).toBeLessThan(10 * 12 * 100)
  })

  it('is on an agenda that is worked out by reading what is theirs', async () => {
    const reads = await readsOf(() =>
      shop.get('/sandbox/agenda?subscription_id=sub_000009&limit=1'),
    )
    expect(reads).toBeLessThan(READS_MAX)
  })

  it('is found when the customer is deleted', async () => {
    await shop.post('/sandbox/customers', { customer_id: 'cus_new' })
    const used = await readsOf(async () => {
      const refused = await shop.call('DELETE', `/sandbox/customers/cus_${CUSTOMERS}`)
      expect(refused.text).toContain('in use by subscription \\"sub_000111\\"')
    })
    const unused = await readsOf(() => shop.call('DELETE', '/sandbox/customers/cus_new'))
    // As many as there are kinds of records, and not as there are subscriptions.
    expect(used).toBeLessThan(3 * EACH)
    expect(unused).toBeLessThan(3 * EACH)
  })
})

describe('a delete', () => {
  it('lets others have turns while it looks for what refers to the record', async () => {
    await shop.post('/sandbox/coupons', { coupon_id: 'UNUSED', type: 'percentage', value: 10 })
    let turns = 0
    const count = () => {
      turns += 1
      turn = setImmediate(count)
    }
    let turn = setImmediate(count)
    // Whoever looks at the time finds its slice over.
    let now = performance.now()
    const time = vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 1000
      return now
    })
    const deleted = await shop.call('DELETE', '/sandbox/coupons/UNUSED')
    time.mockRestore()
    clearImmediate(turn)
    expect(deleted.status).toBe(204)
    expect(turns).toBeGreaterThan(100)
  })
})
