/** How many records a world holds, by kind. */
import { documentNames } from './collections.ts'
import type { World } from './world.ts'

/** Counts by kind, spelled as code spells them. */
export type Counts = Readonly<Record<string, number>>

/** Counts what a world holds. */
export function countsOf(world: World): Counts {
  const counts = documentNames.map((name) => [name, world[name].size])
  return { ...Object.fromEntries(counts), events: world.events.length }
}
