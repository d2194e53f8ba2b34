/** Durable stores for tests, with nothing said on the console. */
import { folderStore } from '../../src/store/folder-store.ts'
import type { Durability, Store } from '../../src/store/store.ts'

/** A store in a folder; what it warns of is kept in `warnings`. */
export function storeIn(
  folder: string,
  { durability = 'commit', warnings = [] }: { durability?: Durability; warnings?: string[] } = {},
): Promise<Store> {
  const warn = (line: string) => {
    warnings.push(line)
  }
  return folderStore(folder, { durability, lock: 'kernel', warn })
}
