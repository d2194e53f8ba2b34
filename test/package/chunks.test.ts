import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'

/** What a file of the build imports: before it runs, or at any time. */
const atOnce = /\bimport\b[^"();]*"(\.[^"]+\.js)"/g
const ever = /"(\.[^"]+\.js)"/g

const MAIN = 'dist/current/cli/main.js'

/** A file of the build, and what it imports in this way, at any depth. */
function filesFrom(file: string, imports: RegExp, found = new Set<string>()): Set<string> {
  if (found.has(file)) return found
  found.add(file)
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imports)) {
    filesFrom(join(dirname(file), path), imports, found)
  }
  return found
}

/** The modules of src in files, which a comment names where each begins. */
function modulesIn(files: Iterable<string>): string[] {
  return [...files].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/\/\/! (src\/\S+)$/gm)].map(([, name]) => name ?? ''),
  )
}

/** The files that the command line reads to run a module. */
function readFor(module: string): Set<string> {
  const holding = [...filesFrom(MAIN, ever)].find((file) => modulesIn([file]).includes(module))
  if (holding === undefined) throw new Error(`No file has ${module}`)
  return filesFrom(holding, atOnce, filesFrom(MAIN, atOnce))
}

it('has a start read few files, and nothing that only later calls need', () => {
  const files = readFor('src/cli/commands/serve.ts')
  expect(files.size).toBeLessThanOrEqual(5)
  const modules = modulesIn(files)
  expect(modules).toContain('src/http/v1/routes.ts')
  for (const later of [
    'src/dashboard/app.tsx',
    'src/http/control/routes.ts',
    'src/openapi/v1.ts',
    'src/operations/changes.ts',
    'src/sandbox/fixture-format.ts',
    'src/wire/billing/invoice.ts',
  ]) {
    expect(modules).not.toContain(later)
  }
})

it('has a command that calls a sandbox read nothing of the server', () => {
  const modules = modulesIn(readFor('src/cli/operations/operation-command.ts'))
  expect(modules).toContain('src/cli/terminal/connection.ts')
  expect(modules).not.toContain('src/server/start.ts')
})
