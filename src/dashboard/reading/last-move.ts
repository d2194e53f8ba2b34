/**
 * Moves of the clock that can be undone. Owns the checkpoints that the dashboard creates before them, which its lists
 * leave out, and the sentence about what a move did.
 */
import type { Schemas } from '../../library/sandbox.ts'
import { SandboxError } from '../../library/sandbox-error.ts'
import { eventCounts } from '../../wire/event-text.ts'
import { instantText } from '../../wire/text.ts'
import { foundOrRefused } from '../ui/form-state.ts'
import { noticeOf } from '../ui/notices.ts'
import type { PageContext } from '../ui/page-context.ts'
import { eventsAfter } from './newest-records.ts'

type Checkpoint = Schemas['Checkpoint']

/** How many moves can be undone, one after another. */
const UNDO_MAX = 5

/** Random, so that nobody chooses such a name by accident. */
const automaticName = /^auto-[0-9a-f]{32}$/

function isAutomatic({ name }: Pick<Checkpoint, 'name'>): boolean {
  return automaticName.test(name)
}

/** The checkpoints of the user. */
export function chosenOf(checkpoints: readonly Checkpoint[]): readonly Checkpoint[] {
  return checkpoints.filter((each) => !isAutomatic(each))
}

/** The checkpoint before the last move, of those that are not ahead of the clock. */
export function lastMoveOf(
  checkpoints: readonly Checkpoint[],
  { clock }: Pick<PageContext, 'clock'>,
): Checkpoint | undefined {
  return checkpoints.findLast((each) => isAutomatic(each) && each.now <= clock.now)
}

/** Creates a checkpoint. If the limit is reached, it replaces the oldest automatic one. */
export async function createCheckpoint({ sandbox }: PageContext, name: string): Promise<void> {
  const { refusal } = await foundOrRefused(() => sandbox.checkpoint(name))
  if (refusal === null) return
  const oldest = (await sandbox.checkpoints.list()).find(isAutomatic)
  if (refusal.code !== 'checkpoint_limit' || oldest === undefined) throw refusal
  await sandbox.checkpoints.delete(oldest.name)
  await sandbox.checkpoint(name)
}

/** Moves after a checkpoint. Its name is null if the sandbox has no room for it: then the move cannot be undone. */
export async function moveAfterCheckpoint(page: PageContext, move: Schemas['ClockAdvance']) {
  const { sandbox } = page
  const name = `auto-${crypto.randomUUID().replaceAll('-', '')}`
  const { refusal } = await foundOrRefused(() => createCheckpoint(page, name))
  if (refusal !== null && refusal.code !== 'checkpoint_limit') throw refusal
  const moved = await foundOrRefused(() => sandbox.clock.advance(move))
  if (moved.found === null && refusal === null) await sandbox.checkpoints.delete(name)
  if (moved.found === null) throw moved.refusal
  const automatic = (await sandbox.checkpoints.list()).filter(isAutomatic)
  for (const old of automatic.slice(0, -UNDO_MAX)) {
    // A move in another tab may have deleted it.
    await foundOrRefused(() => sandbox.checkpoints.delete(old.name))
  }
  return { moved: moved.found, undo: refusal === null ? name : null }
}

/** The checkpoint before a move. Throws `SandboxError` for any other. */
export async function checkpointBefore({ sandbox }: PageContext, name: string) {
  const found = (await sandbox.checkpoints.list()).find((each) => each.name === name)
  if (found !== undefined && isAutomatic(found)) return found
  const message = 'This move cannot be undone any more: its checkpoint does not exist.'
  throw new SandboxError(message, { status: 404, code: 'not_found', fields: [] })
}

/** Restores the checkpoint before a move, which is then used up. */
export async function undoMove(page: PageContext, name: string): Promise<void> {
  const { sandbox } = page
  await checkpointBefore(page, name)
  await sandbox.checkpoints.restore(name)
  await sandbox.checkpoints.delete(name)
}

/** Whether the move after a checkpoint is the last change of the sandbox, as the log of requests has it. */
export async function isLastChange(page: PageContext, name: string): Promise<boolean> {
  const { data } = await page.list('/sandbox/requests', { limit: 50 })
  const [move, before] = data.filter(
    ({ refusal, request, operation_id: id }) =>
      refusal === null && request.method !== 'GET' && id !== 'deleteCheckpoint',
  )
  return (
    page.clock.mode === 'frozen' &&
    move?.operation_id === 'advanceClock' &&
    before?.operation_id === 'createCheckpoint' &&
    before.request.body?.includes(name) === true
  )
}

/**
 * What a move did, for the page that its notice leads to; null for another notice. Read from the checkpoint and the
 * events: an address can only name them.
 */
export async function lastMoveText(page: PageContext) {
  const { sandbox, clock, query } = page
  if (!noticeOf(query('did'))?.isOfMove) return null
  const before = lastMoveOf(await sandbox.checkpoints.list(), page)
  const from = before?.name === query('undo') ? before : undefined
  const after = from?.event_seq ?? query('seq')
  if (after === undefined) return null
  const { found } = await foundOrRefused(() => eventsAfter(page, { after }))
  if (found === null) return null
  const counted = eventCounts(found.data.filter(({ cause }) => cause.kind === 'clock'))
  const counts = [...counted, ...(found.has_more ? ['and more'] : [])]
  const path = `${from ? `${instantText(from.now)} ` : ''}→ ${instantText(clock.now)}`
  return {
    text: `${path}: ${counts.join(', ') || 'nothing was billed'}.`,
    undo: from?.name ?? null,
  }
}
