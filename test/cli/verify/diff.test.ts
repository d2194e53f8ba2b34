import { expect, it } from 'vitest'
import { run } from '../../support/command-line.ts'
import { creates, lineOf, pactText } from '../../support/pacts.ts'
import { serveChanged, serveHttp } from '../../support/providers.ts'
import { verify, verifyScene } from '../../support/verify.ts'

const json = { 'Content-Type': 'application/json' }
const text = pactText([
  creates('any status', { status: 200 }),
  creates('an active one', { status: 200, headers: json, body: { status: 'active' } }),
  creates('one that both refuse', { status: 404 }),
])
const scene = verifyScene()

const diff = (path: string, base: string) => verify([path, '--diff', base])

it('lists where the sandbox and another provider disagree', async () => {
  const changed = await serveChanged(scene.url(), (body) => body.replace('"active"', '"live"'))
  const path = await scene.write(text)
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
  const path = await scene.write(passing)
  const { code, report } = await diff(path, scene.url())
  expect(report.differences).toEqual([])
  expect(code).toBe(0)
  const told = run(['verify', path, '--diff', scene.url()])
  expect(await told.ended).toBe(0)
  expect(told.output()).toContain('agree in every field of every answer')
})

it('says what is added and what is left out, and claims no more than it knows', async () => {
  const changed = await serveChanged(scene.url(), (body) =>
    body.replace('"trial_end"', '"trial_ends"'),
  )
  const path = await scene.write(pactText([creates('one', { status: 200 })]))
  const { report } = await diff(path, changed.url)
  changed.close()
  expect(report.differences?.[0]?.fields.map(({ at, change }) => [at, change])).toEqual([
    ['$.trial_end', 'removed'],
    ['$.trial_ends', 'added'],
  ])
  const unknown = creates('one', { status: 200 }, { providerStates: [{ name: 'nobody knows' }] })
  await scene.write(pactText([unknown]))
  const told = run(['verify', path, '--diff', scene.url()])
  await told.ended
  expect(told.output()).toContain('agree on all that these pacts assert')
})

it('claims nothing of a pact for which the other server has no sandbox', async () => {
  const full = await serveHttp(({ method, url }, outgoing) => {
    const isMade = method === 'POST' && url === '/sandboxes'
    const body = isMade ? { detail: 'It is full.' } : { sandbox_id: 'default', api_key: 'sk_key' }
    outgoing.writeHead(isMade ? 409 : 200, json).end(JSON.stringify(body))
  })
  const path = await scene.write(pactText([creates('any status', { status: 200 })]))
  const { code, report } = await diff(path, full.url)
  expect(code).toBe(3)
  expect(report).toMatchObject({ result: 'passed', differences: [], compared: null })
  const why = `POST ${full.url}/sandboxes was answered 409: It is full.`
  expect(report.notes).toEqual([`--diff compared nothing of ${path}: ${why}`])
  const told = run(['verify', path, '--diff', full.url])
  expect(await told.ended).toBe(3)
  expect(told.output()).not.toContain('agree')
  full.close()
})
