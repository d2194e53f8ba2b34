/** The process of the Pact core, which ends with the command that started it. */
import { once } from 'node:events'
import { expect, it, vi } from 'vitest'
import { temporaryFolder } from '../../support/folders.ts'
import { creates, pactText, writePact } from '../../support/pacts.ts'
import { run } from '../../support/process.ts'
import { serveRaw } from '../../support/providers.ts'

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
