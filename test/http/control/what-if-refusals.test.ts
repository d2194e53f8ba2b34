/** Questions of what would be otherwise that are refused: by their fields, their time, or one of their changes. */
import { expect, it } from 'vitest'
import { openShop } from '../../support/control.ts'
import { shopOfTwo } from '../../support/what-if-client.ts'

it.each([
  [
    { operation: 'cancelSubscription', params: { subscription_id: 'sub_9' } },
    404,
    /^changes\[1\]: subscription_id "sub_9" does not exist/,
  ],
  [
    {
      operation: 'createPlan',
      body: {
        plan_id: 'pro',
        product_id: 'prod_app',
        name: 'Pro',
        amount: 1,
        currency: 'USD',
        interval: 'month',
      },
    },
    409,
    /^changes\[1\]: plan_id "pro" exists already/,
  ],
  [
    {
      operation: 'resumeSubscription',
      at: '2027-03-01',
      params: { subscription_id: 'sub_000002' },
    },
    409,
    /^changes\[1\]: .*sub_000002/,
  ],
])('refuses all where %o is refused, and names it', async (change, status, message) => {
  const shop = await shopOfTwo()
  const before = await shop.state()
  const fine = { operation: 'changePlan', params: { plan_id: 'basic' }, body: { amount: 1 } }
  const { body, ...answer } = await shop.post<{ detail: string; errors: object[] }>(
    '/sandbox/what-if',
    { changes: [fine, change], for: 'P3M' },
  )
  expect(answer.status, answer.text).toBe(status)
  expect(body.detail).toMatch(message)
  expect(body.errors).toMatchObject([{ field: 'changes[1]' }])
  expect(await shop.state()).toBe(before)
})

const plan = { operation: 'changePlan', params: { plan_id: 'basic' } }

it.each([
  [{}, 'changes', /^changes is missing; it must be a list of 1 to 100 changes/],
  [{ changes: [] }, 'changes', /^changes must be a list of 1 to 100 changes; got \[\]/],
  [
    { changes: [{ operation: 'reset' }] },
    'changes[0].operation',
    /must be one of createSubscription, /,
  ],
  [
    { changes: [{ ...plan, body: { amount: -1 } }] },
    'changes[0].body.amount',
    /must be an integer from 0/,
  ],
  [
    { changes: [{ ...plan, body: { amount: 1, price: 2 } }] },
    'changes[0].body.price',
    /is not a known field/,
  ],
  [{ changes: [{ operation: 'changePlan', body: {} }] }, 'changes[0].params', /is missing/],
  [
    { changes: [{ ...plan, body: {}, at: 'soon' }] },
    'changes[0].at',
    /must be an RFC 3339 instant/,
  ],
  [
    { changes: [{ ...plan, body: {}, at: '2026-12-31' }] },
    'changes[0].at',
    /must be from 2027-01-01T/,
  ],
  [
    { changes: [{ ...plan, body: {}, at: '2029-01-01' }] },
    'changes[0].at',
    /to 2028-01-01T00:00:00.000Z/,
  ],
  [{ changes: [{ ...plan, body: {} }], until: '2028-01-01', for: 'P1Y' }, 'body', /until or for/],
])('names the field of what is no question: %j', async (question, field, message) => {
  const shop = await openShop()
  const { status, body } = await shop.post<{ errors: { field: string; message: string }[] }>(
    '/sandbox/what-if',
    question,
  )
  expect(status).toBe(400)
  expect(body.errors).toMatchObject([{ field, message: expect.stringMatching(message) }])
})

it.each([
  [{ until: '2026-12-31' }, 'clock_backwards'],
  [{ until: '9500-01-01' }, 'clock_limit'],
  [{ for: 'P99999Y' }, 'clock_limit'],
])('looks at no time that the clock cannot come to: %j', async (until, code) => {
  const shop = await openShop()
  const question = { changes: [{ ...plan, body: {} }], ...until }
  expect((await shop.post('/sandbox/what-if', question)).body).toMatchObject({ status: 409, code })
})
