/**
 * The journal entry: the changes of one command, as one JSON value. Owns how changes are taken from a world and applied
 * to one again, so that a replay leaves the same bytes as the command did.
 */
import * as z from 'zod'
import { currentSettings, Settings } from '../assumptions/register.ts'
import { Instant } from '../time/instant.ts'
import { type CollectionName, collectionNames, recordLists } from './collections.ts'
import { Event } from './event.ts'
import { Sequences } from './sequences.ts'
import { addEvent, putRecord, type World } from './world.ts'

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

export type Taken = ReturnType<typeof reachOf>

export function takeAll(world: World): Taken {
  for (const name of collectionNames) world[name].markUnchanged()
  return reachOf(world)
}

/** The current position of a world; `eventSeq` is the number of its newest event. */
export function reachOf({ clock, settings, sequences }: World) {
  return { now: clock.now(), offsetMs: clock.offsetMs, settings, eventSeq: sequences.events }
}

/** Takes the changes since then; null if nothing changed. The movement of a running clock is no change. */
export function takeEntry(world: World, taken: Taken): JournalEntry | null {
  const { clock, sequences } = world
  const now = clock.now()
  const events = world.events.after(taken.eventSeq)
  const isSet = world.settings !== taken.settings
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
    settings: isSet ? world.settings : undefined,
    deleted,
    put: put as JournalEntry['put'],
    events: events.length > 0 ? events : undefined,
  }
}

/** Applies an entry to a world. The schema has validated the entry. */
export function replay(world: World, entry: JournalEntry): void {
  const { now, offsetMs, settings, deleted = {}, put: lists = {}, events = [], sequences } = entry
  if (now !== undefined) world.clock.moveTo(now, null)
  if (offsetMs !== undefined) world.clock.offsetMs = offsetMs
  if (settings !== undefined) world.settings = currentSettings(settings)
  for (const name of collectionNames) {
    for (const id of deleted[name] ?? []) world[name].delete(id)
  }
  for (const name of collectionNames) {
    for (const record of lists[name] ?? []) putRecord(world, name, record)
  }
  for (const event of events) addEvent(world, event)
  Object.assign(world.sequences, sequences)
}
