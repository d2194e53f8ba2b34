import { afterAll, expect, it } from 'vitest'
import { refresh } from '../../../contracts/examples/typescript/token-client.ts'
import { newTokens, refusedRefresh } from '../support/answers.ts'
import { consumerOf } from '../support/consumer.ts'
import { type RefreshDeviation, refreshOf } from '../support/requests.ts'
import { REFRESH_TOKEN, refreshToken } from '../support/states.ts'

const consumer = await consumerOf('reference-token-client', 'documented')
afterAll(consumer.close)

it('exchanges a refresh token for a new access token', () =>
  consumer.plays(
    'a refresh with a token that is good',
    { given: [refreshToken('fresh')], request: refreshOf(), answer: newTokens() },
    async (url) => {
      const {
        access_token: token,
        token_type: type,
        expires_in: seconds,
      } = await refresh(url, REFRESH_TOKEN)
      expect([token, type, seconds]).toEqual(['an-access-token', 'Bearer', 3600])
    },
  ))

it.each(['expired', 'revoked'] as const)('learns that its refresh token is %s', (how) =>
  consumer.plays(
    `a refresh with a token that is ${how}`,
    {
      given: [refreshToken(how)],
      request: refreshOf(),
      answer: refusedRefresh('invalid_grant'),
    },
    async (url) => {
      await expect(refresh(url, REFRESH_TOKEN)).rejects.toMatchObject({ code: 'invalid_grant' })
    },
  ),
)

const deviations: readonly [string, 'unauthorized' | 'invalid_request', RefreshDeviation][] = [
  ['without the Authorization header', 'unauthorized', { authorization: null }],
  ['with another scheme than Bearer', 'unauthorized', { authorization: 'Basic cmVmOnJlZg==' }],
  ['without the required field', 'invalid_request', { body: {} }],
  ['with a field of the wrong type', 'invalid_request', { body: { refresh_token: 7 } }],
]

it.each(deviations)('learns what is wrong with a refresh %s', (which, code, deviation) =>
  consumer.plays(
    `a refresh ${which}`,
    {
      given: [refreshToken('fresh')],
      request: refreshOf(deviation),
      answer: refusedRefresh(code),
    },
    async (url) => {
      await expect(refresh(url, REFRESH_TOKEN, deviation)).rejects.toMatchObject({ code })
    },
  ),
)

it('publishes what the tests above wrote', () => consumer.expectPublished())
