import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import type { PactReport } from '../../../src/contracts/common/report-shape.ts'
import { run, serveHere } from '../../support/command-line.ts'
import { create, creates, pactText } from '../../support/pacts.ts'
import { run as runProcess } from '../../support/process.ts'
import { serveHttp } from '../../support/providers.ts'
import { verify as verified, verifyScene } from '../../support/verify.ts'

const json = { 'Content-Type': 'application/json' }
const key = { Authorization: 'Bearer sk_sandbox_default' }
const scene = verifyScene()
const { write } = scene

const verify = (...args: readonly string[]) => verified(args)

async function get(path: string): Promise<string> {
  return (await fetch(`${scene.url()}${path}`)).text()
}

const pause = {
  description: 'a pause of what is paused',
  providerStates: [
    { name: 'a subscription exists', params: { subscription_id: 'sub_mine', status: 'paused' } },
  ],
  request: { method: 'POST', path: '/v1/subscriptions/sub_mine/pause', headers: key },
  response: { status: 200 },
}
// Written by the pact's own syntax, not by the template of this file.
const generated = ['$', '{refresh_token}'].join('')
/** The token is made up by the state, and only the generators of the pact know of it. */
const refresh = {
  description: 'a refresh',
  providerStates: [{ name: 'a refresh token is fresh' }],
  request: {
    method: 'POST',
    path: '/v1/auth/refresh',
    headers: { ...json, Authorization: 'Bearer TOKEN' },
    body: { refresh_token: 'TOKEN' },
    generators: {
      header: { Authorization: { type: 'ProviderState', expression: `Bearer ${generated}` } },
      body: { '$.refresh_token': { type: 'ProviderState', expression: generated } },
    },
  },
  response: { status: 400 },
}

it('prints the answer of what failed, and a script that gets it again', async () => {
  const path = await write(pactText([pause, refresh]))
  const { code, interactions } = await verify(path, '--url', scene.url())
  expect(code).toBe(1)
  const [paused, refreshed] = interactions
  expect(paused?.answer?.status).toBe(409)
  expect(paused?.answer?.body).toContain('"invalid_transition"')
  expect(paused?.answer?.headers).toContainEqual(['Content-Type', 'application/json'])
  // The token that was answered, and the one that was sent, stay where they are.
  expect(refreshed?.answer?.body).toContain('"access_token":"[masked]"')
  expect(JSON.stringify(refreshed)).not.toMatch(/rt_[a-z0-9-]+_/)

  const before = await get('/sandbox/state')
  for (const [interaction, status] of [
    [paused, 409],
    [refreshed, 200],
  ] as const) {
    const { stdout } = await promisify(execFile)('bash', ['-c', interaction?.script ?? ''])
    expect(stdout).toContain(`HTTP/1.1 ${status} `)
  }
  expect(await get('/sandbox/state')).toBe(before)

  const [text, xml, github] = ['pretty', 'junit', 'github'].map(
    (name) => `${name}=${scene.folder()}/${name}`,
  )
  const told = run([
    'verify',
    path,
    '--url',
    scene.url(),
    ...[text, xml, github].flatMap((each) => ['--reporter', each ?? '']),
  ])
  expect(await told.ended).toBe(1)
  for (const name of ['pretty', 'junit', 'github']) {
    const written = readFileSync(`${scene.folder()}/${name}`, 'utf8')
    expect(written).toContain('HTTP 409')
    expect(written).toContain('invalid_transition')
    expect(written).toContain(`curl -s -X POST '${scene.url()}/sandbox/provider-states'`)
  }
})

it('uses a sandbox of its own on a server that runs, and none meets another', async () => {
  const own = { subscription_id: 'sub_000001' }
  const first = creates('the first', { status: 200, headers: json, body: own })
  const literal = {
    ...refresh,
    request: {
      ...refresh.request,
      generators: {},
      headers: { ...json, Authorization: 'Bearer rt_mine' },
      body: { refresh_token: 'rt_mine' },
    },
    providerStates: [{ name: 'a refresh token is fresh', params: { refresh_token: 'rt_mine' } }],
    response: { status: 200 },
  }
  const path = await write(pactText([first, literal]))
  const state = await get('/sandbox/state')
  const sandboxes = await get('/sandboxes')
  const atOnce = [1, 2].map(() => runProcess(['verify', path, '--url', scene.url()]))
  expect(await Promise.all(atOnce.map(({ ended }) => ended))).toEqual([0, 0])
  expect(await get('/sandbox/state')).toBe(state)
  expect(await get('/sandboxes')).toBe(sandboxes)
})

it('uses the sandbox that --sandbox names as it is', async () => {
  await fetch(`${scene.url()}/sandboxes/mine`, { method: 'PUT' })
  const path = await write(pactText([creates('the first', { status: 200 })]))
  const args = [path, '--url', scene.url(), '--states', 'none']
  expect((await verify(...args, '--sandbox', 'mine')).code).toBe(0)
  const list = await fetch(`${scene.url()}/sandbox/subscriptions`, {
    headers: { 'Sandbox-Id': 'mine' },
  })
  expect((await list.json()) as object).toMatchObject({ data: [{ subscription_id: 'sub_000001' }] })
  const base = `${scene.url()}/sandboxes/mine`
  const { report: addressed } = await verify(path, '--url', base)
  expect(addressed.provider).toEqual({ url: base, states: `${base}/provider-states` })
  expect(addressed).toMatchObject({ result: 'passed', notes: [] })
  const { code, report } = await verify(...args, '--sandbox', 'nobody')
  expect(code).toBe(3)
  expect(report.pacts[0]?.problems[0]?.message).toMatch(
    /was answered 404: sandbox_id "nobody" does not exist; sandboxes: [^{]*$/,
  )
})

it('says what the passes rest on, and fails them where only what is documented may count', async () => {
  const path = await write(pactText([creates('fits', { status: 200 })]))
  const { code, report, interactions } = await verify(path)
  expect(code).toBe(0)
  expect(interactions[0]?.assumptions).toContain('success-status')
  expect(report.assumptions).toContainEqual({ slug: 'success-status', interactions: 1 })
  const strict = await verify(path, '--strict-documented')
  expect(strict.code).toBe(1)
  expect(strict.interactions[0]?.findings[0]?.message).toContain('success-status')
  const told = run(['verify', path])
  expect(await told.ended).toBe(0)
  expect(told.output()).toMatch(/rests on .*success-status/)
  expect(told.output()).toMatch(/rest on these assumptions: .*success-status \(1\)/)
})

it('fails a pact that names the headers of the sandbox itself', async () => {
  const headers = { ...json, 'Sandbox-Version': '0.1.0' }
  const path = await write(pactText([creates('leans', { status: 200, headers })]))
  const { code, interactions } = await verify(path)
  expect(code).toBe(1)
  expect(interactions[0]?.mismatches).toEqual([])
  expect(interactions[0]?.findings[0]?.message).toContain("Sandbox-Version is the sandbox's own")
})

it('fails a pact that calls the control plane, which holds against a sandbox alone', async () => {
  const request = { method: 'GET', path: '/sandbox/clock' }
  const path = await write(pactText([creates('looks', { status: 200 }, { request })]))
  const { code, interactions } = await verify(path)
  expect(code).toBe(1)
  expect(interactions[0]?.mismatches).toEqual([])
  const messages = interactions[0]?.findings.map(({ message }) => message)
  expect(messages).toContainEqual(expect.stringContaining("/sandbox/clock is the sandbox's own"))
})

it('warns of a generator whose value no state answered', async () => {
  const generators = { body: { $: { type: 'ProviderState', expression: 'nobody' } } }
  const path = await write(
    pactText([creates('one', { status: 200 }, { request: { ...create, generators } })]),
  )
  const { interactions } = await verify(path)
  const messages = interactions[0]?.findings.map(({ message }) => message)
  expect(messages).toContainEqual(expect.stringContaining('asks for nobody, which no state'))
})

it('leaves the verdict to the core, and only warns of what the document says', async () => {
  const body = { status: 'LIVE' }
  const matchingRules = { body: { '$.status': { matchers: [{ match: 'type' }] } } }
  const path = await write(
    pactText([
      creates('by type', { status: 200, headers: json, body, matchingRules }),
      creates('by value', { status: 201, headers: json }),
    ]),
  )
  const service = await serveHttp((_, outgoing) => {
    outgoing.writeHead(201, json).end('{"status":"live"}')
  })
  const own = await verify(path)
  expect(own.interactions.map(({ result, findings }) => [result, findings.length])).toEqual([
    ['passed', 0],
    ['failed', 1],
  ])
  const { interactions } = await verify(path, '--url', service.url)
  service.close()
  expect(interactions[1]).toMatchObject({ result: 'passed', findings: [{ severity: 'warning' }] })
})

it('says what the core does not: regexes, dropped connections, redirects', async () => {
  const service = await serveHttp((incoming, outgoing) => {
    if (incoming.url === '/drop') incoming.socket.destroy()
    else if (incoming.url === '/old') outgoing.writeHead(302, { Location: '/new' }).end()
    else if (incoming.url === '/same') outgoing.writeHead(304).end()
    else outgoing.writeHead(200, json).end('{"id":"sub_1234","access_token":"at_1234"}')
  })
  const asks = (path: string, response: object, headers = {}) => {
    return { description: path, request: { method: 'GET', path, headers }, response }
  }
  const rule = (regex: string) => ({ matchers: [{ match: 'regex', regex }] })
  const matchingRules = {
    header: { 'Content-Type': rule('json$') },
    body: { '$.id': rule('sub_'), '$.access_token': rule('^at_') },
  }
  const body = { id: 'sub_', access_token: 'at_' }
  const path = await write(
    pactText([
      asks('/drop', { status: 200 }),
      asks('/old', { status: 302 }, { Referer: 'http://localhost' }),
      asks('/same', { status: 304 }),
      asks('/regex', { status: 200, headers: json, body, matchingRules }),
    ]),
  )
  const { interactions } = await verify(path, '--url', service.url, '--states', 'none')
  service.close()
  const hints = interactions.map(({ hints: [first] }) => first)
  expect(hints[0]).toContain('got no answer, and that is no timeout: socket hang up')
  expect(hints[1]).toContain('answered 302, and the core followed the redirect')
  // Whose answer leads nowhere, no request follows.
  expect(interactions[2]).toMatchObject({ result: 'passed', answer: { status: 304 }, hints: [] })
  expect(interactions[3]?.hints.map((hint) => hint.split('; write ')[1])).toEqual([
    "'.*json$' to find it there.",
    "'^at_.*' to find it there.",
    "'.*sub_.*' to find it there.",
  ])
  expect(JSON.stringify(interactions)).not.toContain('at_1234')
  expect(interactions[0]?.mismatches[0]?.message).toContain(`${service.url}/drop`)
})

it('verifies what --provider and --filter mean, and says what it skips', async () => {
  const other = await write(
    pactText([creates('one', {})], { provider: { name: 'weather' } }),
    'a.json',
  )
  const messages = [{ description: 'an event', contents: {} }]
  const path = await write(
    pactText([creates('one', { status: 404 }), creates('two', { status: 200 })], { messages }),
    'b.json',
  )
  const { code, report } = await verify(other, path, '--filter', 'Two')
  expect(code).toBe(0)
  expect(report.pacts.map(({ result }: PactReport) => result)).toEqual(['skipped', 'passed'])
  expect(report.pacts[0]?.problems[0]?.message).toBe(
    `Its provider is "weather"; the option provider selects that one, '*' any.`,
  )
  expect(report.notes).toEqual([`${path}: the option filter leaves 2 of 3 interactions out.`])
  expect((await verify(path, '--filter', 'ONE')).report.totals).toMatchObject({
    failed: 1,
    passed: 0,
  })
  expect((await verify(other)).code).toBe(2)
  expect((await verify(other, '--provider', 'weather')).code).toBe(0)
})

it('reports the others where one address is dead', async () => {
  const path = await write(pactText([creates('one', { status: 200 }, { request: create })]))
  const { code, report } = await verify('http://127.0.0.1:9/pact.json', path)
  expect(code).toBe(3)
  expect(report.pacts.map(({ result }: PactReport) => result)).toEqual(['unverified', 'passed'])
  const compared = await verify(path, '--diff', 'http://127.0.0.1:9')
  expect(compared.code).toBe(3)
  expect(compared.report.pacts[0]?.result).toBe('passed')
  expect(compared.report.notes.join()).toContain('--diff compared nothing: http://127.0.0.1:9')
})

it('sends the control token to the control plane alone, and does not repeat it', async () => {
  const token = 'ct-of-a-server'
  const environment = { SANDBOX_CONTROL_TOKEN: token }
  const guarded = await serveHere({ controlToken: token })
  const path = await write(pactText([pause]))
  const refused = run(['verify', path, '--url', guarded.url])
  expect(await refused.ended).toBe(3)
  expect(refused.errors()).toContain('asks for its control token')

  const { interactions } = await verify(path, '--url', guarded.url, '--control-token', token)
  expect(interactions[0]?.answer?.status).toBe(409)
  expect(JSON.stringify(interactions)).not.toContain(token)
  const script = interactions[0]?.script ?? ''
  const env = { ...process.env, ...environment }
  const { stdout } = await promisify(execFile)('bash', ['-c', script], { env })
  expect(stdout).toContain('HTTP/1.1 409 ')
  const base = `${guarded.url}/sandboxes/default`
  const { interactions: atBase } = await verify(path, '--url', base, '--control-token', token)
  expect(atBase[0]?.answer?.status).toBe(409)
  expect(JSON.stringify(atBase)).not.toContain(token)
  await guarded.stop()
})
