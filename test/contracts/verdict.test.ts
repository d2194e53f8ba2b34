/** The verdict on a pact is never milder than that of the Pact core. */
import { expect, it } from 'vitest'
import type { CoreResult } from '../../src/contracts/replay/core-result.ts'
import { verifyPact } from '../../src/contracts/replay/verify.ts'
import { pactReport } from '../../src/contracts/report/build.ts'
import { creates, pactOf } from '../support/pacts.ts'

const mild = (more: Partial<CoreResult>): CoreResult => ({
  ...{ result: false, errors: [], pendingErrors: [] },
  interactionResults: [{ description: 'one', result: 'OK', duration: '1ms' }],
  ...more,
})

function verifyWith(result: CoreResult) {
  const core = { verify: async () => result, close: () => undefined }
  const target = { core, url: 'http://127.0.0.1:9', states: null, timeoutMs: 1000 }
  return verifyPact(pactOf([creates('one', { status: 200 })]), target)
}

it('is none where the core failed, and nothing is known that did', async () => {
  await expect(verifyWith(mild({}))).rejects.toThrow('The Pact core failed pact.json')
})

it('is a pass where the core passed, and a failure where it names one', async () => {
  expect(await verifyWith(mild({ result: true }))).toMatchObject([{ result: 'passed' }])
  const interactionResults = [{ description: 'one', result: 'Error', duration: '1.5s' }]
  const failed = { result: 'failed', durationMs: 1500 }
  expect(await verifyWith(mild({ interactionResults }))).toMatchObject([failed])
})

it.each([
  ['4.0', { status: 'active' }, ['interactions[0].response.body is taken for none']],
  ['4.0', { content: { status: 'active' }, contentType: 'application/json', encoded: false }, []],
  ['4.0', {}, []],
  ['4.0', ['active'], []],
  ['3.0.0', { status: 'active' }, []],
])('comes with a warning where the core compares no body, in %s: %j', (version, body, told) => {
  const metadata = { pactSpecification: { version } }
  const { warnings } = pactOf([creates('one', { status: 200, body })], { metadata })
  expect(warnings.map(({ message }) => message.split(' by ')[0])).toEqual(told)
})

it.each([
  ['request.body.incompatible', 'passed', [], 'warning'],
  ['request.body.incompatible', 'failed', ['status'], 'error'],
  ['response.body.incompatible', 'failed', ['status'], 'warning'],
  ['response.body.incompatible', 'failed', ['body'], 'error'],
  ['response.content-type.incompatible', 'failed', ['header'], 'error'],
  ['never.own-path', 'passed', [], 'error'],
] as const)(
  'takes a finding %s where the core %s it, with %j, for: %s',
  (...[code, result, kinds, severity]) => {
    const place = { path: '$', line: 1, rests_on: [], message: 'It differs.' }
    const findings = [[{ severity: 'error' as const, code, ...place }]]
    const mismatches = kinds.map((kind) => ({ kind, at: '', expected: '', got: '', message: '' }))
    const live = { result, mismatches, durationMs: 1, states: [], exchanges: [], values: {} }
    const known = { operations: { find: () => null }, base: null, findings, verified: [live] }
    const [report] = pactReport(pactOf([creates('one', { status: 200 })]), known).interactions
    expect(report?.findings).toMatchObject([{ severity }])
    expect(report?.result).toBe(result === 'passed' && severity === 'warning' ? 'passed' : 'failed')
  },
)
