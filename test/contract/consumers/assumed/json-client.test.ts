import { afterAll, expect, it } from 'vitest'
import { jsonClient } from '../../../../contracts/examples/typescript/json-client.ts'
import { anInstant, discountOf, refusal, theSubscription } from '../../support/answers.ts'
import { consumerOf } from '../../support/consumer.ts'
import { createJson, onItJson } from '../../support/requests.ts'
import {
  API_KEY,
  CUSTOMER,
  coupon,
  customer,
  plan,
  SUBSCRIPTION,
  subscription,
  twentyPercent,
} from '../../support/states.ts'

const consumer = await consumerOf('assuming-json-client', 'assumed')
afterAll(consumer.close)

const client = (baseUrl: string) => jsonClient({ baseUrl, apiKey: API_KEY })

it('changes the plan with JSON', () =>
  consumer.plays(
    'JSON that changes the plan of a subscription',
    {
      given: [plan('pro'), subscription()],
      request: onItJson('update', { plan: 'pro' }),
      answer: theSubscription({ plan: 'pro' }),
    },
    async (url) => {
      expect(await client(url).update(SUBSCRIPTION, 'pro')).toMatchObject({ plan: 'pro' })
    },
  ))

it('cancels at the end of the period with JSON', () =>
  consumer.plays(
    'JSON that cancels a subscription at the end of its period',
    {
      given: [subscription()],
      request: onItJson('cancel', { at_period_end: true }),
      answer: theSubscription({ cancel_at_period_end: true, canceled_at: anInstant }),
    },
    async (url) => {
      const ending = await client(url).cancelAtPeriodEnd(SUBSCRIPTION)
      expect(ending).toMatchObject({ cancel_at_period_end: true })
    },
  ))

it('cancels at once with JSON', () =>
  consumer.plays(
    'JSON that cancels a subscription at once',
    {
      given: [subscription()],
      request: onItJson('cancel', { at_period_end: false }),
      answer: theSubscription({
        status: 'canceled',
        canceled_at: anInstant,
        ended_at: anInstant,
      }),
    },
    async (url) => {
      expect(await client(url).cancel(SUBSCRIPTION)).toMatchObject({ status: 'canceled' })
    },
  ))

it('applies a coupon with JSON', () =>
  consumer.plays(
    'JSON that applies a coupon',
    {
      given: [subscription(), coupon('PERCENT')],
      request: onItJson('apply-coupon', { coupon_id: 'PERCENT' }),
      answer: theSubscription({
        discounts: [discountOf('PERCENT', { ...twentyPercent, ends_at: anInstant })],
      }),
    },
    async (url) => {
      const { discounts } = await client(url).applyCoupon(SUBSCRIPTION, 'PERCENT')
      expect(discounts).toHaveLength(1)
    },
  ))

it('learns that an integer must not be written as text', () =>
  consumer.plays(
    'JSON that creates a subscription with trial days written as text',
    {
      given: [customer(), plan('basic')],
      request: createJson({ customer_id: CUSTOMER, plan: 'basic', trial_period_days: '14' }),
      answer: refusal(400, 'invalid_request'),
    },
    async (url) => {
      const order = { customer_id: CUSTOMER, plan: 'basic', trial_period_days: '14' }
      const answer = await fetch(`${url}/v1/subscriptions`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${API_KEY}`, 'Content-Type': 'application/json' },
        body: JSON.stringify(order),
      })
      expect(answer.status).toBe(400)
    },
  ))

it('publishes what the tests above wrote', () => consumer.expectPublished())
