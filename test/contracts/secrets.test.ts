import { expect, it } from 'vitest'
import { CannotVerify } from '../../src/contracts/common/failure.ts'
import type { BrokerRequest } from '../../src/contracts/pacts/broker-client.ts'
import { publicationTo } from '../../src/contracts/replay/broker-relay.ts'
import { mismatchesOf } from '../../src/contracts/replay/core-result.ts'
import { answersFor } from '../../src/contracts/replay/state-recorder.ts'
import { maskHeader } from '../../src/masking/mask.ts'
import { pactOf } from '../support/pacts.ts'

const token = 'at_default_0123456789abcdefghijklmnopqrstuvwxyz'

function toldOf(path: string, actual: string): string {
  const mismatch = `Expected '${actual.replaceAll('"', '')}' (String) to be equal to 'x' (String)`
  const found = { type: 'BodyMismatch', mismatch, path, expected: '"x"', actual }
  const [told] = mismatchesOf({ interaction: 'one', mismatch: { mismatches: [found] } })
  return JSON.stringify(told)
}

it.each(['$.access_token', '$.refresh_token', "$['access_token']", '$.apiToken'])(
  'repeats no token that was answered at %s',
  (path) => {
    const told = toldOf(path, `"${token}"`)
    expect(told).not.toContain(token)
    expect(told).toContain('[masked]')
    expect(told).toContain(path.slice(0, 5))
  },
)

it('repeats no token in a body that is shown whole', () => {
  const body = JSON.stringify({ access_token: token, token_type: 'Bearer' })
  const told = toldOf('$', body)
  expect(JSON.parse(told).got).toBe('{"access_token":"[masked]","token_type":"Bearer"}')
})

it('repeats no header with a token of an answer', () => {
  const shown = ['Set-Cookie', 'X-Auth-Token', 'Content-Type'].map((name) => maskHeader(name, 'v'))
  expect(shown).toEqual(['[masked]', '[masked]', 'v'])
})

it.each(['Set-Cookie', 'Authorization', 'X-Api-Key'])('repeats no %s that was answered', (key) => {
  const mismatch = `Mismatch with header '${key}': Expected '${token}' to be equal to 'x'`
  const found = { type: 'HeaderMismatch', mismatch, key, expected: 'x', actual: token }
  const [told] = mismatchesOf({ interaction: 'one', mismatch: { mismatches: [found] } })
  expect(told).toMatchObject({ at: key, expected: 'x', got: '[masked]' })
  expect(told?.message).toBe(mismatch.replace(token, '[masked]'))
})

it('publishes no token that was answered', async () => {
  const sent: BrokerRequest[] = []
  const send = async (request: BrokerRequest) => {
    sent.push(request)
    return { status: 201, type: '', text: '' }
  }
  const refusal = () => new CannotVerify('refused')
  const broker = { url: 'http://127.0.0.1:9', send, refusal }
  const publication = publicationTo(broker, { version: '1', branch: null })
  const told = (attribute: string, identifier: string, actual: string) => {
    return { attribute, identifier, description: `Expected '${actual}' to be equal to 'x'` }
  }
  const body = JSON.stringify({ access_token: token, token_type: 'Bearer' })
  const mismatches = [
    told('body', '$.access_token', token),
    told('header', 'Set-Cookie', token),
    told('body', '$', body),
    told('body', '$.status', 'red'),
  ]
  const result = { success: false, testResults: [{ mismatches }] }
  await publication.take({ method: 'POST', path: '/results', body: JSON.stringify(result) })
  await publication.send()
  expect(sent[0]?.body).not.toContain(token)
  expect(sent[0]?.body).toContain("Expected 'red' to be equal to 'x'")
})

it('shows any other value as it is', () => {
  expect(JSON.parse(toldOf('$.token_type', '"Mac"')).got).toBe('"Mac"')
})

it('repeats no token that setting a state up was answered', () => {
  const states = [{ name: 'a refresh token is fresh', params: {} }]
  const { interactions } = pactOf([
    {
      description: 'one',
      providerStates: states,
      request: { method: 'GET', path: '/' },
      response: { status: 200 },
    },
  ])
  const body = JSON.stringify({ sandbox_id: 'default', refresh_token: token })
  const [
    {
      states: [told],
    } = { states: [] },
  ] = answersFor(interactions, [{ state: 'a refresh token is fresh', status: 200, body }])
  expect(told?.answers).toEqual([
    { status: 200, body: '{"sandbox_id":"default","refresh_token":"[masked]"}' },
  ])
})
