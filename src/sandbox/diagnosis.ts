/**
 * The diagnosis of one stored sandbox: what is damaged, where, and what can be saved to another store. Uses the readers
 * of a start and changes nothing.
 */
import { join } from 'node:path'
import { initialSettings } from '../assumptions/register.ts'
import { requireRegularFile } from '../store/files.ts'
import { sandboxFolder } from '../store/folder-store.ts'
import { readWhole } from '../store/lines.ts'
import {
  MANIFEST,
  MANIFEST_COPY,
  type Manifest,
  manifestIn,
  readJournal,
  readState,
} from '../store/manifest.ts'
import { type DocumentKind, documentKinds, type Store } from '../store/store.ts'
import type { Instant } from '../time/instant.ts'
import { emptyWorld, type World } from '../world/world.ts'
import { entriesOfWorld, worldFromEntries } from '../world/world-entries.ts'
import { isInvalidData } from './checkpoints.ts'

/** Damage that stops a start, or the use of a document. */
export interface Damage {
  /** The file, and the line if known. */
  readonly at: string
  readonly reason: string
}

/** A checkpoint or a pact, and its damage. */
export interface DocumentDiagnosis {
  readonly kind: DocumentKind
  readonly name: string
  readonly about: unknown
  readonly damage: Damage | null
  readonly read: () => AsyncIterable<unknown>
}

export interface Diagnosis {
  readonly sandboxId: string
  /** Damage that stops a start. */
  readonly damages: readonly Damage[]
  /** What a start repairs by itself. */
  readonly warnings: readonly string[]
  /** The newest usable state. */
  readonly world: World | null
  readonly documents: readonly DocumentDiagnosis[]
}

/** When an empty sandbox begins. */
const EMPTY_START = '2027-01-01T00:00:00.000Z' as Instant

/** What was saved of a sandbox: its state, or else the newest checkpoint, or only its pacts. */
export interface Saved {
  readonly from: 'state' | 'checkpoint' | 'nothing'
  /** The name of the checkpoint; null if none was used. */
  readonly checkpoint: string | null
  readonly now: Instant
}

/** Whether a start accepts the sandbox and every document is usable. */
export function isSound({ damages, documents }: Diagnosis): boolean {
  return damages.length === 0 && documents.every(({ damage }) => damage === null)
}

export async function diagnose(folder: string, sandboxId: string): Promise<Diagnosis> {
  const place = sandboxFolder(folder, sandboxId)
  const damages: Damage[] = []
  const warnings: string[] = []
  const readManifest = (name: string) => {
    const manifest = manifestIn(place, name)
    return collectDamage(damages, join(place, name), () =>
      manifest.read().then(() => manifest.data),
    )
  }
  const copy = join(place, MANIFEST_COPY)
  // A start does not read the copy, but refuses one that is not a file.
  await collectDamage(damages, copy, async () => requireRegularFile(copy))
  const manifest = (await readManifest(MANIFEST)) ?? (await readManifest(MANIFEST_COPY))
  if (manifest === null) return { sandboxId, damages, warnings, world: null, documents: [] }
  const entries = soundEntries(place, manifest, { damages, warnings })
  const world = await collectDamage(damages, place, () => readWorld(entries, sandboxId))
  const documents: DocumentDiagnosis[] = []
  for (const kind of documentKinds) {
    for (const { about, file, ...extent } of manifest.documents[kind]) {
      const path = join(place, file)
      const read = () => readWhole(path, extent)
      const found: Damage[] = []
      await collectDamage(found, path, async () => {
        if (kind === 'checkpoints') await readWorld(read(), sandboxId)
        else for await (const _ of read());
      })
      documents.push({ kind, name: nameOf(about), about, damage: found[0] ?? null, read })
    }
  }
  return { sandboxId, damages, warnings, world, documents }
}

function readWorld(entries: AsyncIterable<unknown>, sandboxId: string): Promise<World> {
  return worldFromEntries(entries, sandboxId, 'unknown')
}

/** Saves a sandbox, as far as possible and with its sound documents, to a store; null if nothing can be saved. */
export async function salvage(diagnosis: Diagnosis, store: Store): Promise<Saved | null> {
  const sound = diagnosis.documents.filter(({ damage }) => damage === null)
  const saved = await chooseWorld(diagnosis, sound)
  if (saved === null) return null
  const { from, checkpoint, world } = saved
  const stored = await store.create(diagnosis.sandboxId)
  await stored.replace(entriesOfWorld(world))
  stored.markUndelivered(world.webhooks.size > 0)
  for (const { kind, about, read } of sound) {
    const entries: object[] = []
    for await (const entry of read()) entries.push(entry as object)
    const folder = stored.documents(kind)
    await folder.set([...folder.documents, { about, entries }])
  }
  await stored.close()
  return { from, checkpoint, now: world.clock.now() }
}

async function chooseWorld(
  { sandboxId, world }: Diagnosis,
  sound: readonly DocumentDiagnosis[],
): Promise<(Omit<Saved, 'now'> & { readonly world: World }) | null> {
  if (world !== null) return { from: 'state', checkpoint: null, world }
  const newest = sound.findLast(({ kind }) => kind === 'checkpoints')
  if (newest !== undefined) {
    const restored = await readWorld(newest.read(), sandboxId)
    return { from: 'checkpoint', checkpoint: newest.name, world: restored }
  }
  if (sound.length === 0) return null
  // Pacts are about clients, not records: they are worth saving with an empty sandbox.
  const start = { startAt: null, startsRunning: false, settings: initialSettings }
  const origin = { fixture: 'empty', ...start }
  return { from: 'nothing', checkpoint: null, world: emptyWorld(sandboxId, origin, EMPTY_START) }
}

/** The entries of the state, and those of the journal up to its first damage. */
async function* soundEntries(
  place: string,
  manifest: Manifest,
  { damages, warnings }: { readonly damages: Damage[]; readonly warnings: string[] },
): AsyncGenerator<unknown> {
  // Without its whole state there is no world.
  yield* readState(place, manifest)
  try {
    const { warning } = yield* readJournal(place, manifest)
    if (warning !== null) warnings.push(warning)
  } catch (error) {
    damages.push(damageOf(error, place))
  }
}

/** The result of some work; null if it finds damage, which is added to the list. */
async function collectDamage<Value>(
  damages: Damage[],
  path: string,
  work: () => Promise<Value>,
): Promise<Value | null> {
  try {
    return await work()
  } catch (error) {
    damages.push(damageOf(error, path))
    return null
  }
}

/** A checkpoint has a name. A pact is identified by consumer and provider; all its versions are one document. */
function nameOf(about: unknown): string {
  const { name, consumer, provider, version, versions } = about as Record<string, unknown>
  if (versions !== undefined) return 'branches and tags'
  return String(name ?? `${consumer} ${version} for ${provider}`)
}

/** A message of the store begins with the place. Rethrows an error that is not damage. */
function damageOf(error: unknown, path: string): Damage {
  if (!isInvalidData(error)) throw error
  const { message } = error
  if (!message.startsWith(path)) return { at: path, reason: message }
  const end = message.indexOf(' ', path.length)
  return { at: message.slice(0, end), reason: message.slice(end + 1) }
}
