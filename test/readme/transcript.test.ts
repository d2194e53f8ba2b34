/** What README and the guides show is so: every command, snippet and file in a fence is run, or named here with the reason. */
import { execFile } from 'node:child_process'
import { readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { glob } from 'tinyglobby'
import { expect, it } from 'vitest'
import { v1Operations } from '../../src/surface/v1/operations.ts'
import { commandsOfYaml, exchangesIn, type Fence, fencesOf, fileOf } from '../support/fences.ts'
import { newcomerFolder, written } from '../support/newcomer.ts'
import { serve } from '../support/process.ts'
import { followed } from '../support/transcript.ts'

const run = promisify(execFile)

/** Commands that are not typed here, and why. */
const leftOut: Readonly<Record<string, string>> = {
  'npm ci && npm start': 'test/cli/serve.test.ts starts what it starts',
  'npm install --save-dev ../subscription-sandbox': 'test/package installs the package',
  [`npx subscription-sandbox doctor --data data                  # what is damaged, and what can be saved; writes nothing
npx subscription-sandbox doctor --data data --save-to saved  # writes what can be saved to a new folder
npx subscription-sandbox serve --data saved`]: 'test/cli/doctor.test.ts damages folders for it',
  'npx subscription-sandbox verify contracts/pacts/*.json --url https://service.example --states https://states.example/setup':
    'needs a service; test/cli/verify*.test.ts have one',
  [`npx subscription-sandbox verify pacts/ --vary     # a matrix of interactions and assumptions
npx subscription-sandbox verify pacts/ --mutate   # what goes unnoticed, interaction by interaction`]:
    'docs/guides/contracts.md runs both',
  [`docker build --tag subscription-sandbox .
docker run --rm --publish 127.0.0.1:4010:4010 --volume sandbox-data:/data subscription-sandbox`]:
    'needs Docker',
  [`npx subscription-sandbox verify pacts --url https://service.example --states https://states.example/setup
npx subscription-sandbox verify pacts --diff https://service.example   # where the two disagree`]:
    'needs a service; test/cli/verify*.test.ts have one',
  "NODE_OPTIONS=--experimental-vm-modules npx jest --testMatch '**/*.test.mjs'":
    'Jest is none of our packages; 30.5.2 passed',
  'npm ci': 'of a pipeline: installs from a registry',
}

/** Files that no command uses, and why. */
const unused: Readonly<Record<string, string>> = {
  'year.jest.test.mjs': 'Jest is none of our packages',
  'shop.ts': 'the tests beside it import it',
}

/** Pages that are followed beside the folder that they are in. */
const besideContracts = ['contracts/README.md']

/** Each guide is one of these, or has a test of its own that names it. */
const pages = [
  'README.md',
  'contracts/README.md',
  'docs/serving.md',
  'docs/control-plane.md',
  'docs/guides/ci.md',
  'docs/guides/contracts.md',
  'docs/guides/dashboard.md',
  'docs/guides/discounts-and-trials.md',
  'docs/guides/failing-payments.md',
  'docs/guides/faults-and-webhooks.md',
  'docs/guides/fidelity.md',
  'docs/guides/migrating-from-mocks.md',
  'docs/guides/parallel-tests.md',
  'docs/guides/six-operations.md',
  'docs/guides/time-travel.md',
  'docs/guides/tokens.md',
]

it.concurrent.each(pages)(
  'prints what %s says, for every command in it',
  async (page) => {
    const { printed, promised } = await playedAlone(page)
    expect(printed).toEqual(promised)
  },
  180_000,
)

it('notices a figure that is wrong by a cent', async () => {
  await using folder = await newcomerFolder()
  const page = await readFile('docs/guides/discounts-and-trials.md', 'utf8')
  const [truth = '', rest = ''] = page.split('## An upgrade')
  expect(rest).not.toBe('')
  await written(folder.path, 'planted.md', truth.replace('20.00 USD', '20.01 USD'))
  const { printed, promised } = await playedAlone(join(folder.path, 'planted.md'))
  expect(printed).not.toEqual(promised)
  expect(JSON.stringify(promised).replace('20.01', '20.00')).toBe(JSON.stringify(printed))
})

it.each(pages)('has no fence in %s that is neither run nor named here', async (page) => {
  const fences = await fencesIn(page)
  const marks = (await readFile(page, 'utf8')).match(/^\s*(```|~~~)/gm) ?? []
  expect(marks).toHaveLength(2 * fences.length)
  const typed = fences.flatMap(exchangesIn).map(({ command }) => command)
  const yaml = fences.filter(isYaml).flatMap(({ text }) => commandsOfYaml(text))
  const idle = fences.filter((fence) => !isUsed(fence, [...typed, ...yaml].join('\n')))
  expect(idle.map(({ language, line }) => `${page}:${line} ${language}`)).toEqual([])
})

it('runs the commands of pipelines that are shown', async () => {
  await using folder = await newcomerFolder()
  const scripts = { test: 'curl -sf "$SANDBOX_URL/health/ready"' }
  await written(
    folder.path,
    'package.json',
    JSON.stringify({ private: true, type: 'module', scripts }),
  )
  const shown = (await allFences()).filter(isYaml).flatMap(({ text }) => commandsOfYaml(text))
  const commands = shown.filter((command) => !(command in leftOut))
  expect(commands).toContain('npx subscription-sandbox exec -- npm test')
  for (const command of new Set(commands)) {
    const { url, stop } = await serve('--data', 'memory')
    await run('sh', ['-c', command], {
      cwd: folder.path,
      env: { ...process.env, SANDBOX_URL: url },
    })
    await stop()
  }
})

it('shows TypeScript that type-checks', async () => {
  await using folder = await newcomerFolder()
  for (const page of pages) {
    for (const file of (await fencesIn(page)).flatMap((fence) => fileOf(fence) ?? [])) {
      await written(folder.path, join(page.replaceAll('/', '-'), file.name), file.text)
    }
  }
  const files = await glob('*/**/*.ts', { cwd: folder.path, ignore: 'node_modules/**' })
  expect(files.length).toBeGreaterThan(3)
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--allowImportingTsExtensions']
  const module = ['--module', 'nodenext', '--target', 'es2024', '--types', 'node']
  const bin = ['node_modules/.bin/tsc', '--noEmit', '--skipLibCheck', ...strict, ...module]
  await run('sh', ['-c', `${bin.join(' ')} ${files.join(' ')}`], { cwd: folder.path }).catch(
    (error) => {
      expect.fail(error.stdout)
    },
  )
})

it('shows every documented operation to a newcomer', async () => {
  const commands = (await allFences()).flatMap(exchangesIn).map(({ command }) => command)
  for (const { path } of v1Operations) {
    const shown = new RegExp(path.replace(/\{\w+\}/g, String.raw`\w+`).concat(String.raw`(\s|$)`))
    expect(commands.some((command) => shown.test(command))).toBe(true)
  }
})

it('names as left out nothing that no page shows, and forgets no guide', async () => {
  const fences = await allFences()
  const commands = fences.flatMap(exchangesIn).map(({ command }) => command)
  const yaml = fences.filter(isYaml).flatMap(({ text }) => commandsOfYaml(text))
  expect(Object.keys(leftOut).filter((key) => ![...commands, ...yaml].includes(key))).toEqual([])
  const files = fences.flatMap((fence) => fileOf(fence)?.name ?? [])
  expect(Object.keys(unused).filter((name) => !files.includes(name))).toEqual([])
  const tests = await Promise.all(
    (await glob('test/**/*.test.ts')).map((path) => readFile(path, 'utf8')),
  )
  const guides = await glob('docs/guides/*.md')
  expect(guides.filter((guide) => !tests.some((text) => text.includes(guide)))).toEqual([])
})

/** Plays a page against a sandbox of its own. */
async function playedAlone(page: string) {
  const { url, stop } = await serve('--data', 'memory')
  await using newcomer = await newcomerFolder()
  const cwd = newcomer.path
  if (besideContracts.includes(page)) await symlink(resolve('contracts'), join(cwd, 'contracts'))
  const result = await followed(page, { url, cwd, leftOut: Object.keys(leftOut) })
  await stop()
  return result
}

async function fencesIn(page: string): Promise<Fence[]> {
  return fencesOf(await readFile(page, 'utf8'))
}

async function allFences(): Promise<Fence[]> {
  return (await Promise.all(pages.map(fencesIn))).flat()
}

function isYaml({ language }: Fence): boolean {
  return language === 'yaml'
}

/** Whether a fence is typed, is a file that some command names, or is the drawing. */
function isUsed(fence: Fence, commands: string): boolean {
  const file = fileOf(fence)
  if (fence.text.includes('+-----')) return true
  if (file === null) return ['console', 'sh'].includes(fence.language)
  if (isYaml(fence)) return commandsOfYaml(fence.text).length > 0
  const stem = file.name.replace(/^.*\//, '')
  return stem in unused || commands.includes(stem)
}
