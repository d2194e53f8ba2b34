/**
 * A world as entries: the head, the records of each collection in pieces, the events. Owns how a world is written as
 * entries and built from them, whether they come from a data folder, a checkpoint or a document.
 */
import * as z from 'zod'
import { currentSettings, Settings } from '../assumptions/register.ts'
import { Instant } from '../time/instant.ts'
import { type CollectionName, collectionNames, type DocumentName } from './collections.ts'
import type { Event } from './event.ts'
import { JournalEntry, replay, takeAll } from './journal-entry.ts'
import { Slice } from './paced.ts'
import type { Sequences } from './sequences.ts'
import { checkWorld } from './state-checks.ts'
import { StateDocumentError } from './state-document-error.ts'
import { ApiKey, emptyWorld, Origin, type World } from './world.ts'

/**
 * The number of records in one entry. A reader of an entry blocks the event loop, and the garbage collector of V8 marks
 * in that turn: with ten times as many, a restore blocked others for a tenth of a second.
 */
const PIECE = 10

/**
 * From this number of records on, equal strings are stored once. It saves memory in a large world, and would cost time
 * in a small one.
 */
const SHARED_FROM = 400_000

/** The number of strings to remember; equal strings are close together. */
const REMEMBERED_MAX = 50_000

export const Head = z.strictObject({
  origin: Origin,
  clock: z.strictObject({ now: Instant, offsetMs: z.int().nullable() }),
  settings: Settings,
  apiKeys: z.array(ApiKey),
})
export type Head = z.infer<typeof Head>

export type EntryParts = {
  readonly [Name in DocumentName]: { values(): Iterable<unknown> }
} & {
  readonly [Name in CollectionName]?: { values(): Iterable<unknown> }
} & { readonly events: Iterable<Event>; readonly sequences: Sequences }

export function headOf({ origin, clock, settings, apiKeys }: World): Head {
  const { offsetMs } = clock
  return { origin, clock: { now: clock.now(), offsetMs }, settings, apiKeys: [...apiKeys] }
}

/** The entries of a world, which must not change until all of them are written. */
export function entriesOfWorld(world: World): Generator<object> {
  return entriesOf(headOf(world), world)
}

export function* entriesOf(head: Head, parts: EntryParts): Generator<object> {
  yield head
  for (const name of collectionNames) {
    for (const piece of chunksOf(parts[name]?.values() ?? [], PIECE))
      yield { put: { [name]: piece } }
  }
  for (const piece of chunksOf(parts.events, PIECE)) yield { events: piece }
  yield { sequences: { ...parts.sequences } }
}

/** Values in lists of a size; the last list may be shorter. */
export function* chunksOf<Value>(values: Iterable<Value>, size: number): Generator<Value[]> {
  let chunk: Value[] = []
  for (const value of values) {
    chunk.push(value)
    if (chunk.length < size) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

/** Where entries come from. Entries that this process made need no check of their shape. */
export interface EntrySource {
  readonly sandboxId: string
  readonly shape: 'unknown' | 'known'
}

/**
 * Builds a world from entries, under the id of its sandbox. Throws `StateDocumentError` if an entry is invalid or the
 * world contradicts itself. Yields to the rest of the process.
 */
export async function worldFromEntries(
  entries: AsyncIterable<unknown> | Iterable<unknown>,
  { sandboxId, shape }: EntrySource,
): Promise<World> {
  const slice = new Slice()
  const prepare = shape === 'unknown' ? checkedEntries() : () => undefined
  let world: World | null = null
  for await (const entry of entries) {
    prepare(entry)
    if (world === null) world = worldWith(entry as Head, sandboxId)
    else replay(world, entry as JournalEntry)
    // Tracking every record as changed would take as much memory as the world.
    takeAll(world)
    if (slice.isOver()) await slice.next()
  }
  if (world === null) throw new StateDocumentError('entry 1', 'is missing')
  await checkWorld(world)
  return world
}

/**
 * Checks each entry and uses it as it is. A copy by zod has another order of keys, and a restart must not change a
 * byte.
 */
function checkedEntries(): (entry: unknown) => void {
  const share = sharedStrings()
  let count = 0
  return (entry) => {
    count += 1
    checkShape(count === 1 ? Head : JournalEntry, entry, `entry ${count}`)
    if (count * PIECE > SHARED_FROM) share(entry)
  }
}

/**
 * Replaces equal strings in a parsed value with one string. Records that commands create share instants, ids and types;
 * those that are read from a file would need a third more memory than in the process that wrote them.
 */
function sharedStrings(): (value: unknown) => void {
  const known = new Map<string, string>()
  const sharedText = (text: string): string => {
    const same = known.get(text)
    if (same !== undefined) return same
    if (known.size === REMEMBERED_MAX) known.clear()
    known.set(text, text)
    return text
  }
  const share = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    const parts = value as Record<string, unknown>
    for (const key in parts) {
      const part = parts[key]
      if (typeof part === 'string') parts[key] = sharedText(part)
      else share(part)
    }
  }
  return share
}

/** Throws with the path of the invalid value; `name` is used if the whole value is invalid. */
export function checkShape(schema: z.core.$ZodType, value: unknown, name: string): void {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return
  const [issue] = parsed.error.issues
  const path = [name, ...(issue?.path ?? [])].join('.')
  throw new StateDocumentError(path, issue?.message ?? 'is wrong')
}

function worldWith({ origin, clock, settings, apiKeys }: Head, sandboxId: string): World {
  const begin = { ...origin, settings: currentSettings(origin.settings) }
  const world = emptyWorld(sandboxId, begin, clock.now)
  world.clock.offsetMs = clock.offsetMs
  world.settings = currentSettings(settings)
  world.apiKeys = apiKeys
  return world
}
