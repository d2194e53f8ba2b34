/**
 * The recording of one sandbox: the calls since its world last began that may have changed something, in memory only.
 * Owns which calls it has, and why it is incomplete; another module writes it out.
 */
import type { RefusedBecause, RequestLogEntry } from './request-log.ts'

export const RECORDING_CALLS = 10_000

/** The most bytes of a recording, including so many for each call beside its body and answer. */
export const RECORDING_BYTES = 16 * 1024 * 1024
const CALL_BYTES = 512

const ANSWER_KEPT = 65_536

/** One call and its answer, unmasked. */
export interface UnmaskedCall
  extends Pick<RequestLogEntry, 'requestId' | 'replacements' | 'method' | 'target' | 'byAddress'>,
    Pick<RequestLogEntry, 'headers' | 'operationId' | 'status'> {
  /** Null if no body was read. */
  readonly body: Uint8Array | null
  /** Null if there is none, if it was streamed, or if it is too long. */
  readonly answer: string | null
  readonly refusal: Pick<RefusedBecause, 'code' | 'message'> | null
  /** Whether it only read, also if it was cut off. */
  readonly isQuestion: boolean
}

/** Why a recording has no beginning that a script could make, or has a gap. */
export const recordingGaps = {
  forked: 'it was made as a fork',
  restarted: 'the process was started after it began, and recordings are in memory only',
  too_long: `it has more than ${RECORDING_CALLS} calls or ${RECORDING_BYTES} bytes`,
  imported: 'a state was imported, with PUT /sandbox/state',
  dropped: 'a fault closed a connection, which a script does not outlive',
  lockstep:
    'receivers of webhooks made calls during an advance in lockstep, and no script stands for those',
  disk: 'the disk did not take a change',
} as const
export type RecordingGap = keyof typeof recordingGaps

export class CallRecording {
  #gap: RecordingGap | null
  #calls: UnmaskedCall[] = []
  #bytes = 0
  /** Whether it has only provider states so far, which later ones may continue. */
  #addsUp = false
  /** The number of replacements of the world when it began. */
  #since = 0

  constructor(gap: RecordingGap | null) {
    this.#gap = gap
  }

  /** The calls in the order of their answers, or why the recording is incomplete. */
  get calls(): readonly UnmaskedCall[] | RecordingGap {
    return this.#gap ?? this.#calls
  }

  /** Whether calls can be added to a recording. */
  get isKept(): boolean {
    return this.#gap === null
  }

  /** Begins again with a reset world, after so many replacements. */
  begin(replacements: number): void {
    if (this.#addsUp) return
    this.#end(null)
    this.#since = replacements
  }

  /** Adds a call, unless it was to an earlier world. */
  add(call: UnmaskedCall): void {
    if (this.#gap !== null || call.replacements < this.#since) return
    const isStates = call.operationId === 'changeProviderState'
    this.#addsUp = isStates && (this.#addsUp || this.#calls.length === 0)
    const answer = (call.answer?.length ?? 0) > ANSWER_KEPT ? null : call.answer
    this.#calls.push(answer === call.answer ? call : { ...call, answer })
    this.#bytes += CALL_BYTES + (call.body?.byteLength ?? 0) + (answer?.length ?? 0)
    const gap = this.#gapAfter(call)
    if (gap !== null) this.#end(gap)
  }

  /** Why the recording is incomplete with this call. */
  #gapAfter(call: UnmaskedCall): RecordingGap | null {
    if (this.#calls.length > RECORDING_CALLS || this.#bytes > RECORDING_BYTES) return 'too_long'
    if (call.operationId === 'restoreState' && call.status === 200) return 'imported'
    if (call.refusal?.code === 'storage_unavailable' && !call.isQuestion) return 'disk'
    if (call.status === null) return 'dropped'
    // No script can repeat the calls of receivers at the instants of an advance.
    return isLockstep(call) && this.#hasLater(call) ? 'lockstep' : null
  }

  /** Whether a later call in the same world is already answered. */
  #hasLater({ requestId, replacements }: UnmaskedCall): boolean {
    const before = this.#calls.at(-2)
    return before?.replacements === replacements && numberOf(before) > numberOf({ requestId })
  }

  #end(gap: RecordingGap | null): void {
    this.#gap = gap
    this.#calls = []
    this.#bytes = 0
    this.#addsUp &&= gap !== null
  }
}

/** The number in the id of a request. */
export function numberOf({ requestId }: Pick<UnmaskedCall, 'requestId'>): number {
  return Number(requestId.slice('req_'.length))
}

function isLockstep({ operationId, status, body }: UnmaskedCall): boolean {
  if (operationId !== 'advanceClock' || status !== 200 || body === null) return false
  const { lockstep } = JSON.parse(Buffer.from(body).toString()) as { lockstep?: boolean }
  return lockstep === true
}
