/** A scenario of the user, read from a file, and run. Owns how its fixture is found. */
import { dirname, join } from 'node:path'
import { isRefusal } from '../billing/refusal.ts'
import { FixtureError } from '../sandbox/fixture-history.ts'
import { loadFixtures } from '../sandbox/fixtures.ts'
import { runScenario } from '../sandbox/scenario.ts'
import { type Scenario, scenarioSchema } from '../sandbox/scenario-format.ts'
import { readDataFile } from './data-file.ts'
import { chooseFixture } from './fixture-choice.ts'

/** The text of a scenario, or what is wrong with its file, a line each. */
export type ScenarioResult = { readonly text: string } | { readonly problems: readonly string[] }

export async function runScenarioFile(file: string): Promise<ScenarioResult> {
  const read = await readDataFile(file, scenarioSchema)
  if ('problems' in read) return read
  const fixture = await fixtureOf(read.data, dirname(file))
  if (isRefusal(fixture)) {
    const why = fixture.message.replace(/^--fixture /, '')
    return read.listed([{ field: 'fixture', message: `fixture: ${why}` }])
  }
  try {
    return { text: await runScenario(read.data, fixture) }
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    return read.listed(error.problems)
  }
}

/** The fixture in the scenario, that of the product with this name, or a file beside the scenario. */
async function fixtureOf({ fixture }: Scenario, folder: string) {
  if (typeof fixture !== 'string') return fixture
  const shipped = await loadFixtures()
  const isFile = /[./\\]/.test(fixture) && !shipped.has(fixture)
  const choice = await chooseFixture(isFile ? join(folder, fixture) : fixture)
  if (isRefusal(choice)) return choice
  const chosen = choice.library.get(choice.name ?? '')
  if (chosen === undefined) throw new Error(`${fixture} was chosen, and is in no library`)
  return chosen
}
