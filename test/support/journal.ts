/** A journal of its own for a test: written as a sandbox writes one, and read back with how it ended. */
import { type JournalPlace, JournalWriter } from '../../src/store/journal-writer.ts'
import { type Extent, LineChain, LineReader } from '../../src/store/lines.ts'

/** A writer for the journal at a path, which holds nothing unless `parts` say otherwise. */
export function journalAt(
  path: string,
  { extent = new LineChain().extent, ...place }: Partial<JournalPlace> & { extent?: Extent } = {},
): JournalWriter {
  const defaults = {
    path,
    durability: 'commit',
    refuseReplaced: () => {},
    writes: { succeeded: () => {}, failed: () => {} },
  } as const
  return new JournalWriter({ ...defaults, ...place }, extent)
}

/** Appends entries one after another. */
export async function keepAt(path: string, entries: readonly object[]): Promise<void> {
  const journal = journalAt(path)
  for (const entry of entries) await journal.append(entry)
  await journal.close()
}

/** What a reader finds. */
export async function readAt(path: string) {
  const reader = new LineReader(path)
  const entries: unknown[] = []
  for await (const entry of reader.entries()) entries.push(entry)
  const { ending, extent } = reader
  return { entries, ending, extent }
}
