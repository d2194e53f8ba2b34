/** A shelf of a durable sandbox: a file for each document, which the manifest names and says something of. */
import type { FolderManifest } from './folder-manifest.ts'
import { readWhole, writeLines } from './lines.ts'
import type { Manifest } from './manifest.ts'
import { type NewItem, type Shelf, type ShelfName, unlessFull } from './store.ts'

type ManifestItem = Manifest['shelves'][ShelfName][number]

/** Changes the manifest. */
export type ChangeManifest = (next: (before: Manifest) => Manifest) => Promise<void>

/** The documents of one kind beside a sandbox. */
export function folderShelf(
  name: ShelfName,
  manifest: FolderManifest,
  change: ChangeManifest,
): Shelf {
  const write = async ({ about, entries }: NewItem, number: number): Promise<ManifestItem> => {
    const file = `${name}-${String(number).padStart(6, '0')}.ndjson`
    const path = manifest.pathOf(file)
    const extent = await unlessFull(`${path} cannot be written`, () =>
      // Said in the file as well, for whoever has to do without the manifest.
      writeLines(path, withHead({ about }, entries)),
    )
    return { about, file, ...extent }
  }
  return {
    get items() {
      return (manifest.current?.shelves[name] ?? []).map((place) => ({ about: place.about, place }))
    },
    read: ({ place }) =>
      readItem(manifest.pathOf((place as ManifestItem).file), place as ManifestItem),
    set: async (items) => {
      let number = manifest.current?.newestItem ?? 0
      const next: ManifestItem[] = []
      for (const item of items) {
        if ('entries' in item) number += 1
        next.push(
          'entries' in item
            ? await write(item, number)
            : { ...(item.place as ManifestItem), about: item.about },
        )
      }
      await change((before) => ({
        ...before,
        newestItem: number,
        shelves: { ...before.shelves, [name]: next },
      }))
    },
  }
}

/** The entries of a document. */
export async function* readItem(
  path: string,
  extent: Pick<ManifestItem, 'lines' | 'sum'>,
): AsyncGenerator<unknown> {
  let isHead = true
  for await (const entry of readWhole(path, extent)) {
    if (!isHead) yield entry
    isHead = false
  }
}

function* withHead(head: object, entries: Iterable<object>): Generator<object> {
  yield head
  yield* entries
}
