/**
 * The store that keeps nothing beyond the process: nothing of a sandbox, and the very documents that are kept beside it.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Item, Shelf, ShelfName, Store, StoredSandbox } from './store.ts'

/** Keeps nothing. */
export function memoryStore(): Store {
  return {
    list: async () => [],
    open: async () => volatileSandbox(),
    create: async () => volatileSandbox(),
    remove: async () => undefined,
    close: async () => undefined,
  }
}

function volatileSandbox(): StoredSandbox {
  const shelves = { checkpoints: memoryShelf(), pacts: memoryShelf() }
  return {
    isVolatile: true,
    shelf: (name: ShelfName) => shelves[name],
    read: async function* () {},
    append: turnEnd(),
    replace: async (_, emptied = []) => {
      for (const name of emptied) await shelves[name].set([])
    },
    isOutgrown: () => false,
    fold: async () => undefined,
    kept: async () => undefined,
    settled: async () => undefined,
    close: async () => undefined,
  }
}

/**
 * Resolves once the event loop has come to the end of its turn, as a disk would at the earliest: the calls that came
 * together are then answered together, and a client of many connections is woken once and not for each of them.
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

function memoryShelf(): Shelf {
  let items: readonly Item[] = []
  return {
    get items() {
      return items
    },
    read: (item) => item.place as object[],
    set: async (next) => {
      items = next.map((each) =>
        'entries' in each ? { about: each.about, place: [...each.entries] } : each,
      )
    },
  }
}
