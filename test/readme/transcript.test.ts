/** What README and the guides show is so: every command, snippet and file in a fence is run, or named here with the reason. */
import { execFile } from 'node:child_process'
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { glob } from 'tinyglobby'
import { expect, it } from 'vitest'
import { v1Operations } from '../../src/operations/v1.ts'
import {
  commandsOf,
  commandsOfYaml,
  exchangesIn,
  type Fence,
  fencesOf,
  fileOf,
} from '../support/fences.ts'
import { newcomerFolder, written } from '../support/newcomer.ts'
import { serve } from '../support/process.ts'
import { followed } from '../support/transcript.ts'

const run = promisify(execFile)

/** Commands that are typed by another test, and which: it gets them from their page by `commandIn`. */
const typedBy: Readonly<Record<string, string>> = {
  'npm install --save-dev': 'test/package/installed.test.ts',
  'npm ci': 'test/package/installed.test.ts',
  'npx subscription-sandbox doctor': 'test/readme/serving.test.ts',
  'npx subscription-sandbox verify --selector': 'test/readme/pact-broker.test.ts',
  'npx subscription-sandbox learn --from': 'test/cli/processes/learn.test.ts',
  'docker build': 'test/deploy/docker.test.ts',
}

/** Files that no command uses, and why. */
const unused: Readonly<Record<string, string>> = {
  'year.jest.test.cjs': 'test/package/installed.test.ts has Jest find it',
  'shop.ts': 'the tests beside it import it',
  'test_fixed_key.py': 'test/python/client.test.ts has pytest find it',
  'VerifyWebTest.java': 'it needs pact-jvm, from Maven Central',
  'verify_web.py': 'it needs pact-python, from PyPI',
  'verify_web_test.go': 'it needs pact-go, from the proxy of Go modules',
}

const SMALLEST = 'reference-json-client-subscription-service.json'

/** Each guide is one of these, or has a test of its own that names it. */
const pages = [
  'README.md',
  'contracts/README.md',
  'docs/serving.md',
  'docs/control-plane.md',
  'docs/guides/billing-questions.md',
  'docs/guides/ci.md',
  'docs/guides/contracts.md',
  'docs/guides/dashboard.md',
  'docs/guides/discounts-and-trials.md',
  'docs/guides/failing-payments.md',
  'docs/guides/failures.md',
  'docs/guides/faults-and-webhooks.md',
  'docs/guides/fidelity.md',
  'docs/guides/learn.md',
  'docs/guides/migrating-from-mocks.md',
  'docs/guides/parallel-tests.md',
  'docs/guides/random-histories.md',
  'docs/guides/robustness.md',
  'docs/guides/six-operations.md',
  'docs/guides/time-travel.md',
  'docs/guides/tokens.md',
]

it.concurrent.each(pages)('prints what %s says, for every command in it', async (page) => {
  const { printed, promised } = await playedAlone(page)
  expect(printed).toEqual(promised)
})

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
  const idle = fences.filter((fence) => !isUsed(fence, commandsOf(fences).join('\n')))
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
  const commands = shown.filter((command) => typedElsewhere(command) === undefined)
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

it('shows no verifier that reports to the makers of Pact', async () => {
  const fences = await allFences()
  const verifiers = fences.filter(({ text }) =>
    /Verifier\(|verifyPacts|verifyInteraction/.test(text),
  )
  expect(verifiers.map(({ language }) => language).sort()).toEqual(['go', 'java', 'js', 'python'])
  for (const { text } of verifiers) expect(text).toMatch(/pact_do_not_track\W{1,6}true/i)
})

it('shows every documented operation to a newcomer', async () => {
  const commands = (await allFences()).flatMap(exchangesIn).map(({ command }) => command)
  for (const { path } of v1Operations) {
    const shown = new RegExp(path.replace(/\{\w+\}/g, String.raw`\w+`).concat(String.raw`(\s|$)`))
    expect(commands.some((command) => shown.test(command))).toBe(true)
  }
})

it('leaves out only what another test types, and forgets no guide', async () => {
  const fences = await allFences()
  const commands = commandsOf(fences)
  for (const command of commands) {
    const test = typedElsewhere(command)
    if (test === undefined) continue
    const asked = [
      ...(await readFile(test, 'utf8')).matchAll(/commandIn\(\s*'\S+', '(.+?)',?\s*\)/g),
    ]
    expect(
      asked.some(([, start = '']) => command.startsWith(start)),
      command,
    ).toBe(true)
  }
  const starts = Object.keys(typedBy)
  expect(starts.filter((start) => !commands.some((each) => each.startsWith(start)))).toEqual([])
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
  if (page === 'contracts/README.md') {
    await symlink(resolve('contracts'), join(cwd, 'contracts'))
    // A reader's own.
    await mkdir(join(cwd, 'pacts'))
    await copyFile(`contracts/pacts/${SMALLEST}`, join(cwd, 'pacts', SMALLEST))
  }
  const isLeftOut = (command: string) => typedElsewhere(command) !== undefined
  const result = await followed(page, { url, cwd, isLeftOut })
  await stop()
  return result
}

/** The test that types a command instead. */
function typedElsewhere(command: string): string | undefined {
  return Object.entries(typedBy).find(([start]) => command.startsWith(start))?.[1]
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
  const stem = file.name.replace(/^.*\//, '')
  if (stem in unused || commands.includes(stem)) return true
  return isYaml(fence) && commandsOfYaml(fence.text).length > 0
}
