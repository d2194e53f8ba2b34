/** Performing the history of a fixture. Its acts need every operation, which other fixtures do without. */
import { advanceToInstant } from '../world/advance.ts'
import type { World } from '../world/world.ts'
import { performAct } from './fixture-acts.ts'
import type { Fixture } from './fixture-format.ts'
import { type HistoryTimes, throwRefusal } from './fixture-history.ts'

/** Performs the history in its world. Throws `FixtureError` with the step that is refused. */
export async function performHistory(
  world: World,
  { story }: Fixture,
  times: HistoryTimes,
): Promise<void> {
  for (const [index, step] of story.entries()) {
    const field = `story[${index}]`
    throwRefusal(field, await advanceToInstant(world, times.steps[index] ?? times.end, 'The story'))
    throwRefusal(field, await performAct(world, step))
  }
  throwRefusal('story', await advanceToInstant(world, times.end, 'The story'))
}
