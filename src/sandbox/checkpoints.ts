/**
 * The checkpoints of one sandbox: named moments that it can return to, and that forks can begin from. Owns their names
 * and how they are kept; putting one back in place is the sandbox's business.
 */
import * as z from 'zod'
import { isRefusal, refuse } from '../billing/refusal.ts'
import { type Item, type Shelf, type StoredSandbox, StoreError } from '../store/store.ts'
import { Instant } from '../time/instant.ts'
import { find } from './answer.ts'
import { countsOf } from './counts.ts'
import type { Refusal } from './refusal.ts'
import { entriesOfWorld } from './state-document.ts'
import { StateDocumentError } from './state-document-error.ts'
import type { World } from './world.ts'
import { type EntrySource, readWorld } from './world-entries.ts'

/** The most checkpoints that one sandbox keeps. */
export const CHECKPOINTS_MAX = 100

/** What is known of a checkpoint without reading it. */
const Checkpoint = z.strictObject({
  name: z.string(),
  now: Instant,
  /** The number of the last event that it holds; 0 before the first. */
  eventSeq: z.int().min(0),
  counts: z.record(z.string(), z.int().min(0)),
})
export type Checkpoint = z.infer<typeof Checkpoint>

/** The checkpoints of one sandbox. Its identity is the shelf that keeps them. */
export class Checkpoints {
  readonly #shelf: Shelf
  readonly #shape: EntrySource['shape']

  constructor(stored: Pick<StoredSandbox, 'isVolatile' | 'shelf'>) {
    this.#shelf = stored.shelf('checkpoints')
    // What never left this process is as it was written down.
    this.#shape = stored.isVolatile ? 'known' : 'unknown'
  }

  /** Every checkpoint, oldest first. */
  get byName(): ReadonlyMap<string, Checkpoint> {
    return new Map([...this.#items()].map(([name, { checkpoint }]) => [name, checkpoint]))
  }

  /** Keeps a world under a name. Refuses a name that is taken, and one checkpoint too many. */
  async create(world: World, name: string): Promise<Checkpoint | Refusal> {
    const refusal = this.#refuse(name)
    if (refusal !== null) return refusal
    const { events: eventSeq } = world.sequences
    const checkpoint = { name, now: world.clock.now(), eventSeq, counts: countsOf(world) }
    const added = { about: checkpoint, entries: entriesOfWorld(world) }
    await this.#shelf.set([...this.#shelf.items, added])
    return checkpoint
  }

  /** Forgets a checkpoint, also one that can no longer be read. */
  async remove(name: string): Promise<Refusal | null> {
    const found = this.#find(name, 'name')
    if (isRefusal(found)) return found
    await this.#shelf.set(this.#shelf.items.filter(({ place }) => place !== found.item.place))
    return null
  }

  /** The world of a checkpoint, for a sandbox. Refuses a name that `field` gives in vain, and one that cannot be read. */
  async worldAt(
    { field, name }: { readonly field: string; readonly name: string },
    sandboxId: string,
  ): Promise<World | Refusal> {
    const found = this.#find(name, field)
    if (isRefusal(found)) return found
    const { checkpoint, item } = found
    try {
      const entries = this.#shelf.read(item)
      const world = await readWorld(entries, { sandboxId, shape: this.#shape })
      if (isOf(checkpoint, world)) return world
      throw new StoreError('what it holds is from another moment')
    } catch (error) {
      if (!isWrong(error)) throw error
      return refuseUnusable(name, error.message)
    }
  }

  #items(): Map<string, { readonly checkpoint: Checkpoint; readonly item: Item }> {
    return new Map(
      this.#shelf.items.map((item) => {
        const checkpoint = readAbout(item)
        return [checkpoint.name, { checkpoint, item }]
      }),
    )
  }

  #find(id: string, field: string) {
    return find(this.#items(), { field, id })
  }

  #refuse(name: string): Refusal | null {
    const { byName } = this
    if (byName.has(name)) {
      return refuse(
        'exists',
        `name "${name}" is that of a checkpoint already; another name would be accepted.`,
      )
    }
    if (byName.size < CHECKPOINTS_MAX) return null
    return refuse(
      'checkpoint_limit',
      `There are ${CHECKPOINTS_MAX} checkpoints already, the most of one sandbox; delete one first.`,
    )
  }
}

/** What is said of a checkpoint where it is kept. Throws `StoreError` where that is wrong. */
function readAbout({ about }: Item): Checkpoint {
  const checkpoint = Checkpoint.safeParse(about)
  if (checkpoint.success) return checkpoint.data
  throw new StoreError(`A checkpoint is not described: ${z.prettifyError(checkpoint.error)}`)
}

/** Whether an error says that what is kept is wrong; anything else is a defect. */
export function isWrong(error: unknown): error is StoreError | StateDocumentError {
  return error instanceof StoreError || error instanceof StateDocumentError
}

function isOf({ now, eventSeq }: Checkpoint, { clock, sequences }: World): boolean {
  return clock.now() === now && sequences.events === eventSeq
}

function refuseUnusable(name: string, why: string): Refusal {
  return refuse(
    'checkpoint_unusable',
    `Checkpoint "${name}" cannot be used: ${why}. Any other one would be accepted, and this one can be deleted.`,
  )
}
