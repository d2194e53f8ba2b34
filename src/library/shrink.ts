/**
 * Shrinking a recording: cuts it to the fewest calls after which a condition still holds. Sandboxes are deterministic, so
 * that a replay without some calls shows whether they matter (delta debugging).
 */
import { tryParseJson } from '../wire/common/text.ts'
import { WireRecording } from '../wire/sandbox/recording.ts'
import {
  forkOf,
  newReplay,
  openRecording,
  type Replay,
  type Replayable,
  replayAll,
  sendAll,
} from './replay.ts'
import type { Sandbox } from './sandbox.ts'
import { argumentError, assertKnown, requireObject, typeError } from './sandbox-error.ts'

/** A replay whose condition is asked for. */
export interface ShrinkTrial {
  /** The sandbox after the calls that are left. What a condition does to it has no effect on others. */
  readonly sandbox: Sandbox
  /** The answer to the last call. */
  readonly last: { readonly status: number; readonly body: unknown }
  /** The identifier that replaces one of the recording, such as `sub_000001` for `sub_000037`. */
  readonly idOf: (recorded: string) => string
}

export interface ShrinkOptions {
  /** Whether what matters still happens; without it, whether the last call is refused as it was. */
  readonly holds?: (trial: ShrinkTrial) => boolean | Promise<boolean>
  /** Receives how far it is, after each trial that left calls out. */
  readonly onProgress?: (left: number, trials: number) => void
}

export interface Shrunk {
  /** A sandbox after the calls that are left, and no others. Its `recording` writes them as a script. */
  readonly sandbox: Sandbox
  readonly calls: { readonly left: number; readonly of: number }
  readonly trials: number
}

/**
 * Cuts a recording (`recording('json')`) to the fewest calls after which a condition still holds: none of those that are left can
 * be left out. Throws `SandboxError` for an invalid recording, and if the condition does not hold after all of its calls.
 * @example
 * const recording = await sandbox.recording('json')
 * const { sandbox: shrunk } = await shrink(sandbox, recording, {
 *   holds: async ({ sandbox }) => (await sandbox.invoices.list({ status: 'open' })).length > 0,
 * })
 * const script = await shrunk.recording('curl')
 */
export async function shrink(
  server: Sandbox,
  recording: string,
  options: ShrinkOptions = {},
): Promise<Shrunk> {
  if (typeof server?.create !== 'function') throw typeError('server', 'a sandbox', server)
  const search = await openSearch(server, recording, readOptions(options))
  const left = await removeCalls(search)
  const { sandbox } = await replayAll(server, left)
  const of = search.recording.calls.length
  return { sandbox, calls: { left: left.calls.length, of }, trials: search.trials }
}

/** A condition that is misspelled would be another one. */
function readOptions(options: ShrinkOptions): ShrinkOptions {
  const given = requireObject('options', options)
  assertKnown(given, ['holds', 'onProgress'])
  for (const [name, value] of Object.entries(given)) {
    if (value !== undefined && typeof value !== 'function')
      throw typeError(name, 'a function', value)
  }
  return given
}

/** Replays a recording, and asks whether the condition holds after it. Throws if it does not. */
async function openSearch(
  server: Sandbox,
  text: string,
  { holds, onProgress = () => undefined }: ShrinkOptions,
): Promise<Search> {
  const { replayed, recording } = await openRecording(server, parseRecording(text))
  await using _ = replayed.sandbox
  const condition = holds ?? refusedAs(replayed)
  const search: Search = {
    server,
    recording,
    // The condition is about the last call where nobody says otherwise.
    keepsLast: holds === undefined,
    trials: 0,
    onProgress,
    isSame: async ({ sandbox, last, ids }) => {
      const idOf = (recorded: string) => ids.get(recorded) ?? recorded
      return last !== null && condition({ sandbox, last, idOf })
    },
  }
  if (await search.isSame(replayed)) return search
  throw argumentError('recording', 'holds must be true after all calls of the recording.')
}

interface Search {
  readonly server: Sandbox
  readonly recording: Replayable
  readonly keepsLast: boolean
  readonly isSame: (replay: Replay) => Promise<boolean>
  readonly onProgress: NonNullable<ShrinkOptions['onProgress']>
  trials: number
}

/** The recording with calls left out: in large pieces first, in the end one by one until all that is left is needed. */
async function removeCalls(search: Search): Promise<Replayable> {
  let { calls } = search.recording
  let size = Math.ceil(calls.length / 2)
  for (;;) {
    const before = calls.length
    calls = await withoutPieces(search, calls, size)
    if (size === 1 && calls.length === before) return { ...search.recording, calls }
    size = Math.ceil(size / 2)
  }
}

/** Calls without each piece of a size that is not needed. */
async function withoutPieces(
  search: Search,
  all: Replayable['calls'],
  size: number,
): Promise<Replayable['calls']> {
  const { server, recording } = search
  const end = search.keepsLast ? 1 : 0
  let calls = all
  let kept: Replay = await newReplay(server, recording)
  await using _ = kept.sandbox
  for (let at = 0; at < calls.length - end; ) {
    const piece = calls.slice(at, Math.min(at + size, calls.length - end))
    const rest = calls.slice(at + piece.length)
    if (await isStillMet(search, { kept, before: calls.slice(0, at), rest })) {
      calls = [...calls.slice(0, at), ...rest]
      search.onProgress(calls.length, search.trials)
    } else {
      kept = await sendAll(recording, kept, piece)
      at += piece.length
    }
  }
  return calls
}

interface Trial {
  /** The sandbox after the calls before. */
  readonly kept: Replay
  readonly before: Replayable['calls']
  readonly rest: Replayable['calls']
}

/** Whether the condition holds after the calls before and the rest. */
async function isStillMet(search: Search, { kept, before, rest }: Trial): Promise<boolean> {
  const { server, recording } = search
  search.trials += 1
  // A fork has no token that works; then all calls are sent again.
  const hasTokens = recording.calls.some(({ keeps }) => keeps !== undefined)
  const start = hasTokens ? await newReplay(server, recording) : await forkOf(kept)
  await using _ = start.sandbox
  const calls = hasTokens ? [...before, ...rest] : rest
  return await search.isSame(await sendAll(recording, start, calls))
}

/** Whether the last call is refused with the same status and code. */
function refusedAs({ last }: Replay): NonNullable<ShrinkOptions['holds']> {
  const codeOf = (body: unknown) => Object(body).code ?? Object(body).error
  if (last === null || last.status < 400) {
    const rule = 'must be given where the last call of the recording is not refused.'
    throw argumentError('holds', `holds ${rule}`)
  }
  return ({ last: { status, body } }) =>
    status === last.status && codeOf(body) === codeOf(last.body)
}

function parseRecording(text: string) {
  const read = WireRecording.safeParse(tryParseJson(text))
  if (read.success) return read.data
  const [issue] = read.error.issues
  const at = issue?.path.join('.') || 'text'
  throw argumentError(
    'recording',
    `recording must be what recording('json') returns; its ${at} is missing or wrong.`,
  )
}
