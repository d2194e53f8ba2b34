/**
 * The checkpoints of one sandbox: named moments to return to or to fork from. Owns their names and how they are stored;
 * the sandbox restores them.
 */
import * as z from 'zod'
import { isRefusal, refuse } from '../billing/refusal.ts'
import {
  type DocumentFolder,
  type StoredDocument,
  type StoredSandbox,
  StoreError,
} from '../store/store.ts'
import { Instant } from '../time/instant.ts'
import { countsOf } from '../world/capacity.ts'
import type { Refusal } from '../world/refusal.ts'
import { findRecord } from '../world/results.ts'
import { StateDocumentError } from '../world/state-document-error.ts'
import type { World } from '../world/world.ts'
import { type EntryShape, entriesOfWorld, worldFromEntries } from '../world/world-entries.ts'

export const CHECKPOINTS_MAX = 100

/** The description of a checkpoint, available without reading it. */
const Checkpoint = z.strictObject({
  name: z.string(),
  now: Instant,
  /** The number of its last event; 0 before the first. */
  eventSeq: z.int().min(0),
  counts: z.record(z.string(), z.int().min(0)),
})
export type Checkpoint = z.infer<typeof Checkpoint>

/** The checkpoints of one sandbox. Its identity is the folder that stores them. */
export class Checkpoints {
  readonly #folder: DocumentFolder
  readonly #shape: EntryShape

  constructor(stored: Pick<StoredSandbox, 'isVolatile' | 'documents'>) {
    this.#folder = stored.documents('checkpoints')
    // Entries that never left this process have a known shape.
    this.#shape = stored.isVolatile ? 'known' : 'unknown'
  }

  /** Every checkpoint, oldest first. */
  get byName(): ReadonlyMap<string, Checkpoint> {
    return new Map([...this.#load()].map(([name, { about }]) => [name, about]))
  }

  /** Stores a world under a name. Refuses a name that is taken, and a checkpoint above the limit. */
  async create(world: World, name: string): Promise<Checkpoint | Refusal> {
    const { byName } = this
    if (byName.has(name)) {
      return refuse('exists', `name "${name}" exists already; choose another one.`)
    }
    if (byName.size >= CHECKPOINTS_MAX) {
      return refuse(
        'checkpoint_limit',
        `A sandbox can have at most ${CHECKPOINTS_MAX} checkpoints; delete one first.`,
      )
    }
    const { events: eventSeq } = world.sequences
    const checkpoint = { name, now: world.clock.now(), eventSeq, counts: countsOf(world) }
    const added = { about: checkpoint, entries: entriesOfWorld(world) }
    await this.#folder.set([...this.#folder.documents, added])
    return checkpoint
  }

  /** Deletes a checkpoint, also one that can no longer be read. */
  async remove(name: string): Promise<Refusal | null> {
    const checkpoints = this.#load()
    const found = findRecord(checkpoints, 'name', name)
    if (isRefusal(found)) return found
    checkpoints.delete(name)
    await this.#folder.set([...checkpoints.values()])
    return null
  }

  /** The world of a checkpoint, for a sandbox. Refuses an unknown name, from `field`, and an unreadable checkpoint. */
  async worldAt(name: string, sandboxId: string, field = 'name'): Promise<World | Refusal> {
    const found = findRecord(this.#load(), field, name)
    if (isRefusal(found)) return found
    try {
      return await worldFromEntries(this.#folder.read(found), sandboxId, this.#shape)
    } catch (error) {
      if (!isInvalidData(error)) throw error
      return refuse(
        'checkpoint_unusable',
        `Checkpoint "${name}" cannot be used: ${error.message}. Delete it, or use another one.`,
      )
    }
  }

  #load() {
    return new Map(
      readDescriptions(this.#folder, Checkpoint).map((each) => [each.about.name, each]),
    )
  }
}

/** Whether an error means that the stored data is invalid; any other error is a defect. */
export function isInvalidData(error: unknown): error is StoreError | StateDocumentError {
  return error instanceof StoreError || error instanceof StateDocumentError
}

/** The documents of a folder with their descriptions. Throws `StoreError` if one is invalid. */
export function readDescriptions<About>(
  folder: DocumentFolder,
  schema: z.ZodType<About>,
): (StoredDocument & { readonly about: About })[] {
  return folder.documents.map(({ about, place }) => {
    const checked = schema.safeParse(about)
    if (checked.success) return { about: checked.data, place }
    throw new StoreError(`A description is wrong: ${z.prettifyError(checked.error)}`)
  })
}
