import { readFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'
import { run, runProgram, type Served, serve, served } from '../support/process.ts'
import { plantBreak } from './support/breaks.ts'
import { assumedPacts, documentedPacts } from './support/published.ts'
import { verifyFromBroker } from './support/verification.ts'

let sandbox: Served
beforeEach(async () => {
  sandbox = await serve('--data', 'memory')
})
afterEach(() => sandbox.stop())

const broker = () => `${sandbox.url}/sandbox/broker`

/** Publishes a file as its consumer would; answers how many interactions it holds. */
async function publish(file: string): Promise<number> {
  const text = await readFile(file, 'utf8')
  const { consumer, provider, interactions } = JSON.parse(text)
  const path = `/pacts/provider/${provider.name}/consumer/${consumer.name}/version/1`
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch(broker() + path, { method: 'PUT', headers, body: text })
  expect(response.status).toBe(201)
  return interactions.length
}

async function results(): Promise<{ consumer: string; results: { success: boolean }[] }[]> {
  const response = await fetch(`${broker()}/pacts`)
  return ((await response.json()) as { data: Awaited<ReturnType<typeof results>> }).data
}

it('hands every published pact to a stock verifier, and keeps what it found', async () => {
  const files = [...documentedPacts, ...assumedPacts]
  let interactions = 0
  for (const file of files) interactions += await publish(file)
  const outcome = await verifyFromBroker(sandbox.url, broker())
  expect(outcome.errors).toEqual([])
  expect(outcome).toMatchObject({ isVerified: true, interactions })
  const kept = await results()
  expect(kept).toHaveLength(files.length)
  for (const each of kept) {
    expect(each.results).toMatchObject([
      { success: true, provider_version: '1.0.0', verified_by: expect.stringContaining('Pact') },
    ])
  }
})

it.each(['', '/'])(
  'keeps the results of a stock verifier that names a branch and tags, from the address %j',
  async (slash) => {
    await publish(documentedPacts[1] ?? '')
    await verifyFromBroker(sandbox.url, broker() + slash)
    expect((await results())[0]?.results).toMatchObject([{ provider_version: '1.0.0' }])
    const version = await fetch(`${broker()}/pacticipants/subscription-service/versions/1.0.0`)
    expect(await version.json()).toMatchObject({
      _embedded: { branchVersions: [{ name: 'main' }], tags: [{ name: 'prod' }] },
    })
  },
)

it('has a stock verifier name the interaction that is broken, and keeps that it failed', async () => {
  const [source = ''] = documentedPacts
  const folder = await temporaryFolder()
  const { file, broken } = await plantBreak(source, folder.path)
  await publish(file)
  const { isVerified, failed } = await verifyFromBroker(sandbox.url, broker())
  expect({ isVerified, failed }).toEqual({ isVerified: false, failed: [broken] })
  expect((await results())[0]?.results).toMatchObject([{ success: false }])
  await folder.remove()
})

it('lets a stock verifier in that has the control token, and none without it', async () => {
  const token = 'ct-of-the-verifier'
  const starting = run(['serve', '--port', '0', '--data', 'memory'], {
    SANDBOX_CONTROL_TOKEN: token,
  })
  const guarded = await served(starting)
  const at = `${guarded.url}/sandbox/broker`
  const file = await readFile(documentedPacts[1] ?? '', 'utf8')
  const { consumer, provider } = JSON.parse(file)
  const path = `/pacts/provider/${provider.name}/consumer/${consumer.name}/version/1`
  const headers = { 'Content-Type': 'application/json', 'Sandbox-Control-Token': token }
  expect((await fetch(at + path, { method: 'PUT', headers, body: file })).status).toBe(201)

  const outcome = await verifyFromBroker(guarded.url, at, token)
  expect(outcome).toMatchObject({ isVerified: true, errors: [] })
  expect(outcome.interactions).toBeGreaterThan(0)
  const refused = await verifyFromBroker(guarded.url, at)
  expect(refused.isVerified).toBe(false)
  expect(JSON.stringify(refused.errors)).toContain('401 Unauthorized')
  await guarded.stop()
  expect(guarded.output() + guarded.errors()).not.toContain(token)
})

it('tells the Verifier of pact-js why each form fails, and passes what is JSON', async () => {
  const quiet = { PACT_DO_NOT_TRACK: 'true', NO_PROXY: '127.0.0.1', no_proxy: '127.0.0.1' }
  const verify = async (consumer: string) => {
    const pact = `contracts/pacts/${consumer}-subscription-service.json`
    const program = 'test/contract/support/pact-js-verifier.mjs'
    const verifying = runProgram([process.execPath, program, sandbox.url, pact], quiet)
    const code = await verifying.ended
    return { code, printed: stripVTControlCharacters(verifying.output() + verifying.errors()) }
  }
  const json = await verify('reference-json-client')
  expect(json.code, json.printed).toBe(0)
  const form = await verify('reference-form-client')
  expect(form.code).toBe(1)
  const { interactions } = JSON.parse(await readFile(documentedPacts[0] ?? '', 'utf8'))
  const withForm = interactions.filter((each: { request: { body?: unknown } }) => each.request.body)
  const named = form.printed.match(/The Verifier of pact-js makes JSON of a form/g)
  expect(named).toHaveLength(withForm.length)
  expect(form.printed).toContain(`There were ${withForm.length} pact failures`)
  expect(sandbox.errors()).toContain('use verifyProvider of subscription-sandbox/pact')
})
