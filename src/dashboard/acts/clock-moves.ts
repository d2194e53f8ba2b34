/**
 * Moves of the clock that can be undone, and going back to a checkpoint. Owns the checkpoints that the dashboard creates
 * before them, which its lists leave out, and the sentence about what a move did.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { SandboxError } from '../../library/sandbox-error.ts'
import { instantText } from '../../wire/common/text.ts'
import { eventCounts } from '../../wire/events/event-text.ts'
import { callOrRefusal } from '../ui/form-state.ts'
import type { PageContext } from '../ui/page-context.ts'
import { moneyText } from '../ui/values.tsx'

type Checkpoint = Schemas['Checkpoint']
type Request = Schemas['Request']
export type NumberedRequest = Pick<Request, 'number' | 'request_id'>

/** How many moves can be undone, one after another. */
const UNDO_MAX = 5

/** Whether it was created before a move: nobody chooses such a random name by accident. */
export const isAutomatic = ({ name }: Pick<Checkpoint, 'name'>) => /^auto-[0-9a-f]{32}$/.test(name)

export const byUser = (checkpoints: readonly Checkpoint[]) =>
  checkpoints.filter((each) => !isAutomatic(each))

/** The checkpoint before the last move, of those that are not ahead of the clock. */
export const lastMoveOf = (checkpoints: readonly Checkpoint[], { clock }: PageContext) =>
  checkpoints.findLast((each) => isAutomatic(each) && each.now <= clock.now)

/** Creates a checkpoint. If the limit is reached, it replaces the oldest automatic one. */
export async function createCheckpoint({ sandbox }: PageContext, name: string): Promise<void> {
  const { refusal } = await callOrRefusal(() => sandbox.checkpoint(name))
  if (refusal === null) return
  const oldest = (await sandbox.checkpoints.list()).find(isAutomatic)
  if (refusal.code !== 'checkpoint_limit' || oldest === undefined) throw refusal
  await sandbox.checkpoints.delete(oldest.name)
  await sandbox.checkpoint(name)
}

/** What the newest moves did, in words, by the sandbox and the checkpoint before each: an address can only name them. */
const texts = new Map<string, string>()
const TEXTS_MAX = 1000

/** Moves after a checkpoint. If the sandbox has no room for it, the move cannot be undone. */
export async function moveAfterCheckpoint(page: PageContext, move: Schemas['ClockAdvance']) {
  const { sandbox } = page
  const name = `auto-${crypto.randomUUID().replaceAll('-', '')}`
  const { refusal } = await callOrRefusal(() => createCheckpoint(page, name))
  if (refusal !== null && refusal.code !== 'checkpoint_limit') throw refusal
  const moved = await callOrRefusal(() => sandbox.clock.advance(move))
  if (moved.found === null && refusal === null) await sandbox.checkpoints.delete(name)
  if (moved.found === null) throw moved.refusal
  const automatic = (await sandbox.checkpoints.list()).filter(isAutomatic)
  for (const old of automatic.slice(0, -UNDO_MAX)) {
    // A move in another tab may have deleted it.
    await callOrRefusal(() => sandbox.checkpoints.delete(old.name))
  }
  texts.set(`${sandbox.id} ${name}`, moveText(moved.found))
  const [oldest = ''] = texts.keys()
  if (texts.size > TEXTS_MAX) texts.delete(oldest)
  return { moved: moved.found, name }
}

/** From when to when it went, whatever moved the clock meanwhile, and what it caused. */
function moveText({ from, to, events, events_total: total }: Schemas['Advance']): string {
  const counts = countsText(events, total > events.length) || 'nothing was billed'
  return `${instantText(from)} → ${instantText(to)}: ${counts}.`
}

/** What the move of the address did, and its checkpoint, or why it cannot be undone; null where it names no move. */
export async function lastMoveText(page: PageContext) {
  const name = page.query('undo') ?? ''
  const text = texts.get(`${page.sandbox.id} ${name}`)
  if (text === undefined) return null
  const { refusal } = await callOrRefusal(() => checkpointBefore(page, name))
  return refusal ? { text: `${text} ${refusal.message}`, undo: null } : { text, undo: name }
}

/** The checkpoint before a move. Throws `SandboxError` for any other. */
export async function checkpointBefore({ sandbox }: PageContext, name: string) {
  const found = (await sandbox.checkpoints.list()).find((each) => each.name === name)
  if (found !== undefined && isAutomatic(found)) return found
  const message = 'This move cannot be undone: its checkpoint does not exist.'
  throw new SandboxError(message, { status: 404, code: 'not_found', fields: [] })
}

/** Of the checkpoints before now: the newest one at or before an instant, and the instant of the next one, or else now. */
export async function checkpointsAround({ sandbox, clock }: PageContext, at: string) {
  const past = (await sandbox.checkpoints.list())
    .filter(({ now }) => now < clock.now)
    .sort((one, other) => Date.parse(one.now) - Date.parse(other.now))
  return {
    found: past.findLast(({ now }) => Date.parse(now) <= Date.parse(at)),
    next: past.find(({ now }) => Date.parse(now) > Date.parse(at))?.now ?? clock.now,
  }
}

/** Restores a checkpoint; one before a move is then used up. */
export async function restore({ sandbox }: PageContext, checkpoint: Checkpoint): Promise<void> {
  await sandbox.checkpoints.restore(checkpoint.name)
  if (isAutomatic(checkpoint)) await sandbox.checkpoints.delete(checkpoint.name)
}

/** The most requests that the log keeps. */
export const LOGGED_MAX = 250

/**
 * The operations that changed the sandbox after a checkpoint, newest first, as the log of requests has it; null if it
 * does not go back so far. What removes checkpoints before moves changes nothing else.
 */
export async function changesAfter(page: PageContext, name: string) {
  if (page.clock.mode !== 'frozen') return null
  const changes = changesIn(await logOf(page))
  const creation = changes.findIndex(creates(name))
  return creation < 0 ? null : operationsIn(changes.slice(0, creation))
}

/** Whether what was there after a request was reset, replaced by what is older, or in another sandbox of this id. */
export async function isTakenBack(page: PageContext, after: NumberedRequest) {
  const log = await logOf(page)
  const since = log.filter(({ number }) => number > after.number)
  // Of another sandbox, whose numbers begin again.
  const isOther = log.length === 0 || (log[since.length] ?? after).request_id !== after.request_id
  return isOther || operationsIn(changesIn(since)).some((id) => /^(?:reset|restore)/.test(`${id}`))
}

async function logOf(page: PageContext): Promise<readonly Request[]> {
  return (await page.list('/sandbox/requests', { limit: LOGGED_MAX })).data
}

/** A refused request changed something if it led to events, as one that revokes tokens, or used up a fault. */
function changesIn(log: readonly Request[]): Request[] {
  return log.filter(
    ({ refusal, events, fault, request, operation_id: id }) =>
      (refusal === null && request.method !== 'GET' && id !== 'deleteCheckpoint') ||
      events.length > 0 ||
      fault !== null,
  )
}

function creates(name: string) {
  return ({ operation_id: id, request }: Request) =>
    id === 'createCheckpoint' && request.body?.includes(JSON.stringify(name)) === true
}

/** The operations of changes, without those that restore only what one of them created. */
function operationsIn(changes: readonly Request[]) {
  const isWithin = ({ operation_id: id, request: { path } }: Request) =>
    id === 'restoreCheckpoint' && changes.some(creates(path.split('/').at(-2) ?? ''))
  return changes.filter((each) => !isWithin(each)).map(({ operation_id: id }) => id)
}

/** What the clock caused, counted: `2 renewed, 50.00 USD paid, 1 failed`; empty if it billed nothing. */
export function countsText(events: readonly Schemas['Event'][], hasMore: boolean): string {
  const byClock = events.filter(({ cause }) => cause.kind === 'clock')
  return [...eventCounts(byClock, moneyText), ...(hasMore ? ['and more'] : [])].join(', ')
}
