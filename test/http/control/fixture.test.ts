import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { isRefusal } from '../../../src/billing/refusal.ts'
import { chooseFixture } from '../../../src/server/fixture-choice.ts'
import { inSandbox, openShop, type Shop } from '../../support/control.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'subscription-sandbox-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** A shop that lived through a payment that failed, and has a coupon, a rule, a charge and a login. */
async function livedShop(): Promise<Shop> {
  const shop = await openShop({ fixture: 'dunning' })
  await shop.post('/sandbox/coupons', { coupon_id: 'OFF', type: 'percentage', value: 10 })
  await shop.post('/sandbox/promotions', { code: 'SPRING', coupon_id: 'OFF', max_redemptions: 9 })
  const checkout = { customer_id: 'cus_healthy', plan: 'pro', promotion_code: 'SPRING' }
  await shop.post('/sandbox/subscriptions', checkout)
  await shop.post('/sandbox/charges', { customer_id: 'cus_healthy', amount: 5, currency: 'USD' })
  await shop.post('/sandbox/tokens', { subject: 'somebody' })
  await shop.call('PATCH', '/sandbox/settings', { json: { retry_schedule: ['P1D'] } })
  await shop.post('/sandbox/clock/advance', { by: 'P9D' })
  return shop
}

/** The library of a process that was started with what another one answered. */
async function started(text: string) {
  const file = join(folder, 'exported.json')
  await writeFile(file, text)
  const choice = await chooseFixture(file)
  if (isRefusal(choice)) throw new Error(choice.message)
  return choice
}

/** A state without what says which sandbox it is, and where it began. */
async function comparable(shop: Shop): Promise<string> {
  const { sandbox_id: _, origin: __, ...state } = JSON.parse(await shop.state())
  return JSON.stringify(state)
}

it('exports a sandbox from which another one begins as this one is, to the byte', async () => {
  const shop = await livedShop()
  const { library, name } = await started((await shop.get('/sandbox/fixture')).text)
  const other = await openShop({ fixture: name }, 10, { fixtures: library })
  expect(await comparable(other)).toBe(await comparable(shop))
  for (const each of [shop, other]) await each.post('/sandbox/clock/advance', { by: 'P60D' })
  const [one, two] = await Promise.all([shop, other].map((each) => each.get('/sandbox/invoices')))
  expect(one?.text).toBe(two?.text)
  expect((await other.get('/sandbox/audit')).body).toMatchObject({ ok: true })
})

it('begins an exported sandbox again, and later, and with other settings', async () => {
  const shop = await livedShop()
  const { library } = await started((await shop.get('/sandbox/fixture')).text)
  const server = await openShop({}, 10, { fixtures: library })
  const settings = { retry_schedule: ['P3D'] }
  const json = { fixture: 'exported', now: '2027-03-20', settings }
  expect((await server.call('PUT', '/sandboxes/late', { json })).status).toBe(201)
  const late = inSandbox(server, 'late')
  const before = await comparable(late)
  expect(JSON.parse(before)).toMatchObject({ clock: { now: '2027-03-20T00:00:00.000Z' }, settings })
  await late.post('/sandbox/clock/advance', { by: 'P30D' })
  await late.post('/sandbox/reset')
  const { events, sequences, ...after } = JSON.parse(await comparable(late))
  expect(JSON.parse(before)).toMatchObject(after)
  expect(events.at(-1)).toMatchObject({ type: 'sandbox.reset', seq: sequences.events })
  const early = { json: { fixture: 'exported', now: '2027-02-01' } }
  expect((await server.call('PUT', '/sandboxes/early', early)).body).toMatchObject({
    code: 'clock_backwards',
  })
})

it('exports the catalog as somebody would write it by hand', async () => {
  const shop = await livedShop()
  // A credit of plan changes may bring a balance here; one that is set may be as high.
  const json = { balance: 1_000_000_000_000_000 }
  const set = await shop.call('PATCH', '/sandbox/customers/cus_healthy', { json })
  expect(set).toMatchObject({ status: 200, body: json })
  const { text, body } = await shop.get('/sandbox/fixture?content=catalog')
  expect(body).toMatchObject({
    settings: { retry_schedule: ['P1D'] },
    promotions: [{ code: 'SPRING', coupon_id: 'OFF', max_redemptions: 9 }],
  })
  const { library, name } = await started(text)
  const other = await openShop({ fixture: name }, 10, { fixtures: library })
  for (const path of ['clock', 'products', 'plans', 'customers', 'settings']) {
    const listed = (each: Shop) => each.get<{ next_due?: null }>(`/sandbox/${path}`)
    const [one, two] = [await listed(shop), await listed(other)]
    expect({ ...two.body, next_due: null }).toEqual({ ...one.body, next_due: null })
  }
  expect((await other.get('/sandbox/promotions')).body).toMatchObject({
    data: [{ code: 'SPRING', times_redeemed: 0 }],
  })
  expect((await other.get('/sandbox/subscriptions')).body).toMatchObject({ data: [] })
})

it('refuses a file whose state contradicts itself, with the place', async () => {
  const shop = await livedShop()
  const text = (await shop.get('/sandbox/fixture')).text
  await expect(started(text.replace('"plan_id":"pro"', '"plan_id":"gone"'))).rejects.toThrow(
    /^.*exported\.json:1: state contradicts itself: sub_000001 refers to "pro"/,
  )
  await expect(started(text.replace('"settings":{', '"settings":{"x":1,'))).rejects.toThrow(
    /^.*exported\.json:1: state\.origin\.settings is wrong: .*GET \/sandbox\/state/,
  )
})

it('writes a long catalog in pieces, as one document that is indented throughout', async () => {
  const shop = await openShop({ fixture: 'empty' })
  for (let made = 0; made < 30; made += 1) {
    await shop.post('/sandbox/customers', { customer_id: `cus_${made}`, name: 'Two\nlines' })
  }
  const answer = await shop.app.request('/sandbox/fixture?content=catalog')
  const pieces: string[] = []
  for await (const piece of answer.body ?? []) pieces.push(Buffer.from(piece).toString())
  const text = pieces.join('')
  expect(text).toBe(`${JSON.stringify(JSON.parse(text), null, 2)}\n`)
  expect(JSON.parse(text)).toMatchObject({ plans: [], customers: { length: 30 } })
  expect(pieces.length).toBeGreaterThan(30)
})

it('exports the catalog that a fixture can have, and says of a larger one what to export', async () => {
  const shop = await openShop({ fixture: 'starter' })
  const state = JSON.parse(await shop.state())
  const [customer] = state.customers
  const restored = async (count: number) => {
    const customers = Array.from({ length: count }, (_, at) => ({
      ...customer,
      customer_id: `c_${at}`,
    }))
    const json = { ...state, customers }
    expect((await shop.call('PUT', '/sandbox/state', { json })).status).toBe(200)
    return await shop.get('/sandbox/fixture?content=catalog')
  }
  const { library } = await started((await restored(10_000)).text)
  expect(library.size).toBeGreaterThan(0)
  const refused = await restored(10_001)
  const message =
    'content must be state for more than 10000 customers, which a fixture with a catalog cannot have; got "catalog".'
  expect(refused.status).toBe(400)
  expect(refused).toMatchObject({ body: { errors: [{ field: 'content', message }] } })
  expect((await shop.get('/sandbox/fixture')).status).toBe(200)
})
