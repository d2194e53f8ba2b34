import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pactCore from '@pact-foundation/pact-core'
import { expect, it } from 'vitest'
import { listen } from '../../../src/server/listen.ts'
import { openShop } from '../../support/control.ts'

process.env['PACT_DO_NOT_TRACK'] = 'true'

const Authorization = 'Bearer sk_sandbox_default'
const form = { Authorization, 'Content-Type': 'application/x-www-form-urlencoded' }

const interactions = [
  {
    description: 'a request to pause what is paused already',
    providerStates: [{ name: 'a paused subscription exists' }],
    request: {
      method: 'POST',
      path: '/v1/subscriptions/sub_000001/pause',
      headers: { Authorization },
    },
    response: { status: 409, body: { error: 'invalid_transition' } },
  },
  {
    description: 'a request to apply a second coupon three days before the trial ends',
    providerStates: [
      { name: 'the virtual time is 2027-03-01T00:00:00Z' },
      { name: 'a customer exists', params: { customer_id: 'cus_ada' } },
      { name: 'the trial ends in N days', params: { subscription_id: 'sub_abc', days: 3 } },
    ],
    request: {
      method: 'POST',
      path: '/v1/subscriptions/sub_abc/apply-coupon',
      headers: form,
      body: 'coupon_id=SAVE20',
    },
    response: {
      status: 200,
      body: { subscription_id: 'sub_abc', trial_end: '2027-03-04T00:00:00.000Z' },
    },
  },
  {
    description: 'a request to exchange a token that was used',
    providerStates: [
      { name: 'a refresh token is already used', params: { refresh_token: 'rt_of_the_contract' } },
    ],
    request: {
      method: 'POST',
      path: '/v1/auth/refresh',
      headers: { Authorization: 'Bearer rt_of_the_contract', 'Content-Type': 'application/json' },
      body: { refresh_token: 'rt_of_the_contract' },
    },
    response: { status: 403, body: { error: 'invalid_grant' } },
  },
  {
    description: 'a request to cancel whatever subscription the state made',
    providerStates: [{ name: 'an active subscription exists' }],
    request: {
      method: 'POST',
      path: '/v1/subscriptions/anything/cancel',
      headers: { Authorization },
      generators: {
        path: {
          type: 'ProviderState',
          expression: '/v1/subscriptions/${' + 'subscription_id}/cancel',
        },
      },
    },
    response: { status: 200, body: { status: 'canceled' } },
  },
  {
    description: 'a request that needs no state',
    request: {
      method: 'POST',
      path: '/v1/subscriptions',
      headers: form,
      body: 'customer_id=cus_ada&plan=basic',
    },
    response: { status: 200, body: { status: 'active' } },
  },
]

const pact = {
  consumer: { name: 'web-app' },
  provider: { name: 'subscription-service' },
  interactions,
  metadata: { pactSpecification: { version: '3.0.0' } },
}

it('the official core verifies a contract against the states of the catalogue', async () => {
  const shop = await openShop()
  const { url, close } = await listen(shop.app, { host: '127.0.0.1', port: 0 })
  const folder = await mkdtemp(join(tmpdir(), 'contract-'))
  const file = join(folder, 'pact.json')
  await writeFile(file, JSON.stringify(pact))
  try {
    const verdict = await pactCore.default.verifyPacts({
      provider: 'subscription-service',
      providerBaseUrl: url,
      pactUrls: [file],
      providerStatesSetupUrl: `${url}/sandbox/provider-states`,
      logLevel: 'error',
    })
    expect(verdict).toContain('"result":true')
    expect(shop.log).toEqual([])
  } finally {
    await close()
    await rm(folder, { recursive: true })
  }
})
