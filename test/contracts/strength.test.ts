import { expect, it } from 'vitest'
import { type Mutation, mutationsOf } from '../../src/contracts/replay/mutations.ts'

function answerOf(json: unknown, status = 200) {
  const headers = [['Content-Type', 'application/json']] as const
  return { status, headers, body: JSON.stringify(json) }
}

const shown = ({ at, change, answer }: Mutation) => {
  return [at, change, answer.status, JSON.parse(answer.body)]
}

it('changes the status, and drops each field, changes its type and its value, one at a time', () => {
  expect(mutationsOf(answerOf({ name: 'Zoë 19', on: true, at: null })).map(shown)).toEqual([
    ['', 'status', 500, { name: 'Zoë 19', on: true, at: null }],
    ['name', 'dropped', 200, { on: true, at: null }],
    ['name', 'type', 200, { name: 7, on: true, at: null }],
    ['name', 'value', 200, { name: 'Apë 20', on: true, at: null }],
    ['on', 'dropped', 200, { name: 'Zoë 19', at: null }],
    ['on', 'type', 200, { name: 'Zoë 19', on: 'changed', at: null }],
    ['on', 'value', 200, { name: 'Zoë 19', on: false, at: null }],
    ['at', 'dropped', 200, { name: 'Zoë 19', on: true }],
    ['at', 'type', 200, { name: 'Zoë 19', on: true, at: 'changed' }],
  ])
})

it('reaches into lists and objects, and calls a field by its path', () => {
  const fields = mutationsOf(answerOf({ lines: [{ amount: 5 }, { amount: 6 }], of: { id: 'a' } }))
  expect([...new Set(fields.map(({ at }) => at))]).toEqual([
    '',
    'lines',
    'lines[0].amount',
    'of',
    'of.id',
  ])
  const value = (path: string) => {
    const found = fields.find(({ at, change }) => at === path && change === 'value')
    return found === undefined ? undefined : shown(found)[3]
  }
  expect(value('lines')).toMatchObject({ lines: [{ amount: 5 }, { amount: 6 }, { amount: 6 }] })
  expect(value('lines[0].amount')).toMatchObject({ lines: [{ amount: 6 }, { amount: 6 }] })
  expect(value('of')).toBeUndefined()
})

it('changes an instant to another instant, which a matcher of instants does not notice', () => {
  const [, , , value] = mutationsOf(answerOf({ at: '2027-12-31T23:59:59.500Z' })).map(shown)
  expect(value).toEqual(['at', 'value', 200, { at: '2028-01-01T23:59:59.500Z' }])
})

it.each([
  ['2027-12-31T23:59:59Z', '2028-01-01T23:59:59Z'],
  ['2027-12-31T23:59:59+02:00', '2028-01-01T23:59:59+02:00'],
  ['2027-01-31', '2027-02-01'],
])('changes %s to one of the same form', (text, other) => {
  const [, , , value] = mutationsOf(answerOf({ at: text })).map(shown)
  expect(value).toEqual(['at', 'value', 200, { at: other }])
})

it.each([-1, 0.5, 2 ** 53, -(2 ** 60), 1e300])('changes the number %d to another one', (number) => {
  const [, , , value] = mutationsOf(answerOf({ at: number })).map(shown)
  expect(value?.slice(0, 2)).toEqual(['at', 'value'])
  expect(value?.[3].at).not.toBe(number)
})

it('turns a refusal into a success, and leaves alone what is no JSON', () => {
  const text = { ...answerOf('', 404), headers: [['Content-Type', 'text/plain']] as const }
  const empty = { ...answerOf({}, 404), body: '' }
  for (const answer of [text, empty]) {
    const changes = mutationsOf(answer).map(({ change, answer: { status } }) => [change, status])
    expect(changes).toEqual([['status', 200]])
  }
})
