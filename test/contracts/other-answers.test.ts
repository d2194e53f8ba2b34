/** Which interactions a variation of the provider answers differently. */
import { expect, it } from 'vitest'
import { otherAnswers } from '../../src/contracts/replay/other-answers.ts'
import { creates, pactOf } from '../support/pacts.ts'

const date = ['Date', 'Fri, 01 Jan 2027 00:00:00 GMT'] as const
const answer = { status: 200, headers: [date, ['X-Kind', 'a'] as const], body: '{}' }
const exchange = {
  method: 'GET',
  target: '/',
  headers: [],
  body: '',
  setups: 0,
  failure: null,
  answer,
}
const verified = { result: 'passed', durationMs: 1, mismatches: [], states: [] } as const
const base = { ...verified, exchanges: [exchange], values: { id: 'one' } }
const pact = pactOf([creates('one', { status: 200 }), creates('two', { status: 200 })])

/** The positions that differ where a provider answers so. */
function differing(state: Response, answered: Response, first: Partial<typeof base> = {}) {
  const send = (request: Request) => (request.method === 'POST' ? state : answered).clone()
  const provider = { url: 'http://localhost', states: 'http://localhost/states', send }
  return otherAnswers(pact, [{ ...base, ...first }, base], provider)
}

const state = (id: string, status = 200) => Response.json({ id }, { status })

it('are those with another answer, or with another one to their states', async () => {
  const headers = { 'x-kind': 'a', Date: 'Sat, 02 Jan 2027 00:00:00 GMT' }
  const same = new Response(Buffer.from('{}'), { headers })
  expect(await differing(state('one'), same)).toEqual([])
  expect(await differing(state('one'), new Response(Buffer.from('[]'), { headers }))).toEqual([
    0, 1,
  ])
  expect(await differing(state('one'), new Response(Buffer.from('{}')))).toEqual([0, 1])
  expect(await differing(state('two'), same)).toEqual([0, 1])
  expect(await differing(state('one', 400), same)).toEqual([0, 1])
  expect(await differing(state('one'), same, { values: { id: 'two' } })).toEqual([0])
})

it('are all where the core had no answer or followed a redirect', async () => {
  const same = new Response(Buffer.from('{}'), { headers: { 'X-Kind': 'a' } })
  expect(await differing(state('one'), same, { exchanges: [] })).toEqual([0, 1])
  expect(await differing(state('one'), same, { exchanges: [exchange, exchange] })).toEqual([0, 1])
})
