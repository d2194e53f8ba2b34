import { expect, it } from 'vitest'
import type { WireAgenda } from '../../../src/wire/billing/clock.ts'
import type { WireEvent } from '../../../src/wire/events/event.ts'
import type { WireEventList } from '../../../src/wire/events/event-schema.ts'
import { openShop, type Shop } from '../../support/control.ts'

const events = '/sandbox/events'

/** Three subscriptions, a charge and a token, and two months later. */
async function busy(): Promise<Shop> {
  const shop = await openShop()
  for (const customer_id of ['cus_ada', 'cus_linus', 'cus_ada']) {
    await shop.post('/sandbox/subscriptions', { customer_id, plan: 'basic' })
  }
  await shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' })
  await shop.post('/sandbox/tokens', { subject: 'Ada' })
  await shop.post('/sandbox/clock/advance', { by: 'P62D' })
  return shop
}

async function listed(shop: Shop, query: string): Promise<WireEvent[]> {
  return (await shop.get<WireEventList>(`${events}?${query}`)).body.data
}

/** The events about some subscriptions and their invoices, as the events themselves tell it. */
async function told(shop: Shop, ...ids: readonly unknown[]): Promise<WireEvent[]> {
  const all = await listed(shop, 'limit=1000')
  const made = all.filter((event) => event.type === 'invoice.created')
  const owner = new Map(made.map(({ subject, detail }) => [subject.id, detail.subscription_id]))
  return all.filter(({ subject: { kind, id } }) => {
    if (kind === 'invoice') return ids.includes(owner.get(id))
    return kind === 'subscription' && ids.includes(id)
  })
}

it('lists the events about a subscription and its invoices, and of several at once', async () => {
  const shop = await busy()
  const one = await listed(shop, 'subscription_id=sub_000002')
  // Created and billed, and renewed and billed twice.
  expect(one.map(({ subject: { kind } }) => kind)).toHaveLength(3 * 4)
  expect(one).toEqual(await told(shop, 'sub_000002'))
  const two = await listed(shop, 'subscription_id=sub_000002,sub_000003,sub_000003')
  expect(two).toEqual(await told(shop, 'sub_000002', 'sub_000003'))
  expect(await listed(shop, 'subscription_id=sub_000002%2Csub_000003')).toEqual(two)
})

it('lists them in pages, and together with the other filters', async () => {
  const shop = await busy()
  const paid = 'subscription_id=sub_000001,sub_000003&type=invoice.paid'
  const all = await listed(shop, paid)
  expect(all).toHaveLength(2 * 3)
  const { body } = await shop.get<WireEventList>(`${events}?${paid}&limit=4`)
  expect(body).toMatchObject({ data: all.slice(0, 4), has_more: true, next_after: all[3]?.seq })
  expect(await listed(shop, `${paid}&after=${body.next_after}`)).toEqual(all.slice(4))
  expect(await listed(shop, 'subscription_id=sub_000001&subject_kind=charge')).toEqual([])
})

it('streams them', async () => {
  const shop = await busy()
  const query = 'subscription_id=sub_000002,sub_000009&after=0&limit=12'
  const text = await (await shop.app.request(`${events}/stream?${query}`)).text()
  const sent = [...text.matchAll(/^data: (.+)$/gm)].map((each) => JSON.parse(each[1] ?? ''))
  expect(sent).toEqual(await told(shop, 'sub_000002'))
})

it('streams those of the world that a reset begins, whose invoices are others', async () => {
  const shop = await busy()
  const stream = await shop.app.request(`${events}/stream?subscription_id=sub_000002&limit=4`)
  await shop.post('/sandbox/reset')
  const trial = { customer_id: 'cus_ada', plan: 'basic', trial_period_days: 14 }
  await shop.post('/sandbox/subscriptions', trial)
  await shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
  const sent = [...(await stream.text()).matchAll(/^id: (.+)$/gm)].map((each) => Number(each[1]))
  expect(sent).toEqual((await told(shop, 'sub_000002')).map(({ seq }) => seq))
  expect(await listed(shop, 'subject_id=inv_000001')).toHaveLength(3)
})

it('lists what falls due for some subscriptions, in pages', async () => {
  const shop = await busy()
  const path = '/sandbox/agenda?before=2027-07-01'
  const all = (await shop.get<WireAgenda>(path)).body.data
  const theirs = all.filter(({ subject: { id } }) => id === 'sub_000002' || id === 'sub_000003')
  expect(theirs.length).toBeGreaterThan(4)
  const asked = `${path}&subscription_id=sub_000003,sub_000002,sub_000009`
  expect((await shop.get<WireAgenda>(asked)).body).toMatchObject({ data: theirs, has_more: false })
  const first = await shop.get<WireAgenda>(`${asked}&limit=3`)
  expect(first.body).toMatchObject({ data: theirs.slice(0, 3), has_more: true, next_after: 3 })
  const second = await shop.get<WireAgenda>(`${asked}&limit=3&after=3`)
  expect(second.body.data).toEqual(theirs.slice(3, 6))
})

it('lists nothing of subscriptions that are not there, as other filters do', async () => {
  const shop = await busy()
  expect(await listed(shop, 'subscription_id=sub_000009,inv_000001')).toEqual([])
  const { status, body } = await shop.get('/sandbox/agenda?subscription_id=sub_000009')
  expect([status, body]).toMatchObject([200, { data: [], stopped_because: 'reached' }])
})

const tooMany = Array.from({ length: 101 }, (_, number) => `sub_${number}`).join()

it.each([
  ['an empty list', '', 'subscription_id', 'is empty'],
  ['an empty name', 'sub_000001,,sub_000002', 'subscription_id[1]', '1 to 255 characters'],
  ['a comma at the end', 'sub_000001,', 'subscription_id[1]', 'got ""'],
  ['a long name', 'x'.repeat(256), 'subscription_id[0]', '1 to 255 characters'],
  ['101 names', tooMany, 'subscription_id', '1 to 100 identifiers, separated by commas'],
  ['a second list', 'sub_000001&subscription_id=sub_000002', 'subscription_id', 'given once'],
])('refuses %s', async (...[, value, field, words]) => {
  const shop = await openShop()
  const message = expect.stringContaining(words)
  for (const path of [events, `${events}/stream`, '/sandbox/agenda']) {
    const refused = await shop.get(`${path}?subscription_id=${value}`)
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ field, message }] } })
  }
})

it('takes a hundred names', async () => {
  const shop = await busy()
  const hundred = tooMany.split(',').slice(0, 99)
  const found = await listed(shop, `subscription_id=${['sub_000001', ...hundred]}&limit=1`)
  expect(found).toMatchObject([{ subject: { id: 'sub_000001' } }])
})
