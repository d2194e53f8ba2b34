/** How many records a world holds, by kind. */
import { eachCollection } from './collections.ts'
import type { World } from './world.ts'

/** Counts by kind, spelled as code spells them. */
export type Counts = Readonly<Record<string, number>>

/** Counts what a world holds. */
export function countsOf(world: World): Counts {
  return { ...eachCollection((name) => world[name].size), events: world.events.length }
}
