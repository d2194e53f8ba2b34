import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { variableSlugs } from '../../../src/assumptions/register.ts'
import { Report } from '../../../src/contracts/common/report-shape.ts'
import { atTerminal, outcome, run, serveHere } from '../../support/command-line.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { create, creates, pactText, writePact } from '../../support/pacts.ts'

const inShell = promisify(execFile)
const json = { 'Content-Type': 'application/json' }
let place: Awaited<ReturnType<typeof temporaryFolder>>

const anySuccess = {
  status: { combine: 'AND', matchers: [{ match: 'statusCode', status: 'success' }] },
}

/** An interaction of version 4, which alone knows statuses by their class. */
function reads(description: string, content: object, more: object = {}) {
  const body = { content, contentType: 'application/json', encoded: false }
  const form = { content: create['body'], contentType: 'application/x-www-form-urlencoded' }
  const request = { ...create, body: { ...form, encoded: false } }
  const response = { status: 200, headers: json, body, ...more }
  return creates(description, response, { type: 'Synchronous/HTTP', request })
}

/** One that reads a field under any success, one that pins 200 and a status, and one that never holds. */
const text = pactText(
  [
    reads('reads the plan', { plan: 'pro' }, { matchingRules: anySuccess }),
    reads('reads the status', { plan: 'pro', status: 'active' }),
    reads('hopes for a teapot', {}, { status: 418 }),
  ],
  { metadata: { pactSpecification: { version: '4.0' } } },
)

let code: number | null
let output: string
let progress: string
let report: Report
let xml: string
let annotations: string

beforeAll(async () => {
  place = await temporaryFolder()
  const path = await writePact(place.path, 'web.json', text)
  const written = join(place.path, 'report.json')
  const [xmlFile, annotationsFile] = [
    join(place.path, 'report.xml'),
    join(place.path, 'report.txt'),
  ]
  const files = [`json=${written}`, `junit=${xmlFile}`, `github=${annotationsFile}`]
  const reporters = ['pretty', ...files].flatMap((each) => ['--reporter', each])
  const verifying = run(['verify', path, '--vary', '--mutate', ...reporters])
  code = await verifying.ended
  output = verifying.output()
  progress = verifying.errors()
  report = Report.parse(JSON.parse(await readFile(written, 'utf8')))
  xml = await readFile(xmlFile, 'utf8')
  annotations = await readFile(annotationsFile, 'utf8')
})

afterAll(() => place.remove())

it('says which assumptions each interaction rests on', () => {
  const [study] = report.variations ?? []
  expect(study?.tried).toEqual(variableSlugs)
  const leaning = study?.interactions.map((each) => [each.description, each.rests_on])
  expect(leaning).toEqual([
    ['reads the plan', []],
    ['reads the status', ['subscription-fields', 'status-names', 'success-status']],
    ['hopes for a teapot', null],
  ])
})

it('shows that in a line for each interaction', () => {
  expect(output).toContain(`web.json under ${variableSlugs.length} variations
  reads the plan: holds under each
  reads the status: fails under subscription-fields, status-names, success-status
  hopes for a teapot: fails without a variation, too
`)
})

it('says which changes of its answers a pact does not notice', () => {
  const [study] = report.strength ?? []
  const [plans, statuses, teapot] = study?.interactions ?? []
  expect(plans?.strength).toMatchObject({ mutations: 38, noticed: 4, fields: 14 })
  expect(plans?.strength?.unasserted).toHaveLength(13)
  expect(statuses?.strength).toMatchObject({ mutations: 38, noticed: 7, fields: 14 })
  expect(statuses?.strength?.unasserted).not.toContain('status')
  expect(teapot?.strength).toBeNull()
  expect(study).toMatchObject({ mutations: 76, noticed: 11 })
})

it('says so in words', () => {
  expect(output).toMatch(/web\.json notices 11 of 76 changes of its answers \(14 %\)\n/)
  expect(output).toMatch(
    / reads the status: 7 of 38 noticed; asserts nothing about 12 of 14 fields \(subscription_id, /,
  )
  expect(output).toContain('hopes for a teapot: fails as it is, so that nothing was changed')
})

it('says both to those who read annotations or XML', () => {
  const under = `web.json under ${variableSlugs.length} variations\n  reads the plan: holds under each\n`
  const leaning =
    '  reads the status: fails under subscription-fields, status-names, success-status\n'
  const property = xml.match(/<property name="studies">(.*?)<\/property>/s)?.[1]
  const notices = annotations.split('\n').filter((line) => line.includes('title=Studies'))
  expect(notices).toHaveLength(1)
  expect(notices[0]).toMatch(/^::notice file=\S+web\.json,line=1,title=Studies::/)
  for (const text of [property, notices[0]?.replaceAll('%0A', '\n')]) {
    expect(text).toContain(under + leaning)
    expect(text).toContain('  hopes for a teapot: fails without a variation, too\n')
    expect(text).toContain('web.json notices 11 of 76 changes of its answers (14 %')
  }
})

it('says in a pipe how much there is to do, and leaves the verdict to the pact as it is', () => {
  const varying = progress.split('\n').filter((line) => line.includes('varying'))
  expect(varying).toEqual([`  varying 1 of ${variableSlugs.length}: ${variableSlugs[0]}`])
  expect(progress).toContain('changing answer 1 of 76')
  expect(code).toBe(1)
})

it('says in a terminal how far it is', async () => {
  const path = join(place.path, 'web.json')
  const { err } = await atTerminal(80, () => outcome(run(['verify', path, '--vary'])))
  expect(err.match(/^ {2}varying /gm)).toHaveLength(variableSlugs.length)
  expect(err).toContain(`varying ${variableSlugs.length} of ${variableSlugs.length}: `)
})

it('changes what a server answered, and asks its default sandbox nothing', async () => {
  const server = await serveHere()
  const eventsOf = async () => (await fetch(`${server.url}/sandbox/events`)).text()
  const before = await eventsOf()
  const path = join(place.path, 'web.json')
  const verifying = run(['verify', path, '--mutate', '--url', server.url, '--json'])
  expect(await verifying.ended).toBe(1)
  const { strength } = Report.parse(JSON.parse(verifying.output()))
  expect(strength).toMatchObject([{ mutations: 76, noticed: 11 }])
  expect(await eventsOf()).toBe(before)
  await server.stop()
})

it('varies a sandbox of its own and nobody else', async () => {
  const verifying = run(['verify', 'web.json', '--vary', '--url', 'http://127.0.0.1:1'])
  expect(await verifying.ended).toBe(2)
  expect(verifying.errors()).toContain('--vary needs a new sandbox')
})

it('tells what the pacts come to when the core dies within a study, and that it was not made', async () => {
  // So many that the core works on them for seconds.
  const many = Array.from({ length: 40 }, (_, n) => reads(`reads the plan ${n}`, { plan: 'pro' }))
  const sound = pactText(many, { metadata: { pactSpecification: { version: '4.0' } } })
  const path = await writePact(place.path, 'dies.json', sound)
  const written = join(place.path, 'dies.report.json')
  const verifying = run(['verify', path, '--mutate', '--reporter', `json=${written}`])
  const patience = { interval: 5 }
  await vi.waitUntil(() => verifying.errors().includes('changing answer 1 of'), patience)
  const { stdout } = await inShell('ps', ['-o', 'pid=,args=', '--ppid', `${process.pid}`])
  const [, pid] = /^\s*(\d+) .*verify-child\.js/m.exec(stdout) ?? []
  process.kill(Number(pid), 'SIGKILL')

  expect(await verifying.ended).toBe(3)
  const report = Report.parse(JSON.parse(await readFile(written, 'utf8')))
  expect(report.pacts.map(({ result }) => result)).toEqual(['passed'])
  expect(report.notes).toEqual([
    expect.stringContaining(`studies of ${path} were not finished: The Pact core ended without`),
  ])
  expect(report.strength).toEqual([])
})
