/** What pages and comments say of the repository is so: paths, modules and rules that they name are there. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { Status } from '../src/billing/status.ts'
import { EventType } from '../src/world/event.ts'
import { pathProblems, ruleProblems } from './support/pages.ts'

const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((path) => existsSync(path))
const modules = read(/^(src|test|bench|scripts)\/.*\.(tsx?|mjs)$/)
const pages = read(/\.md$/)
const rules = readFileSync('docs/rules.md', 'utf8')

it('names no path or module that does not exist', () => {
  expect(pages.size).toBeGreaterThan(10)
  expect(pathProblems(new Map([...pages, ...modules]), paths)).toEqual([])
})

it.each([
  ['docs/glossary.md', 'as in `src/sandbox/gone.ts`'],
  ['src/billing/settle.ts', '/** Kept in gone.ts. */'],
  ['src/billing/README.md', 'started by `../cli/gone.ts`'],
  ['src/billing/settle.ts', '  // Decided by test/gone.'],
  ['src/billing/settle.ts', ' * Does not decide when (see settle and gone).'],
])('finds the missing path planted in %s: %s', (path, line) => {
  expect(pathProblems(new Map([[path, line]]), paths)).toHaveLength(1)
})

it('cites no rule that docs/rules.md does not have', () => {
  expect(ruleProblems(new Map([...pages, ...modules]), rules)).toEqual([])
})

it.each([
  ['a title', `it('7${'.'}99: takes 20 percent', () => {})`],
  ['a comment', `/** Settles one item. (Rules 4.2 and 7${'.'}99) */`],
  ['a page', `a coupon is a promise (2.8, 7${'.'}99)`],
])('finds a missing rule that %s cites', (_, text) => {
  expect(ruleProblems(new Map([['docs/glossary.md', text]]), rules)).toHaveLength(1)
})

it('has every status, event and folder in its glossary', () => {
  const glossary = readFileSync('docs/glossary.md', 'utf8')
  const terms = [...glossary.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, term = '']) =>
    term.split(', '),
  )
  const folders = [...modules.keys()].flatMap((path) => /^src\/(\w+)\//.exec(path)?.[1] ?? [])
  expect(terms).toEqual(
    expect.arrayContaining([...Status.options, ...EventType.options, ...folders]),
  )
})

it('says of every package once why it is there', () => {
  const table = readFileSync('docs/decisions/0001-dependencies.md', 'utf8')
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
  const named = [...table.matchAll(/^\| ([@a-z][^|]*) \|/gm)].flatMap(([, names = '']) =>
    names === 'package' ? [] : names.split(', '),
  )
  expect(named.sort()).toEqual(Object.keys({ ...dependencies, ...devDependencies }).sort())
})

function read(pattern: RegExp): Map<string, string> {
  const chosen = paths.filter((path) => pattern.test(path))
  return new Map(chosen.map((path) => [path, readFileSync(path, 'utf8')]))
}
