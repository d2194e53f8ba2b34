/** The type of an answer is compared as the Pact core compares it. */
import { expect, it } from 'vitest'
import { createComparison } from '../../src/contracts/comparison/compare.ts'
import { v1Document } from '../../src/openapi/v1.ts'
import { creates, pactOf } from '../support/pacts.ts'

const compare = await createComparison(
  v1Document('0.1.0') as Parameters<typeof createComparison>[0],
)

/** The findings on an answer of these parts. */
async function findingsOn(parts: object) {
  const [found = []] = await compare(pactOf([creates('typed', { status: 200, ...parts })]))
  return found
}

it.each([
  ['application/json', null, true],
  [' application/json; ', null, true],
  ['application/json; charset=utf-8', null, false],
  ['Application/JSON', null, false],
  ['application/json', { match: 'equality' }, true],
  ['application/json; charset=utf-8', { match: 'equality' }, false],
  ['application/json; charset=utf-8', { match: 'type' }, true],
  ['application/json; charset=utf-8', { match: 'include', value: 'json' }, true],
  ['application/json; charset=utf-8', { match: 'include', value: 'charset' }, false],
  ['application/json; charset=utf-8', { match: 'regex', regex: 'application/json(;.*)?' }, true],
  [
    'application/json; charset=utf-8',
    { match: 'regex', regex: 'application/json; ?charset=.*' },
    false,
  ],
  ['application/json', { match: 'regex', regex: 'json' }, false],
])(
  'takes the type of an answer as the core compares it: %j by %j is %s',
  async (type, rule, fits) => {
    const headers = { 'content-type': type }
    const matchers = { matchers: [rule] }
    const rules = rule === null ? {} : { matchingRules: { header: { 'Content-Type': matchers } } }
    const found = await findingsOn({ headers, ...rules })
    expect(found.map(({ code, path }) => [code, path])).toEqual(
      fits
        ? []
        : [
            [
              'response.content-type.incompatible',
              '$.interactions[0].response.headers["content-type"]',
            ],
          ],
    )
  },
)
