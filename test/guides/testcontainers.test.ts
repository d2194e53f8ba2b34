/**
 * The recipes for Testcontainers compile with the versions that the guide names, pass against a sandbox that runs, and leave
 * nothing in it; where a toolchain or a package is not there, the test says so.
 */
import { spawnSync } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram, type Served, serve } from '../support/process.ts'

/** The first run downloads what the recipes are compiled with. */
const PATIENCE_MS = 400_000

type Command = readonly [string, ...string[]]

interface Recipe {
  readonly language: string
  /** Where the program of the guide is put. */
  readonly file: string
  readonly needs: readonly Command[]
  /** Copied beside it, from this folder. */
  readonly beside: string | null
  /** What downloads. */
  readonly prepare: readonly Command[]
  readonly run: Command
}

const guide = await readFile('docs/guides/testcontainers.md', 'utf8')
const goModule = /go get (\S+@v[\d.]+)/.exec(guide)?.[1] ?? ''

const recipes: readonly Recipe[] = [
  {
    language: 'go',
    file: 'sandbox_test.go',
    needs: [['go', 'version']],
    beside: null,
    prepare: [
      ['go', 'mod', 'init', 'shop'],
      ['go', 'get', '-t', goModule],
      ['go', 'mod', 'tidy'],
    ],
    run: ['go', 'test', '-v', '-vet=off', '-gcflags=all=-N -l', '-ldflags=-s -w', './...'],
  },
  {
    language: 'java',
    file: 'src/test/java/TrialTest.java',
    needs: [
      ['java', '-version'],
      ['mvn', '-version'],
    ],
    beside: 'test/guides/testcontainers/pom.xml',
    prepare: [['mvn', '-q', '-B', 'dependency:resolve']],
    run: ['mvn', '-B', 'test'],
  },
]

/** How the tools say that nothing can be downloaded. */
const offline =
  /dial tcp|no such host|proxyconnect|unknown host|could not transfer|timed? ?out|connection refused/i

let sandbox: Served

beforeAll(async () => {
  sandbox = await serve('--data', 'memory')
})
afterAll(() => sandbox.stop())

it.for(recipes)(
  'has a recipe in $language that passes',
  { timeout: PATIENCE_MS },
  async ({ language, file, needs, beside, prepare, run }, { skip }) => {
    const missing = needs.find(([program, ...args]) => spawnSync(program, args).status !== 0)
    if (missing !== undefined) return skip(`not run: the machine has no ${missing[0]}`)
    const folder = await mkdtemp(join(tmpdir(), 'testcontainers-'))
    try {
      await mkdir(dirname(join(folder, file)), { recursive: true })
      await writeFile(join(folder, file), programOf(language))
      if (beside !== null) await cp(beside, join(folder, 'pom.xml'))
      for (const command of prepare) {
        const { code, errors } = await ended(command, folder)
        if (code !== 0 && offline.test(errors))
          return skip(`not run: ${command.join(' ')}: ${errors}`)
        expect(code, errors).toBe(0)
      }
      const { code, output, errors } = await ended(run, folder, { SANDBOX_URL: sandbox.url })
      expect(code, `${output}${errors}`).toBe(0)
      expect(output).toMatch(/--- PASS: TestATrialBecomesPaid|Tests run: 1, Failures: 0, Errors: 0/)
      const left = await fetch(`${sandbox.url}/sandboxes`)
      expect(await left.json()).toMatchObject({ data: [{ sandbox_id: 'default' }] })
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)

it('compiles Java with the version that the guide names', async () => {
  const [, version = ''] = /org\.testcontainers:testcontainers:([\d.]+)/.exec(guide) ?? []
  const pom = await readFile('test/guides/testcontainers/pom.xml', 'utf8')
  expect(pom).toContain(
    `<artifactId>testcontainers</artifactId>\n      <version>${version}</version>`,
  )
})

/** The program that the guide shows in a language. */
function programOf(language: string): string {
  const [, program = ''] = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(guide) ?? []
  return program
}

async function ended(command: Command, folder: string, environment: NodeJS.ProcessEnv = {}) {
  const running = runProgram(command, environment, folder)
  const code = await running.ended
  const errors = `${running.errors()}${code === 0 ? '' : running.output()}`
  return { code, output: running.output(), errors: errors.trim() }
}
