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
import { sharedStrings } from './shared-strings.ts'
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

export const Head = z.strictObject({
  origin: Origin,
  clock: z.strictObject({ now: Instant, offsetMs: z.int().nullable() }),
  settings: Settings,
  apiKeys: z.array(ApiKey),
})
export type Head = z.infer<typeof Head>

/** The source of entries: a world, or a state document. */
export type EntryParts = {
  readonly [Name in DocumentName]: { values(): Iterable<unknown> }
} & {
  readonly [Name in CollectionName]?: { values(): Iterable<unknown> }
} & { readonly events: Iterable<Event>; readonly sequences: Sequences }

/** The entry before the records of a world. */
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
    for (const piece of piecesOf(parts[name]?.values() ?? [])) yield { put: { [name]: piece } }
  }
  for (const piece of piecesOf(parts.events)) yield { events: piece }
  yield { sequences: { ...parts.sequences } }
}

function* piecesOf<Value>(values: Iterable<Value>): Generator<readonly Value[]> {
  let piece: Value[] = []
  for (const value of values) {
    piece.push(value)
    if (piece.length < PIECE) continue
    yield piece
    piece = []
  }
  if (piece.length > 0) yield piece
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
