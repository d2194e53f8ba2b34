import { afterAll, expect, it } from 'vitest'
import { formClient } from '../../../../contracts/examples/typescript/form-client.ts'
import { anInstant, inTrial, theSubscription } from '../../support/answers.ts'
import { consumerOf } from '../../support/consumer.ts'
import { createForm, onIt, theCustomer } from '../../support/requests.ts'
import {
  API_KEY,
  CUSTOMER,
  customer,
  nextPaymentFails,
  plan,
  SUBSCRIPTION,
  subscription,
  trialing,
} from '../../support/states.ts'

const consumer = await consumerOf('assuming-form-client', 'assumed')
afterAll(consumer.close)

const client = (baseUrl: string) => formClient({ baseUrl, apiKey: API_KEY })
const order = { customer_id: theCustomer, plan: 'basic' }
const paid = { customerId: CUSTOMER, plan: 'basic' }

it('reads every field of a subscription that is paid from the start', () =>
  consumer.plays(
    'a form that creates a subscription and reads all of it',
    { given: [customer(), plan('basic')], request: createForm(order), answer: theSubscription({}) },
    async (url) => {
      const created = await client(url).create(paid)
      expect(created).toMatchObject({ subscription_id: SUBSCRIPTION, status: 'active' })
    },
  ))

it('reads the end of a trial', () =>
  consumer.plays(
    'a form that creates a subscription with a trial and reads all of it',
    {
      given: [customer(), plan('basic')],
      request: createForm({ ...order, trial_period_days: '14' }),
      answer: theSubscription(inTrial),
    },
    async (url) => {
      const created = await client(url).create({ ...paid, trialPeriodDays: 14 })
      expect(created).toMatchObject({ status: 'trialing', trial_end: expect.any(String) })
    },
  ))

it('takes a trial of no days for none', () =>
  consumer.plays(
    'a form that creates a subscription with a trial of no days',
    {
      given: [customer(), plan('basic')],
      request: createForm({ ...order, trial_period_days: '0' }),
      answer: theSubscription({ trial_period_days: 0 }),
    },
    async (url) => {
      const created = await client(url).create({ ...paid, trialPeriodDays: 0 })
      expect(created).toMatchObject({ status: 'active', trial_end: null })
    },
  ))

it('finds a subscription past due whose first payment failed', () =>
  consumer.plays(
    'a form that creates a subscription whose first payment fails',
    {
      given: [customer(), plan('basic'), nextPaymentFails()],
      request: createForm(order),
      answer: theSubscription({ status: 'past_due' }),
    },
    async (url) => {
      expect(await client(url).create(paid)).toMatchObject({ status: 'past_due' })
    },
  ))

const onPro = subscription({ plan: 'pro' })

it.each([
  ['the dearer plan at once', [subscription()], 'pro', { plan: 'pro' }],
  ['the cheaper plan as pending', [onPro], 'basic', { plan: 'pro', pending_plan: 'basic' }],
  ['the dearer plan at once in a trial', [trialing()], 'pro', { ...inTrial, plan: 'pro' }],
  [
    'the cheaper plan as pending in a trial',
    [trialing({ plan: 'pro' })],
    'basic',
    { ...inTrial, plan: 'pro', pending_plan: 'basic' },
  ],
  [
    'the dearer plan as pending while paused',
    [subscription({ status: 'paused' })],
    'pro',
    { status: 'paused', plan: 'basic', pending_plan: 'pro' },
  ],
  [
    'past due where the payment of an upgrade fails',
    [subscription(), nextPaymentFails()],
    'pro',
    { status: 'past_due', plan: 'pro' },
  ],
])('reads %s', (...row) => {
  const [which, given, to, fields] = row
  return consumer.plays(
    `a form that changes the plan and reads ${which}`,
    {
      given: [plan('basic'), plan('pro'), ...given],
      request: onIt('update', { plan: to }),
      answer: theSubscription(fields),
    },
    async (url) => {
      expect(await client(url).update(SUBSCRIPTION, to)).toMatchObject({
        plan: fields.plan,
      })
    },
  )
})

it('reads the name of the paused status', () =>
  consumer.plays(
    'a request without a body that pauses a subscription and reads its status',
    {
      given: [subscription()],
      request: onIt('pause'),
      answer: theSubscription({ status: 'paused' }),
    },
    async (url) => {
      expect(await client(url).pause(SUBSCRIPTION)).toMatchObject({ status: 'paused' })
    },
  ))

const ending = { cancel_at_period_end: true, canceled_at: anInstant }
const pastDue = subscription({ status: 'past_due' })

it.each([
  ['active', [subscription()], ending],
  ['trialing', [trialing()], { ...ending, ...inTrial }],
  ['past due', [pastDue], { ...ending, status: 'past_due' }],
])('reads that a subscription which is %s will end with its period', (which, given, fields) =>
  consumer.plays(
    `a form that cancels a subscription which is ${which} at the end of its period and reads all of it`,
    { given, request: onIt('cancel', { at_period_end: 'true' }), answer: theSubscription(fields) },
    async (url) => {
      const canceled = await client(url).cancelAtPeriodEnd(SUBSCRIPTION)
      expect(canceled).toMatchObject({ cancel_at_period_end: true })
    },
  ),
)

const ended = { status: 'canceled', canceled_at: anInstant, ended_at: anInstant }

it.each([
  ['active', [subscription()], ended],
  ['trialing', [trialing()], { ...inTrial, ...ended }],
  ['past due', [pastDue], ended],
  ['paused', [subscription({ status: 'paused' })], ended],
])('finds that a subscription which is %s ends at once', (which, given, fields) =>
  consumer.plays(
    `a request without a body that cancels a subscription which is ${which} and reads all of it`,
    { given, request: onIt('cancel'), answer: theSubscription(fields) },
    async (url) => {
      expect(await client(url).cancel(SUBSCRIPTION)).toMatchObject({ status: 'canceled' })
    },
  ),
)

it('publishes what the tests above wrote', () => consumer.expectPublished())
