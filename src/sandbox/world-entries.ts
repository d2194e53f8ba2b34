/**
 * A whole world from entries: a head, the records piece by piece, the events, and what was counted. Owns the one way in
 * which a world is put together: from a folder, a checkpoint, another sandbox or an imported document alike.
 */
import * as z from 'zod'
import { Settings } from '../assumptions/register.ts'
import { Instant } from '../time/instant.ts'
import { JournalEntry, replay, takeAll } from './journal-entry.ts'
import { Slice } from './paced.ts'
import { sharedStrings } from './shared-strings.ts'
import { checkWorld } from './state-checks.ts'
import { StateDocumentError } from './state-document-error.ts'
import { emptyWorld, type World } from './world.ts'

/** From which entry on equal strings are kept once: it saves a large world memory, and would cost every other one time. */
const SHARED_FROM = 4000

const Head = z.strictObject({
  origin: z.strictObject({
    fixture: z.string(),
    startAt: Instant.nullable(),
    startsRunning: z.boolean(),
    settings: Settings,
  }),
  clock: z.strictObject({
    now: Instant,
    offsetMs: z.int().nullable(),
  }),
  settings: Settings,
  apiKeys: z.array(
    z.strictObject({ suffix: z.string().regex(/^[a-z0-9]+$/), revoked: z.boolean() }),
  ),
})
export const headShape = Head.shape

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
  const slice = new Slice()
  const prepare = shape === 'unknown' ? checkedEntries() : () => undefined
  let world: World | null = null
  for await (const entry of entries) {
    prepare(entry)
    if (world === null) world = worldWith(entry as z.infer<typeof Head>, sandboxId)
    else replay(world, entry as JournalEntry)
    // A note of every record would grow as large as the world.
    takeAll(world)
    if (slice.isOver()) await slice.next()
  }
  if (world === null) throw new StateDocumentError('entry 1', 'is missing')
  await checkWorld(world)
  return world
}

/** Checks each entry as it comes. It is taken itself, not zod's copy: the copy orders keys anew, and a restart must not change a byte. */
function checkedEntries(): (entry: unknown) => void {
  const share = sharedStrings()
  let count = 0
  return (entry) => {
    count += 1
    check(count === 1 ? Head : JournalEntry, entry, `entry ${count}`)
    if (count > SHARED_FROM) share(entry)
  }
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
