/**
 * The diagnosis of one sandbox in a data folder: what is damaged, where, and what can be saved of it. Reads with what a
 * start reads with, and writes nothing.
 */
import { join } from 'node:path'
import { type FolderContents, type FoundDocument, inspectFolder } from '../store/folder-contents.ts'
import { type Reading, readFolder, warningOf } from '../store/folder-reader.ts'
import { readItem } from '../store/folder-shelf.ts'
import { sandboxFolder } from '../store/folder-store.ts'
import { MANIFEST } from '../store/manifest.ts'
import { type ShelfName, StoreError, shelfNames } from '../store/store.ts'
import type { Instant } from '../time/instant.ts'
import { isWrong } from './checkpoints.ts'
import type { World } from './world.ts'
import { readWorld } from './world-entries.ts'

/** Something that stops a start, or the use of a document. */
export interface Damage {
  /** The file, and the line where there is one. */
  readonly at: string
  readonly reason: string
}

/** The newest state of a sandbox that checks. */
export interface Savable {
  readonly world: World
  readonly now: Instant
  /** How many entries it includes after the state that was written whole. */
  readonly entries: number
}

/** A checkpoint or a pact, and what is wrong with it. */
export interface DocumentDiagnosis {
  readonly shelf: ShelfName
  readonly name: string
  readonly about: unknown
  readonly damage: Damage | null
  readonly read: () => AsyncIterable<unknown>
}

export interface Diagnosis {
  readonly sandboxId: string
  /** What stops a start. */
  readonly damages: readonly Damage[]
  /** What a start mends by itself. */
  readonly warnings: readonly string[]
  readonly savable: Savable | null
  readonly documents: readonly DocumentDiagnosis[]
}

/** Whether a start would take the sandbox, and every document can be used. */
export function isSound({ damages, documents }: Diagnosis): boolean {
  return damages.length === 0 && documents.every(({ damage }) => damage === null)
}

/** Looks at one sandbox of a data folder. */
export async function diagnose(folder: string, sandboxId: string): Promise<Diagnosis> {
  const place = sandboxFolder(folder, sandboxId)
  const { contents, damage } = await inspectFolder(place)
  const damages = damage === null ? [] : [damageOf(damage, join(place, MANIFEST))]
  const state = await diagnoseState({ place, sandboxId }, contents)
  const documents: DocumentDiagnosis[] = []
  for (const shelf of shelfNames) {
    for (const item of contents.shelves[shelf]) {
      documents.push(await diagnoseDocument({ place, sandboxId }, shelf, item))
    }
  }
  return { sandboxId, ...state, damages: [...damages, ...state.damages], documents }
}

type Kept = Reading['manifest']

interface Where {
  readonly place: string
  readonly sandboxId: string
}

type StateDiagnosis = Pick<Diagnosis, 'damages' | 'warnings' | 'savable'>

async function diagnoseState(where: Where, contents: FolderContents): Promise<StateDiagnosis> {
  const { id, state, journals } = contents
  if (state === null) return { damages: [], warnings: [], savable: null }
  const kept = { id, state, journals }
  const all = await readSound(where, kept, Number.POSITIVE_INFINITY)
  const damages = all.damage === null ? [] : [all.damage]
  const { warnings } = all
  if (all.world !== null) return { damages, warnings, savable: savableOf(all.world, all.entries) }
  return { damages, warnings, savable: await newestSound(where, kept, all.entries) }
}

/** Looks for the entry that no start takes: what is before it may well be in order. */
async function newestSound(where: Where, kept: Kept, entries: number): Promise<Savable | null> {
  let newest: Savable | null = null
  let [sound, broken] = [-1, entries]
  while (broken - sound > 1) {
    const middle = Math.floor((sound + broken) / 2)
    const { world } = await readSound(where, kept, middle)
    if (world === null) broken = middle
    else {
      sound = middle
      newest = savableOf(world, middle)
    }
  }
  return newest
}

function savableOf(world: World, entries: number): Savable {
  return { world, now: world.clock.now(), entries }
}

/** The world of the state and at most so many entries after it, up to the first that is damaged. */
async function readSound({ place, sandboxId }: Where, kept: Kept, limit: number) {
  const found = { entries: -1, damage: null as Damage | null, warnings: [] as string[] }
  const reading: Reading = {
    manifest: kept,
    onState: () => {
      found.entries = 0
    },
    onJournal: (journal) => {
      const warning = warningOf(journal)
      if (warning !== null) found.warnings.push(warning)
    },
  }
  async function* upToLimit(): AsyncGenerator<unknown> {
    for await (const entry of readFolder(place, reading)) {
      if (found.entries === limit) return
      if (found.entries >= 0) found.entries += 1
      yield entry
    }
  }
  async function* sound(): AsyncGenerator<unknown> {
    try {
      yield* upToLimit()
    } catch (error) {
      // Without the whole of its beginning there is no world.
      if (!isWrong(error) || found.entries < 0) throw error
      found.damage = damageOf(error.message, place)
    }
  }
  try {
    const world = await readWorld(sound(), { sandboxId, shape: 'unknown' })
    return { ...found, world }
  } catch (error) {
    if (!isWrong(error)) throw error
    return { ...found, damage: found.damage ?? damageOf(error.message, place), world: null }
  }
}

async function diagnoseDocument(
  { place, sandboxId }: Where,
  shelf: ShelfName,
  { about, file, extent }: FoundDocument,
): Promise<DocumentDiagnosis> {
  const path = join(place, file)
  const read = () => readItem(path, extent)
  const document = { shelf, name: nameOf(about) ?? file, about, read }
  try {
    if (shelf === 'checkpoints') await readWorld(read(), { sandboxId, shape: 'unknown' })
    else for await (const _ of read());
    if (about === null) throw new StoreError(`${path}:1 is not the beginning of a document`)
    return { ...document, damage: null }
  } catch (error) {
    if (!isWrong(error)) throw error
    return { ...document, damage: damageOf(error.message, path) }
  }
}

/** A checkpoint has a name; a pact is named by whom it is between. Null where nobody said. */
function nameOf(about: unknown): string | null {
  if (about === null) return null
  const { name, consumer, provider, version } = about as Record<string, unknown>
  return String(name ?? `${consumer} ${version} for ${provider}`)
}

/** The store begins its sentences with the place; the checks of a world do not know it. */
function damageOf(message: string, path: string): Damage {
  if (!message.startsWith(path)) return { at: path, reason: message }
  const end = message.indexOf(' ', path.length)
  return { at: message.slice(0, end), reason: message.slice(end + 1) }
}
