/** The number of records in a world, by kind. */
import { documentNames } from './collections.ts'
import type { World } from './world.ts'

/** Counts by kind, in the spelling of the code. */
export type Counts = Readonly<Record<string, number>>

export function countsOf(world: World): Counts {
  const counts = documentNames.map((name) => [name, world[name].size])
  return { ...Object.fromEntries(counts), events: world.events.length }
}
