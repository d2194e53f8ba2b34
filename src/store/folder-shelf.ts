/** A shelf of a durable sandbox: a file for each document, which the manifest names and says something of. */
import type { FolderManifest } from './folder-manifest.ts'
import { type Extent, readWhole } from './lines.ts'
import { fileOf, type Manifest } from './manifest.ts'
import type { Item, NewItem, Shelf, ShelfName } from './store.ts'

type ManifestItem = Manifest['shelves'][ShelfName][number]

/** Changes the manifest. */
export type ChangeManifest = (next: (before: Manifest) => Manifest) => Promise<void>

/** The documents of one kind beside a sandbox. */
export function folderShelf(
  name: ShelfName,
  manifest: FolderManifest,
  change: ChangeManifest,
): Shelf {
  const put = async (item: Item | NewItem, written: string[]): Promise<ManifestItem> => {
    const { about } = item
    if (!('entries' in item)) return { ...(item.place as ManifestItem), about }
    const file = fileOf(name, manifest.nextNumber())
    // Said in the file as well, for whoever has to do without the manifest.
    const extent = await manifest.write(file, withHead({ about }, item.entries))
    written.push(file)
    return { about, file, ...extent }
  }
  return {
    get items() {
      return (manifest.current?.shelves[name] ?? []).map((place) => ({ about: place.about, place }))
    },
    read: ({ place }) =>
      readItem(manifest.pathOf((place as ManifestItem).file), place as ManifestItem),
    set: async (items) => {
      const next: ManifestItem[] = []
      const written: string[] = []
      try {
        for (const item of items) next.push(await put(item, written))
      } catch (error) {
        await manifest.discard(written)
        throw error
      }
      await change((before) => ({ ...before, shelves: { ...before.shelves, [name]: next } }))
    },
  }
}

/** The entries of a document; of one whose extent nobody knows, whatever it says of itself. */
export async function* readItem(path: string, extent: Extent | null): AsyncGenerator<unknown> {
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
