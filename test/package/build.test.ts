import {
  cp,
  mkdir,
  readdir,
  readFile,
  readlink,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'
import { runProgram, type Served, served } from '../support/process.ts'

/** What a build needs of the project, and what it made. */
const parts = ['contracts', 'dist', 'fixtures', 'llms.txt', 'openapi.yaml', 'package-lock.json']
const sources = ['package.json', 'scripts', 'src']

const PACT = 'contracts/pacts/reference-form-client-subscription-service.json'

/** Two builds at once keep a small machine busy. */
const PATIENCE_MS = 300_000

let place: Awaited<ReturnType<typeof temporaryFolder>>
let server: Served
/** The build that the copy begins with. */
let first: string

const dist = (path: string) => join(place.path, 'dist', path)
const builds = async () =>
  (await readdir(dist(''))).filter((name) => /^(?:build|unfinished)-/.test(name))

async function built(): Promise<string> {
  const run = runProgram([process.execPath, 'scripts/build.mjs'], {}, place.path)
  expect(await run.ended, run.errors()).toBe(0)
  return readlink(dist('current'))
}

/** Answers of the server that was started from the first build. */
async function answerOf(path: string, init?: RequestInit): Promise<string> {
  const answer = await fetch(`${server.url}${path}`, init)
  const text = await answer.text()
  expect(answer.status, `${path}: ${text}`).toBe(200)
  return text
}

beforeAll(async () => {
  place = await temporaryFolder()
  const newest = await readlink('dist/current')
  const configurations = (await readdir('.')).filter((name) => /^tsconfig.*json$/.test(name))
  for (const part of [...parts, ...sources, ...configurations]) {
    const filter = (path: string) => !/^dist\/\w+-/.test(path) || path.startsWith(`dist/${newest}`)
    await cp(part, join(place.path, part), { recursive: true, verbatimSymlinks: true, filter })
  }
  await symlink(join(process.cwd(), 'node_modules'), join(place.path, 'node_modules'))
  first = await built()
  const command = [process.execPath, 'dist/cli/main.js', 'serve', '--port', '0'] as const
  server = await served(runProgram(command, {}, place.path))
}, PATIENCE_MS)

afterAll(async () => {
  await server.stop()
  await place.remove()
})

it('makes no build again of what it is built from', async () => {
  await writeFile(dist(`${first}/untouched`), '')
  expect(await built()).toBe(first)
  expect(await readdir(dist(first))).toContain('untouched')
})

it('leaves a running server what it started with, whatever is built meanwhile', {
  timeout: PATIENCE_MS,
}, async () => {
  const path = join(place.path, 'src/version.ts')
  await writeFile(
    path,
    `${await readFile(path, 'utf8')}\nObject.assign(globalThis, { changed: 1 })\n`,
  )
  // One that nobody has run for long.
  await mkdir(dist('build-old'))
  await writeFile(dist('build-old/.npmignore'), '*')
  await utimes(dist('build-old/.npmignore'), 0, 0)

  const [one, other] = await Promise.all([built(), built()])

  expect(other).toBe(one)
  expect(one).not.toBe(first)
  expect((await builds()).sort()).toEqual([one, first].sort())
  expect(await answerOf('/sandbox')).toContain('"sandbox_id":"default"')
  expect(await answerOf('/docs')).toContain('swagger-ui')
  expect(await answerOf('/docs/swagger-ui.css')).toContain('.swagger-ui')
  expect(await answerOf('/dashboard/-/dashboard.css')).toContain('{')
  expect(await answerOf('/dashboard/default/clock')).toContain('<html')
  expect(await answerOf('/sandbox/openapi.json')).toContain('"openapi"')
  const headers = { 'Content-Type': 'application/json' }
  const pact = { method: 'POST', headers, body: await readFile(PACT, 'utf8') }
  expect(await answerOf('/sandbox/contracts/check', pact)).toContain('"ok":true')
  expect(await answerOf('/sandbox/contracts/check?live', pact)).toContain('"verification":{')
})

it('packs the newest build alone, whole', async () => {
  const command = ['npm', 'pack', '--dry-run', '--json', '--ignore-scripts'] as const
  const run = runProgram(command, {}, place.path)
  expect(await run.ended, run.errors()).toBe(0)
  const packed = JSON.parse(run.output())[0].files.map((file: { path: string }) => file.path)
  const newest = await readlink(dist('current'))
  const folders = packed.flatMap((path: string) => /^dist\/(build-\w+)/.exec(path)?.[1] ?? [])
  expect([...new Set(folders)]).toEqual([newest])
  expect(packed).toEqual(
    expect.arrayContaining(
      ['cli/main.js', 'index.js', 'index.d.ts', 'licences.txt'].map((name) => `dist/${name}`),
    ),
  )
  expect(await readFile(dist('licences.txt'), 'utf8')).toBe(
    await readFile('dist/licences.txt', 'utf8'),
  )
  const whole = await readdir(dist(first), { recursive: true })
  const expected = whole.filter((name) => !/chunks|untouched|\.npmignore/.test(name)).sort()
  const found = await readdir(dist(newest), { recursive: true })
  expect(found.filter((name) => !name.includes('chunks')).sort()).toEqual(expected)
})
