import { describe, expect, it } from 'vitest'
import { snakeKey } from '../../../src/wire/common/case.ts'
import { WireState } from '../../../src/wire/sandbox/state.ts'
import type { WireIssuedTokens } from '../../../src/wire/sandbox/token.ts'
import { StateDocument } from '../../../src/world/state-document.ts'
import { inSandbox, openShop, type Shop } from '../../support/control.ts'

const path = '/sandbox/state'

/** A sandbox in which a little of everything has happened. */
async function lived(): Promise<Shop> {
  const shop = await openShop()
  await shop.post('/sandbox/promotions', { code: 'SPRING', coupon_id: 'SAVE20' })
  await shop.post('/sandbox/tokens', { subject: 'ada' })
  const order = { customer_id: 'cus_ada', plan: 'basic', promotion_code: 'SPRING' }
  await shop.post('/sandbox/subscriptions', { ...order, trial_period_days: 3 })
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_linus', plan: 'pro' })
  const outcomes = ['succeed', 'card_declined', 'succeed', 'expired_card']
  await shop.post('/sandbox/payment-outcomes', { outcomes })
  await shop.post('/sandbox/clock/advance', { by: 'P33D' })
  await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' })
  return shop
}

function put(shop: Shop, document: unknown) {
  return shop.call('PUT', path, { json: document })
}

/** What an export says beside whose it is and that it was restored. */
function content(text: string) {
  const { sandbox_id: _, sequences, events, ...rest } = JSON.parse(text)
  return { ...rest, sequences: { ...sequences, events: null }, events: events.filter(isOwn) }
}

function isOwn(event: { type: string }): boolean {
  return event.type !== 'sandbox.restored'
}

describe('the state of a sandbox', () => {
  it('comes out and goes into another one whole, but for whose it is', async () => {
    const shop = await lived()
    await shop.call('PUT', '/sandboxes/copy', { json: { fixture: 'empty' } })
    const copy = inSandbox(shop, 'copy')
    const exported = await shop.state()
    const restored = await put(copy, JSON.parse(exported))
    expect(restored).toMatchObject({
      status: 200,
      body: { sandbox_id: 'copy', api_key: 'sk_sandbox_copy', now: '2027-02-03T00:00:00.000Z' },
    })
    const again = await copy.state()
    expect(content(again)).toEqual(content(exported))
    expect(JSON.stringify(content(again))).toBe(JSON.stringify(content(exported)))
    expect(JSON.parse(again).events.at(-1)).toMatchObject({
      type: 'sandbox.restored',
      subject: { kind: 'sandbox', id: 'copy' },
    })
  })

  it('goes on in the copy as it does in the original', async () => {
    const shop = await lived()
    await shop.call('PUT', '/sandboxes/copy')
    const copy = inSandbox(shop, 'copy')
    await put(copy, JSON.parse(await shop.state()))
    for (const each of [shop, copy]) await each.post('/sandbox/clock/advance', { by: 'P2M' })
    expect((await copy.get('/sandbox/invoices')).text).toBe(
      (await shop.get('/sandbox/invoices')).text,
    )
  })

  it('does not make tokens valid in another sandbox', async () => {
    const shop = await lived()
    const { body } = await shop.post<WireIssuedTokens>('/sandbox/tokens', {})
    await shop.call('PUT', '/sandboxes/copy')
    const copy = inSandbox(shop, 'copy')
    await put(copy, JSON.parse(await shop.state()))
    const headers = { Authorization: `Bearer ${body.access_token}` }
    const json = { customer_id: 'cus_ada', plan: 'basic' }
    const answer = await copy.call('POST', '/v1/subscriptions', { headers, json })
    expect(answer.headers.get('Sandbox-Id')).toBe('default')
  })

  it('has every part on the wire that it has on the disk', () => {
    const onDisk = Object.keys(StateDocument.shape).map(snakeKey)
    expect(Object.keys(WireState.shape)).toEqual(onDisk)
  })

  it('spells every key in snake case, however deep', async () => {
    const shop = await lived()
    const keys = (value: unknown): string[] => {
      if (Array.isArray(value)) return value.flatMap(keys)
      if (typeof value !== 'object' || value === null) return []
      return Object.entries(value).flatMap(([key, inner]) => [key, ...keys(inner)])
    }
    const odd = keys(JSON.parse(await shop.state())).filter((key) => !/^[a-z0-9_]+$/.test(key))
    expect(odd).toEqual([])
  })

  it('may be far larger than other bodies', async () => {
    const shop = await lived()
    const document = JSON.parse(await shop.state())
    const customers = Array.from({ length: 8000 }, (_, index) => ({
      ...document.customers[0],
      customer_id: `cus_${index}`,
      name: 'A name of some length, so that the body grows beyond a mebibyte',
    }))
    const large = { ...document, customers: [...document.customers, ...customers] }
    expect(await put(shop, large)).toMatchObject({
      status: 200,
      body: { counts: { customers: 8003 } },
    })
  })
})

type Row = Record<string, unknown>
type Document = Record<string, Row[]> & { readonly sequences: Row }

/** Replaces parts of a document. */
const set = (parts: Row) => (document: Document) => ({ ...document, ...parts })
/** Changes every record of one kind. */
const each = (kind: string, change: (row: Row) => Row) => (document: Document) => ({
  ...document,
  [kind]: document[kind]?.map((row) => ({ ...row, ...change(row) })),
})
const all = (kind: string, change: Row) => each(kind, () => change)

/** An invoice whose payment failed, to be tried again before it was made. */
const failedAt = (at: unknown) => ({
  ...{ status: 'open', paid_at: null, amount_paid: 0, retry_offsets: ['P1D'], retries_made: 0 },
  attempts: [{ at, outcome: 'expired_card' }],
  next_attempt_at: '2026-12-31T00:00:00.000Z',
})
const never = {
  ...{ code: 'NEVER', coupon_id: 'SAVE20', max_redemptions: null, times_redeemed: 0 },
  ...{ starts_at: '2027-01-02T00:00:00.000Z', expires_at: '2027-01-02T00:00:00.000Z' },
}
const nobody = { subscription_id: 'gone', customer_id: null }
const clock = { now: '2027-02-03T00:00:00.000Z', offset_ms: null }

const spoilt: [string, (document: Document) => unknown, RegExp][] = [
  ['no format', ({ format: _, ...rest }) => rest, /^format /],
  ['a newer format', set({ format: 99 }), /^format is wrong: must be \d+; got 99; it must be as/],
  ['an unknown part', set({ colour: 1 }), /^colour is not a known field/],
  ['keys in camel case', ({ api_keys: apiKeys, ...rest }) => ({ ...rest, apiKeys }), /apiKeys/],
  [
    'a deep key in camel case',
    set({ clock: { ...clock, nextDue: 1 } }),
    /^nextDue is not a known field; names must be in snake case/,
  ],
  [
    'a clock past its end',
    set({ clock: { ...clock, now: '9999-01-01T00:00:00.000Z' } }),
    /^clock\.now /,
  ],
  ['a field of the wrong kind', all('customers', { balance: '1' }), /^customers\[0\]\.balance /],
  [
    'a reference to nothing',
    all('subscriptions', { plan_id: 'gone' }),
    /^sub_000001 refers to "gone"/,
  ],
  [
    'payments scripted for nobody',
    set({ payment_scripts: [{ scope: nobody, outcomes: [], always: 'succeed' }] }),
    /^payment_scripts is wrong: refers to "gone"/,
  ],
  [
    'a record twice',
    ({ coupons = [], ...rest }) => ({ ...rest, coupons: [...coupons, coupons[0]] }),
    /^coupons is wrong: holds one id twice/,
  ],
  [
    'numbers in another order',
    ({ subscriptions, ...rest }) => ({ ...rest, subscriptions: subscriptions?.toReversed() }),
    /^sub_000002 has the number 2 out of order/,
  ],
  [
    'a gap in the events',
    ({ events, ...rest }) => ({ ...rest, events: events?.slice(1) }),
    /^event 2 breaks event_stream/,
  ],
  [
    'a sum that does not add up',
    all('invoices', { subtotal: 7 }),
    /^invoices\[\d\] is wrong: uses more of the balance than it charges/,
  ],
  [
    'an instant before 1970, which nothing may be computed with',
    all('invoices', failedAt('1927-01-01T00:00:00.000Z')),
    /^invoices\[0\]\.attempts\[0\]\.at is wrong/,
  ],
  [
    'a retry that lies before its attempt',
    each('invoices', ({ created_at: at }) => failedAt(at)),
    /^invoices\[0\] is wrong: has a next attempt that is not on its schedule/,
  ],
  [
    'a percentage that no number holds',
    each('invoices', ({ discounts }) => ({
      discounts: (discounts as Row[]).map((off) => ({ ...off, value: 1e300 })),
    })),
    /^invoices\[\d\]\.discounts\[0\]\.value is wrong/,
  ],
  [
    'a period that its newest invoice did not bill',
    each('subscriptions', ({ billed }) => ({
      billed: { ...(billed as Row), invoice_id: 'inv_000001' },
    })),
    /^sub_\d+ was billed with something else than its newest invoice/,
  ],
  [
    'a number that is to be given out again',
    ({ sequences, ...rest }) => ({ ...rest, sequences: { ...sequences, charges: 0 } }),
    /^sequences\.charges is wrong: is not 1, the newest number/,
  ],
  [
    'a promotion that never runs',
    set({ promotions: [never] }),
    /^promotions\[0\] is wrong: does not start before it expires/,
  ],
  [
    'a balance that the books do not know',
    all('customers', { balance: 9 }),
    /^cus_ada breaks customer_balance/,
  ],
  [
    'a paid invoice that waits for an attempt',
    all('invoices', { next_attempt_at: '2027-03-01T00:00:00.000Z' }),
    /^invoices\[0\] is wrong: has a next attempt/,
  ],
  [
    'a paid invoice that nobody attempted',
    all('invoices', { attempts: [] }),
    /^invoices\[0\] is wrong: /,
  ],
  [
    'a paid invoice without an instant of payment',
    all('invoices', { paid_at: null }),
    /^invoices\[0\] is wrong: has attempts/,
  ],
  [
    'an invoice of another customer',
    all('invoices', { customer_id: 'cus_grace' }),
    /^inv_000001 bills another customer/,
  ],
  [
    'an invoice in another currency',
    all('invoices', { currency: 'EUR' }),
    /^inv_000001 is in another currency/,
  ],
  [
    'a period off its schedule',
    all('subscriptions', { anchor: '2027-01-05T00:00:00.000Z' }),
    /^sub_000001 has its period off the schedule/,
  ],
  [
    'a subscription that is past due and owes nothing',
    each('subscriptions', ({ status }) => ({ status: status === 'active' ? 'past_due' : status })),
    /^sub_\d+ breaks subscription_status: past_due does not agree/,
  ],
  [
    'an event in no currency',
    each('events', ({ type, detail }) =>
      type === 'invoice.paid' ? { detail: { ...(detail as Row), currency: 'UDS' } } : {},
    ),
    /^events\[\d+\] is wrong: has a detail that its type does not have/,
  ],
  [
    'a plan in another currency',
    all('plans', { currency: 'EUR' }),
    /^sub_000001 has a plan in another currency/,
  ],
  [
    '__proto__',
    (document) => JSON.parse(`{"__proto__": {}, ${JSON.stringify(document).slice(1)}`),
    /__proto__/,
  ],
]

it('a state of an earlier version gets the settings that it does not have, and the ending that is left', async () => {
  const shop = await lived()
  const { settings, origin, ...rest } = JSON.parse(await shop.state())
  const { refresh_reuse_leeway: _, ...older } = { ...settings, after_retries: 'expire' }
  const document = { ...rest, settings: older, origin: { ...origin, settings: older } }
  expect((await put(shop, document)).status).toBe(200)
  const begun = { refresh_reuse_leeway: 0, after_retries: 'cancel' }
  expect((await shop.get('/sandbox/settings')).body).toMatchObject(begun)
  await shop.post('/sandbox/reset')
  expect((await shop.get('/sandbox/settings')).body).toMatchObject(begun)
})

it.each(spoilt)('a state with %s is refused, and changes nothing', async (_, spoil, detail) => {
  const shop = await lived()
  const before = await shop.state()
  const refused = await put(shop, spoil(JSON.parse(before)))
  expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  expect((refused.body as { detail: string }).detail).toMatch(detail)
  expect(await shop.state()).toBe(before)
})
