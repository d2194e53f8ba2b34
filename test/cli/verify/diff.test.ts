import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { Report } from '../../../src/contracts/report/report.ts'
import { run, type ServedHere, serveHere } from '../../support/command-line.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { creates, lineOf, pactText, writePact } from '../../support/pacts.ts'
import { serveChanged } from '../../support/providers.ts'

const json = { 'Content-Type': 'application/json' }
const text = pactText([
  creates('any status', { status: 200 }),
  creates('an active one', { status: 200, headers: json, body: { status: 'active' } }),
  creates('one that both refuse', { status: 404 }),
])
let sandbox: ServedHere
let place: Awaited<ReturnType<typeof temporaryFolder>>

beforeAll(async () => {
  sandbox = await serveHere()
})

afterAll(() => sandbox.stop())

beforeEach(async () => {
  place = await temporaryFolder()
})

afterEach(() => place.remove())

async function diff(path: string, base: string) {
  const verifying = run(['verify', path, '--diff', base, '--json'])
  const code = await verifying.ended
  return { code, report: Report.parse(JSON.parse(verifying.output())) }
}

it('lists where the sandbox and another provider disagree', async () => {
  const changed = await serveChanged(sandbox.url, (body) => body.replace('"active"', '"live"'))
  const path = await writePact(place.path, 'web.json', text)
  const { code, report } = await diff(path, changed.url)
  expect(code).toBe(1)
  expect(report.base?.url).toBe(changed.url)
  const status = { at: '$.status', change: 'changed', sandbox: '"active"', base: '"live"' }
  const [any, active, refused] = report.differences ?? []
  // Nobody asserts the status of the first, and both fail the last: the answers differ all the same.
  expect(any).toMatchObject({ sandbox: { result: 'passed' }, base: { result: 'passed' } })
  expect(refused).toMatchObject({ sandbox: { result: 'failed' }, base: { result: 'failed' } })
  expect([any?.fields, refused?.fields]).toEqual([[status], [status]])
  expect(active).toMatchObject({
    source: path,
    description: 'an active one',
    line: lineOf(text, '"an active one"') - 1,
    operation: { name: 'POST /v1/subscriptions' },
    sandbox: { result: 'passed', mismatches: [] },
    base: {
      result: 'failed',
      mismatches: [{ kind: 'body', at: '$.status', expected: '"active"', got: '"live"' }],
    },
    fields: [status],
  })
  expect(report.compared).toBe('answers')
  const told = run(['verify', path, '--diff', changed.url])
  expect(await told.ended).toBe(1)
  expect(told.output()).toContain(`Where the sandbox and ${changed.url} disagree`)
  expect(told.output()).toContain('DIFFERS  an active one')
  expect(told.output()).toContain('changed $.status: sandbox "active", base "live"')
  changed.close()
})

it('finds nothing between the sandbox and its equal', async () => {
  const passing = pactText([creates('any status', { status: 200 })])
  const path = await writePact(place.path, 'web.json', passing)
  const { code, report } = await diff(path, sandbox.url)
  expect(report.differences).toEqual([])
  expect(code).toBe(0)
  const told = run(['verify', path, '--diff', sandbox.url])
  expect(await told.ended).toBe(0)
  expect(told.output()).toContain('agree in every field of every answer')
})

it('says what is added and what is left out, and claims no more than it knows', async () => {
  const changed = await serveChanged(sandbox.url, (body) =>
    body.replace('"trial_end"', '"trial_ends"'),
  )
  const path = await writePact(place.path, 'web.json', pactText([creates('one', { status: 200 })]))
  const { report } = await diff(path, changed.url)
  changed.close()
  expect(report.differences?.[0]?.fields.map(({ at, change }) => [at, change])).toEqual([
    ['$.trial_end', 'removed'],
    ['$.trial_ends', 'added'],
  ])
  const unknown = creates('one', { status: 200 }, { providerStates: [{ name: 'nobody knows' }] })
  await writePact(place.path, 'web.json', pactText([unknown]))
  const told = run(['verify', path, '--diff', sandbox.url])
  await told.ended
  expect(told.output()).toContain('agree on all that these pacts assert')
})
