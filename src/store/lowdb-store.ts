/**
 * The store on lowdb: one folder for each sandbox with a `state.json`, or nothing but memory. `Low` is built from
 * its adapters explicitly, because lowdb's presets turn into memory under NODE_ENV=test.
 */
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Adapter, Low, Memory } from 'lowdb'
import { JSONFile } from 'lowdb/node'
import { type Store, type StoredSandbox, StoreError } from './store.ts'

/** Other folders, such as the lost+found of a volume, are left alone. */
const folderOfSandbox = /^[a-z0-9][a-z0-9-]*$/

/** Keeps every sandbox below a folder, each in one of its own. */
export async function folderStore(folder: string): Promise<Store> {
  await mkdir(folder, { recursive: true })
  return {
    list: async () => {
      const entries = await readdir(folder, { withFileTypes: true })
      return entries
        .filter((entry) => entry.isDirectory() && folderOfSandbox.test(entry.name))
        .map((entry) => entry.name)
        .sort()
    },
    open: async (sandboxId) => {
      const path = join(folder, sandboxId, 'state.json')
      await mkdir(join(folder, sandboxId), { recursive: true })
      return keepIn(new JSONFile<unknown>(path), path)
    },
    remove: (sandboxId) => rm(join(folder, sandboxId), { recursive: true, force: true }),
  }
}

/** Keeps nothing beyond the process, and does not even make the document. */
export function memoryStore(): Store {
  return {
    list: async () => [],
    open: async () => {
      const kept = new Low<unknown>(new Memory<unknown>(), null)
      return {
        read: async () => kept.data,
        commit: async () => undefined,
      }
    },
    remove: async () => undefined,
  }
}

function keepIn(adapter: Adapter<unknown>, path: string): StoredSandbox {
  const kept = new Low<unknown>(adapter, null)
  const write = shareWrites(async (document) => {
    kept.data = document()
    await kept.write()
  })
  return {
    read: async () => {
      await kept.read().catch((cause: Error) => {
        throw new StoreError(`${path} cannot be read: ${withoutSource(cause)}`)
      })
      return kept.data
    },
    commit: write,
  }
}

/** At most one write runs; whoever commits meanwhile waits for the next one, which covers them all. */
function shareWrites(
  write: (document: () => unknown) => Promise<void>,
): (document: () => unknown) => Promise<void> {
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | null = null
  return (document) => {
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = null
        running = write(document)
        return running
      })
    return next
  }
}

/** The reason without the text around it: a state file holds digests and keys. */
function withoutSource(cause: Error): string {
  const position = /position \d+.*$/.exec(cause.message)?.[0]
  return cause instanceof SyntaxError
    ? `not valid JSON (${position ?? 'cut short'})`
    : cause.message
}
