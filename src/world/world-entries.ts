/**
 * A world as entries: the head, the records of each collection in pieces, the events, then the changes of each command.
 * Owns how entries are taken from a world, and how one is built from them, whether they come from a data folder, a
 * checkpoint or a document. A replay leaves the same bytes as the commands did.
 */
import * as z from 'zod'
import { currentSettings, Settings } from '../assumptions/register.ts'
import { Instant } from '../time/instant.ts'
import {
  type CollectionName,
  collectionNames,
  type DocumentName,
  recordLists,
} from './collections.ts'
import { Event } from './event.ts'
import { Sequences } from './sequences.ts'
import { checkWorld } from './state-checks.ts'
import { StateDocumentError } from './state-document-error.ts'
import { TimeSlice } from './time-slice.ts'
import { ApiKey, addEvent, emptyWorld, Origin, putRecord, type World } from './world.ts'

/**
 * The number of records in one entry. A reader of an entry blocks the event loop, and the garbage collector of V8 marks
 * in that turn: with ten times as many, a restore blocked others for a tenth of a second.
 */
const PIECE = 10

/** From this number of records on, equal strings are stored once: it saves memory, and costs time. */
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

/** The changes of one command, or a piece of a whole world: an absent field did not change. */
export const JournalEntry = z.strictObject({
  now: Instant.optional(),
  offsetMs: z.int().nullable().optional(),
  sequences: Sequences.optional(),
  settings: Settings.optional(),
  deleted: z.partialRecord(z.enum(collectionNames), z.array(z.string())).optional(),
  put: z.strictObject(recordLists).partial().optional(),
  events: z.array(Event).optional(),
})
export type JournalEntry = z.infer<typeof JournalEntry>

export type EntryParts = {
  readonly [Name in DocumentName]: { values(): Iterable<unknown> }
} & {
  readonly [Name in CollectionName]?: { values(): Iterable<unknown> }
} & { readonly events: Iterable<Event>; readonly sequences: Sequences }

export function headOf({ origin, clock, chosenSettings: settings, apiKeys }: World): Head {
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

/** Whether entries have a checked shape: those that this process made need no check. */
export type EntryShape = 'unknown' | 'known'

/**
 * Builds a world from entries, under the id of its sandbox. Throws `StateDocumentError` if an entry is invalid or the
 * world contradicts itself. Yields to the rest of the process.
 */
export async function worldFromEntries(
  entries: AsyncIterable<unknown> | Iterable<unknown>,
  sandboxId: string,
  shape: EntryShape,
): Promise<World> {
  const slice = new TimeSlice()
  const prepare = shape === 'unknown' ? entryChecker() : () => undefined
  let world: World | null = null
  for await (const entry of entries) {
    prepare(entry)
    if (world === null) world = worldFromHead(entry as Head, sandboxId)
    else applyEntry(world, entry as JournalEntry)
    // Tracking every record as changed would take as much memory as the world.
    markJournaled(world)
    if (slice.isOver()) await slice.next()
  }
  if (world === null) throw new StateDocumentError('entry 1', 'is missing')
  await checkWorld(world)
  return world
}

/** Checks each entry and uses it as it is: a copy by zod has another order of keys, which changes bytes. */
function entryChecker(): (entry: unknown) => void {
  const share = stringSharer()
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
function stringSharer(): (value: unknown) => void {
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

function worldFromHead({ origin, clock, settings, apiKeys }: Head, sandboxId: string): World {
  const begin = { ...origin, settings: currentSettings(origin.settings) }
  const world = emptyWorld(sandboxId, begin, clock.now)
  world.clock.offsetMs = clock.offsetMs
  world.chosenSettings = currentSettings(settings)
  world.apiKeys = apiKeys
  return world
}

export type JournalPosition = ReturnType<typeof journalPosition>

export function markJournaled(world: World): JournalPosition {
  for (const name of collectionNames) world[name].markUnchanged()
  return journalPosition(world)
}

/** The current position of a world; `eventSeq` is the number of its newest event. */
export function journalPosition({ clock, chosenSettings: settings, sequences }: World) {
  return { now: clock.now(), offsetMs: clock.offsetMs, settings, eventSeq: sequences.events }
}

/** Takes the changes since then; null if nothing changed. The movement of a running clock is no change. */
export function takeJournalEntry(world: World, taken: JournalPosition): JournalEntry | null {
  const { clock, sequences } = world
  const now = clock.now()
  const events = world.events.after(taken.eventSeq)
  const isSet = world.chosenSettings !== taken.settings
  const isClockSet = clock.offsetMs !== taken.offsetMs
  const isMoved = now !== taken.now && clock.offsetMs === null
  let deleted: Partial<Record<CollectionName, string[]>> | undefined
  let put: Partial<Record<CollectionName, unknown[]>> | undefined
  let isEmpty = !isMoved && !isClockSet && events.length === 0 && !isSet
  for (const name of collectionNames) {
    const changes = world[name].drain()
    if (changes === null) continue
    isEmpty = false
    if (changes.deleted.length > 0) deleted = { ...deleted, [name]: changes.deleted }
    if (changes.put.length > 0) put = { ...put, [name]: changes.put }
  }
  if (isEmpty) return null
  return {
    now,
    offsetMs: isClockSet ? clock.offsetMs : undefined,
    sequences: { ...sequences },
    settings: isSet ? world.chosenSettings : undefined,
    deleted,
    put: put as JournalEntry['put'],
    events: events.length > 0 ? events : undefined,
  }
}

/** Applies an entry to a world. The schema has validated the entry. */
export function applyEntry(world: World, entry: JournalEntry): void {
  const { now, offsetMs, settings, deleted = {}, put: lists = {}, events = [], sequences } = entry
  if (now !== undefined) world.clock.moveTo(now, null)
  if (offsetMs !== undefined) world.clock.offsetMs = offsetMs
  if (settings !== undefined) world.chosenSettings = currentSettings(settings)
  for (const name of collectionNames) {
    for (const id of deleted[name] ?? []) world[name].delete(id)
  }
  for (const name of collectionNames) {
    for (const record of lists[name] ?? []) putRecord(world, name, record)
  }
  for (const event of events) addEvent(world, event)
  Object.assign(world.sequences, sequences)
}
