/**
 * What comes in through `PUT /sandbox/state` can live on: it is refused and changes nothing, or it starts again, keeps
 * its books in order and gets a year further, whatever is asked of it. `MUTATED_STATES` says how many are tried, and
 * `MUTATED_SEED` repeats a run.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CLOCK_MAX } from '../../src/world/advance.ts'
import { entriesOfWorld, worldFromEntries } from '../../src/world/world-entries.ts'
import { type Answer, openShop, type Shop } from '../support/control.ts'
import { type Document, mutated, mutation } from '../support/mutations.ts'
import { richStates } from '../support/rich-states.ts'

const STATES = Number(process.env['MUTATED_STATES'] ?? 40)
const SEED = Number(process.env['MUTATED_SEED'] ?? Date.now() % 2 ** 31)
const YEAR_MS_MAX = 120_000

const texts = await richStates()
const states = [...texts].map(([name, text]) => ({ name, document: JSON.parse(text) as Document }))
const state = fc.constantFrom(...states.map(({ name }) => name))
const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 })

it(
  `a mutated state is refused and changes nothing, or lives on for a year (seed ${SEED})`,
  async () => {
    const shop = await openShop()
    const calm = await shop.state()
    let taken = 0
    const property = fc.asyncProperty(state, mutations, async (name, wrong) => {
      const { document } = states.find((each) => each.name === name) ?? { document: {} }
      const text = JSON.stringify(mutated(document, wrong))
      if (!(await isTaken(shop, text))) return
      taken += 1
      await livesOn(shop, text)
      await must(put(shop, calm), 200)
    })
    await fc.assert(property, { numRuns: STATES, seed: SEED })
    process.stdout.write(`${STATES} mutated states, seed ${SEED}: ${taken} taken\n`)
    // A long run takes between 5 % and half of them; a short one may be off by chance, but neither takes all nor none.
    expect(taken).toBeGreaterThan(STATES < 200 ? 0 : STATES / 20)
    expect(taken).toBeLessThan(STATES < 200 ? STATES : STATES / 2)
    expect(shop.log).toEqual([])
  },
  600_000 + STATES * 500,
)

function put(shop: Shop, text: string): Promise<Answer<unknown>> {
  return shop.call('PUT', '/sandbox/state', { bytes: text })
}

/** Whether a state is taken; one that is refused names a field and changes no byte. */
async function isTaken(shop: Shop, text: string): Promise<boolean> {
  const before = await shop.state()
  const answer = await put(shop, text)
  if (answer.status === 200) return true
  expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } })
  const { errors } = answer.body as { errors: { field: string }[] }
  expect(errors[0]?.field).toMatch(/./)
  expect(await shop.state()).toBe(before)
  return false
}

/** Holds a state that was taken to all that is promised of one. */
async function livesOn(shop: Shop, text: string): Promise<void> {
  await isInOrder(shop)
  const exported = await shop.state()
  await startsAgain(shop)
  await must(put(shop, exported), 200)
  await useAll(shop)
  await must(put(shop, text), 200)
  await aYearOn(shop)
  await isInOrder(shop)
  await startsAgain(shop)
  await must(put(shop, await shop.state()), 200)
  await useAll(shop)
}

async function isInOrder(shop: Shop): Promise<void> {
  expect(await must(shop.get('/sandbox/audit'), 200)).toMatchObject({ violations: [] })
}

/** Reads the world back from what a folder would keep of it. */
async function startsAgain({ registry }: Shop): Promise<void> {
  const entries = await registry.default.read((world) =>
    [...entriesOfWorld(world)].map((entry) => JSON.parse(JSON.stringify(entry))),
  )
  await worldFromEntries(entries, 'default', 'unknown')
}

/** Advances by a year, or to the end of the clock where that is nearer. */
async function aYearOn(shop: Shop): Promise<void> {
  const startedAt = performance.now()
  // Stopped, it answers how far it came, so that one that never ends fails the test.
  const timeout = setTimeout(() => shop.registry.stop(), YEAR_MS_MAX)
  const now = Date.parse(JSON.parse(await shop.state()).clock.now)
  const isNearEnd = now > Date.parse(CLOCK_MAX) - 366 * 86_400_000
  const wish = isNearEnd ? { to: CLOCK_MAX } : { by: 'P1Y' }
  const { status, body } = await shop.post('/sandbox/clock/advance', wish)
  clearTimeout(timeout)
  expect(performance.now() - startedAt).toBeLessThan(YEAR_MS_MAX)
  expect({ status, body }).toMatchObject({ status: 200, body: { stopped_because: 'reached' } })
}

/** Asks everything of everybody: never is a defect of the sandbox the answer. */
async function useAll(shop: Shop): Promise<void> {
  // A sandbox that is strict or varies answers otherwise than its documents say.
  await must(shop.call('PATCH', '/sandbox/settings', { json: { strict: false, vary: [] } }), 200)
  const { subscriptions, invoices, coupons, plans } = JSON.parse(await shop.state())
  const ids = (records: Record<string, string>[], key: string) =>
    records.map((each) => encodeURIComponent(each[key] ?? ''))
  const orders = subscriptions
    .slice(0, 10)
    .flatMap((each: { subscription_id: string }, at: number) => {
      const id = encodeURIComponent(each.subscription_id)
      const coupon_id = coupons[at % Math.max(coupons.length, 1)]?.coupon_id
      const plan = plans[at % Math.max(plans.length, 1)]?.plan_id
      return [
        () => shop.get(`/sandbox/subscriptions/${id}/forecast`),
        () => asks(shop, `${id}/apply-coupon`, { coupon_id }),
        () => asks(shop, `${id}/apply-coupon`, { coupon_id: 'SAVE20' }),
        () => asks(shop, `${id}/apply-coupon`, { coupon_id: 'MORETIME' }),
        () => asks(shop, `${id}/update`, { plan }),
        () => asks(shop, `${id}/pause`, {}),
        () => asks(shop, `${id}/apply-coupon`, { coupon_id }),
        () => shop.post(`/sandbox/subscriptions/${id}/resume`),
        () => asks(shop, `${id}/update`, { plan: 'pro' }),
      ]
    })
  const explained = ids(invoices, 'invoice_id')
    .slice(-20)
    .flatMap((id) => [
      () => shop.get(`/sandbox/invoices/${id}/explain`),
      () => shop.post(`/sandbox/invoices/${id}/pay`),
    ])
  const others = [
    ...['agenda', 'customers', 'coupons', 'promotions', 'plans', 'charges', 'tokens', 'events'].map(
      (list) => () => shop.get(`/sandbox/${list}`),
    ),
    () => shop.post('/sandbox/tokens', {}),
    () => shop.post('/sandbox/customers', {}),
    () => shop.post('/sandbox/charges', { customer_id: 'cus_ada', amount: 5, currency: 'USD' }),
    () => shop.post('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' }),
  ]
  const cancel = ids(subscriptions, 'subscription_id')
    .slice(0, 10)
    .map((id) => () => asks(shop, `${id}/cancel`, { at_period_end: id.length % 2 === 0 }))
  for (const call of [...orders, ...explained, ...others, ...cancel]) {
    const { status, text } = await call()
    expect(status, text).toBeLessThan(500)
  }
  await isInOrder(shop)
  await startsAgain(shop)
}

function asks(shop: Shop, path: string, json: unknown): Promise<Answer<unknown>> {
  const headers = { Authorization: 'Bearer sk_sandbox_default' }
  return shop.call('POST', `/v1/subscriptions/${path}`, { json, headers })
}

async function must(answer: Promise<Answer<unknown>>, wanted: number): Promise<unknown> {
  const { status, body, text } = await answer
  expect(status, text).toBe(wanted)
  return body
}
