/**
 * Saving a sandbox out of a data folder: what a diagnosis found sound is written to another store. Owns which state
 * is taken where there is a choice.
 */
import type { Store } from '../store/store.ts'
import { Checkpoints } from './checkpoints.ts'
import type { Diagnosis } from './diagnosis.ts'
import { documentOf } from './state-document.ts'
import type { World } from './world.ts'

type Origin = 'state' | 'unverified state' | 'checkpoint'

/** What a sandbox was saved as: its state, that state unverified, or in its place the newest checkpoint. */
export interface Saved {
  readonly from: Origin
  /** The checkpoint that was taken for the state; null otherwise. */
  readonly checkpoint: string | null
  readonly now: string
}

/** Writes what can be saved of a sandbox, its sound checkpoints included, to a store; null where nothing can be. */
export async function salvage(
  diagnosis: Diagnosis,
  store: Store,
  { unverified }: { readonly unverified: 'taken' | 'left' },
): Promise<Saved | null> {
  const chosen = await choose(diagnosis, unverified)
  if (chosen === null) return null
  const { world, ...saved } = chosen
  const stored = await store.open(diagnosis.sandboxId)
  await stored.replace(documentOf(world))
  const checkpoints = await Checkpoints.open(stored.shelf('checkpoints'))
  for (const { name, damage, read } of diagnosis.checkpoints) {
    if (damage === null) await checkpoints.create(await read(), name)
  }
  await stored.close()
  return { ...saved, now: world.clock.now() }
}

interface Chosen {
  readonly from: Origin
  readonly checkpoint: string | null
  readonly world: World
}

async function choose(
  { savable, checkpoints }: Diagnosis,
  unverified: 'taken' | 'left',
): Promise<Chosen | null> {
  if (savable !== null && (savable.isVerified || unverified === 'taken')) {
    const from = savable.isVerified ? 'state' : 'unverified state'
    return { from, checkpoint: null, world: savable.world }
  }
  const newest = checkpoints.findLast(({ damage }) => damage === null)
  if (newest === undefined) return null
  return { from: 'checkpoint', checkpoint: newest.name, world: await newest.read() }
}
