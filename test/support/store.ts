/** Durable stores for tests, with nothing said on the console. */
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type FolderStoreOptions, folderStore } from '../../src/store/folder-store.ts'
import type { DocumentKind, Store, StoredSandbox } from '../../src/store/store.ts'

interface Options extends Partial<Pick<FolderStoreOptions, 'durability' | 'foldAtBytes'>> {
  readonly warnings?: string[]
}

/** A store in a folder; what it warns of is kept in `warnings`. */
export function storeIn(
  folder: string,
  { warnings = [], ...options }: Options = {},
): Promise<Store> {
  const warn = (line: string) => {
    warnings.push(line)
  }
  return folderStore(folder, { durability: 'commit', lock: 'kernel', warn, ...options })
}

/** Everything that is kept of a sandbox, in order. */
export async function entriesIn<Entry = unknown>(stored: StoredSandbox): Promise<Entry[]> {
  return all<Entry>(stored.read())
}

/** Every document of one kind: its description, and its entries. */
export async function documentsIn(stored: StoredSandbox, kind: DocumentKind) {
  const folder = stored.documents(kind)
  const documents: { about: unknown; entries: unknown[] }[] = []
  for (const document of folder.documents) {
    documents.push({ about: document.about, entries: await all(folder.read(document)) })
  }
  return documents
}

async function all<Entry>(entries: AsyncIterable<unknown> | Iterable<unknown>): Promise<Entry[]> {
  const found: Entry[] = []
  for await (const entry of entries) found.push(entry as Entry)
  return found
}

/** Copies the sandboxes of a data folder as a kill would leave them now: no turn of the event loop passes meanwhile. */
export function copySandboxes(from: string, to: string): void {
  const [source, target] = [join(from, 'sandboxes'), join(to, 'sandboxes')]
  for (let left = 20; ; left -= 1) {
    try {
      cpSync(source, target, { recursive: true })
      return
    } catch (error) {
      // What the system is doing just now may take a file away between finding and reading it.
      if (left === 0) throw error
      rmSync(target, { recursive: true, force: true })
    }
  }
}

/** The same thing with some of its members replaced. */
export function instead<Thing extends object>(thing: Thing, members: Partial<Thing>): Thing {
  return new Proxy(thing, {
    get: (target, name) => {
      if (Object.hasOwn(members, name)) return Reflect.get(members, name)
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}
