/** Generated pacts: the verdict of `verify`, and that of the Pact core alone on the same file. */
import { expect, it } from 'vitest'
import { pactCore } from '../../../src/contracts/replay/core.ts'
import type { CoreResult } from '../../../src/contracts/replay/core-result.ts'
import { verifyPact } from '../../../src/contracts/replay/verify.ts'
import { buildFolder } from '../../../src/version.ts'
import { PATIENCE_MS } from '../../../vitest.config.ts'
import { type Chance, chanceOf, oneOf, seeded } from '../../support/chance.ts'
import { pactOf } from '../../support/pacts.ts'
import { serveHttp } from '../../support/providers.ts'

const PACTS = 300
const answer = {
  plan: 'basic',
  discounts: [],
  count: 1,
  at: '2027-01-01T00:00:00.000Z',
  none: null,
}

const versions = ['2.0.0', '3.0.0', '4.0', 4, 3, '9.0', '', null]
const states = [{ providerState: null }, { providerState: '' }, {}]
const bodies = [
  { plan: 'basic' },
  { plan: 'pro' },
  { count: 1.5 },
  { none: 1 },
  { other: 1 },
  answer,
]
const matchers = [
  ...[{ match: 'type' }, { match: 'regex', regex: 'b' }, { match: 'regex', regex: '.*' }],
  ...[{ match: 'integer' }, { match: 'null' }, { match: 'notEmpty' }, { match: 'type', max: 0 }],
]
const marks = [{}, {}, { pending: true }, { pending: false }, { type: 'Synchronous/HTTP' }]

/** A pact of one to three interactions: each may hold or break, in the words of any version. */
function generated(chance: Chance) {
  const { version } = oneOf(
    versions.map((each) => ({ version: each })),
    chance,
  )
  const isWrapped = String(version).startsWith('4')
  const interactions = Array.from({ length: 1 + Math.floor(chance() * 3) }, (_, at) => {
    const content = oneOf(bodies, chance)
    const rule = { '$.plan': { matchers: [oneOf(matchers, chance)] } }
    const older = { '$.body.plan': oneOf(matchers, chance) }
    const matchingRules = oneOf([{}, { body: rule }, older], chance)
    const wrapped = { content, contentType: 'application/json', encoded: false }
    return {
      ...{ description: `the interaction ${at}`, request: { method: 'GET', path: '/' } },
      ...{ ...oneOf(states, chance), ...oneOf(marks, chance) },
      response: {
        status: oneOf([200, 200, 200, 404], chance),
        body: isWrapped ? wrapped : content,
        matchingRules,
      },
    }
  })
  const place = oneOf(['pactSpecification', 'pact-specification'], chance)
  return pactOf(interactions, { metadata: version === null ? {} : { [place]: { version } } })
}

it('is never milder than the core, and stricter only where it says so', () =>
  seeded(async (seed) => {
    const chance = chanceOf(seed)
    const provider = await serveHttp((_, outgoing) => {
      outgoing.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(answer))
    })
    const program = new URL('contracts/verify-child.js', buildFolder)
    const core = pactCore({ program, signal: new AbortController().signal })
    const counts = { passed: 0, failed: 0, refused: 0 }
    let alone: CoreResult | null = null
    const listened: typeof core = {
      ...core,
      verify: async (job) => {
        alone = await core.verify(job)
        return alone
      },
    }
    // Goes on until each verdict was seen often enough: chance alone must not fail it.
    const enough = () => Math.min(counts.passed, counts.failed) > PACTS / 20
    for (let made = 0; made < PACTS || (!enough() && made < 10 * PACTS); made += 1) {
      const pact = generated(chance)
      const target = { core: listened, url: provider.url, states: null, timeoutMs: PATIENCE_MS }
      const verified = await verifyPact(pact, target)
      const { result } = alone as unknown as CoreResult
      if ('refusal' in verified) {
        counts.refused += 1
        expect(result, pact.text).toBe(false)
        continue
      }
      const isPassed = verified.every((each) => each.result !== 'failed')
      expect(isPassed, pact.text).toBe(result)
      counts[isPassed ? 'passed' : 'failed'] += 1
    }
    core.close()
    provider.close()
    expect(counts.passed).toBeGreaterThan(PACTS / 20)
    expect(counts.failed).toBeGreaterThan(PACTS / 20)
  }))
