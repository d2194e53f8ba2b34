/** What counts as a difference between two providers: in their verdicts, and in what they answered. */
import { expect, it } from 'vitest'
import type { Mismatch } from '../../src/contracts/common/report-shape.ts'
import { differencesBetween, extentOf } from '../../src/contracts/replay/diff.ts'
import { pactReport } from '../../src/contracts/report/build.ts'
import { creates, pactOf } from '../support/pacts.ts'

interface Answered {
  readonly result?: 'passed' | 'failed'
  /** The body of the answer; absent where there is none. */
  readonly body?: object
  /** What its state was answered. */
  readonly state?: object
  readonly mismatch?: Pick<Mismatch, 'kind' | 'got' | 'message'>
}

const pact = pactOf([creates('one', { status: 200 })])

function answered({ result = 'passed', body, state, mismatch }: Answered) {
  const answer = { status: 200, headers: [], body: JSON.stringify(body) }
  const sent = { method: 'POST', target: '/', headers: [], body: '', setups: 0, failure: null }
  const live = {
    ...{ result, durationMs: 1, values: {} },
    mismatches: mismatch ? [{ at: '', expected: '', ...mismatch }] : [],
    states: [
      { name: '', params: {}, answers: [{ status: 200, body: JSON.stringify(state ?? {}) }] },
    ],
    exchanges: body ? [{ ...sent, answer }] : [],
  }
  const known = { operations: { find: () => null }, findings: [], base: null, verified: [live] }
  return [pactReport(pact, known)]
}

it.each<[what: string, one: Answered, other: Answered, differing: string[] | null]>([
  ['equal answers', { body: { a: 1 } }, { body: { a: 1 } }, null],
  ['verdicts on equal answers', { body: {} }, { body: {}, result: 'failed' }, []],
  ['own identifiers', { body: { id: 'a1' } }, { body: { id: 'b2' } }, null],
  ['numbers', { body: { id: 1 } }, { body: { id: 2 } }, ['$.id']],
  [
    'identifiers of states',
    { body: { id: 'a1' }, state: { id: 'a1' } },
    { body: { id: 'b2' }, state: { id: 'b2' } },
    null,
  ],
  [
    'another identifier than that of its state',
    { body: { id: 'a1' }, state: { id: 'a1' } },
    { body: { id: 'b3' }, state: { id: 'b2' } },
    ['$.id'],
  ],
  [
    'an identifier that a state answered to one alone',
    { body: { id: 'a1' }, state: { id: 'a1' } },
    { body: { id: 'b3' } },
    null,
  ],
  ['an answer beside none', { body: {} }, {}, null],
  ...(['setup', 'request'] as const).map((kind): [string, Answered, Answered, string[]] => {
    const failed = (message: string) => {
      return { result: 'failed' as const, mismatch: { kind, got: '', message } }
    }
    return [`why a ${kind} failed`, failed('one'), failed('another'), []]
  }),
])('compares %s', (...[, one, other, differing]) => {
  const differences = differencesBetween(answered(one), answered(other))
  const fields = differences.map((each) => each.fields.map(({ at }) => at))
  expect(fields).toEqual(differing === null ? [] : [differing])
})

it('says that answers were compared only where each provider gave them', () => {
  const [some, none] = [answered({ body: {} }), answered({})]
  expect(extentOf(some, some)).toBe('answers')
  expect(extentOf(some, none)).toBe('assertions')
  expect(extentOf(none, some)).toBe('assertions')
})
