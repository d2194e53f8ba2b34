import { MatchersV3 } from '@pact-foundation/pact'
import { afterAll, expect, it } from 'vitest'
import { formClient } from '../../../../contracts/examples/typescript/form-client.ts'
import { refresh } from '../../../../contracts/examples/typescript/token-client.ts'
import { newTokens, refusal, theSubscription } from '../../support/answers.ts'
import { consumerOf } from '../../support/consumer.ts'
import {
  createForm,
  type RefreshDeviation,
  refreshOf,
  theCustomer,
  withAccessToken,
} from '../../support/requests.ts'
import {
  ACCESS_TOKEN,
  CUSTOMER,
  customer,
  plan,
  REFRESH_TOKEN,
  refreshToken,
} from '../../support/states.ts'

const consumer = await consumerOf('assuming-token-client', 'assumed')
afterAll(consumer.close)

it('gets a new refresh token, and an access token for an hour', () =>
  consumer.plays(
    'a refresh that reads the new refresh token',
    {
      given: [refreshToken('fresh')],
      request: refreshOf(),
      answer: newTokens({
        expires_in: 3600,
        refresh_token: MatchersV3.string('a-new-refresh-token'),
      }),
    },
    async (url) => {
      const tokens = await refresh(url, REFRESH_TOKEN)
      expect(tokens).toMatchObject({ expires_in: 3600, refresh_token: 'a-new-refresh-token' })
    },
  ))

it('creates a subscription with an access token in place of the key', () =>
  consumer.plays(
    'a form that creates a subscription with an access token',
    {
      given: [customer(), plan('basic'), refreshToken('fresh')],
      request: withAccessToken(createForm({ customer_id: theCustomer, plan: 'basic' })),
      answer: theSubscription({}),
    },
    async (baseUrl) => {
      const client = formClient({ baseUrl, apiKey: ACCESS_TOKEN })
      const created = await client.create({ customerId: CUSTOMER, plan: 'basic' })
      expect(created).toMatchObject({ status: 'active' })
    },
  ))

it.each(['expired', 'revoked', 'already used'] as const)(
  'learns by 403 that its refresh token is %s',
  (how) =>
    consumer.plays(
      `a refresh with a token that is ${how}, and its status`,
      {
        given: [refreshToken(how)],
        request: refreshOf(),
        answer: refusal(403, 'invalid_grant'),
      },
      async (url) => {
        const refused = { status: 403, code: 'invalid_grant' }
        await expect(refresh(url, REFRESH_TOKEN)).rejects.toMatchObject(refused)
      },
    ),
)

const deviations: readonly [string, number, string, RefreshDeviation][] = [
  ['without the Authorization header', 401, 'unauthorized', { authorization: null }],
  [
    'with another token in the header than in the body',
    401,
    'unauthorized',
    { authorization: 'Bearer another-token' },
  ],
  [
    'with a token that nobody issued',
    401,
    'unauthorized',
    { authorization: 'Bearer unissued', body: { refresh_token: 'unissued' } },
  ],
  ['without the required field', 400, 'invalid_request', { body: {} }],
]

it.each(deviations)('learns by its status what is wrong with a refresh %s', (...deviation) => {
  const [which, status, code, sent] = deviation
  return consumer.plays(
    `a refresh ${which}, and its status`,
    { given: [refreshToken('fresh')], request: refreshOf(sent), answer: refusal(status, code) },
    async (url) => {
      await expect(refresh(url, REFRESH_TOKEN, sent)).rejects.toMatchObject({ status, code })
    },
  )
})

it('publishes what the tests above wrote', () => consumer.expectPublished())
