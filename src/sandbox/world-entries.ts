/**
 * A whole world as entries, and back: a head, the records piece by piece, the events, and what was counted. Owns the one
 * way in which a world is put together: from a folder, a checkpoint, another sandbox or an imported document alike.
 */
import * as z from 'zod'
import { Settings } from '../assumptions/register.ts'
import { Instant } from '../billing/instant.ts'
import { CLOCK_MAX } from './advance.ts'
import { type Collection, collections, JournalEntry, replay } from './journal-entry.ts'
import { sharedStrings } from './shared-strings.ts'
import { slices } from './slices.ts'
import { checkWorld, StateDocumentError } from './state-checks.ts'
import type { StateDocument } from './state-document.ts'
import { emptyWorld, type World } from './world.ts'

/** How many records are written down together. */
const PIECE = 100

const Head = z.strictObject({
  origin: z.strictObject({
    fixture: z.string(),
    startAt: Instant.nullable(),
    startsRunning: z.boolean(),
    settings: Settings,
  }),
  clock: z.strictObject({
    now: Instant.refine((now) => now <= CLOCK_MAX, `lies past ${CLOCK_MAX}, the end of the clock`),
    offsetMs: z.int().nullable(),
  }),
  settings: Settings,
  apiKeys: z.array(z.strictObject({ suffix: z.string(), revoked: z.boolean() })),
})
export const headShape = Head.shape

/** What a collection is called in a document. */
export const fieldOf = {
  products: 'products',
  plans: 'plans',
  customers: 'customers',
  coupons: 'coupons',
  promotions: 'promotions',
  subscriptions: 'subscriptions',
  invoices: 'invoices',
  charges: 'charges',
  scripts: 'paymentScripts',
  families: 'tokenFamilies',
  tokens: 'tokens',
} as const satisfies Record<Collection, keyof StateDocument>

/** The entries that make the world of a document. */
export function* entriesOf(document: StateDocument): Generator<object> {
  const { origin, clock, settings, apiKeys, sequences } = document
  yield { origin, clock, settings, apiKeys }
  for (const name of collections) {
    const records: readonly unknown[] = document[fieldOf[name]]
    for (const piece of piecesOf(records)) yield { put: { [name]: piece } }
  }
  for (const events of piecesOf(document.events)) yield { events }
  yield { sequences }
}

/** Where entries come from: what this process made needs no look at its shape. */
export interface EntrySource {
  readonly sandboxId: string
  readonly shape: 'unknown' | 'known'
}

/**
 * The world that entries make, under the id of the sandbox it is for. Throws `StateDocumentError` where an entry is wrong,
 * or the world contradicts itself. Long ones let the rest of the process have its turns.
 */
export async function readWorld(
  entries: AsyncIterable<unknown> | Iterable<unknown>,
  { sandboxId, shape }: EntrySource,
): Promise<World> {
  const pause = slices()
  const share = sharedStrings()
  let world: World | null = null
  let count = 0
  for await (const entry of entries) {
    count += 1
    const name = `entry ${count}`
    if (world === null) {
      if (shape === 'unknown') check(Head, entry, name)
      world = worldWith(entry as z.infer<typeof Head>, sandboxId)
    } else {
      // The entry itself, not zod's copy of it: the copy orders keys anew, and a restart must not change a byte.
      if (shape === 'unknown') {
        check(JournalEntry, entry, name)
        share(entry)
      }
      replay(world, entry as JournalEntry)
    }
    const paused = pause()
    if (paused !== undefined) await paused
  }
  if (world === null) throw new StateDocumentError('entry 1', 'is missing')
  await checkWorld(world)
  return world
}

/** Throws with the path of what is wrong; `name` is what it is called where that is the whole value. */
export function check(schema: z.core.$ZodType, value: unknown, name: string): void {
  const parsed = z.safeParse(schema, value)
  if (parsed.success) return
  const [issue] = parsed.error.issues
  const path = [name, ...(issue?.path ?? [])].join('.')
  throw new StateDocumentError(path, issue?.message ?? 'is wrong')
}

function worldWith({ origin, clock, settings, apiKeys }: z.infer<typeof Head>, sandboxId: string) {
  const world = emptyWorld(sandboxId, origin, clock.now)
  world.clock.offsetMs = clock.offsetMs
  world.settings = settings
  world.apiKeys = apiKeys
  return world
}

function* piecesOf<Value>(list: readonly Value[]): Generator<readonly Value[]> {
  for (let from = 0; from < list.length; from += PIECE) yield list.slice(from, from + PIECE)
}
