/** What pages and comments say of the repository is so: paths, modules and rules that they name are there. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { pathProblems, ruleProblems } from './support/pages.ts'

const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'])
  .toString()
  .split('\n')
  .filter((path) => existsSync(path))
const modules = read(/^(src|test|bench|scripts)\/.*\.(ts|mjs)$/)
const pages = read(/\.md$/)
const rules = readFileSync('docs/rules.md', 'utf8')

it('names no path or module that does not exist', () => {
  expect(pages.size).toBeGreaterThan(10)
  expect(pathProblems(new Map([...pages, ...modules]), paths)).toEqual([])
})

it.each([
  ['docs/glossary.md', 'as in `src/sandbox/gone.ts`'],
  ['src/billing/settle.ts', '/** Kept in gone.ts. */'],
  ['src/billing/settle.ts', '  // Decided by test/gone.'],
  ['src/billing/settle.ts', ' * Does not decide when (see settle and gone).'],
])('finds the missing path planted in %s: %s', (path, line) => {
  expect(pathProblems(new Map([[path, line]]), paths)).toHaveLength(1)
})

it('cites no rule that docs/rules.md does not have', () => {
  expect(ruleProblems(modules, rules)).toEqual([])
})

it.each(['7.99', '12'])('finds a citation of rule %s, which does not exist', (rule) => {
  const title = new Map([['test/a.test.ts', `it('${rule}: takes 20 percent', () => {})`]])
  const comment = new Map([['src/a.ts', `/** Settles one item. (Rules 4.2 and ${rule}) */`]])
  expect(ruleProblems(title, rules)).toHaveLength(1)
  expect(ruleProblems(comment, rules)).toHaveLength(1)
})

function read(pattern: RegExp): Map<string, string> {
  const chosen = paths.filter((path) => pattern.test(path))
  return new Map(chosen.map((path) => [path, readFileSync(path, 'utf8')]))
}
