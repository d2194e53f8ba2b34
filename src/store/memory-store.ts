/** The store that keeps nothing beyond the process: lowdb's memory adapter, which is never even handed a document. */
import { Low, Memory } from 'lowdb'
import type { Kept, Store } from './store.ts'

/** Keeps nothing. */
export function memoryStore(): Store {
  return {
    list: async () => [],
    open: async () => {
      const kept = new Low<Kept | null>(new Memory(), null)
      return {
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
