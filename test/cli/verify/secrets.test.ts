import { readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { run } from '../../support/command-line.ts'
import { pactText } from '../../support/pacts.ts'
import { serveHttp } from '../../support/providers.ts'
import { verify, verifyScene } from '../../support/verify.ts'

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
