import type { V3ProviderState, V3Request } from '@pact-foundation/pact'
import { afterAll, expect, it } from 'vitest'
import { refusal } from '../../support/answers.ts'
import { consumerOf } from '../../support/consumer.ts'
import { createForm, onIt, onNone, sent, theCustomer } from '../../support/requests.ts'
import { CUSTOMER, customer, plan, subscription, trialing } from '../../support/states.ts'

const consumer = await consumerOf('assuming-refusal-client', 'assumed')
afterAll(consumer.close)

const toCreate = [customer(), plan('basic')]
const order = { customer_id: theCustomer, plan: 'basic' }
const canceled = [subscription({ status: 'canceled' })]
const expired = [subscription({ status: 'expired' })]
const { headers: formHeaders = {} } = createForm(order)
const { Authorization: _key, ...keyless } = formHeaders

type Refused = readonly [
  which: string,
  given: readonly V3ProviderState[],
  request: V3Request,
  status: number,
  code: string,
]

const cases: readonly Refused[] = [
  ['lacks a required field', toCreate, createForm({ plan: 'basic' }), 400, 'invalid_request'],
  [
    'has a field that nothing documents',
    toCreate,
    createForm({ ...order, colour: 'blue' }),
    400,
    'invalid_request',
  ],
  [
    'has trial days that are no integer',
    toCreate,
    createForm({ ...order, trial_period_days: 'fourteen' }),
    400,
    'invalid_request',
  ],
  [
    'has more trial days than there may be',
    toCreate,
    createForm({ ...order, trial_period_days: '731' }),
    400,
    'invalid_request',
  ],
  [
    'names an unknown customer',
    toCreate,
    createForm({ ...order, customer_id: 'cus_nowhere' }),
    404,
    'not_found',
  ],
  ['names an unknown plan', toCreate, createForm({ ...order, plan: 'gold' }), 404, 'not_found'],
  [
    'updates an unknown subscription',
    toCreate,
    onNone('update', { plan: 'basic' }),
    404,
    'not_found',
  ],
  ['pauses an unknown subscription', [], onNone('pause'), 404, 'not_found'],
  ['cancels an unknown subscription', [], onNone('cancel'), 404, 'not_found'],
  ['pauses a trial', [trialing()], onIt('pause'), 409, 'invalid_transition'],
  [
    'pauses what is past due',
    [subscription({ status: 'past_due' })],
    onIt('pause'),
    409,
    'invalid_transition',
  ],
  [
    'pauses what is paused',
    [subscription({ status: 'paused' })],
    onIt('pause'),
    409,
    'invalid_transition',
  ],
  ['pauses what has expired', expired, onIt('pause'), 409, 'invalid_transition'],
  ['cancels what is canceled', canceled, onIt('cancel'), 409, 'invalid_transition'],
  [
    'updates what is canceled',
    [plan('pro'), ...canceled],
    onIt('update', { plan: 'pro' }),
    409,
    'invalid_transition',
  ],
  [
    'carries no key',
    toCreate,
    { ...createForm({ customer_id: CUSTOMER, plan: 'basic' }), headers: keyless },
    401,
    'unauthorized',
  ],
  [
    'carries an unknown key',
    toCreate,
    {
      ...createForm({ customer_id: CUSTOMER, plan: 'basic' }),
      headers: { ...keyless, Authorization: 'Bearer sk_sandbox_nowhere' },
    },
    401,
    'unauthorized',
  ],
]

it.each(cases)('is refused where the request %s', (...row) => {
  const [which, given, request, status, code] = row
  return consumer.plays(
    `a request that ${which}`,
    { given, request, answer: refusal(status, code) },
    async (url) => {
      const answer = await sent(url, request)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toMatchObject({ error: code })
    },
  )
})

it('publishes what the tests above wrote', () => consumer.expectPublished())
