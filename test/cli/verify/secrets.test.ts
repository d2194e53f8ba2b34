import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { run, serveHere } from '../../support/command-line.ts'
import { creates, pactText } from '../../support/pacts.ts'
import { serveHttp } from '../../support/providers.ts'
import { verify, verifyScene } from '../../support/verify.ts'

const json = { 'Content-Type': 'application/json' }
const scene = verifyScene()

/** Every secret of the provider below. */
const secret = /hunter\d/

/** JSON within JSON, so many times. */
const nested = (times: number, secret: string): string =>
  JSON.stringify(times === 0 ? { access_token: secret } : { data: nested(times - 1, secret) })

const answered = {
  whole: nested(2, 'hunter1'),
  sentence: `It said ${nested(1, 'hunter2"hunter2')}.`,
  address: '/callback?next=%2Fhome%3Frefresh_token%3Dhunter3',
  escaped: 'It said {"\\u0061ccess_token":"hunter4"}.',
  cookie: 'Set-Cookie: sid=hunter5; Path=/',
  tokens: { hunter6: [6] },
}

/** Answers state changes with a token of another name, and all else with secrets in every place. */
async function serveSecrets() {
  const served = await serveHttp((incoming, outgoing) => {
    incoming.resume()
    if (incoming.url === '/states') {
      outgoing.writeHead(200, { 'Content-Type': 'application/json' })
      outgoing.end('{"session_token":"hunter7"}')
      return
    }
    outgoing.writeHead(200, {
      'Content-Type': 'application/json',
      'Set-Cookie': 'sid=hunter8',
      Link: '</next?access_token=hunter9>',
    })
    outgoing.end(JSON.stringify(answered))
  })
  onTestFinished(served.close)
  return served.url
}

it('shows no secret of an answer in any report, however it is escaped', async () => {
  const url = await serveSecrets()
  const expression = ['Bearer $', '{session_token}'].join('')
  const path = await scene.write(
    pactText([
      {
        description: 'a request with the token of a state',
        providerStates: [{ name: 'somebody is logged in' }],
        request: {
          method: 'GET',
          path: '/v1/subscriptions',
          headers: { Authorization: 'Bearer TOKEN' },
          generators: { header: { Authorization: { type: 'ProviderState', expression } } },
        },
        response: {
          status: 200,
          headers: { 'Set-Cookie': 'sid=mine', Link: '</next>' },
          body: Object.fromEntries(Object.keys(answered).map((name) => [name, 'mine'])),
        },
      },
    ]),
  )
  const names = ['pretty', 'junit', 'github', 'json']
  const files = names.map((name) => `${name}=${scene.folder()}/${name}`)
  const told = ['--url', url, '--states', `${url}/states`]
  const running = run(['verify', path, ...told, ...files.flatMap((each) => ['--reporter', each])])
  expect(await running.ended).toBe(1)
  const reports = names.map((name) => readFileSync(`${scene.folder()}/${name}`, 'utf8'))
  for (const report of [...reports, running.output(), running.errors()]) {
    expect(report).not.toMatch(secret)
  }
  const { interactions } = await verify([path, ...told])
  const places = interactions.flatMap(({ mismatches }) => mismatches.map(({ at }) => at))
  expect(places).toEqual([
    'Link',
    'Set-Cookie',
    ...Object.keys(answered)
      .sort()
      .map((at) => `$.${at}`),
  ])
  expect(interactions[0]?.script).toContain('"$SESSION_TOKEN"')
})

it('sends the control token to the server that it is for, and nowhere else', async () => {
  const received: object[] = []
  const other = await serveHttp(({ headers }, outgoing) => {
    received.push(headers)
    outgoing.writeHead(200, json).end('{}')
  })
  const service = await serveHttp(({ url = '' }, outgoing) => {
    const isControl = url.startsWith('/sandbox')
    outgoing.writeHead(isControl ? 302 : 200, isControl ? { Location: other.url } : json).end('{}')
  })
  const path = await scene.write(pactText([creates('one', { status: 200 })]))
  const asked = [path, '--url', service.url, '--control-token', 'ct-of-the-server']
  expect((await verify([...asked, '--states', `${other.url}/states`])).code).toBe(0)
  expect(received.length).toBeGreaterThan(0)
  expect(JSON.stringify(received)).not.toContain('ct-of-the-server')
  const named = run(['verify', ...asked, '--sandbox', 'mine'])
  expect(await named.ended).toBe(3)
  expect(named.errors()).toContain('has no sandboxes for the option sandbox to name')
  other.close()
  service.close()
})

it('sends the control token of a server of sandboxes to no other address of states', async () => {
  const received: object[] = []
  const other = await serveHttp(({ headers }, outgoing) => {
    received.push(headers)
    outgoing.writeHead(200, json).end('{}')
  })
  const guarded = await serveHere({ controlToken: 'ct-of-the-server' })
  const own = { providerStates: [{ name: 'a customer exists' }] }
  const path = await scene.write(pactText([creates('one', { status: 418 }, own)]))
  const asked = [path, '--url', guarded.url, '--control-token', 'ct-of-the-server', '--states']
  const { interactions } = await verify([...asked, `${other.url}/states`])
  expect(received).toContainEqual(expect.objectContaining({ 'sandbox-id': expect.any(String) }))
  expect(JSON.stringify(received)).not.toContain('ct-of-the-server')
  expect(interactions[0]?.script).toContain(`POST '${other.url}/states'`)
  expect(interactions[0]?.script?.match(/SANDBOX_CONTROL_TOKEN/g)).toHaveLength(1)
  // To its own states it is sent, although they are named.
  const named = await verify([...asked, `${guarded.url}/sandbox/provider-states`])
  expect(named.interactions[0]?.states[0]?.answers).toMatchObject([{ status: 200 }])
  await guarded.stop()
  other.close()
})
