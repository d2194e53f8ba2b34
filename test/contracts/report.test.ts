import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import * as z from 'zod'
import { type Mismatch, type PactReport, Report } from '../../src/contracts/common/report-shape.ts'
import { operationsOf } from '../../src/contracts/comparison/operations.ts'
import { differencesBetween, textsOfPact } from '../../src/contracts/replay/diff.ts'
import type { Verified } from '../../src/contracts/replay/verify.ts'
import {
  pactReport,
  reportOf,
  skippedReport,
  unreadableReport,
} from '../../src/contracts/report/build.ts'
import { github } from '../../src/contracts/report/github.ts'
import { junit } from '../../src/contracts/report/junit.ts'
import { pretty } from '../../src/contracts/report/pretty.ts'
import { creates, pactOf } from '../support/pacts.ts'

const operations = operationsOf({ paths: { '/v1/subscriptions': { post: {} } } }, () => {
  return 'paths:\n  /v1/subscriptions:\n    post:\n      summary: Create\n'
})
const base = 'http://127.0.0.1:4010'
const unsent = { exchanges: [], values: {} }
const passed: Verified = { result: 'passed', durationMs: 12, mismatches: [], states: [], ...unsent }
const wrongStatus: Mismatch = {
  kind: 'status',
  at: '',
  expected: '201',
  got: '200',
  message: 'expected 201 but was 200',
}

/** A status that is wrong, in words that every format has to escape. */
function failed(words = 'expected 201 but was 200'): Verified {
  const states = [
    { name: 'a "login"', params: { a: 1 }, answers: [{ status: 400, body: '100 %' }] },
  ]
  const mismatches = [{ ...wrongStatus, message: words }]
  return { result: 'failed', durationMs: 5, mismatches, states, ...unsent }
}

function reportOn(pacts: readonly PactReport[], differences: Report['differences'] = null): Report {
  return reportOf({
    command: 'verify',
    provider: { url: null, states: '/sandbox/provider-states' },
    base: null,
    notes: [],
    pacts: [...pacts],
    differences,
    compared: differences && 'answers',
  })
}

function verified(description: string, ...results: readonly Verified[]): PactReport {
  const pact = pactOf(results.map(() => creates(description, { status: 200 })))
  return pactReport(pact, { operations, findings: [], verified: results, base })
}

it('has the shape that it promises', () => {
  const pact = verified('one', passed, failed(), { ...failed(), result: 'pending' })
  const report = reportOn([pact, unreadableReport('no.json', [])])
  expect(Report.parse(report)).toEqual(report)
  expect(report.totals).toEqual({ pacts: 2, interactions: 3, passed: 1, failed: 1, pending: 1 })
})

it('publishes its shape as JSON Schema', () => {
  const published = JSON.parse(readFileSync('docs/pact-report.schema.json', 'utf8'))
  expect(published).toEqual(z.toJSONSchema(Report))
})

it.each([
  ['passed', [verified('one', passed)]],
  ['passed', [verified('one', passed, { ...failed(), result: 'pending' })]],
  ['broken', [verified('one', passed), verified('two', failed())]],
  ['broken', [verified('one', passed), unreadableReport('no.json', [])]],
  ['broken', [verified('none'), verified('two', failed())]],
  ['empty', [verified('one', passed), verified('none')]],
  ['empty', []],
])('comes to %s', (result, pacts) => {
  expect(reportOn(pacts).result).toBe(result)
})

it('fails what is not HTTP', () => {
  const pact = pactOf([], { messages: [{ description: 'an event', contents: {} }] })
  const report = pactReport(pact, { operations, findings: [], verified: [], base })
  expect(report.result).toBe('failed')
  const source = report.source
  const text = pretty(
    {
      ...reportOn([report]),
      variations: [{ source, tried: ['success-status'], interactions: [] }],
      strength: [{ source, mutations: 0, noticed: 0, interactions: [] }],
    },
    'plain',
  )
  expect(text).toContain('got "Asynchronous/Messages". Give messages a pact with another provider.')
  // Nothing was sent, so that nothing held and nothing was unnoticed.
  expect(text).not.toMatch(/holds|changes of its answers/)
})

it('lets what is not HTTP fail as long as version 4 marks it as in progress', () => {
  const event = { type: 'Asynchronous/Messages', description: 'an event', pending: true }
  const resultIn = (version: string) => {
    const pact = pactOf([event], { metadata: { pactSpecification: { version } } })
    const report = pactReport(pact, { operations, findings: [], verified: [], base })
    return [report.result, report.interactions[0]?.result]
  }
  expect(resultIn('4.0')).toEqual(['passed', 'pending'])
  expect(resultIn('3.0.0')).toEqual(['failed', 'failed'])
})

it('prints what failed, where, what was asked, and what its states were answered', () => {
  const text = pretty(reportOn([verified('one', passed, failed())]), 'plain')
  expect(text.split('\n').map((line) => line.trim())).toEqual([
    '',
    'pact.json  web -> subscription-service, Pact 3.0.0',
    'ok  one  12 ms',
    'FAILED  one  pact.json:24',
    'status: expected 201 but was 200',
    'state "a "login"" {"a":1} was answered 400: 100 %',
    'operation  POST /v1/subscriptions, openapi.yaml:3',
    "request    curl -i -X POST 'http://127.0.0.1:4010/v1/subscriptions' -H 'Authorization: Bearer sk_sandbox_default' -H 'Content-Type: application/x-www-form-urlencoded' --data-raw 'customer_id=cus_ada&plan=pro'",
    '',
    '2 interactions of 1 pact verified: 1 passed, 1 failed, 0 pending',
    '',
  ])
})

it('colours nothing unless it is asked to', () => {
  const report = reportOn([verified('one', passed, failed())])
  expect(pretty(report, 'plain')).not.toContain('\u001b')
  expect(pretty(report, 'coloured')).toContain('\u001b[31mFAILED\u001b[39m')
})

it('writes XML that holds whatever the pact holds', () => {
  const odd = 'a <b> & "c" \u0000\u0007\u001b[31m ]]> \uD800 é'
  const report = reportOn([verified(odd, failed(odd)), unreadableReport('no.json', [])])
  const interactions = [{ description: odd, line: 9, rests_on: ['a-choice'] }]
  const xml = junit({ ...report, variations: [{ source: 'pact.json', tried: [], interactions }] })
  expect(xml).toContain('  a &lt;b&gt; &amp; "c" [31m ]]&gt;  é: fails under a-choice</property>')
  expect(xml).toContain('name="a &lt;b> &amp; &quot;c&quot; [31m ]]>  é"')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
  expect(xml).not.toMatch(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\uD800-\uDFFF]/)
  expect(xml).toContain('<![CDATA[status: a <b> & "c" [31m ]]]]><![CDATA[>  é')
})

it('writes one case for each interaction, and one for what stopped a file', () => {
  const pact = verified('one', passed, failed(), { ...failed(), result: 'pending' })
  const problem = { line: 2, column: 3, message: 'The file is empty.' }
  const xml = junit(reportOn([pact, unreadableReport('no.json', [problem]), verified('none')]))
  expect(xml).toContain(
    '<testsuites name="subscription-sandbox verify" tests="5" failures="1" errors="2"',
  )
  expect(xml).toContain('<testsuite name="pact.json" tests="3" failures="1" errors="0" skipped="1"')
  expect(xml).toContain('<failure message="status: expected 201 but was 200" type="failed">')
  expect(xml).toContain('<error message="The file is empty." type="unreadable"/>')
})

it('writes annotations that GitHub reads as one line each', () => {
  const pact = verified('100 %: one, two\r\nthree', failed('50 %\nof it'))
  const [first, ...rest] = github(reportOn([pact])).split('\n')
  expect(rest).toEqual([''])
  expect(first).toContain(
    '::error file=pact.json,line=9,title=100 %25%3A one%2C two%0D%0Athree::status: 50 %25%0Aof it%0A',
  )
})

it('annotates what cannot be read, what is empty, and what may fail as yet', () => {
  const problem = { line: 2, column: 3, message: 'The file is empty.' }
  const pending = verified('one', { ...failed(), result: 'pending' })
  const text = github(reportOn([unreadableReport('no.json', [problem]), verified('none'), pending]))
  const starts = text.split('\n').map((line) => line.slice(0, 30))
  expect(starts).toEqual(
    [
      '::error file=no.json,line=2,col',
      '::error file=pact.json,line=1,',
      '::warning file=pact.json,line=',
      '',
    ].map((line) => line.slice(0, 30)),
  )
})

it('finds where two providers disagree, and not where they fail alike', () => {
  const fails = (got: string): Verified => {
    return { ...failed(), mismatches: [{ ...wrongStatus, kind: 'body', at: '$.id', got }] }
  }
  const ours = [fails('"sub_000001"'), fails('"red"'), fails('"at_once"')]
  const theirs = [fails('"sub_a1b2"'), fails('"green"'), fails('"at_period_end"')]
  const sandbox = verified('one', passed, passed, ...ours)
  const other = verified('one', passed, failed(), ...theirs)
  const differences = differencesBetween([sandbox], [other])
  expect(
    differences.map(({ line, sandbox: one, base: two }) => [line, one.result, two.result]),
  ).toEqual([
    [sandbox.interactions[1]?.line, 'passed', 'failed'],
    [sandbox.interactions[3]?.line, 'failed', 'failed'],
    [sandbox.interactions[4]?.line, 'failed', 'failed'],
  ])
  const report = reportOn([verified('one', passed)], differences)
  expect(report.result).toBe('broken')
  expect(pretty(report, 'plain')).toContain('DIFFERS  one  pact.json:24')
  expect(junit(report)).toContain('<testsuite name="differences" tests="3" failures="3"')
  expect(github(report).match(/the sandbox and the base disagree/g)).toHaveLength(3)
})

it('compares identifiers that the pact named, and instants by the time between them', () => {
  const answer = (customer: string, [start, end]: readonly string[], id: string) => ({
    status: 200,
    headers: [['Content-Type', 'application/json']] as const,
    body: JSON.stringify({ id, customer_id: customer, start, end }),
  })
  const answered = (...[customer, period, id]: Parameters<typeof answer>): Verified => {
    const exchange = {
      method: 'POST',
      target: '/',
      headers: [],
      body: '',
      setups: 0,
      failure: null,
    }
    return { ...passed, exchanges: [{ ...exchange, answer: answer(customer, period, id) }] }
  }
  const pact = pactOf([creates('one', { status: 200 })])
  const [ours, month] = ['cus_ada', ['2027-01-31T00:00:00.000Z', '2027-02-28T00:00:00.000Z']]
  const fieldsFor = (...theirs: Parameters<typeof answer>) => {
    const of = (each: Verified) =>
      pactReport(pact, { operations, findings: [], verified: [each], base })
    const sandbox = of(answered(ours, month, 'sub_000001'))
    const named = new Map(
      pact.interactions.map((each) => [`pact.json:${each.line}`, textsOfPact(each)]),
    )
    const found = differencesBetween([sandbox], [of(answered(...theirs))], named)
    return found.flatMap(({ fields }) => fields.map(({ at }) => at))
  }
  const later = ['2027-03-05T09:30:00Z', '2027-04-05T09:30:20Z']
  expect(fieldsFor('cus_ada', later, 'sub_x7')).toEqual([])
  expect(fieldsFor('cus_other', later, 'sub_x7')).toEqual(['$.customer_id'])
  const long = ['2027-03-05T09:30:00Z', '2027-05-05T09:30:00Z']
  expect(fieldsFor('cus_ada', long, 'sub_x7')).toEqual(['$.end'])
})

it('compares the whole of an answer of which reports show the beginning', () => {
  const pact = pactOf([creates('one', { status: 200 })])
  const of = (end: string) => {
    const body = JSON.stringify({ data: 'a'.repeat(5000), end })
    const exchange = { method: 'POST', target: '/', headers: [], body: '', setups: 0 }
    const exchanges = [{ ...exchange, failure: null, answer: { status: 200, headers: [], body } }]
    return pactReport(pact, {
      operations,
      findings: [],
      verified: [{ ...passed, exchanges }],
      base,
    })
  }
  const differences = differencesBetween([of('one')], [of('two')])
  expect(differences[0]?.fields).toMatchObject([{ at: '$.end', sandbox: '"one"', base: '"two"' }])
  const [shown] = reportOn([of('one')]).pacts
  expect(shown?.interactions[0]?.answer?.body).toMatch(/^\{"data":"a{3991}… \(1023 more\)$/)
})

it('says how much a pact asserts of an answer with fields, with one, and with none', () => {
  const strengthOf = (fields: number, unasserted: readonly string[]) => ({
    ...{ description: 'one', line: 1 },
    strength: { mutations: 1, noticed: 1, fields, unasserted: [...unasserted], unnoticed: [] },
  })
  const interactions = [
    strengthOf(0, []),
    strengthOf(1, []),
    strengthOf(2, []),
    strengthOf(2, ['a']),
  ]
  const strength = [{ source: 'pact.json', mutations: 4, noticed: 4, interactions }]
  const lines = pretty({ ...reportOn([]), strength }, 'plain').split('\n')
  expect(lines.flatMap((line) => line.split('noticed; ')[1] ?? [])).toEqual([
    'the answer has no fields',
    'asserts something about its only field',
    'asserts something about all of its 2 fields',
    'asserts nothing about 1 of 2 fields (a)',
  ])
})

it('says why a pact was skipped, and what in a file is not read', () => {
  const pact = pactOf([creates('one', { status: 200 }, { note: 'a' })])
  const report = reportOn([
    pactReport(pact, { operations, findings: [], verified: [passed], base }),
    skippedReport(pact, 'Its provider is "other".'),
  ])
  const text = pretty(report, 'plain')
  expect(text).toContain('  SKIPPED  Its provider is "other".')
  expect(text).toContain(
    '  warning: interactions[0].note is a key of no version of the Pact specification',
  )
  expect(junit(report)).toContain('<skipped/>')
  const levels = github(report).match(/^::\w+/gm)
  expect(levels).toEqual(['::warning', '::notice'])
})
