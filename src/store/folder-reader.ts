/**
 * Reading what a sandbox's folder keeps: the state, and the journals that follow on it. Owns what must fit together for
 * them to be believed. Writes nothing.
 */
import { join } from 'node:path'
import { type Ending, type Extent, LineReader, readWhole } from './lines.ts'
import { fileOf, type Manifest } from './manifest.ts'
import { StoreError } from './store.ts'

/** The first line of a journal, which is there from the beginning: whose it is, and which one. */
export interface JournalHead {
  readonly sandbox: string
  readonly generation: number
}

/** The second line, written with the first entry: the checksum that the journal before it ended with. */
export interface JournalLink {
  readonly follows: string
}

/** What a journal is made with. */
export const HEAD_LINES = 1

/** What the first journal follows on. */
export const firstLink: JournalLink = { follows: '00000000' }

/** What was found of a journal. */
export interface JournalFound {
  readonly head: JournalHead
  readonly link: JournalLink
  readonly path: string
  /** What of it can be trusted. */
  readonly bytes: number
  readonly extent: Extent
  readonly ending: Ending
}

export interface Reading {
  /** Without an id, the journals are believed to be of one sandbox. */
  readonly manifest: Pick<Manifest, 'state' | 'journals'> & { readonly id: string | null }
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
    const found: JournalFound = yield* readJournal(folder, journal, { before, reading })
    reading.onJournal?.(found)
    // One that was made for a fold that never began is passed over.
    if (found.extent.lines > HEAD_LINES) before = found
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
  let line = 0
  for await (const entry of reader.entries(trusted)) {
    line += 1
    if (line === 1) checkHead(path, entry as JournalHead, { generation, id: reading.manifest.id })
    else if (line === 2) checkLink(path, entry as JournalLink, before)
    else yield entry
  }
  const { extent, bytes, ending } = reader
  if (trusted === undefined) checkEnd(path, reader, atLeast)
  else if (bytes !== trusted) throw new StoreError(`${path}:${line + 1} is missing`)
  const head = { sandbox: reading.manifest.id ?? '', generation }
  const link = before === null ? firstLink : { follows: before.extent.sum }
  return { head, link, path, bytes, extent, ending }
}

function checkHead(
  path: string,
  head: Partial<JournalHead>,
  { generation, id }: { readonly generation: number; readonly id: string | null },
): void {
  if (head.generation === generation && (id === null || head.sandbox === id)) return
  throw new StoreError(`${path}:1 is not the beginning of the journal that sandbox.json names`)
}

/** A journal was only begun when all of the one before it was on disk. */
function checkLink(path: string, { follows }: JournalLink, before: JournalFound | null): void {
  if (before === null) return
  if (before.ending === 'torn' || follows !== before.extent.sum) {
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

/** What a start drops of a journal that did not end as it should; null for one that did. */
export function warningOf({ path, extent, ending }: JournalFound): string | null {
  if (ending === 'torn') {
    return `${path}:${extent.lines + 1} is cut short, as a crash leaves a line that was not answered yet; whatever stood from there on is dropped.`
  }
  if (ending === 'trailed') {
    return `${path} goes on after its end mark, as a failed write leaves it; that is dropped.`
  }
  return null
}
