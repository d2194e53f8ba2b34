/** What is the same in the answers of two services, and what is not. */
import { expect, it } from 'vitest'
import { differencesIn, identities } from '../../src/learn/compare.ts'
import { instantAt } from '../../src/time/instant.ts'

/** Where a service differs from the sandbox, of which it is known that its `theirs` is `sub_000001` here. */
function differing(status: number, sandbox: object, service: object): string[] {
  const known = identities()
  known.pair('theirs', 'sub_000001')
  const now = instantAt(Date.parse('2027-01-01T00:00:00Z'))
  const [ours, other] = [sandbox, service].map((fields) => {
    return { status, headers: {}, body: JSON.stringify(fields) }
  })
  if (ours === undefined || other === undefined) throw new Error('There are two answers')
  const comparing = { identities: known, now: { sandbox: now, service: now } }
  return differencesIn(ours, other, comparing).map(({ at }) => at)
}

it.each([
  ['sentences of refusals', 400, { message: 'It is gone.' }, { message: 'Not found here.' }, []],
  ['codes of refusals', 400, { error: 'gone' }, { error: 'not_found' }, ['$.error']],
  ['messages of one word', 409, { message: 'It is gone.' }, { message: 'Conflict' }, []],
  ['a code and a sentence', 404, { error: 'gone' }, { error: 'It is gone.' }, ['$.error']],
  [
    'codes in an envelope',
    ...[422, { errors: [{ reason: 'GONE', text: 'It is gone.' }] }],
    ...[{ errors: [{ reason: 'MISSING', text: 'Missing' }] }, ['$.errors[0].reason']],
  ],
  ['sentences and words of records', 200, { status: 'on hold' }, { status: 'held' }, ['$.status']],
  ['texts of records', 200, { status: 'on hold' }, { status: 'past due' }, ['$.status']],
  ['a known subscription', 200, { id: 'sub_000001' }, { id: 'theirs' }, []],
  ['another one', 200, { id: 'sub_000002' }, { id: 'theirs' }, ['$.id']],
  ['one that is new', 200, { id: 'sub_000002' }, { id: 'of others' }, []],
  ['a token', 200, { access_token: 'at_1' }, { access_token: 'x9' }, []],
  ['an instant', 200, { end: '2027-02-01T00:00:00.000Z' }, { end: '2027-02-01T00:00:00Z' }, []],
  ['its form', 200, { end: '2027-02-01T00:00:00.000Z' }, { end: 1801440000 }, ['$.end']],
] as const)('compares %s', (...[, status, sandbox, service, places]) => {
  expect(differing(status, sandbox, service)).toEqual(places)
})
