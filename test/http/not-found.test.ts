import { expect, it } from 'vitest'
import { findRecord, nearestNames } from '../../src/world/results.ts'
import { openShop } from '../support/control.ts'

const adds = 'what the sandbox adds to the documented operations, such as lists and resume,'
const key = { Authorization: 'Bearer sk_sandbox_default' }

it.each([
  [
    '/v1/subscriptions',
    { customer_id: 'cus_ada', plan: 'basc' },
    'plan "basc" does not exist; did you mean "basic"? Plans: basic, pro, basic_yearly, pro_yearly.',
  ],
  [
    '/v1/subscriptions',
    { customer_id: 'cus_adda', plan: 'basic' },
    'customer_id "cus_adda" does not exist; did you mean "cus_ada"? Customers: cus_ada, cus_linus, cus_grace.',
  ],
  [
    '/sandbox/subscriptions',
    { customer_id: 'cus_ada', plan: 'basic', coupon_id: 'save20' },
    'coupon_id "save20" does not exist; did you mean "SAVE20"? Coupons: SAVE20, TAKE5, WELCOME, LOYAL10, EXTRA3, MORETIME, EXPIRED, LAST1, PROONLY.',
  ],
  [
    '/sandbox/subscriptions',
    { customer_id: 'cus_ada', plan: 'basic', promotion_code: 'SPRING' },
    'promotion_code "SPRING" does not exist; there are no promotions.',
  ],
  [
    '/sandbox/plans',
    { plan_id: 'x', product_id: 'app', name: 'X', amount: 1, currency: 'USD', interval: 'month' },
    'product_id "app" does not exist; did you mean "prod_app"? Products: prod_app.',
  ],
  [
    '/sandbox/reset',
    { fixture: 'startr' },
    'fixture "startr" does not exist; did you mean "starter"? Fixtures: calendar-hazards, dunning, empty, starter.',
  ],
])('a 404 of %s to %j says what exists', async (path, json, message) => {
  const shop = await openShop()
  const { status, body } = await shop.call<Record<string, unknown>>('POST', path, {
    json,
    headers: key,
  })
  expect(status).toBe(404)
  expect(body['message'] ?? body['detail']).toBe(message)
})

it.each([
  ['/v1/subscription', '/v1/subscriptions'],
  ['/v1/subscriptions/sub_1/cancl', '/v1/subscriptions/{subscription_id}/cancel'],
  ['/subscriptions', '/v1/subscriptions'],
  ['/auth/refresh', '/v1/auth/refresh'],
  ['/sandbox/clock/advanced', '/sandbox/clock/advance'],
  ['/v1/subscriptions//cancel', '/v1/subscriptions/{subscription_id}/cancel'],
  ['/sandbox/subscriptions/sub_1/cancel', '/v1/subscriptions/{subscription_id}/cancel'],
  ['/sandbox/auth/refresh', '/v1/auth/refresh'],
  ['/sandbox/customers/', '/sandbox/customers'],
  ['/v1/subscriptions/sub_1/resume', null],
  ['/sandbox/advance', null],
  ['/v1/invoices', null],
  ['/nothing', null],
])('a 404 of the path %s names the documented one that is near: %s', async (path, nearest) => {
  const shop = await openShop()
  const { status, body } = await shop.call<Record<string, unknown>>('POST', path, { headers: key })
  expect(status).toBe(404)
  const added = path.startsWith('/v1/') ? `${adds} is below /sandbox; ` : ''
  const guess = nearest === null ? added : `did you mean ${nearest}? `
  expect(body['message'] ?? body['detail']).toBe(
    `path "${path}" does not exist; ${guess}/openapi.yaml and /sandbox/openapi.json list the paths.`,
  )
  if (path.startsWith('/v1')) expect(Object.keys(body)).toEqual(['error', 'message'])
})

it('a 404 below the base address of a sandbox says what is there, and where the rest is', async () => {
  const { call } = await openShop()
  const { status, body } = await call('POST', '/sandboxes/default/clock/advance', { headers: key })
  expect(status).toBe(404)
  const rest = 'all else is below /sandbox, with the header Sandbox-Id;'
  expect(body).toMatchObject({ detail: expect.stringContaining(rest) })
})

it('a list below /v1 is refused with where lists are', async () => {
  const shop = await openShop()
  const { status, body } = await shop.call('GET', '/v1/subscriptions', { headers: key })
  expect(status).toBe(405)
  expect(body).toMatchObject({
    message: `method of "/v1/subscriptions" must be POST; got "GET"; ${adds} is below /sandbox.`,
  })
})

it.each([
  ['customer', ['customer_id', 'plan', 'trial_period_days'], 'customer_id'],
  ['cancel_at_period_end', ['at_period_end'], 'at_period_end'],
  ['declined', ['succeed', 'card_declined', 'expired_card'], 'card_declined'],
  ['percent', ['percentage', 'fixed', 'trial_extension'], 'percentage'],
  ['card', ['succeed', 'card_declined', 'expired_card'], null],
  ['id', ['plan_id', 'product_id'], null],
  ['now', ['unknown_fields'], null],
  ['plan', [], null],
])('%j among %j likely means %j', (text, names, likely) => {
  expect(nearestNames(text, names).likely).toBe(likely)
})

it('looks at a bounded part of a large collection, and lists the nearest few of it', () => {
  let looked = 0
  const many = new Map(Array.from({ length: 100_000 }, (_, at) => [`cus_${at}`, at]))
  const keys = many.keys.bind(many)
  many.keys = function* counted() {
    for (const each of keys()) {
      looked += 1
      yield each
    }
    return undefined
  } as typeof many.keys
  expect(findRecord(many, 'customer_id', 'cus_77x')).toMatchObject({
    refused: 'not_found',
    message:
      'customer_id "cus_77x" does not exist; did you mean "cus_77"? Customers (5 of 100000): cus_77, cus_770, cus_771, cus_772, cus_773.',
  })
  expect(looked).toBeLessThan(2000)
})
