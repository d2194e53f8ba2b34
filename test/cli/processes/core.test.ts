/** The process of the Pact core, which ends with the command that started it. */
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { Report } from '../../../src/contracts/common/report-shape.ts'
import { temporaryFolder } from '../../support/folders.ts'
import { creates, pactText, writePact } from '../../support/pacts.ts'
import { run } from '../../support/process.ts'
import { serveHttp, serveRaw } from '../../support/providers.ts'

it.each(['SIGINT', 'SIGKILL'] as const)('takes the core along when it ends of %s', async (name) => {
  const silent = await serveRaw(null)
  const place = await temporaryFolder()
  const pact = pactText([creates('one', { status: 200 })])
  const path = await writePact(place.path, 'web.json', pact)
  // What a command leaves behind that is killed goes with the folder of the test.
  const verifying = run(['verify', path, '--url', silent.url], { TMPDIR: place.path })
  await vi.waitUntil(() => silent.received().includes('POST /v1/subscriptions'))
  const [connection] = silent.sockets
  if (connection === undefined) throw new Error('The core is not connected')
  const gone = once(connection, 'close')
  verifying.child.kill(name)
  expect(await verifying.ended).toBeNull()
  expect(verifying.child.signalCode).toBe(name)
  await gone
  silent.close()
  await place.remove()
})

it('reports what it has when it is stopped', async () => {
  let asked = 0
  const slow = await serveHttp((incoming, outgoing) => {
    if (incoming.url === '/v1/subscriptions') asked += 1
    const isHeld = incoming.url === '/v1/subscriptions' && asked > 1
    if (!isHeld) outgoing.writeHead(incoming.method === 'POST' ? 200 : 404).end()
  })
  const place = await temporaryFolder()
  const pact = pactText([creates('one', { status: 200 })])
  const paths = [
    await writePact(place.path, 'a.json', pact),
    await writePact(place.path, 'b.json', pact),
  ]
  const verifying = run(['verify', ...paths, '--json', '--url', slow.url, '--states', 'none'])
  await vi.waitUntil(() => asked > 1)
  verifying.child.kill('SIGINT')
  await verifying.ended
  expect(verifying.child.signalCode).toBe('SIGINT')
  const { pacts } = Report.parse(JSON.parse(verifying.output()))
  expect(pacts.map(({ result }) => result)).toEqual(['passed', 'unverified'])
  expect(pacts[1]?.problems[0]?.message).toBe('The run was stopped before that.')
  slow.close()
  await place.remove()
})
