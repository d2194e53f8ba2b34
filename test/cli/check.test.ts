import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { Report } from '../../src/contracts/common/report-shape.ts'
import { run } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'
import { creates, lineOf, pactText, writePact } from '../support/pacts.ts'

const fixtures = 'test/fixtures/pacts'
let place: Awaited<ReturnType<typeof temporaryFolder>>

beforeEach(async () => {
  place = await temporaryFolder()
})

afterEach(() => place.remove())

const write = (name: string, text: string) => writePact(place.path, name, text)

/** Runs `check` and reads the report that it prints. */
async function check(...args: readonly string[]) {
  const checking = run(['check', ...args, '--json'])
  const code = await checking.ended
  return { code, report: Report.parse(JSON.parse(checking.output())) }
}

it('passes what the tools of five languages wrote', async () => {
  const { code, report } = await check(fixtures)
  expect(code).toBe(0)
  expect(report).toMatchObject({
    command: 'check',
    result: 'passed',
    provider: null,
    totals: { pacts: 5, interactions: 9, passed: 8, failed: 0, pending: 1 },
  })
})

it('prints what would steer a terminal as text', async () => {
  const path = await write('web.json', pactText([creates('a\u001b[2Jb\u009b', { status: 200 })]))
  const checking = run(['check', path])
  expect(await checking.ended).toBe(0)
  expect(checking.output()).toContain('ok  a\\x1b[2Jb\\x9b\n')
})

it.each([
  ['providerStates[0]', { providerStates: [{ name: 'nobody knows' }] }],
  ['providerState', { providerState: 'nobody knows' }],
  ['provider_state', { provider_state: 'nobody knows' }],
])('says that no catalogue has a state, and where: %s', async (field, state) => {
  const text = pactText([creates('one', { status: 200 }, state)])
  const { report } = await check(await write('web.json', text))
  const line = lineOf(text, '"nobody knows"') - (field.endsWith(']') ? 1 : 0)
  const found = { code: 'state.refused', path: `$.interactions[0].${field}`, line }
  expect(report.pacts[0]?.interactions[0]?.findings).toMatchObject([found])
})

it('refuses two reports for one file', async () => {
  const path = await write('web.json', pactText([creates('fits', { status: 200 })]))
  const twice = ['--reporter', 'json=report', '--reporter', 'junit=./report']
  const checking = run(['check', path, ...twice], {}, place.path)
  expect(await checking.ended).toBe(2)
  expect(checking.errors()).toContain('--reporter must name each file once; got "./report" again.')
})

it('says what contradicts the interface, and where in the pact and in openapi.yaml', async () => {
  const text = pactText([creates('fits', { status: 200 }), creates('breaks', { status: 201 })])
  const path = await write('web.json', text)
  const checking = run(['check', path])
  expect(await checking.ended).toBe(1)
  const line = lineOf(text, '"breaks"') - 1
  expect(checking.output()).toContain(`FAILED  breaks  ${path}:${line}`)
  expect(checking.output()).toContain(
    `($.interactions[1].response.status, line ${lineOf(text, '"status": 201')})`,
  )
  expect(checking.output()).toMatch(
    /Response status code not defined in spec file: 201; defined: 200, .* \(assumed: `.*`\)\./,
  )
  const [, yamlLine] = /openapi\.yaml:(\d+)/.exec(checking.output()) ?? []
  const yaml = (await readFile('openapi.yaml', 'utf8')).split('\n')
  expect(yaml.slice(Number(yamlLine) - 2, Number(yamlLine))).toEqual([
    '  /v1/subscriptions:',
    '    post:',
  ])
  expect(checking.output()).not.toContain('\u001b')
  expect(checking.errors()).toBe('')
})

it('knows the catalogue of provider states', async () => {
  const states = (name: string, params = {}) => ({ providerStates: [{ name, params }] })
  const text = pactText([
    creates('fits', { status: 200 }, states('a subscription exists', { status: 'paused' })),
    creates('mistyped', { status: 200 }, states('a subscripton exists')),
    creates('a param', { status: 200 }, states('a subscription exists', { plam: 'pro' })),
    creates('a value', { status: 200 }, states('a subscription exists', { status: 'asleep' })),
  ])
  const { code, report } = await check(await write('web.json', text))
  expect(code).toBe(1)
  const told = report.pacts[0]?.interactions.map(({ findings: [first] }) => first?.message)
  expect(told?.[0]).toBeUndefined()
  expect(told?.[1]).toContain('the nearest are "a subscription exists"')
  expect(told?.[2]).toContain('plam')
  expect(told?.[3]).toMatch(/status must be .*paused.*got "asleep"/)
})

it('warns of matching rules that match nothing', async () => {
  const matchers = [{ match: 'type' }]
  const matchingRules = {
    body: { '$.plan': { matchers }, '$.plam': { matchers }, '$.discounts[*].value': { matchers } },
    header: { 'content-type': { matchers }, 'X-Other': { matchers } },
  }
  const body = { plan: 'pro', discounts: [] }
  const headers = { 'Content-Type': 'application/json' }
  const text = pactText([creates('one', { status: 200, headers, body, matchingRules })])
  const { code, report } = await check(await write('web.json', text))
  expect(code).toBe(0)
  expect(report.pacts[0]?.interactions[0]?.findings).toMatchObject([
    {
      severity: 'warning',
      message: 'The matching rule $.plam matches nothing in the body of the response.',
    },
    {
      severity: 'warning',
      message: 'The matching rule X-Other matches nothing in the header of the response.',
    },
  ])
})

it('ends with 1 and says where a file is not JSON', async () => {
  const path = await write('web.json', '{\n  "consumer": }')
  const { code, report } = await check(path, fixtures)
  expect(code).toBe(1)
  expect(report.pacts[0]?.problems).toMatchObject([{ line: 2, column: 15 }])
  expect(report.totals.pacts).toBe(6)
})

it('ends with 2 on a pact that holds nothing, whatever the others say', async () => {
  const { code, report } = await check(await write('web.json', pactText([])), fixtures)
  expect(code).toBe(2)
  expect(report.result).toBe('empty')
})

it.each([
  [['check'], 'PACT is missing'],
  [['check', 'nowhere/*.json'], 'PACT "nowhere/*.json" matches no file'],
  [['check', fixtures, 'nowhere.json'], 'PACT "nowhere.json" matches no file'],
  [['check', fixtures, '--colour'], '--colour'],
  [['check', fixtures, '--reporter', 'xml'], '--reporter must be one of pretty, json, junit'],
  [['check', fixtures, '--reporter', 'json='], 'got "json="'],
  [['check', fixtures, '--reporter', 'toString'], 'got "toString"'],
  [['constructor'], "Unknown command 'constructor'"],
  [
    ['check', fixtures, '--reporter', 'pretty', '--json'],
    '--reporter pretty, json cannot be printed together; write json=FILE',
  ],
])('ends with 2 and says what is wrong: %j', async (args, words) => {
  const refused = run(args)
  expect(await refused.ended).toBe(2)
  expect(refused.errors()).toContain(words)
  expect(refused.output()).toBe('')
})

it.each([
  [
    ['check', 'missing.json', '--reporter', 'json=.'],
    3,
    /^--reporter \. cannot be written: it is a folder\./,
  ],
  [['check', 'missing.json', '--reporter', 'json=new.json'], 2, /^PACT "missing\.json" matches no/],
  [['learn', 'missing.har', '--write', '.'], 3, /^--write \. cannot be written: it is a folder\./],
  [['learn', 'missing.har', '--write', 'new.yaml'], 2, /^RECORDING missing\.har cannot be read/],
])(
  'tries the files that %j writes before it works, and leaves none',
  async (line, code, message) => {
    const tried = run(line, {}, place.path)
    expect(await tried.ended).toBe(code)
    expect(tried.errors()).toMatch(message)
    expect(await readdir(place.path)).toEqual([])
  },
)

it('writes every report that is asked for', async () => {
  const path = await write('web.json', pactText([creates('breaks', { status: 201 })]))
  const file = (name: string) => join(place.path, 'reports', name)
  const checking = run([
    ...['check', path, '--reporter', 'pretty', '--reporter', 'github'],
    ...['--reporter', `junit=${file('junit.xml')}`, '--reporter', `json=${file('report.json')}`],
  ])
  expect(await checking.ended).toBe(1)
  expect(checking.output()).toContain(`FAILED  breaks  ${path}:`)
  expect(checking.output()).toContain(`::error file=${path},line=9,title=breaks::`)
  expect(await readFile(file('junit.xml'), 'utf8')).toContain('tests="1" failures="1"')
  const report = Report.parse(JSON.parse(await readFile(file('report.json'), 'utf8')))
  expect(report.result).toBe('broken')
})
