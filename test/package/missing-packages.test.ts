/** The package where the optional packages for pacts are not installed, as after `npm install` of it alone. */
import { cp, mkdir, readFile, realpath, symlink } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'
import { runProgram, type Served, served } from '../support/process.ts'

const { dependencies } = JSON.parse(await readFile('package.json', 'utf8'))
const pact = await readFile(
  'contracts/pacts/reference-form-client-subscription-service.json',
  'utf8',
)
const missing =
  'The package @pactflow/openapi-pact-comparator is missing. To check and verify pacts, add: npm install --save-dev @pact-foundation/pact-core@19 @pactflow/openapi-pact-comparator@1'

let place: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served

beforeAll(async () => {
  place = await temporaryFolder()
  const modules = join(place.path, 'node_modules')
  await mkdir(modules)
  for (const name of Object.keys(dependencies)) {
    await symlink(resolve('node_modules', name), join(modules, name))
  }
  const own = join(modules, 'subscription-sandbox')
  const build = basename(await realpath('dist/current'))
  // Builds of other sources may be beside that of these.
  const filter = (path: string) =>
    basename(path) === build || !/^(?:build-.*|current)$/.test(basename(path))
  for (const part of ['package.json', 'dist', 'openapi.yaml', 'fixtures', 'contracts/pacts']) {
    await cp(part, join(own, part), { recursive: true, filter })
  }
  const command = [process.execPath, join(own, 'dist/cli/main.js'), 'serve'] as const
  server = await served(runProgram([...command, '--port', '0', '--data', 'memory']))
})

afterAll(async () => {
  await server.stop()
  await place.remove()
})

const asked = (path: string, body: string) =>
  fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body,
  })

it.each(['', '?live=true'])('says which packages a check of a pact takes: %s', async (query) => {
  const answer = await asked(`/sandbox/contracts/check${query}`, pact)
  expect(answer.status).toBe(503)
  expect(await answer.json()).toMatchObject({ code: 'unavailable', detail: missing })
})

it('says so of a pact that is published, which is checked too', async () => {
  const contract = {
    consumerName: 'reference-form-client',
    providerName: 'subscription-service',
    specification: 'pact',
    contentType: 'application/json',
    content: Buffer.from(pact).toString('base64'),
  }
  const order = {
    pacticipantName: 'reference-form-client',
    pacticipantVersionNumber: '1',
    contracts: [contract],
  }
  const answer = await asked('/sandbox/broker/contracts/publish', JSON.stringify(order))
  expect(answer.status).toBe(503)
  expect(await answer.text()).toContain(missing)
})
