/**
 * The store that keeps nothing beyond the process: lowdb's memory adapter, which is never even handed a document, and
 * a shelf that holds the very documents it was given.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Low, Memory } from 'lowdb'
import type { Kept, Shelf, ShelfName, Store } from './store.ts'

/** Keeps nothing. */
export function memoryStore(): Store {
  return {
    list: async () => [],
    open: async () => {
      const kept = new Low<Kept | null>(new Memory(), null)
      return {
        isVolatile: true,
        shelf: memoryShelves(),
        read: async () => kept.data,
        append: turnEnd(),
        replace: async () => undefined,
        fold: async () => undefined,
        kept: async () => undefined,
        settled: async () => undefined,
        isOutgrown: () => false,
        close: async () => undefined,
      }
    },
    remove: async () => undefined,
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

/** Hands out the same shelf whenever its name is given. */
function memoryShelves(): (name: ShelfName) => Shelf {
  const shelves = new Map<ShelfName, Shelf>()
  return (name) => {
    const shelf = shelves.get(name) ?? memoryShelf()
    shelves.set(name, shelf)
    return shelf
  }
}

function memoryShelf(): Shelf {
  const documents = new Map<string, object>()
  return {
    read: async (key) => documents.get(key) ?? null,
    write: async (key, document) => void documents.set(key, document),
    remove: async (key) => void documents.delete(key),
  }
}
