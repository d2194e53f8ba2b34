/** A journal that is written to: what stands before its entries, and its writer. */
import { firstLink, HEAD_LINES, type JournalHead, type JournalLink } from './folder-reader.ts'
import { type JournalParts, JournalWriter } from './journal-writer.ts'
import { Chain } from './lines.ts'

export interface OpenJournal {
  readonly head: JournalHead
  /** Written before the first entry. */
  readonly link: JournalLink
  readonly writer: JournalWriter
}

/** A journal that holds nothing but its head yet, and comes after another where there is one. */
export function beginJournal(
  head: JournalHead,
  parts: Omit<JournalParts, 'bytes' | 'extent'>,
  before: OpenJournal | null,
): OpenJournal {
  const chain = new Chain()
  const bytes = Buffer.byteLength(chain.next(head))
  const begun = { ...parts, bytes, extent: chain.extent }
  if (before === null) return { head, link: firstLink, writer: new JournalWriter(begun) }
  const settled = before.writer.settled()
  // Whoever appends learns of a failure; it may be that nobody does.
  settled.catch(() => undefined)
  const link = isEmpty(before) ? before.link : { follows: before.writer.extent.sum }
  return { head, link, writer: new JournalWriter({ ...begun, before: settled }) }
}

/** Appends an entry; resolves when the durability says that it is kept. */
export function appendTo(journal: OpenJournal, entry: object): Promise<void> {
  const { link, writer } = journal
  if (isEmpty(journal)) void writer.append(link).catch(() => undefined)
  return writer.append(entry)
}

function isEmpty({ writer }: OpenJournal): boolean {
  return writer.extent.lines === HEAD_LINES
}
