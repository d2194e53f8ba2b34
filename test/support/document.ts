/** The state of a world as one value. */
import { documentParts, type StateDocument } from '../../src/world/state-document.ts'
import type { World } from '../../src/world/world.ts'

/** The document of a world as it is now. It shares the records, which are never mutated. */
export function documentOf(world: World): StateDocument {
  const { head, lists } = documentParts(world)
  const arrays = Object.entries(lists).map(([field, records]) => [field, [...records]])
  return { ...head, ...Object.fromEntries(arrays) }
}
