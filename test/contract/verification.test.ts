import { expect, it } from 'vitest'
import { variableSlugs } from '../../src/assumptions/register.ts'
import { Report } from '../../src/contracts/common/report-shape.ts'
import { start } from '../../src/server/start.ts'
import { run } from '../support/command-line.ts'
import { temporaryFolder } from '../support/folders.ts'
import { plantBreak } from './support/breaks.ts'
import { assumedPacts, documentedPacts } from './support/published.ts'

/** Runs `verify`; answers its exit code, and the interactions of each file by what came of them. */
async function verify(...args: readonly string[]) {
  const verifying = run(['verify', ...args, '--json'])
  const code = await verifying.ended
  const { pacts } = Report.parse(JSON.parse(verifying.output()))
  const files = pacts.map(({ source, interactions }) => ({
    file: source,
    interactions: interactions.length,
    failed: interactions
      .filter(({ result }) => result !== 'passed')
      .map((each) => each.description),
  }))
  return { code, files: files.sort((one, other) => (one.file < other.file ? -1 : 1)) }
}

it('names the break that is planted into each published pact, and nothing beside it', async () => {
  const folder = await temporaryFolder()
  const everyPact = [...documentedPacts, ...assumedPacts]
  const planted = await Promise.all(everyPact.map((each, at) => plantBreak(each, folder.path, at)))
  const { code, files } = await verify(folder.path)
  await folder.remove()
  expect(code).toBe(1)
  const expected = planted.sort((one, other) => (one.file < other.file ? -1 : 1))
  expect(files).toEqual(
    expected.map(({ file, broken }) => ({ file, interactions: 2, failed: [broken] })),
  )
})

it('documents nothing that a provider could do otherwise, and assumes nothing that it could not', async () => {
  const other = await start({ settings: { vary: [...variableSlugs] } })
  const where = ['--url', other.url, '--sandbox', 'default']
  const documented = await verify(...documentedPacts, ...where)
  const assumed = await verify(...assumedPacts, ...where)
  await other.close()
  expect(documented.code).toBe(0)
  for (const { interactions, failed } of assumed.files) expect(failed).toHaveLength(interactions)
})
