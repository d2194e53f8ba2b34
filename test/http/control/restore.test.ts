import { expect, it } from 'vitest'
import { openShop } from '../../support/control.ts'

type Row = Record<string, unknown>
type State = Record<string, Row[]> & { sequences: Row; origin: Row }

/** A shop with a paid subscription and a charge, and its state as a document to spoil. */
async function shopAndState() {
  const shop = await openShop()
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 500, currency: 'USD' })
  return { shop, document: JSON.parse(await shop.state()) as State }
}

const spoils: readonly (readonly [what: string, spoil: (state: State) => void])[] = [
  [
    'a paid invoice that waits for an attempt',
    first('invoices', { next_attempt_at: '2027-03-01T00:00:00.000Z' }),
  ],
  ['a paid invoice that nobody attempted', first('invoices', { attempts: [] })],
  ['a paid invoice without an instant of payment', first('invoices', { paid_at: null })],
  ['an invoice of another customer', first('invoices', { customer_id: 'cus_linus' })],
  ['an invoice in another currency', first('invoices', { currency: 'EUR' })],
  ['a period off its schedule', first('subscriptions', { anchor: '2027-01-05T00:00:00.000Z' })],
  ['a plan in another currency', first('plans', { currency: 'EUR' })],
  [
    'a number of charges that was given out',
    (state) => Object.assign(state.sequences, { charges: 0 }),
  ],
  ['a gap in the events', (state) => state['events']?.shift()],
  [
    'a subscription twice',
    (state) => state['subscriptions']?.push(state['subscriptions'][0] ?? {}),
  ],
  ['a customer who is not there', first('subscriptions', { customer_id: 'cus_gone' })],
]

it.each(spoils)('refuses a document with %s, and changes nothing', async (_, spoil) => {
  const { shop, document } = await shopAndState()
  const before = await shop.state()
  spoil(document)
  const answer = await shop.call('PUT', '/sandbox/state', { json: document })
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect(await shop.state()).toBe(before)
})

it('takes the same document unspoiled', async () => {
  const { shop, document } = await shopAndState()
  expect(await shop.call('PUT', '/sandbox/state', { json: document })).toMatchObject({
    status: 200,
  })
})

it.each([
  ['/v1/subscriptions', 'customer_id'],
  ['/sandbox/subscriptions', 'customer_id'],
])('does not repeat a token or key that was sent to %s as %s', async (path, field) => {
  const shop = await openShop()
  const issued = await shop.post<{ refresh_token: string }>('/sandbox/tokens', {})
  for (const secret of [issued.body.refresh_token, 'sk_live_abcdef123456']) {
    const headers = { Authorization: 'Bearer sk_sandbox_default' }
    const answer = await shop.call('POST', path, {
      json: { [field]: secret, plan: 'basic' },
      headers,
    })
    expect(answer.status).toBe(404)
    expect(JSON.stringify(answer.body)).not.toContain(secret)
  }
})

it('answers HEAD on the event stream without opening one', async () => {
  const shop = await openShop()
  const response = await shop.app.request('/sandbox/events/stream', { method: 'HEAD' })
  expect([response.status, response.headers.get('Content-Type'), response.body]).toEqual([
    200,
    'text/event-stream',
    null,
  ])
})

function first(collection: string, change: Row): (state: State) => void {
  return (state) => Object.assign(state[collection]?.[0] ?? {}, change)
}
