/** Every refusal that an operation of the control plane declares, and a way to it. (On /v1: stated-assumptions.test.ts) */
import { describe, expect, it, vi } from 'vitest'
import { FAULTS_MAX } from '../../src/assumptions/bounds.ts'
import { controlRoutes } from '../../src/http/control/routes.ts'
import { FOLLOWERS_MAX } from '../../src/http/control/server-sent.ts'
import { PACTS_MAX, withPacts } from '../../src/provider/published-pacts.ts'
import { CHECKPOINTS_MAX } from '../../src/sandbox/checkpoints.ts'
import { Fixture } from '../../src/sandbox/fixture-format.ts'
import type { Declaration } from '../../src/surface/operation.ts'
import type { Code, WireProblem } from '../../src/wire/errors.ts'
import { type Answer, openShop, type Sent, type Shop, shipped } from '../support/control.ts'
import { stateStories } from '../support/provider-state-stories.ts'
import { ask, ids, pathOf } from '../support/requests.ts'
import { inLockstep, manyWebhooks, pendingDelivery } from '../support/webhook-stories.ts'
import { whatIfStories } from '../support/what-if-stories.ts'

const RECORDS = 60

vi.mock('../../src/assumptions/bounds.ts', async (original) => ({
  ...(await original<object>()),
  RECORDS_MAX: 60,
  FAULTS_MAX: 5,
}))

type Refused = Answer<WireProblem>
type Call = Sent & { readonly path?: string }

/** What happens before the call, and what it sends; nothing more where the usual request is refused. */
type Story = readonly [
  before: ((shop: Shop) => Promise<unknown>) | null,
  call?: Call | ((shop: Shop) => Promise<Call>),
]

const PAST = '2026-01-01T00:00:00Z'
/** Later than any clock may stand. */
const BEYOND = '9500-01-01T00:00:00Z'

const json = (value: unknown): Call => ({ json: value })
const posts = (path: string, value: unknown) => (shop: Shop) => shop.post(path, value)
const inTurn =
  (...steps: readonly ((shop: Shop) => Promise<unknown>)[]) =>
  async (shop: Shop) => {
    for (const step of steps) await step(shop)
  }

const subscribed = posts('/sandbox/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })
const promoted = posts('/sandbox/promotions', { code: 'SPRING', coupon_id: 'SAVE20' })
const redeemed = posts('/sandbox/subscriptions', {
  ...{ customer_id: 'cus_ada', plan: 'basic' },
  promotion_code: 'SPRING',
})
const charged = posts('/sandbox/charges', {
  ...{ customer_id: 'cus_ada', amount: 900, currency: 'USD' },
  coupon_id: 'LAST1',
})
const plan = {
  ...{ product_id: 'prod_app', name: 'Euro' },
  ...{ amount: 5, currency: 'EUR', interval: 'month' },
}
const billedInEuro = posts('/sandbox/plans', { ...plan, plan_id: 'euro' })

async function full(shop: Shop): Promise<void> {
  for (;;) {
    const { status } = await shop.post('/sandbox/products', { name: 'One more' })
    if (status === 409) return
  }
}

/** A document of more records than a sandbox may hold. */
async function overfullState(shop: Shop): Promise<Call> {
  const state = JSON.parse(await shop.state())
  const products = Array.from({ length: RECORDS }, (_, at) => ({ product_id: `p${at}`, name: 'P' }))
  return json({ ...state, products: [...state.products, ...products] })
}

/** Another origin than any sandbox was made with, as an imported document may say. */
const origin = (changed: object) => async (shop: Shop) => {
  const state = JSON.parse(await shop.state())
  const json = { ...state, origin: { ...state.origin, ...changed } }
  expect((await shop.call('PUT', '/sandbox/state', { json })).status).toBe(200)
}

async function brokenCheckpoint(shop: Shop): Promise<void> {
  await shop.post('/sandbox/checkpoints', { name: 'ready' })
  await shop.registry.default.documents('checkpoints', async (folder) => {
    await folder.set(folder.documents.map(({ about }) => ({ about, entries: [] })))
    return null
  })
}

async function manyCheckpoints(shop: Shop): Promise<void> {
  for (let left = CHECKPOINTS_MAX; left > 0; left -= 1) {
    await shop.post('/sandbox/checkpoints', { name: `c${left}` })
  }
}

async function manyFaults(shop: Shop): Promise<void> {
  for (let left = FAULTS_MAX; left > 0; left -= 1) {
    await shop.post('/sandbox/faults', { effect: { drop: true } })
  }
}

async function manyPacts(shop: Shop): Promise<void> {
  const at = shop.registry.default.now()
  const published = Array.from({ length: PACTS_MAX }, (_, number) => ({
    pact: { provider: 'other', version: '1', at, consumer: `app ${number}` },
    document: { gzip: [] },
  }))
  await withPacts(shop.registry.default, (pacts) => pacts.publish(published))
}

const coupon = { coupon_id: 'NEW', type: 'percentage', value: 5, duration: 'once' }
const checkout = { customer_id: 'cus_ada', plan: 'basic' }
const amount = { customer_id: 'cus_ada', amount: 900, currency: 'USD' }
const until = { until: { subscription_id: 'nowhere', status: 'active' }, within: 'P1D' }
const late = '2300-01-01T00:00:00Z'

/** One whose story asks for what billing refuses. */
const unusable = Fixture.parse({ story: [{ subscribe: checkout }] })
const fixtures = new Map([...shipped, ['unusable', unusable]])

const making: Readonly<Record<string, Story>> = {
  not_found: [null, json({ fixture: 'nowhere' })],
  fixture_unusable: [null, json({ fixture: 'unusable' })],
  sandbox_full: [null, json({ fixture: 'dunning', now: late })],
  checkpoint_unusable: [
    brokenCheckpoint,
    json({ from: { sandbox: 'default', checkpoint: 'ready' } }),
  ],
  clock_backwards: [null, json({ fixture: 'dunning', now: PAST })],
  clock_limit: [null, json({ now: BEYOND })],
  sandbox_limit: [
    async (shop) => {
      for (let left = 9; left > 0; left -= 1) await shop.call('PUT', `/sandboxes/s${left}`)
    },
  ],
}

/** By operation and code. What a path names and is not there goes without a story. */
const stories: Readonly<Record<string, { readonly [Each in Code]?: Story }>> = {
  resetSandbox: {
    not_found: [null, json({ fixture: 'nowhere' })],
    fixture_unusable: [null, json({ fixture: 'unusable' })],
    sandbox_full: [origin({ fixture: 'dunning', start_at: '2300-01-01T00:00:00.000Z' })],
    clock_backwards: [origin({ fixture: 'dunning', start_at: '2026-01-01T00:00:00.000Z' })],
    clock_limit: [origin({ start_at: '9500-01-01T00:00:00.000Z' })],
  },
  setClock: {
    clock_backwards: [null, json({ now: PAST })],
    clock_limit: [null, json({ now: BEYOND })],
    clock_busy: [inLockstep],
  },
  advanceClock: {
    not_found: [null, json(until)],
    clock_backwards: [null, json({ to: PAST })],
    clock_limit: [null, json({ to: BEYOND })],
    clock_busy: [inLockstep],
    clock_running: [
      (shop) => shop.call('PUT', '/sandbox/clock', json({ mode: 'running' })),
      json({ by: 'P1D', lockstep: true }),
    ],
  },
  listAgenda: { clock_limit: [null, { path: `/sandbox/agenda?before=${BEYOND}` }] },
  compareFutures: whatIfStories({ subscribed, charged, full }),
  createProduct: {
    exists: [null, json({ product_id: 'prod_app', name: 'App' })],
    sandbox_full: [full],
  },
  deleteProduct: { in_use: [null] },
  createPlan: {
    not_found: [null, json({ ...plan, product_id: 'nowhere' })],
    exists: [null, json({ ...plan, plan_id: 'basic' })],
    sandbox_full: [full],
  },
  deletePlan: { in_use: [subscribed] },
  createCustomer: { exists: [null, json({ customer_id: 'cus_ada' })], sandbox_full: [full] },
  deleteCustomer: { in_use: [subscribed] },
  createCoupon: {
    not_found: [null, json({ ...coupon, applies_to_plans: ['nowhere'] })],
    exists: [null, json({ ...coupon, coupon_id: 'SAVE20' })],
    sandbox_full: [full],
  },
  changeCoupon: {
    in_use: [inTurn(promoted, redeemed, redeemed), json({ max_redemptions: 1 })],
  },
  deleteCoupon: { in_use: [promoted] },
  createPromotion: {
    not_found: [null, json({ code: 'NEW', coupon_id: 'nowhere' })],
    exists: [promoted, json({ code: 'SPRING', coupon_id: 'SAVE20' })],
    sandbox_full: [full],
  },
  changePromotion: {
    in_use: [inTurn(promoted, redeemed, redeemed), json({ max_redemptions: 1 })],
  },
  createSubscriptionAtCheckout: {
    not_found: [null, json({ ...checkout, plan: 'nowhere' })],
    currency_mismatch: [billedInEuro, json({ ...checkout, plan: 'euro' })],
    coupon_expired: [null, json({ ...checkout, coupon_id: 'EXPIRED' })],
    coupon_exhausted: [charged, json({ ...checkout, coupon_id: 'LAST1' })],
    coupon_not_applicable: [null, json({ ...checkout, coupon_id: 'PROONLY' })],
    sandbox_full: [full],
  },
  resumeSubscription: { invalid_transition: [subscribed] },
  removeScheduledCancellation: { invalid_transition: [subscribed] },
  forecastSubscription: {
    clock_limit: [
      subscribed,
      { path: `/sandbox/subscriptions/sub_000001/forecast?until=${BEYOND}` },
    ],
  },
  payInvoice: { invalid_transition: [subscribed] },
  createCharge: {
    not_found: [null, json({ ...amount, customer_id: 'nowhere' })],
    currency_mismatch: [null, json({ ...amount, currency: 'EUR' })],
    coupon_expired: [null, json({ ...amount, coupon_id: 'EXPIRED' })],
    coupon_exhausted: [charged, json({ ...amount, coupon_id: 'LAST1' })],
    coupon_not_applicable: [null, json({ ...amount, coupon_id: 'MORETIME' })],
    sandbox_full: [full],
  },
  scriptPaymentOutcomes: {
    not_found: [null, json({ always: 'card_declined', customer_id: 'nowhere' })],
    sandbox_full: [full],
  },
  createFault: {
    not_found: [null, json({ match: { operation: 'subscribe' }, effect: { drop: true } })],
    fault_limit: [manyFaults],
    sandbox_full: [full],
  },
  issueTokens: { sandbox_full: [full] },
  revokeTokens: { not_found: [null] },
  restoreState: { sandbox_full: [null, overfullState] },
  createCheckpoint: {
    exists: [posts('/sandbox/checkpoints', { name: 'ready' })],
    checkpoint_limit: [manyCheckpoints],
  },
  restoreCheckpoint: { checkpoint_unusable: [brokenCheckpoint] },
  createWebhook: { webhook_limit: [manyWebhooks] },
  streamEvents: { follower_limit: [manyStreams] },
  streamRequests: { follower_limit: [manyStreams] },
  redeliverWebhookDelivery: {
    in_use: [null, async (shop) => ({ path: `${await pendingDelivery(shop)}/redeliver` })],
  },
  publishPact: { pact_limit: [manyPacts] },
  publishContracts: { pact_limit: [manyPacts] },
  retrieveMatrix: { not_found: [null] },
  exportRecording: {
    story_incomplete: [
      async (shop) => {
        await shop.call('PUT', '/sandbox/state', { bytes: await shop.state() })
      },
    ],
  },
  changeProviderState: stateStories(RECORDS),
  createSandbox: making,
  createNamedSandbox: { ...making, exists: [null, { path: '/sandboxes/default' }] },
  deleteSandbox: { in_use: [null, { path: '/sandboxes/default' }] },
}

/** As many streams as one sandbox may have; they end with the shop. */
async function manyStreams(shop: Shop): Promise<void> {
  for (let open = 0; open < FOLLOWERS_MAX; open += 1) {
    await shop.app.request('/sandbox/events/stream')
  }
}

/** Where nothing is found, whatever the name of a parameter. */
const nowhere = Object.fromEntries(Object.keys(ids).map((name) => [name, 'nowhere']))

function storyOf(declared: Declaration, code: Code): Story | undefined {
  const own = stories[declared.operationId]?.[code]
  if (own !== undefined || code !== 'not_found' || declared.params === undefined) return own
  return [null, { path: pathOf(declared, nowhere) }]
}

describe.each(controlRoutes.filter(({ refusals = [] }) => refusals.length > 0))(
  '$operationId is refused',
  (declared) => {
    it.each([...(declared.refusals ?? [])])('with %s', async (code) => {
      const story = storyOf(declared, code)
      expect(story, `a story of ${code}`).toBeDefined()
      const [before, call] = story as Story
      const shop = await openShop({}, 10, { fixtures })
      await before?.(shop)
      const sent = typeof call === 'function' ? await call(shop) : call
      const refused: Refused = await ask<WireProblem>(shop, declared, sent)
      expect(refused.body?.code, refused.text).toBe(code)
    })
  },
)

it('has a story for what is declared, and for nothing else', () => {
  const told = Object.entries(stories).flatMap(([operation, codes]) =>
    Object.keys(codes).map((code) => `${operation} ${code}`),
  )
  const declared = controlRoutes.flatMap(({ operationId, refusals = [] }) =>
    refusals.map((code) => `${operationId} ${code}`),
  )
  expect(declared).toEqual(expect.arrayContaining(told))
})
