/** The command that changes settings. */
import type { Settings } from '../../assumptions/register.ts'
import { type Told, told } from '../answer.ts'
import type { World } from '../world.ts'

/** Changes some settings, which are valid already, and answers them all. */
export function changeSettings(world: World, changes: Partial<Settings>): Told<Settings> {
  world.settings = { ...world.settings, ...changes }
  return told(world.settings)
}
