/**
 * Reads a sandbox's folder: the state, then the journal of the changes since. Owns the checks that they fit together.
 * Writes nothing.
 */
import { join } from 'node:path'
import { type Extent, LineReader, readWhole } from './lines.ts'
import { fileOf, journalStart, type Manifest } from './manifest.ts'
import { StoreError } from './store.ts'

export interface JournalFound {
  readonly path: string
  /** The part that can be trusted. */
  readonly extent: Extent
  /** What a start drops if the journal did not end properly; null if it did. */
  readonly warning: string | null
}

/** The entries of the state. Throws `StoreError` with file, line and reason. */
export function readState(
  folder: string,
  { generation, state }: Manifest,
): AsyncGenerator<unknown, void> {
  return readWhole(join(folder, fileOf('state', generation)), state)
}

/** The entries of the journal; only of the first `trusted` bytes, if that is known. Throws as `readState` does. */
export async function* readJournal(
  folder: string,
  manifest: Manifest,
  trusted: number | null = null,
): AsyncGenerator<unknown, JournalFound> {
  const path = join(folder, fileOf('journal', manifest.generation))
  const reader = new LineReader(path, journalStart(manifest))
  yield* reader.entries(trusted ?? undefined)
  const { extent, ending } = reader
  const isCut = trusted === null ? ending === 'unmarked' : extent.bytes !== trusted
  if (extent.lines < manifest.journalLines || isCut) {
    throw new StoreError(`${path}:${extent.lines + 1} is missing: the file was cut`)
  }
  return { path, extent, warning: warningOf(reader) }
}

function warningOf({ path, extent, ending }: LineReader): string | null {
  if (ending === 'torn') {
    return `${path}:${extent.lines + 1} is cut short, as a crash leaves a line that was not answered yet; it and what follows is dropped.`
  }
  if (ending !== 'trailed') return null
  return `${path} goes on after its end mark, as a failed write leaves it; that is dropped.`
}
