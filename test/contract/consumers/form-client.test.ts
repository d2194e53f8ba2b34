import { afterAll, expect, it } from 'vitest'
import { formClient } from '../../../contracts/examples/typescript/form-client.ts'
import { aSubscription, aSubscriptionTo, aTrialOf } from '../support/answers.ts'
import { consumerOf } from '../support/consumer.ts'
import { createForm, onIt, theCustomer } from '../support/requests.ts'
import {
  API_KEY,
  CUSTOMER,
  coupon,
  customer,
  periodEnds,
  plan,
  SUBSCRIPTION,
  subscription,
  timeIs,
  trialing,
  twentyPercent,
} from '../support/states.ts'

const consumer = await consumerOf('reference-form-client', 'documented')
afterAll(consumer.close)

const client = (baseUrl: string) => formClient({ baseUrl, apiKey: API_KEY })
const documented = { customer_id: CUSTOMER, plan: 'basic' }

it('creates a subscription that is paid from the start', () =>
  consumer.plays(
    'a form that creates a subscription',
    {
      given: [customer(), plan('basic')],
      request: createForm({ customer_id: theCustomer, plan: 'basic' }),
      answer: aSubscriptionTo('basic'),
    },
    async (url) => {
      const created = await client(url).create({ customerId: CUSTOMER, plan: 'basic' })
      expect(created).toEqual(documented)
    },
  ))

it('creates a subscription that starts with a trial', () =>
  consumer.plays(
    'a form that creates a subscription with a trial of 14 days',
    {
      given: [customer(), plan('basic')],
      request: createForm({
        customer_id: theCustomer,
        plan: 'basic',
        trial_period_days: '14',
      }),
      answer: aTrialOf('basic'),
    },
    async (url) => {
      const order = { customerId: CUSTOMER, plan: 'basic', trialPeriodDays: 14 }
      const created = await client(url).create(order)
      expect(created).toEqual({ ...documented, trial_period_days: 14 })
    },
  ))

it.each([
  ['upgrades a subscription', [plan('pro'), subscription()], 'pro', aSubscriptionTo('pro')],
  [
    'downgrades a subscription',
    [plan('basic'), subscription({ plan: 'pro' })],
    'basic',
    aSubscription(),
  ],
  ['changes the plan during a trial', [plan('pro'), trialing()], 'pro', aSubscription()],
])('%s', (...row) => {
  const [what, given, to, answer] = row
  return consumer.plays(
    `a form that ${what}`,
    { given, request: onIt('update', { plan: to }), answer },
    async (url) => {
      expect(await client(url).update(SUBSCRIPTION, to)).toHaveProperty('plan')
    },
  )
})

it('finds the cheaper plan once the billing cycle is over', () =>
  consumer.plays(
    'a request without a body that pauses a subscription whose downgrade has taken effect',
    {
      given: [plan('basic'), subscription({ plan: 'pro', pending_plan: 'basic' }), periodEnds()],
      request: onIt('pause'),
      answer: aSubscriptionTo('basic'),
    },
    async (url) => {
      expect(await client(url).pause(SUBSCRIPTION)).toEqual(documented)
    },
  ))

it.each([
  ['pauses an active subscription', [subscription()]],
  [
    'pauses a subscription that became active when its trial ended',
    [timeIs('2027-01-01T00:00:00.000Z'), trialing(), timeIs('2027-01-16T00:00:00.000Z')],
  ],
])('%s', (what, given) =>
  consumer.plays(
    `a request without a body that ${what}`,
    { given, request: onIt('pause'), answer: aSubscription() },
    async (url) => {
      expect(await client(url).pause(SUBSCRIPTION)).toEqual(documented)
    },
  ),
)

it.each([
  ['an active subscription', [subscription()]],
  ['a subscription in its trial', [trialing()]],
])('cancels %s at the end of its period', (which, given) =>
  consumer.plays(
    `a form that cancels ${which} at the end of its period`,
    { given, request: onIt('cancel', { at_period_end: 'true' }), answer: aSubscription() },
    async (url) => {
      expect(await client(url).cancelAtPeriodEnd(SUBSCRIPTION)).toEqual(documented)
    },
  ),
)

it('cancels a subscription without the optional field', () =>
  consumer.plays(
    'a request without a body that cancels a subscription',
    { given: [subscription()], request: onIt('cancel'), answer: aSubscription() },
    async (url) => {
      expect(await client(url).cancel(SUBSCRIPTION)).toEqual(documented)
    },
  ))

const fixed = { ...twentyPercent, type: 'fixed', value: 500, currency: 'USD' }
const limited = { ...twentyPercent, max_redemptions: 10, expires_at: '2037-01-01T00:00:00.000Z' }
const stackable = { ...twentyPercent, stackable: true }

it.each([
  ['a percentage coupon', [subscription(), coupon('PERCENT')], 'PERCENT'],
  ['a coupon of a fixed amount', [subscription(), coupon('FIXED', fixed)], 'FIXED'],
  ['a coupon during a trial', [trialing(), coupon('PERCENT')], 'PERCENT'],
  ['a coupon that is within its limits', [subscription(), coupon('LIMITED', limited)], 'LIMITED'],
  [
    'a coupon for the plan of the subscription',
    [subscription(), coupon('BASICONLY', { ...twentyPercent, applies_to_plans: ['basic'] })],
    'BASICONLY',
  ],
  [
    'a coupon that replaces the discount there is',
    [coupon('FIRST'), subscription({ coupon_id: 'FIRST' }), coupon('SECOND')],
    'SECOND',
  ],
  [
    'a coupon that stacks with the discount there is',
    [coupon('FIRST', stackable), subscription({ coupon_id: 'FIRST' }), coupon('SECOND', stackable)],
    'SECOND',
  ],
])('applies %s', (which, given, couponId) =>
  consumer.plays(
    `a form that applies ${which}`,
    { given, request: onIt('apply-coupon', { coupon_id: couponId }), answer: aSubscription() },
    async (url) => {
      expect(await client(url).applyCoupon(SUBSCRIPTION, couponId)).toEqual(documented)
    },
  ),
)

it('publishes what the tests above wrote', () => consumer.expectPublished())
