/** Programs say what they need where it is missing: a Node that can read them, and the packages of a build. */
import { cp, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../support/folders.ts'
import { runProgram } from '../support/process.ts'

const asked = JSON.parse(await readFile('package.json', 'utf8')).engines.node.replace('>=', '')

/** Runs a program of ours on a Node that says of itself that it is another. */
async function runOn(version: string, ...program: readonly string[]) {
  const node = JSON.stringify({ ...process.versions, node: version })
  const become = `Object.defineProperty(process, 'versions', { value: ${node} })`
  const on = `--import=data:text/javascript,${become}`
  const running = runProgram([process.execPath, on, ...program])
  return { code: await running.ended, err: running.errors() }
}

it.each([['dist/cli/main.js', '--version'], ['scripts/build.mjs']])(
  '%s refuses a Node that is too old, before it is read',
  async (...program) => {
    const [major, minor] = asked.split('.').map(Number)
    for (const old of ['18.20.8', `${major}.${minor - 1}.0`]) {
      const { code, err } = await runOn(old, ...program)
      expect(code).toBe(3)
      expect(err).toContain(`subscription-sandbox needs Node ${asked} or later`)
    }
    for (const good of [`${asked}.0`, `${major + 2}.0.0`]) {
      expect(await runOn(good, ...program)).toMatchObject({ code: 0, err: '' })
    }
    // What is imported otherwise is read before anything runs.
    const text = await readFile(program[0] ?? '', 'utf8')
    expect(text).not.toMatch(/^import '(?!\.\/node-version)/m)
  },
)

it('a build names the command that installs its packages where they are missing', async () => {
  const { path, remove } = await temporaryFolder()
  const settings = (await readdir('.')).filter((name) => /^tsconfig.*json$/.test(name))
  for (const name of [
    'fixtures',
    'package.json',
    'package-lock.json',
    'scripts',
    'src',
    ...settings,
  ]) {
    await cp(name, join(path, name), { recursive: true })
  }
  const building = runProgram([process.execPath, 'scripts/build.mjs'], {}, path)
  expect(await building.ended).toBe(3)
  expect(building.errors()).toMatch(/^A build needs .* npm ci --include=dev installs them\. .+\n$/)
  await remove()
})
