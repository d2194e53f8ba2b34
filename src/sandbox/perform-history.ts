/** Performing the history of a fixture. Its acts need every operation, which other fixtures do without. */
import { advanceToInstant } from '../world/advance.ts'
import type { World } from '../world/world.ts'
import { performAct } from './fixture-acts.ts'
import type { Fixture } from './fixture-format.ts'
import { throwRefusal, type timesOf } from './fixture-history.ts'

/** Performs the history in its world. Throws `FixtureError` with the step that is refused. */
export async function performHistory(
  world: World,
  { history }: Fixture,
  times: ReturnType<typeof timesOf>,
): Promise<void> {
  for (const [index, step] of history.entries()) {
    const field = `history[${index}]`
    const at = times.steps[index] ?? times.end
    throwRefusal(field, await advanceToInstant(world, at, 'The history'))
    throwRefusal(field, await performAct(world, step))
  }
  throwRefusal('history', await advanceToInstant(world, times.end, 'The history'))
}
