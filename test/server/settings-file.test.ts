/** A file of settings: what every new sandbox begins with, however the sandbox is started. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { startSandbox } from '../../src/index.ts'
import { start } from '../../src/server/start.ts'
import { startOrConnect } from '../../src/test-server.ts'
import { outcome, run } from '../support/command-line.ts'

let folder = ''
let file = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settings-'))
  file = join(folder, 'sandbox.yaml')
  await writeFile(
    file,
    '# what the service does\naccess_token_lifetime: 900 # shown\nvary:\n  - success-status\n',
  )
})
afterAll(() => rm(folder, { recursive: true }))

const chosen = { access_token_lifetime: 900, vary: ['success-status'] }

it('gives every new sandbox of the library the settings of a file, and an order goes before it', async () => {
  await using sandbox = await startSandbox({ settings: file })
  expect(await sandbox.settings.get()).toMatchObject(chosen)
  await using other = await sandbox.create({ settings: { access_token_lifetime: 60 } })
  expect(await other.settings.get()).toMatchObject({ ...chosen, access_token_lifetime: 60 })
  await other.settings.change({ access_token_lifetime: 61, vary: [] })
  await using fork = await other.fork()
  expect(await fork.settings.get()).toMatchObject({ access_token_lifetime: 61, vary: [] })
})

it('keeps them when a sandbox begins again, from its own fixture or another one', async () => {
  const { registry, answer, url, close } = await start({ settingsFile: file })
  const reset = async (body: object) => {
    const init = {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'Content-Type': 'application/json' },
    }
    const { status } = await answer(new Request(`${url}/sandbox/reset`, init))
    expect(status).toBe(200)
    return registry.default.settings
  }
  expect(await reset({})).toMatchObject({ accessTokenLifetime: 900, vary: ['success-status'] })
  expect(await reset({ fixture: 'dunning' })).toMatchObject({ accessTokenLifetime: 900 })
  await close()
})

it('says that a stored sandbox does not have them, while new ones do', async () => {
  const data = join(folder, 'data')
  await (await startSandbox({ data })).close()
  const lines: string[] = []
  await using stored = await startSandbox({ data, settings: file, log: (line) => lines.push(line) })
  await using other = await stored.create()
  expect((await stored.settings.get()).access_token_lifetime).toBe(3600)
  expect((await other.settings.get()).access_token_lifetime).toBe(900)
  expect(lines).toEqual([
    expect.stringMatching(/^Except by new sandboxes, the settings are not used: /),
  ])
})

it.each([
  ['exec --settings', ['--settings', 'sandbox.yaml'], {}],
  ['SANDBOX_SETTINGS', [], { SANDBOX_SETTINGS: 'sandbox.yaml' }],
])('is what %s names', async (_, options, environment) => {
  const program = [
    'node',
    '-e',
    `fetch(process.env.SANDBOX_URL + '/sandbox/settings').then((r) => r.json()).then((s) => process.exit(s.access_token_lifetime === 900 && s.vary[0] === 'success-status' ? 7 : 1))`,
  ]
  const { code, err } = await outcome(
    run(['exec', ...options, '--', ...program], environment, folder),
  )
  expect(code, err).toBe(7)
})

it.each([
  ['vary: [nothing]\n', 'wrong.yaml:1: vary[0] must be one of'],
  [
    '\naccess_token_lifetime: soon\n',
    'wrong.yaml:2: access_token_lifetime must be an integer from 1 to',
  ],
  ['a_setting: 1\n', 'wrong.yaml:1: a_setting is not a known field'],
  ['a: [\n', 'wrong.yaml:'],
])('refuses a file with %j, naming line and rule', async (text, message) => {
  await writeFile(join(folder, 'wrong.yaml'), text)
  const { code, err } = await outcome(
    run(['exec', '--settings', 'wrong.yaml', '--', 'true'], {}, folder),
  )
  expect([code, err]).toEqual([2, expect.stringContaining(message)])
})

it('says that a server that runs ignores them, unless exec has read them', async () => {
  await using server = await startSandbox()
  vi.stubEnv('SANDBOX_URL', server.url)
  vi.stubEnv('SANDBOX_SETTINGS', file)
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  await (await startOrConnect()).close()
  vi.stubEnv('SANDBOX_API_KEY', server.apiKey)
  await (await startOrConnect()).close()
  const warning = 'Warning: SANDBOX_SETTINGS is for a new server; that of SANDBOX_URL ignores it.\n'
  expect(written.mock.calls).toEqual([[warning]])
  written.mockRestore()
  vi.unstubAllEnvs()
})

it.each([
  ['127.0.0.1:4010', 'SANDBOX_URL: url must be an address such as '],
  [
    'http://127.0.0.1:1',
    'SANDBOX_URL: No sandbox answers at http://127.0.0.1:1 (bad port); start one',
  ],
])('names the variable where tests cannot use the server at %s', async (url, message) => {
  vi.stubEnv('SANDBOX_URL', url)
  await expect(startOrConnect()).rejects.toThrow(message)
  vi.unstubAllEnvs()
})

it('says that there is no such file', async () => {
  await expect(startSandbox({ settings: join(folder, 'none.yaml') })).rejects.toThrow(
    /^settings .*none\.yaml: there is no such file\.$/,
  )
})
