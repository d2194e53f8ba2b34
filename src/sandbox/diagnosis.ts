/**
 * The diagnosis of one sandbox in a data folder: what is damaged, where, and what can be saved of it. Reads with what a
 * start reads with, and writes nothing.
 */
import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Instant } from '../billing/instant.ts'
import { entriesAfter } from '../store/folder-store.ts'
import { inspectJournal, type JournalFinding } from '../store/journal.ts'
import { folderShelf } from '../store/shelf.ts'
import { inspectSnapshot, type Snapshot, type SnapshotFinding } from '../store/snapshot.ts'
import { type CheckpointReader, Checkpoints, INDEX, isWrong } from './checkpoints.ts'
import { worldOf } from './state-document.ts'
import type { World } from './world.ts'

/** Something that stops a start, or the return to a checkpoint. */
export interface Damage {
  /** The file, and the line or lines where there are any. */
  readonly at: string
  readonly reason: string
}

/** The newest state of a sandbox that checks. */
export interface Savable {
  readonly world: World
  readonly now: Instant
  /** The number of the last journal entry that it includes. */
  readonly entry: number
  /** How many whole lines of the journal it does not include; null where there is no journal to count them in. */
  readonly linesLost: number | null
  /** Not where the checksum of state.json does not match, though what it says is without contradiction. */
  readonly isVerified: boolean
}

export interface CheckpointDiagnosis extends CheckpointReader {
  readonly damage: Damage | null
}

export interface Diagnosis {
  readonly sandboxId: string
  /** Whether nothing was kept in it yet; a start passes over such a folder. */
  readonly isBlank: boolean
  /** What stops a start. */
  readonly damages: readonly Damage[]
  /** What a start mends by itself. */
  readonly warnings: readonly string[]
  readonly savable: Savable | null
  readonly checkpoints: readonly CheckpointDiagnosis[]
}

/** Whether a start would take the sandbox, and every checkpoint could be returned to. */
export function isSound({ damages, checkpoints }: Diagnosis): boolean {
  return damages.length === 0 && checkpoints.every(({ damage }) => damage === null)
}

/** Looks at one sandbox of a data folder. Throws `StoreError` where the disk does not let it. */
export async function diagnose(folder: string, sandboxId: string): Promise<Diagnosis> {
  const place = join(folder, sandboxId)
  // In this order a fold by a process that has the folder leaves no gap between the two.
  const journal = await inspectJournal(join(place, 'journal.ndjson'))
  const snapshot = await inspectSnapshot(join(place, 'state.json'))
  const state = diagnoseState({ place, sandboxId, snapshot, journal })
  const shelf = await diagnoseShelf(join(place, 'checkpoints'), sandboxId)
  return {
    sandboxId,
    isBlank: state.isBlank,
    damages: [...state.damages, ...shelf.damages],
    warnings: state.warnings,
    savable: state.savable,
    checkpoints: shelf.checkpoints,
  }
}

interface StateFiles {
  readonly place: string
  readonly sandboxId: string
  readonly snapshot: SnapshotFinding
  readonly journal: JournalFinding | null
}

type StateDiagnosis = Omit<Diagnosis, 'sandboxId' | 'checkpoints'>

function diagnoseState(files: StateFiles): StateDiagnosis {
  const { place, snapshot, journal } = files
  const journalPath = join(place, 'journal.ndjson')
  const damages: Damage[] = []
  const warnings: string[] = []
  if (snapshot.is === 'missing') {
    const isBlank = journal === null || (journal.linesInFile === 0 && !journal.isTorn)
    const reason = 'is missing, and the journal beside it only holds what changed after it'
    if (!isBlank) damages.push({ at: join(place, 'state.json'), reason })
    return { isBlank, damages, warnings, savable: null }
  }
  if (snapshot.is !== 'sound') damages.push({ at: snapshot.at, reason: snapshot.reason })
  if (journal === null) {
    damages.push({ at: journalPath, reason: 'is missing, and state.json needs it' })
  } else if (journal.damage !== null) damages.push(journal.damage)
  if (journal?.isTorn === true) {
    warnings.push(
      `${journalPath}:${journal.linesInFile + 1} was cut short; nobody was told that it happened, so a start drops it.`,
    )
  }
  const readable = readableOf(snapshot)
  if (readable === null) return { isBlank: false, damages, warnings, savable: null }
  const found = newestState(files, readable)
  const isVerified = snapshot.is === 'sound'
  const savable = found.savable === null ? null : { ...found.savable, isVerified }
  return { isBlank: false, damages: [...damages, ...found.damages], warnings, savable }
}

function readableOf(finding: SnapshotFinding): Snapshot | null {
  if (finding.is === 'sound') return finding.snapshot
  return finding.is === 'damaged' ? finding.unverified : null
}

/** The newest state that a snapshot and the journal after it give, and what keeps it from being newer. */
function newestState({ place, sandboxId, journal }: StateFiles, snapshot: Snapshot) {
  const journalPath = join(place, 'journal.ndjson')
  const damages: Damage[] = []
  const { lines, gap } =
    journal === null ? { lines: [], gap: null } : entriesAfter(snapshot, journal)
  if (gap !== null) damages.push({ at: `${journalPath}:1`, reason: gap })
  const { world, count, reason } = soundPart(
    (taken) =>
      worldOf(
        snapshot.document,
        sandboxId,
        lines.slice(0, taken).map(({ entry }) => entry),
      ),
    lines.length,
  )
  const passedOver = journal === null ? 0 : journal.lines.length - lines.length
  const included = gap === null ? passedOver + count : 0
  if (reason !== null) {
    const at = world === null ? join(place, 'state.json') : `${journalPath}:${included + 1}`
    damages.push({ at, reason })
  }
  if (world === null) return { damages, savable: null }
  const entry = snapshot.entries + count
  const linesLost = journal === null ? null : journal.linesInFile - included
  return { damages, savable: { world, now: world.clock.now(), entry, linesLost } }
}

/** What the most entries make that still check, by halving; and why it is not all of them. */
function soundPart(worldAfter: (count: number) => World, all: number) {
  let best: World | null = null
  let reason: string | null = null
  const holds = (count: number): boolean => {
    try {
      best = worldAfter(count)
      return true
    } catch (error) {
      // Whatever a start would fail with is what is wrong; it is told as the reason.
      reason = (error as Error).message
      return false
    }
  }
  if (holds(all)) return { world: best as World | null, count: all, reason }
  if (all === 0 || !holds(0)) return { world: null, count: 0, reason: reason as string | null }
  let [good, bad] = [0, all]
  while (bad - good > 1) {
    const middle = Math.floor((good + bad) / 2)
    if (holds(middle)) good = middle
    else bad = middle
  }
  holds(bad)
  return { world: best as World | null, count: good, reason: reason as string | null }
}

/** The checkpoints that the index names, or, where that is damaged, those whose files are there. */
async function diagnoseShelf(folder: string, sandboxId: string) {
  const shelf = folderShelf(folder)
  const pathOf = (key: string) => join(folder, `${key}.json`)
  try {
    const readers = (await Checkpoints.open(shelf)).readers(sandboxId)
    return { damages: [], checkpoints: await diagnoseEach(readers, pathOf) }
  } catch (error) {
    if (!isWrong(error)) throw error
    const readers = (await keysIn(folder)).map((key) => ({
      name: key.slice(key.indexOf('-') + 1),
      key,
      read: async () => worldOf(await shelf.read(key), sandboxId),
    }))
    const damages = [damageOf(error, pathOf(INDEX))]
    return { damages, checkpoints: await diagnoseEach(readers, pathOf) }
  }
}

async function diagnoseEach(
  readers: readonly CheckpointReader[],
  pathOf: (key: string) => string,
): Promise<CheckpointDiagnosis[]> {
  const diagnoses: CheckpointDiagnosis[] = []
  for (const reader of readers) {
    const damage = await reader.read().then(
      () => null,
      (error: unknown) => {
        if (!isWrong(error)) throw error
        return damageOf(error, pathOf(reader.key))
      },
    )
    diagnoses.push({ ...reader, damage })
  }
  return diagnoses
}

async function keysIn(folder: string): Promise<string[]> {
  const names = await readdir(folder)
  return names
    .filter((name) => /^\d{6,}-.+\.json$/.test(name))
    .map((name) => basename(name, '.json'))
    .sort()
}

/** The store begins its sentences with the place; the checks of a document do not know it. */
function damageOf({ message }: Error, path: string): Damage {
  if (!message.startsWith(path)) return { at: path, reason: message }
  const end = message.indexOf(' ', path.length)
  return { at: message.slice(0, end), reason: message.slice(end + 1) }
}
