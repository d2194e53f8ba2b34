/**
 * Server-sent events of one sandbox. Owns how many follow it, how they are served in turns, and the end of a stream: when
 * there is nothing more to send, the client goes away, the sandbox is deleted, or the process stops.
 */
import type { SSEStreamingApi } from 'hono/streaming'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { serialQueue } from '../../sandbox/serial-queue.ts'
import { refuseStoreFailure } from '../../sandbox/store-failure.ts'
import { RefusalError } from '../../surface/refusals.ts'
import { Slice } from '../../world/paced.ts'

/** The most streams of one sandbox that are open at one time: each costs a write for every event. */
export const FOLLOWERS_MAX = 100

/** How often a silent stream gives a sign of life, so that a client that vanished is noticed. */
const HEARTBEAT_MS = 15_000

/** The most bytes that are written in one piece: no more than that waits in memory for a client. */
const PIECE_BYTES = 65_536

/** The most messages that are kept as they are written, of each kind: the newest, which all followers get. */
const FRAMES_KEPT = 1000

/** A message as it is written. */
export type Frame = Uint8Array

/** What a stream sends, and where. */
interface Stream {
  readonly sink: SSEStreamingApi
  /** What the sandbox gives notice of when there may be more. */
  readonly notice: 'change' | 'request'
  /** Answers what is to be sent now: nothing yet, or null for nothing more. */
  readonly next: () => Promise<readonly Frame[] | null>
}

/** The streams of one sandbox: how many are open, and their turns. */
interface Followers {
  count: number
  readonly turns: ReturnType<typeof serialQueue>
}

const followers = new WeakMap<Sandbox, Followers>()
/** All streams of the process together give the rest of it a turn. */
const slice = new Slice()

/** Refuses one more stream where a sandbox has as many as it may. */
export function refuseFollower(sandbox: Sandbox): void {
  if (followersOf(sandbox).count < FOLLOWERS_MAX) return
  const message = `Sandbox "${sandbox.id}" is followed by ${FOLLOWERS_MAX} streams already, the most of one sandbox; close one first.`
  throw new RefusalError('follower_limit', message)
}

/** Sends what there is, and again whenever the sandbox gives notice; resolves at the end of the stream. */
export async function sendWhatComes(
  sandbox: Sandbox,
  { sink, notice, next }: Stream,
): Promise<void> {
  let isOver = false
  let wake: () => void = () => undefined
  const end = () => {
    isOver = true
    wake()
  }
  const onNotice = () => wake()
  sandbox.notifications.on(notice, onNotice).on('end', end)
  sink.onAbort(end)
  const heartbeat = setInterval(() => void sink.write(':\n\n'), HEARTBEAT_MS)
  const own = followersOf(sandbox)
  own.count += 1
  const inTurn = async () => {
    if (slice.isOver()) await slice.next()
    return isOver ? [] : next()
  }
  try {
    while (!isOver) {
      const noticed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const frames = await own.turns(inTurn)
      if (frames === null) return
      for (const piece of piecesOf(frames)) await sink.write(piece)
      if (frames.length === 0 && !isOver) await noticed
    }
  } catch (error) {
    // Deleted before its end could be heard of, or its store fails: the stream ends. Anything else is thrown again.
    refuseStoreFailure(error)
  } finally {
    own.count -= 1
    clearInterval(heartbeat)
    sandbox.notifications.off(notice, onNotice).off('end', end)
  }
}

/** Writes each message once, whoever gets it. */
export function framesOf<Item extends object>(): (item: Item, make: () => Frame) => Frame {
  const kept = new Map<Item, Frame>()
  return (item, make) => {
    const known = kept.get(item)
    if (known !== undefined) return known
    const frame = make()
    kept.set(item, frame)
    const [oldest] = kept.keys()
    if (kept.size > FRAMES_KEPT && oldest !== undefined) kept.delete(oldest)
    return frame
  }
}

/** A message, as server-sent events are written. */
export function frameOf(id: number, event: string, record: unknown): Frame {
  return Buffer.from(`event: ${event}\ndata: ${JSON.stringify(record)}\nid: ${id}\n\n`)
}

function followersOf(sandbox: Sandbox): Followers {
  const known = followers.get(sandbox) ?? { count: 0, turns: serialQueue() }
  followers.set(sandbox, known)
  return known
}

function* piecesOf(frames: readonly Frame[]): Generator<Uint8Array> {
  let piece: Frame[] = []
  let bytes = 0
  for (const frame of frames) {
    if (bytes > 0 && bytes + frame.length > PIECE_BYTES) {
      yield Buffer.concat(piece)
      piece = []
      bytes = 0
    }
    piece.push(frame)
    bytes += frame.length
  }
  if (bytes > 0) yield Buffer.concat(piece)
}
