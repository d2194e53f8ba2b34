/**
 * Server-sent events of one sandbox. Owns how many follow it, how they are served in turns, and the end of a stream: when
 * there is nothing more to send, the client goes away, the sandbox is deleted, or the process stops.
 */
import type { Context } from 'hono'
import { type SSEStreamingApi, streamSSE } from 'hono/streaming'
import * as z from 'zod'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { serialQueue } from '../../sandbox/serial-queue.ts'
import { storeRefusal } from '../../sandbox/store-failure.ts'
import { invalidField, printValue, RefusalError } from '../../surface/refusals.ts'
import { TimeSlice } from '../../world/time-slice.ts'

/** The most streams of one sandbox that are open at one time: each costs a write for every event. */
export const FOLLOWERS_MAX = 100

/** How often a silent stream gives a sign of life, so that a client that vanished is noticed. */
const HEARTBEAT_MS = 15_000

/** The most bytes that are written in one piece: no more than that waits in memory for a client. */
const PIECE_BYTES = 65_536

/** The most messages that are kept as they are written, of each kind: the newest, which all followers get. */
const FRAMES_KEPT = 1000

export type Frame = Uint8Array

export interface FrameSource {
  /** What the sandbox gives notice of when there may be more. */
  readonly notice: 'change' | 'request'
  readonly limit: number | undefined
  /** Answers at most `max` messages to be sent now: none yet, or null for nothing more. */
  readonly next: (max: number) => Promise<readonly Frame[] | null>
}

/** What the declarations of streams have in common. */
export const streams = {
  refusals: ['follower_limit'],
  replies: {
    200: {
      description: 'The stream of server-sent events.',
      // Some tools read it as the shape of the whole text, others as that of each event.
      schema: z.unknown(),
      mediaType: 'text/event-stream',
      source: 'sandbox',
    },
  },
} as const

/** The streams of one sandbox: how many are open, and their turns. */
interface Followers {
  count: number
  readonly turns: ReturnType<typeof serialQueue>
}

const followers = new WeakMap<Sandbox, Followers>()
/** All streams of the process together give the rest of it a turn. */
const slice = new TimeSlice()

/**
 * After which number a stream begins: from now on, after the one that the query names, or after that of Last-Event-ID,
 * which has the last word, as it is of a client that reconnects. Throws 400 where the header holds no number.
 */
export function startOf(
  lastEventId: string | undefined,
  log: { readonly after: number | undefined; readonly newest: number; readonly number: string },
): number {
  if (!/^\d{1,15}$/.test(lastEventId ?? '0')) {
    throw invalidField('Last-Event-ID', `must be the ${log.number}; got ${printValue(lastEventId)}`)
  }
  const seen = Number(lastEventId ?? log.after ?? log.newest)
  // A number that is not reached yet is from before a reset or a restart, which the client need not know of.
  return seen > log.newest ? 0 : seen
}

/** Answers with a stream. Refuses one more where a sandbox has as many as it may. */
export function answerStream(c: Context, source: FrameSource): Response {
  const sandbox = c.get('sandbox')
  // A HEAD wants the headers only, and nobody would ever close a stream for it.
  if (c.req.method === 'HEAD') return c.body(null, 200, { 'Content-Type': 'text/event-stream' })
  if (followersOf(sandbox).count < FOLLOWERS_MAX) {
    return streamSSE(c, (sink) => sendFrames(sandbox, source, sink))
  }
  const message = `A sandbox can have at most ${FOLLOWERS_MAX} open streams, and "${sandbox.id}" has them; close one first.`
  throw new RefusalError('follower_limit', message)
}

/** Sends what there is, and again whenever the sandbox gives notice; resolves at the end of the stream. */
export async function sendFrames(
  sandbox: Sandbox,
  { notice, limit = Number.POSITIVE_INFINITY, next }: FrameSource,
  sink: SSEStreamingApi,
): Promise<void> {
  let left = limit
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
    return isOver ? [] : next(left)
  }
  try {
    while (!isOver && left > 0) {
      const noticed = new Promise<void>((resolve) => {
        wake = resolve
      })
      const frames = await own.turns(inTurn)
      if (frames === null) return
      left -= frames.length
      for (const piece of piecesOf(frames)) await sink.write(piece)
      if (frames.length === 0 && !isOver) await noticed
    }
  } catch (error) {
    // Deleted before its end could be heard of, or its store fails: the stream ends. Anything else is thrown again.
    storeRefusal(error)
  } finally {
    own.count -= 1
    clearInterval(heartbeat)
    sandbox.notifications.off(notice, onNotice).off('end', end)
  }
}

/** Writes each message once for all followers. */
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
