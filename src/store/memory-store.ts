/**
 * The store that keeps nothing beyond the process: lowdb's memory adapter, which is never even handed a document, and
 * a shelf that holds the very documents it was given.
 */
import { Low, Memory } from 'lowdb'
import type { Kept, Shelf, Store } from './store.ts'

/** Keeps nothing. */
export function memoryStore(): Store {
  return {
    list: async () => [],
    open: async () => {
      const kept = new Low<Kept | null>(new Memory(), null)
      return {
        isVolatile: true,
        shelf: memoryShelf(),
        read: async () => kept.data,
        append: async () => undefined,
        replace: async () => undefined,
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

function memoryShelf(): Shelf {
  const documents = new Map<string, object>()
  return {
    read: async (key) => documents.get(key) ?? null,
    write: async (key, document) => void documents.set(key, document),
    remove: async (key) => void documents.delete(key),
  }
}
