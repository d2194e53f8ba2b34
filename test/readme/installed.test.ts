/** What a newcomer types with npm is typed: in a copy of this project, and in a project that installs it. */
import { cp, mkdir } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commandIn, filesIn } from '../support/fences.ts'
import { written } from '../support/newcomer.ts'
import { runProgram, served, temporaryFolder } from '../support/process.ts'

/** Installing takes its time, the more so where nothing of it was installed before. */
const PATIENCE_MS = 400_000

/** What a clone does not have. */
const made = ['.git', 'node_modules', 'test/generators/node_modules', 'dist', 'data']

let place: Awaited<ReturnType<typeof temporaryFolder>>
/** The project, as cloned, and one beside it whose tests use it. */
let project: string
let shop: string

beforeAll(async () => {
  place = await temporaryFolder()
  project = join(place.path, 'subscription-sandbox')
  shop = join(place.path, 'shop')
  await cp('.', project, { recursive: true, filter: (path) => !made.includes(relative('.', path)) })
  await mkdir(shop)
  const scripts = { test: 'curl -sf "$SANDBOX_URL/health/ready"' }
  await written(shop, 'package.json', JSON.stringify({ private: true, type: 'module', scripts }))
})

afterAll(() => place.remove())

it('starts in a clone, by the first command of README', { timeout: PATIENCE_MS }, async () => {
  const command = await commandIn('README.md', 'npm ci')
  // The shell makes room for the last one, which then is what is asked to stop.
  const program = ['sh', '-c', command.replace('&& npm start', '&& exec npm start')] as const
  const sandbox = await served(runProgram(program, { SANDBOX_PORT: '0' }, project), PATIENCE_MS)
  const answer = await fetch(`${sandbox.url}/sandbox/plans`)
  expect(await answer.json()).toMatchObject({ data: expect.arrayContaining([expect.anything()]) })
  await sandbox.stop()
  await expect(fetch(sandbox.url)).rejects.toThrow()
})

it('is installed beside the tests of README, which pass', { timeout: PATIENCE_MS }, async () => {
  await typedIn(shop, await commandIn('README.md', 'npm install'))
  await typedIn(shop, 'npm install --save-dev vitest')
  await shownIn('README.md')
  expect(await typedIn(shop, await commandIn('README.md', 'npx vitest'))).toContain('1 passed')
})

it(
  'is installed and used by a pipeline, as the guide writes it',
  async () => {
    const pipeline = ['npm ci', 'npx subscription-sandbox exec -- npm test']
    for (const start of pipeline) {
      await typedIn(shop, await commandIn('docs/guides/ci.md', start))
    }
  },
  PATIENCE_MS,
)

it('is tested with by Jest', { timeout: PATIENCE_MS }, async () => {
  await shownIn('docs/guides/parallel-tests.md')
  // Jest gives a test five seconds, which a busy machine may take to start.
  await written(shop, 'jest.config.json', JSON.stringify({ testTimeout: 150_000 }))
  const output = await typedIn(
    shop,
    await commandIn('docs/guides/parallel-tests.md', 'npm install'),
  )
  expect(output).toMatch(/Tests: +1 passed, 1 total/)
})

/** Writes the files that a page shows. */
async function shownIn(page: string): Promise<void> {
  for (const { name, text } of await filesIn(page)) await written(shop, name, text)
}

/** Types a command, which has to succeed; answers what it prints. */
async function typedIn(folder: string, command: string): Promise<string> {
  const quiet = { npm_config_audit: 'false', npm_config_fund: 'false', NO_COLOR: '1' }
  const outer = { VITEST: undefined, NODE_ENV: undefined }
  const typed = runProgram(['bash', '-euc', command], { ...quiet, ...outer }, folder)
  const code = await typed.ended
  const printed = typed.output() + typed.errors()
  expect(code, `${command}: ${printed}`).toBe(0)
  return printed
}
