/** The wheel of the Python client, as pip builds and installs it: it does what its tests and examples say. */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { filesIn } from '../support/fences.ts'
import { commandLine, serve } from '../support/process.ts'
import { exchangesOf } from '../support/transcript.ts'
import { pythonEnvironment, runIn } from './python.ts'

/** The first run has pip install what it needs. */
const PATIENCE_MS = 300_000

const client = resolve('clients/python')
const startingOne = `${commandLine.map((part) => resolve(part)).join(' ')} serve --port 0 --data memory`
let folder: string
let python: Awaited<ReturnType<typeof pythonEnvironment>>

/** Builds the wheel, installs it, and puts the tests and the examples where no source of it is. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'python-client-'))
  python = await pythonEnvironment()
  if ('missing' in python) return
  const pip = [python.bin, '-m', 'pip', '--disable-pip-version-check', '--quiet'] as const
  const alone = ['--no-deps', '--no-index'] as const
  await runIn(folder, [...pip, 'wheel', ...alone, '--no-build-isolation', '-w', 'dist', client])
  const [wheel = ''] = await readdir(join(folder, 'dist'))
  await runIn(folder, [...pip, 'install', ...alone, '--force-reinstall', `dist/${wheel}`])
  for (const part of ['tests', 'examples']) {
    await cp(join(client, part), join(folder, part), { recursive: true })
  }
}, PATIENCE_MS)

afterAll(() => rm(folder, { recursive: true, force: true }))

it('builds a wheel that holds the package, its types and nothing else', async ({ skip }) => {
  if ('missing' in python) return skip(`not run: ${python.missing}`)
  const [wheel = ''] = await readdir(join(folder, 'dist'))
  expect(wheel).toBe(`subscription_sandbox-${VERSION}-py3-none-any.whl`)
  const list = 'import sys, zipfile; print("\\n".join(zipfile.ZipFile(sys.argv[1]).namelist()))'
  const names = (await runIn(folder, [python.bin, '-c', list, `dist/${wheel}`])).trim().split('\n')
  const sources = (await readdir(`${client}/src/subscription_sandbox`)).filter((name) =>
    /\.(py|typed)$/.test(name),
  )
  const info = `subscription_sandbox-${VERSION}.dist-info`
  const about = ['METADATA', 'RECORD', 'WHEEL', 'entry_points.txt', 'licenses/LICENSE']
  expect(names.sort()).toEqual(
    [
      ...sources.map((name) => `subscription_sandbox/${name}`),
      ...about.map((name) => `${info}/${name}`),
    ].sort(),
  )
  const read = 'from importlib.metadata import requires; print(requires("subscription-sandbox"))'
  expect(await runIn(folder, [python.bin, '-c', read])).toBe('None\n')
})

it('keeps its types strictly, and so do programs that use it', async ({ skip }) => {
  if ('missing' in python) return skip(`not run: ${python.missing}`)
  // One cache for all, because the types of Python's own library take most of the time.
  const cache = ['--cache-dir', join(folder, '.mypy')] as const
  const mypy = [python.bin, '-m', 'mypy', '--strict', ...cache] as const
  await runIn(folder, [...mypy, '-p', 'subscription_sandbox'])
  await runIn(join(folder, 'examples'), [...mypy, '.', '../tests'])
  const wrong = 'import subscription_sandbox as s; s.connect().plans.create(amount="1")'
  await expect(runIn(folder, [...mypy, '-c', wrong])).rejects.toThrow(/Missing.*"plan|"amount"/)
  const untold = 'import subscription_sandbox as s; s.connect().events.list()[0]["detail"]["days"]'
  await expect(runIn(folder, [...mypy, '-c', untold])).rejects.toThrow(/has no key "days"/)
})

it('passes its tests with a server of its own', { timeout: PATIENCE_MS }, async ({ skip }) => {
  if ('missing' in python) return skip(`not run: ${python.missing}`)
  const environment = { SANDBOX_COMMAND: startingOne }
  const pytest = [python.bin, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'tests'] as const
  expect(await runIn(folder, pytest, environment)).toMatch(/^\d+ passed/m)
})

it('passes its example in parallel, on a server that runs', async ({ skip }) => {
  if ('missing' in python) return skip(`not run: ${python.missing}`)
  const sandbox = await serve('--data', 'memory', '--control-token', 'of-the-team')
  try {
    const environment = { SANDBOX_URL: sandbox.url, SANDBOX_CONTROL_TOKEN: 'of-the-team' }
    const pytest = [python.bin, '-m', 'pytest', '-q', '-p', 'no:cacheprovider'] as const
    const printed = await runIn(folder, [...pytest, '-n', '3', 'examples'], environment)
    expect(printed).toMatch(/^5 passed/m)
    const headers = { 'Sandbox-Control-Token': 'of-the-team' }
    const left = await fetch(`${sandbox.url}/sandboxes`, { headers })
    const { data } = (await left.json()) as { data: { sandbox_id: string }[] }
    expect(data.map((each) => each.sandbox_id)).toEqual(['default'])
  } finally {
    await sandbox.stop()
  }
})

it('has its example recorded as a pact, in parallel', async ({ skip }) => {
  if ('missing' in python) return skip(`not run: ${python.missing}`)
  const [node, main] = commandLine
  const ours = [node, resolve(main)] as const
  const pytest = [python.bin, '-m', 'pytest', '-q', '-p', 'no:cacheprovider', '-n', '3', 'examples']
  const record = [...ours, 'record', '--consumer', 'my-shop', '--', ...pytest] as const
  const told = await runIn(folder, record)
  expect(told).toMatch(/^pacts\/my-shop-subscription-service\.json: 4 interactions from 8 calls/m)
  expect(told).toContain('4 interactions of 1 pact verified: 4 passed, 0 failed, 0 pending')
  const studied = await runIn(folder, [...ours, 'verify', 'pacts', '--vary'])
  expect(studied).toMatch(/under \d+ variations: every interaction holds under each/)
})

it('prints what its guide says, and what its page shows passes', async ({ skip }) => {
  if ('missing' in python) return skip(`not run: ${python.missing}`)
  const guide = await readFile('docs/guides/python.md', 'utf8')
  const page = await readFile(`${client}/README.md`, 'utf8')
  const snippets = [
    ...blocksOf(guide).map((code) => [/^# (\S+)/.exec(code)?.[1] ?? '', code] as const),
    ...blocksOf(page).map((code) => ['test_page.py', code] as const),
    ...[
      ...(await filesIn('docs/guides/parallel-tests.md')),
      ...(await filesIn('docs/guides/your-own-fixture.md')),
    ]
      .filter(({ name }) => ['test_fixed_key.py', 'test_late.py'].includes(name))
      .map(({ name, text }) => [name, text] as const),
  ]
  for (const [name, code] of snippets) await writeFile(join(folder, name), code)
  await symlink(resolve('clients'), join(folder, 'clients'))
  const environment = {
    SANDBOX_COMMAND: startingOne,
    PATH: `${dirname(python.bin)}${delimiter}${process.env['PATH']}`,
    // What a first install downloads is there.
    PIP_NO_INDEX: '1',
    PIP_NO_BUILD_ISOLATION: '0',
  }
  for (const { command, output } of exchangesOf(guide)) {
    const printed = await runIn(folder, ['bash', '-euo', 'pipefail', '-c', command], environment)
    if (!command.startsWith('pip ')) expect(printed.trim(), command).toBe(output)
  }
  const [node, main] = commandLine
  await runIn(folder, [node, resolve(main), 'init'])
  const files = ['test_page.py', 'test_fixed_key.py', 'test_late.py']
  const pytest = [python.bin, '-m', 'pytest', '-q', ...files] as const
  expect(await runIn(folder, pytest, environment)).toMatch(/^3 passed/m)
})

/** The programs in Python that a page shows. */
function blocksOf(page: string): string[] {
  return [...page.matchAll(/```python\n([\s\S]*?)```/g)].map(([, code = '']) => code)
}
