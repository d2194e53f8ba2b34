import { expect, it } from 'vitest'
import type { Verified } from '../../src/contracts/replay/verify.ts'
import { hintsFor } from '../../src/contracts/report/hints.ts'
import { creates, pactOf } from '../support/pacts.ts'

/** Where the provider answered an interaction with a status. */
function answered(status: number): Verified {
  const sent = { method: 'POST', target: '/v1/subscriptions', headers: [], body: '', setups: 1 }
  const answer = { status, headers: [], body: '{}' }
  const exchanges = [{ ...sent, answer, failure: null }]
  return { result: 'failed', durationMs: 1, mismatches: [], states: [], values: {}, exchanges }
}

it('says that version 2 has no params, where the record that was meant does not exist', () => {
  const named = { providerState: 'a subscription exists' }
  const { interactions } = pactOf([
    creates('old', { status: 200 }, named),
    creates('older', { status: 200 }, { provider_state: 'a subscription exists' }),
    creates('expected', { status: 404 }, named),
    creates('new', { status: 200 }, { providerStates: [{ name: 'a subscription exists' }] }),
  ])
  const counts = (status: number) =>
    interactions.map((each) => hintsFor(each, answered(status)).length)
  expect(counts(404)).toEqual([1, 1, 0, 0])
  expect(counts(409)).toEqual([0, 0, 0, 0])
  const [old] = interactions
  expect(old && hintsFor(old, answered(404))[0]).toContain(
    '"a subscription exists" was set up without',
  )
})
