import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { glob } from 'tinyglobby'
import { expect, it } from 'vitest'
import { layerDiagram, statusDiagram } from '../scripts/diagrams.ts'
import { assumedRows } from '../scripts/fidelity-rows.ts'
import { assumptions } from '../src/assumptions/register.ts'
import { providerStatesFile } from '../src/http/control/provider-states.ts'
import { alone, outside, outsideAlone } from '../vitest.config.ts'
import {
  budgetProblems,
  cycleProblems,
  type Files,
  filesLeadingTo,
  layeringProblems,
  leftoverProblems,
  linkProblems,
  purityProblems,
  roomProblems,
  sizeProblems,
} from './support/repository.ts'

const LINES_MAX = 300

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((path) => existsSync(path))

const sources = read(/^src\/.*\.tsx?$/)
const everything = read(/^(src(?!\/generated)|test|bench|scripts)\/.*\.(tsx?|m?js|css)$/)
const pages = read(/\.md$/)

it('has no import that goes upward', () => {
  expect(sources.size).toBeGreaterThan(50)
  expect(layeringProblems(sources)).toEqual([])
})

it.each([
  ['src/billing/money.ts', "import { World } from '../sandbox/world.ts'"],
  ['src/billing/money.ts', "import { readFileSync } from 'node:fs'"],
  ['src/assumptions/register.ts', "import { Plan } from '../billing/catalog.ts'"],
  ['src/tokens/family.ts', "import { Plan } from '../billing/catalog.ts'"],
  ['src/time/instant.ts', "import { setting } from '../assumptions/entry.ts'"],
  ['src/tokens/family.ts', "import { Hono } from 'hono'"],
  ['src/sandbox/world.ts', "import type { Route } from '../surface/operation.ts'"],
  ['src/store/store.ts', "import { audit } from '../billing/audit.ts'"],
  ['src/server/app.ts', "import { serve } from '../cli/serve.ts'"],
])('finds the upward import planted in %s: %s', (path, line) => {
  expect(layeringProblems(new Map([[path, line]]))).toHaveLength(1)
})

it('has no import cycle', () => {
  expect(cycleProblems(sources)).toEqual([])
})

it('finds a planted import cycle, a type-only one too', () => {
  const planted = new Map([
    ['src/billing/a.ts', "import { b } from './b.ts'"],
    ['src/billing/b.ts', "import type { A } from './a.ts'"],
  ])
  expect(cycleProblems(planted)).toEqual([
    'src/billing/a.ts -> src/billing/b.ts -> src/billing/a.ts',
  ])
})

it('has no two folders that import each other', () => {
  expect(roomProblems(sources)).toEqual([])
  const planted = new Map([
    ['src/http/control/a.ts', "import { b } from '../contracts/b.ts'"],
    ['src/http/contracts/c.ts', "import { d } from '../control/d.ts'"],
  ])
  expect(roomProblems(planted)).toHaveLength(1)
})

it('has no folder with more lines than ARCHITECTURE.md gives it', () => {
  const page = readFileSync('ARCHITECTURE.md', 'utf8')
  const written = [...everything].filter(([path]) => path.startsWith('src/'))
  expect(budgetProblems(new Map(written), page)).toEqual([])
  const planted = new Map([...written, ['src/tokens/more.ts', '\n'.repeat(1000)]])
  expect(budgetProblems(planted, page)).toHaveLength(1)
})

it('keeps clocks, randomness and the process out of the pure folders', () => {
  expect(purityProblems(sources)).toEqual([])
})

it.each(['const now = Date.now()', 'const now = new Date()', 'Math.random()', 'console.log(1)'])(
  'finds the impurity planted in billing: %s',
  (line) => {
    expect(purityProblems(new Map([['src/billing/money.ts', line]]))).toHaveLength(1)
  },
)

it('has no file longer than 300 lines', () => {
  expect(sizeProblems(everything, LINES_MAX)).toEqual([])
  expect(sizeProblems(new Map([['src/a.ts', '\n'.repeat(LINES_MAX + 1)]]), LINES_MAX)).toHaveLength(
    1,
  )
})

it('leaves nothing over', () => {
  expect(leftoverProblems(everything)).toEqual([])
  const planted = new Map([['test/a.test.ts', `it.${'only'}('', () => {}) // ${'TO'}${'DO'}`]])
  expect(leftoverProblems(planted)).toHaveLength(1)
})

it('has no link in its pages that leads nowhere', () => {
  expect(linkProblems(pages, existsSync)).toEqual([])
  const gone = '# Here\n[gone](docs/gone.md) [here](#here) [gone](#there) [gone](README.md#there)'
  expect(linkProblems(new Map([['README.md', gone]]), existsSync)).toHaveLength(3)
})

it('says of every assumption in docs/fidelity.md which documented row leaves it open', () => {
  const [documented = ''] = readFileSync('docs/fidelity.md', 'utf8').split('## Assumed')
  const linked = [...documented.matchAll(/\(#([a-z-]+)\)/g)].map(([, slug]) => slug)
  expect(linked.sort()).toEqual(assumptions.map((entry) => entry.slug).sort())
})

it('publishes contracts/provider-states.json as the catalogue has it', () => {
  expect(readFileSync('contracts/provider-states.json', 'utf8')).toBe(providerStatesFile())
})

it.each([
  ['docs/rules.md', statusDiagram()],
  ['ARCHITECTURE.md', layerDiagram()],
])('draws the diagram of %s from the code', (path, diagram) => {
  expect(readFileSync(path, 'utf8')).toContain(diagram)
})

it('publishes docs/fidelity.md as the register has it', () => {
  const page = readFileSync('docs/fidelity.md', 'utf8')
  expect(page.slice(page.indexOf('| <a id='))).toBe(assumedRows())
})

function read(pattern: RegExp): Files {
  const paths = tracked.filter((path) => pattern.test(path))
  return new Map(paths.map((path) => [path, readFileSync(path, 'utf8')]))
}

it('has each test that replaces a module or a call of the system run in a process of its own', () => {
  const replaces = /^vi\.mock\(|^ *vi\.spyOn\(|^import .*(syncBuiltinESMExports|withFaults)/m
  const replacing = [...everything].filter(([path, text]) => {
    return path.endsWith('.test.ts') && replaces.test(text)
  })
  expect(replacing).not.toEqual([])
  expect(alone).toEqual(expect.arrayContaining(replacing.map(([path]) => path)))
})

/** One of each kind of process is started by `npm test`. */
const SMOKE_TEST = 'test/processes.test.ts'

it('has no test that starts programs or a browser among those of `npm test`, but for one of each kind', async () => {
  const starting = ['test/support/process.ts', 'test/support/browser.ts']
  const tests = filesLeadingTo(starting, everything).filter((path) => path.endsWith('.test.ts'))
  expect(tests).toContain(SMOKE_TEST)
  const listed = new Set(await glob([...outside, ...outsideAlone, SMOKE_TEST]))
  expect(tests.filter((path) => !listed.has(path))).toEqual([])
})

it('finds a planted test that starts a program by what it imports', () => {
  const planted = new Map([
    ['test/a.test.ts', "import { shop } from './support/shop.ts'"],
    ['test/support/shop.ts', "import { run } from './process.ts'"],
  ])
  expect(filesLeadingTo(['test/support/process.ts'], planted)).toContain('test/a.test.ts')
})
