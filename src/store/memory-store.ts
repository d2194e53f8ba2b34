/** The store that ends with the process: it stores no worlds, and only keeps documents in memory. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DocumentFolder, DocumentKind, Store, StoredDocument, StoredSandbox } from './store.ts'

/** The number of entries read in one turn of the event loop: some milliseconds of work. */
const ENTRIES_AT_ONCE = 1000

export function memoryStore(): Store {
  return {
    list: async () => [],
    undelivered: async () => [],
    open: async () => volatileSandbox(),
    create: async () => volatileSandbox(),
    remove: async () => undefined,
    failure: async () => null,
    close: async () => undefined,
  }
}

function volatileSandbox(): StoredSandbox {
  const folders = { checkpoints: memoryFolder(), pacts: memoryFolder() }
  return {
    isVolatile: true,
    documents: (kind: DocumentKind) => folders[kind],
    read: async function* () {},
    append: turnEnd(),
    replace: async (_, emptied = []) => {
      for (const kind of emptied) await folders[kind].set([])
    },
    isOutgrown: () => false,
    committed: async () => undefined,
    flushed: async () => undefined,
    markUndelivered: () => undefined,
    close: async () => undefined,
  }
}

/**
 * Resolves at the end of the current turn of the event loop, the earliest that a disk would. Calls that arrived
 * together are answered together, and a client of many connections wakes up once instead of once for each.
 */
function turnEnd(): () => Promise<void> {
  let end: Promise<void> | null = null
  return () => {
    end ??= nextTurn().then(() => {
      end = null
    })
    return end
  }
}

function memoryFolder(): DocumentFolder {
  let documents: readonly StoredDocument[] = []
  return {
    get documents() {
      return documents
    },
    read: (document) => document.place as object[],
    set: async (next) => {
      const stored: StoredDocument[] = []
      for (const each of next) {
        if (!('entries' in each)) stored.push(each)
        else stored.push({ about: each.about, place: await collectEntries(each.entries) })
      }
      documents = stored
    },
  }
}

/** All entries, read in several turns: those of a full sandbox would block other calls. */
async function collectEntries(entries: Iterable<object>): Promise<object[]> {
  const list: object[] = []
  for (const entry of entries) {
    list.push(entry)
    if (list.length % ENTRIES_AT_ONCE === 0) await nextTurn()
  }
  return list
}
