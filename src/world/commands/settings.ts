/** The command that changes settings. */
import type { Settings } from '../../assumptions/register.ts'
import { type Executed, executed } from '../answer.ts'
import type { World } from '../world.ts'

/** Changes some settings, which are already validated, and returns all settings. */
export function changeSettings(world: World, changes: Partial<Settings>): Executed<Settings> {
  world.settings = { ...world.settings, ...changes }
  return executed(world.settings)
}
