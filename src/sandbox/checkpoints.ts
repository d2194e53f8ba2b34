/**
 * The checkpoints of one sandbox: named moments that it can return to, and that forks can begin from. Owns their names
 * and how they are kept; putting one back in place is the sandbox's business.
 */
import * as z from 'zod'
import { Instant } from '../billing/instant.ts'
import { isRefusal, type Refusal, refuse } from '../billing/refusal.ts'
import { type Shelf, StoreError } from '../store/store.ts'
import { find } from './answer.ts'
import { countsOf } from './counts.ts'
import { StateDocumentError } from './state-checks.ts'
import { documentOf, type StateDocument, worldFrom, worldOf } from './state-document.ts'
import type { World } from './world.ts'

/** The most checkpoints that one sandbox keeps. */
export const CHECKPOINTS_MAX = 100

/** What is known of a checkpoint without reading it. */
const Checkpoint = z.strictObject({
  name: z.string(),
  now: Instant,
  /** The number of the last event that it holds; 0 before the first. */
  eventSeq: z.int().min(0),
  counts: z.record(z.string(), z.int().min(0)),
  /** Under what the shelf keeps it: numbered, because file systems may not tell `A` from `a`. */
  key: z.string(),
})
export type Checkpoint = z.infer<typeof Checkpoint>

/** How to read one checkpoint. */
export interface CheckpointReader {
  readonly name: string
  readonly key: string
  readonly read: () => Promise<World>
}

/** What stands on the shelf beside the checkpoints themselves, oldest first. */
const Index = z.strictObject({ format: z.literal(1), checkpoints: z.array(Checkpoint) })
export const INDEX = 'index'

/** The checkpoints of one sandbox. Its identity is what it knows of the shelf. */
export class Checkpoints {
  readonly #shelf: Shelf
  #byName: ReadonlyMap<string, Checkpoint>
  /** Documents written down here; a shelf that hands one of them back need not be checked. */
  readonly #own = new WeakSet<object>()

  private constructor(shelf: Shelf, checkpoints: readonly Checkpoint[]) {
    this.#shelf = shelf
    this.#byName = new Map(checkpoints.map((each) => [each.name, each]))
  }

  /** Finds what a shelf keeps, by its index alone. Throws `StoreError` where that is wrong. */
  static async open(shelf: Shelf): Promise<Checkpoints> {
    const kept = await shelf.read(INDEX)
    if (kept === null) return new Checkpoints(shelf, [])
    const index = Index.safeParse(kept)
    if (index.success) return new Checkpoints(shelf, index.data.checkpoints)
    throw new StoreError(`The index of checkpoints is wrong: ${z.prettifyError(index.error)}`)
  }

  /** Every checkpoint, oldest first. */
  get byName(): ReadonlyMap<string, Checkpoint> {
    return this.#byName
  }

  /** Keeps a world under a name. Refuses a name that is taken, and one checkpoint too many. */
  async create(world: World, name: string): Promise<Checkpoint | Refusal> {
    const refusal = this.#refuse(name)
    if (refusal !== null) return refusal
    const now = world.clock.now()
    const { events: eventSeq } = world.sequences
    const checkpoint = { name, now, eventSeq, counts: countsOf(world), key: this.#newKey(name) }
    // Records are shared; only the lists of them are the checkpoint's own.
    const document = { ...documentOf(world), events: [...world.events] }
    this.#own.add(document)
    await this.#shelf.write(checkpoint.key, document)
    await this.#keep([...this.#byName.values(), checkpoint])
    return checkpoint
  }

  /** Forgets a checkpoint, also one that can no longer be read. */
  async remove(name: string): Promise<Refusal | null> {
    const checkpoint = this.#find(name, 'name')
    if (isRefusal(checkpoint)) return checkpoint
    await this.#keep([...this.#byName.values()].filter((each) => each !== checkpoint))
    await this.#drop([checkpoint])
    return null
  }

  /** Forgets every checkpoint. */
  async clear(): Promise<void> {
    const checkpoints = [...this.#byName.values()]
    if (checkpoints.length === 0) return
    await this.#keep([])
    await this.#drop(checkpoints)
  }

  /** The world of a checkpoint, for a sandbox. Refuses a name that `field` gives in vain, and one that cannot be read. */
  async worldAt(
    { field, name }: { readonly field: string; readonly name: string },
    sandboxId: string,
  ): Promise<World | Refusal> {
    const checkpoint = this.#find(name, field)
    if (isRefusal(checkpoint)) return checkpoint
    try {
      return await this.#read(checkpoint, sandboxId)
    } catch (error) {
      if (!isWrong(error)) throw error
      return refuseUnusable(name, error.message)
    }
  }

  /** The world of each checkpoint, oldest first; throws `StoreError` or `StateDocumentError` for one that cannot be read. */
  readers(sandboxId: string): CheckpointReader[] {
    return [...this.#byName.values()].map((checkpoint) => ({
      name: checkpoint.name,
      key: checkpoint.key,
      read: () => this.#read(checkpoint, sandboxId),
    }))
  }

  async #read(checkpoint: Checkpoint, sandboxId: string): Promise<World> {
    const document = await this.#shelf.read(checkpoint.key)
    if (document === null) throw new StoreError('what it held is no longer there')
    const isOwn = this.#own.has(document)
    const world = isOwn
      ? worldFrom(document as StateDocument, sandboxId)
      : worldOf(document, sandboxId)
    if (!isOf(checkpoint, world)) throw new StoreError('what it holds is from another moment')
    return world
  }

  #find(id: string, field: string): Checkpoint | Refusal {
    return find(this.#byName, { field, id })
  }

  #refuse(name: string): Refusal | null {
    if (this.#byName.has(name)) {
      return refuse(
        'exists',
        `name "${name}" is that of a checkpoint already; another name would be accepted.`,
      )
    }
    if (this.#byName.size < CHECKPOINTS_MAX) return null
    return refuse(
      'checkpoint_limit',
      `There are ${CHECKPOINTS_MAX} checkpoints already, the most of one sandbox; delete one first.`,
    )
  }

  #newKey(name: string): string {
    const newest = [...this.#byName.values()].at(-1)?.key ?? '0'
    return `${String(Number.parseInt(newest, 10) + 1).padStart(6, '0')}-${name}`
  }

  /** A checkpoint exists once the index names it, and not before. */
  async #keep(checkpoints: readonly Checkpoint[]): Promise<void> {
    await this.#shelf.write(INDEX, { format: 1, checkpoints })
    this.#byName = new Map(checkpoints.map((each) => [each.name, each]))
  }

  /** What the index names no more is only in the way, so nobody waits for it to be gone for good. */
  async #drop(checkpoints: readonly Checkpoint[]): Promise<void> {
    for (const { key } of checkpoints) await this.#shelf.remove(key).catch(() => undefined)
  }
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
