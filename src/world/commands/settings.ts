/** The command that changes settings. */
import type { Settings } from '../../assumptions/register.ts'
import { type Executed, executed } from '../answer.ts'
import type { World } from '../world.ts'

/** Changes some settings, which are valid already, and answers them all. */
export function changeSettings(world: World, changes: Partial<Settings>): Executed<Settings> {
  world.settings = { ...world.settings, ...changes }
  return executed(world.settings)
}
