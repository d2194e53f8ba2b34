import { afterAll, expect, it } from 'vitest'
import { jsonClient } from '../../../contracts/examples/typescript/json-client.ts'
import { aSubscription, aSubscriptionTo, aTrialOf } from '../support/answers.ts'
import { consumerOf } from '../support/consumer.ts'
import { createJson, onIt, theCustomer } from '../support/requests.ts'
import { API_KEY, CUSTOMER, customer, plan, SUBSCRIPTION, subscription } from '../support/states.ts'

const consumer = await consumerOf('reference-json-client', 'documented')
afterAll(consumer.close)

const client = (baseUrl: string) => jsonClient({ baseUrl, apiKey: API_KEY })
const documented = { customer_id: CUSTOMER, plan: 'basic' }

it('creates a subscription that is paid from the start', () =>
  consumer.plays(
    'JSON that creates a subscription',
    {
      given: [customer(), plan('basic')],
      request: createJson({ customer_id: theCustomer, plan: 'basic' }),
      answer: aSubscriptionTo('basic'),
    },
    async (url) => {
      const created = await client(url).create({ customerId: CUSTOMER, plan: 'basic' })
      expect(created).toEqual(documented)
    },
  ))

it('creates a subscription that starts with a trial', () =>
  consumer.plays(
    'JSON that creates a subscription with a trial of 14 days',
    {
      given: [customer(), plan('basic')],
      request: createJson({ customer_id: theCustomer, plan: 'basic', trial_period_days: 14 }),
      answer: aTrialOf('basic'),
    },
    async (url) => {
      const order = { customerId: CUSTOMER, plan: 'basic', trialPeriodDays: 14 }
      const created = await client(url).create(order)
      expect(created).toEqual({ ...documented, trial_period_days: 14 })
    },
  ))

it('pauses an active subscription', () =>
  consumer.plays(
    'a request without a body that pauses an active subscription',
    { given: [subscription()], request: onIt('pause'), answer: aSubscription() },
    async (url) => {
      expect(await client(url).pause(SUBSCRIPTION)).toEqual(documented)
    },
  ))

it('publishes what the tests above wrote', () => consumer.expectPublished())
