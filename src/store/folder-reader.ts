/**
 * Reading what a sandbox's folder keeps: the state, and the journals that follow on it. Owns what must fit together for
 * them to be believed. Writes nothing.
 */
import { join } from 'node:path'
import { type Ending, type Extent, LineReader, readWhole } from './lines.ts'
import { fileOf, type Manifest } from './manifest.ts'
import { StoreError } from './store.ts'

/** What a journal begins with: the checksum that the one before it ended with. */
export interface JournalHead {
  readonly generation: number
  readonly follows: string
}

/** What was found of a journal. */
export interface JournalFound {
  readonly generation: number
  readonly path: string
  /** What of it can be trusted. */
  readonly bytes: number
  readonly extent: Extent
  readonly ending: Ending
}

export interface Reading {
  readonly manifest: Pick<Manifest, 'state' | 'journals'>
  /** How many bytes of a journal can be trusted, by generation, where that is known already. */
  readonly trusted?: ReadonlyMap<number, number>
  /** Told once the state was read. */
  readonly onState?: () => void
  /** Told of each journal once it was read. */
  readonly onJournal?: (journal: JournalFound) => void
}

/** Each entry that is kept, in order. Throws `StoreError` with file, line and reason for what does not fit. */
export async function* readFolder(folder: string, reading: Reading): AsyncGenerator<unknown> {
  const { state, journals } = reading.manifest
  yield* readWhole(join(folder, fileOf('state', state.generation)), state)
  reading.onState?.()
  let before: JournalFound | null = null
  for (const journal of journals) {
    before = yield* readJournal(folder, journal, { before, reading })
    reading.onJournal?.(before)
  }
}

interface Context {
  readonly before: JournalFound | null
  readonly reading: Reading
}

async function* readJournal(
  folder: string,
  { generation, atLeast }: Manifest['journals'][number],
  { before, reading }: Context,
): AsyncGenerator<unknown, JournalFound> {
  const path = join(folder, fileOf('journal', generation))
  const trusted = reading.trusted?.get(generation)
  const reader = new LineReader(path)
  let isHead = true
  for await (const entry of reader.entries(trusted)) {
    if (isHead) checkHead(path, entry as JournalHead, { generation, before })
    else yield entry
    isHead = false
  }
  const { extent, bytes, ending } = reader
  if (trusted === undefined) checkEnd(path, reader, atLeast)
  return { generation, path, bytes, extent, ending }
}

/** A journal was only begun when all of the one before it was on disk. */
function checkHead(
  path: string,
  head: Partial<JournalHead>,
  { generation, before }: { readonly generation: number; readonly before: JournalFound | null },
): void {
  if (head.generation !== generation) {
    throw new StoreError(`${path}:1 is not the beginning of journal ${generation}`)
  }
  if (before === null) return
  if (before.ending === 'torn' || head.follows !== before.extent.sum) {
    throw new StoreError(
      `${before.path}:${before.extent.lines + 1} is missing: ${path} follows on a later line`,
    )
  }
}

function checkEnd(path: string, { extent, ending }: LineReader, atLeast: number): void {
  const { lines } = extent
  if (lines < atLeast) {
    throw new StoreError(`${path}:${lines + 1} is missing: the file had at least ${atLeast} lines`)
  }
  if (ending === 'unmarked') {
    throw new StoreError(`${path}:${lines + 1} is missing: the file was cut before its end mark`)
  }
}
