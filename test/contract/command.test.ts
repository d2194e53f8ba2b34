import { expect, it } from 'vitest'
import { Report } from '../../src/contracts/report/report.ts'
import { run, temporaryFolder } from '../support/process.ts'
import { plantBreaks } from './support/breaks.ts'
import { assumedPacts, documentedPacts } from './support/published.ts'

const everyPact = [...documentedPacts, ...assumedPacts]

it('names every break that is planted into a published pact, and nothing beside it', async () => {
  const folder = await temporaryFolder()
  const planted = (
    await Promise.all(everyPact.map((each) => plantBreaks(each, folder.path)))
  ).flat()
  const verifying = run(['verify', folder.path, '--json'])
  expect(await verifying.ended).toBe(1)
  const { pacts } = Report.parse(JSON.parse(verifying.output()))
  const failed = pacts.map(({ source, interactions }) => ({
    file: source,
    broken: interactions
      .filter(({ result }) => result !== 'passed')
      .map((each) => each.description),
  }))
  const byFile = (one: { file: string }, other: { file: string }) =>
    one.file < other.file ? -1 : 1
  expect(failed.sort(byFile)).toEqual(
    planted.map(({ file, broken }) => ({ file, broken: [broken] })).sort(byFile),
  )
  await folder.remove()
}, 60_000)
