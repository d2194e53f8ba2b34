import { expect, it } from 'vitest'
import { submit } from '../../support/client.ts'
import { openShop, type Shop } from '../../support/control.ts'

const PATH = '/v1/subscriptions'
const order = { customer_id: 'cus_ada', plan: 'basic' }
const key = { Authorization: 'Bearer sk_sandbox_default' }

/** What an answer says that it rests on. */
function leaned(answer: { readonly headers: Headers }): string[] {
  return (answer.headers.get('Sandbox-Assumptions') ?? '').split(', ')
}

async function subscribed(): Promise<Shop> {
  const shop = await openShop()
  await submit(shop, PATH, order)
  return shop
}

it.each([
  ['0', ['trial-period-bounds', 'form-scalars']],
  ['731', ['trial-period-bounds', 'form-scalars']],
  ['14', ['form-scalars']],
  ['1e1', ['trial-period-bounds', 'form-scalars']],
])('names what reads a trial of %s days', async (days, slugs) => {
  const answer = await submit(await openShop(), PATH, { ...order, trial_period_days: days })
  const named = leaned(answer).filter((slug) => /^(trial-period-bounds|form-scalars)$/.test(slug))
  expect(named.sort()).toEqual(slugs.toSorted())
})

it.each(['pause', 'cancel', 'update', 'apply-coupon'])(
  'names JSON where the document shows a form only: %s',
  async (command) => {
    const shop = await subscribed()
    const sent = { json: {}, headers: key }
    expect(leaned(await shop.call('POST', `${PATH}/sub_000001/${command}`, sent))).toContain(
      'json-bodies',
    )
  },
)

it('does not name JSON on create, where the document shows it', async () => {
  const answer = await (await openShop()).call('POST', PATH, { json: order, headers: key })
  expect(answer.status).toBe(200)
  expect(leaned(answer)).not.toContain('json-bodies')
})

it('names what a failed upgrade payment does only where one failed', async () => {
  const shop = await subscribed()
  const paid = await submit(shop, `${PATH}/sub_000001/update`, { plan: 'pro' })
  expect(leaned(paid)).not.toContain('failed-upgrade-payment')
  await shop.post('/sandbox/plans', {
    plan_id: 'max',
    product_id: 'prod_app',
    name: 'Max',
    amount: 9000,
    currency: 'USD',
    interval: 'month',
  })
  await shop.post('/sandbox/payment-outcomes', { outcomes: ['card_declined'] })
  const failed = await submit(shop, `${PATH}/sub_000001/update`, { plan: 'max' })
  expect(failed.body).toMatchObject({ status: 'past_due', plan: 'max' })
  expect(leaned(failed)).toContain('failed-upgrade-payment')
})
