/** A pact of recorded calls is committed, so that no secret may be in it. */
import { expect, it } from 'vitest'
import { pactOf } from '../../src/provider/capture/capture.ts'
import { captured, create, pactIn } from '../support/captured-calls.ts'

it('writes no secret, in a pact that is answered in the same way', async () => {
  const refresh = '/v1/auth/refresh'
  const { interactions, leftOut } = await captured([
    { ...create({ password: 'hunter2' }), path: '/v1/subscriptions?api_key=hunter2' },
    { path: '/v1/subscriptions', json: { secret: { a: 'hunter2' }, customer_id: 'cus_ada' } },
    { path: '/v1/subscriptions', json: [{ token: 'hunter2' }] },
    { ...create({ plan: 'https://bob:hunter2@host' }), headers: { Authorization: 'hunter2' } },
    { path: refresh, json: { refresh_token: ['hunter2'] }, headers: { Authorization: 'Bearer a' } },
    { path: '/v1/token=hunter2' },
  ])
  const written = pactOf('shop', 'subscription-service', interactions())
  expect(interactions()).toHaveLength(5)
  for (const base64 of written.match(/[A-Za-z0-9+/]{20,}=*/g) ?? []) {
    expect(Buffer.from(base64, 'base64').toString()).not.toContain('hunter2')
  }
  expect(`${written} ${JSON.stringify(leftOut())}`).not.toContain('hunter2')
})

it('writes what cannot be a token as it was sent, because the answer is about it', async () => {
  const values = ['', 1, null, true]
  const { interactions } = await captured(
    values.map((refresh_token) => {
      const headers = { Authorization: 'Bearer a' }
      return { path: '/v1/auth/refresh', json: { refresh_token }, headers }
    }),
  )
  const sent = pactIn(interactions()).map(({ request }) => request.body)
  expect(sent.sort()).toEqual(
    values.map((each) => `{"refresh_token":${JSON.stringify(each)}}`).sort(),
  )
})

it('has no credential where none was sent', async () => {
  const json = { refresh_token: 'unknown' }
  const headers = {}
  const { interactions } = await captured([
    { ...create(), headers },
    { path: '/v1/auth/refresh', json, headers },
  ])
  const found = pactIn(interactions())
  expect(found.map(({ description }) => description)).toEqual([
    'refuses to create a subscription: unauthorized',
    'refuses to exchange a refresh token without the Authorization header: unauthorized',
  ])
  const names = found.flatMap(({ request }) => request.headers.map(([name]) => name))
  expect(names).not.toContain('Authorization')
})
