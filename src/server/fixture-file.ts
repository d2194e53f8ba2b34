/** A fixture of the user, read from a file. */
import { isRefusal } from '../billing/refusal.ts'
import { Fixture, fieldsOfState } from '../sandbox/fixture-format.ts'
import { FixtureError } from '../sandbox/fixture-history.ts'
import { makeWorld } from '../sandbox/fixtures.ts'
import type { FieldProblem } from '../surface/refusals.ts'
import { memberOf } from '../surface/schema-walk.ts'
import { readDataFile } from './data-file.ts'

/** A fixture, or what is wrong with its file, a line of text each. */
export type ReadFixture = { readonly fixture: Fixture } | { readonly problems: readonly string[] }

/** Reads a fixture, and makes a world of it once, so that what billing refuses is reported here too. */
export async function readFixture(file: string, name: string): Promise<ReadFixture> {
  const read = await readDataFile(file, Fixture, foreignFields)
  if ('problems' in read) return read
  const problems = await refusedIn(read.data, name)
  return problems.length > 0 ? read.listed(problems) : { fixture: read.data }
}

const ofHistory = ['subscriptions', 'invoices', 'charges', 'tokens']

/** Fields beside a state, which has all of them, and records that only a history makes. */
function foreignFields(value: unknown): readonly FieldProblem[] {
  const has = (field: string) => memberOf(value, field) !== undefined
  const [fields, rule] = has('state')
    ? ([fieldsOfState, 'must be absent, because there is a state, which has it all.'] as const)
    : ([ofHistory, 'cannot be listed: steps of the history make them, such as subscribe.'] as const)
  return fields.filter(has).map((field) => ({ field, message: `${field} ${rule}` }))
}

async function refusedIn(fixture: Fixture, name: string): Promise<readonly FieldProblem[]> {
  const order = { sandboxId: 'default', name, startAt: null, startsRunning: false, settings: {} }
  try {
    const world = await makeWorld(fixture, order)
    return isRefusal(world) ? [{ field: '', message: world.message }] : []
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    return error.problems
  }
}
