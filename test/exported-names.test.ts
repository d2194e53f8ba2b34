/** One name, one meaning: no name is exported by two files of src. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** Names that two files may export, and why. */
const allowed: Readonly<Record<string, string>> = {
  Sandbox: 'what a sandbox is inside, and its client for programs, whose name users expect',
}

const files = new Map(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'src'])
    .toString()
    .split('\n')
    .filter((path) => /\.tsx?$/.test(path) && !/generated/.test(path) && existsSync(path))
    .map((path) => [path, readFileSync(path, 'utf8')]),
)

it('exports no name from two files', () => {
  expect(files.size).toBeGreaterThan(50)
  expect(twice(files).filter(([name]) => !(name in allowed))).toEqual([])
})

it('allows no name that is exported once', () => {
  const names = new Set(twice(files).map(([name]) => name))
  expect(Object.keys(allowed).filter((name) => !names.has(name))).toEqual([])
})

it('finds a planted name with two meanings, and no schema beside its own type', () => {
  const planted = new Map([
    ['src/a.ts', 'export const Plan = 1\nexport type Plan = 1\nexport function told() {}'],
    ['src/b.ts', 'export interface told {}'],
  ])
  expect(twice(planted)).toEqual([['told', ['src/a.ts', 'src/b.ts']]])
})

/** The names that more than one file exports at its top level, with those files. */
function twice(texts: ReadonlyMap<string, string>): [string, string[]][] {
  const exporters = new Map<string, Set<string>>()
  const declared =
    /^export (?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm
  for (const [path, text] of texts) {
    for (const [, name = ''] of text.matchAll(declared)) {
      exporters.set(name, (exporters.get(name) ?? new Set()).add(path))
    }
  }
  return [...exporters].flatMap(([name, paths]) => (paths.size > 1 ? [[name, [...paths]]] : []))
}
