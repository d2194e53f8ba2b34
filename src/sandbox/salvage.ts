/**
 * Saving a sandbox out of a data folder: what a diagnosis found sound is written to another store. Owns which state
 * is taken where there is a choice.
 */
import { initialSettings } from '../assumptions/register.ts'
import type { Store } from '../store/store.ts'
import type { Instant } from '../time/instant.ts'
import type { Diagnosis, DocumentDiagnosis } from './diagnosis.ts'
import { entriesOfWorld } from './state-document.ts'
import { emptyWorld, type World } from './world.ts'
import { readWorld } from './world-entries.ts'

/** When an empty sandbox begins. */
const EMPTY_START = '2027-01-01T00:00:00.000Z' as Instant

/** What a sandbox was saved as: its state, in its place the newest checkpoint, or nothing but its pacts. */
export interface Saved {
  readonly from: 'state' | 'checkpoint' | 'nothing'
  /** The checkpoint that was taken for the state; null otherwise. */
  readonly checkpoint: string | null
  readonly now: string
}

/** Writes what can be saved of a sandbox, its sound documents included, to a store; null where nothing can be. */
export async function salvage(diagnosis: Diagnosis, store: Store): Promise<Saved | null> {
  const chosen = await choose(diagnosis)
  if (chosen === null) return null
  const { world, ...saved } = chosen
  const stored = await store.create(diagnosis.sandboxId)
  await stored.replace(entriesOfWorld(world))
  for (const { shelf: name, about, read } of soundDocuments(diagnosis)) {
    const entries: object[] = []
    for await (const entry of read()) entries.push(entry as object)
    const shelf = stored.shelf(name)
    await shelf.set([...shelf.items, { about, entries }])
  }
  await stored.close()
  return { ...saved, now: world.clock.now() }
}

/** The newest of each name: without a manifest, one that was replaced may be found beside it. */
function soundDocuments({ documents }: Pick<Diagnosis, 'documents'>): DocumentDiagnosis[] {
  const sound = documents.filter(({ damage }) => damage === null)
  const newest = new Map(sound.map((each) => [`${each.shelf} ${each.name}`, each]))
  return sound.filter((each) => newest.get(`${each.shelf} ${each.name}`) === each)
}

interface Chosen extends Omit<Saved, 'now'> {
  readonly world: World
}

async function choose({ sandboxId, savable, documents }: Diagnosis): Promise<Chosen | null> {
  if (savable !== null) return { from: 'state', checkpoint: null, world: savable.world }
  const sound = soundDocuments({ documents })
  const newest = sound.findLast(({ shelf }) => shelf === 'checkpoints')
  if (newest !== undefined) {
    const world = await readWorld(newest.read(), { sandboxId, shape: 'unknown' })
    return { from: 'checkpoint', checkpoint: newest.name, world }
  }
  if (sound.length === 0) return null
  return { from: 'nothing', checkpoint: null, world: nothingOf(sandboxId) }
}

/** Pacts are about clients and not about data: they are worth keeping beside an empty sandbox. */
function nothingOf(sandboxId: string): World {
  const origin = {
    fixture: 'empty',
    startAt: null,
    startsRunning: false,
    settings: initialSettings,
  }
  return emptyWorld(sandboxId, origin, EMPTY_START)
}
