/**
 * The story of one sandbox: the calls since its world last began that may have changed something, in memory only. Owns
 * which of them are kept, and why there is no whole story; how it is told is not its business.
 */

/** The most calls of a story. */
export const STORY_CALLS = 10_000

/** The most bytes of a story, with so many for each call beside its body and answer. */
export const STORY_BYTES = 16 * 1024 * 1024
const CALL_BYTES = 512

/** The longest answer that is kept. */
const ANSWER_KEPT = 65_536

/** One call and its answer, as they were: secrets are in it. */
export interface ToldCall {
  readonly requestId: string
  /** How often the world had been replaced: request ids count anew after a reset. */
  readonly replacements: number
  readonly method: string
  /** Path and query. */
  readonly target: string
  /** Names and values in turn, as they came. */
  readonly headers: readonly string[]
  /** Null where none was read. */
  readonly body: Uint8Array | null
  readonly operationId: string | null
  /** Null where a fault closed the connection. */
  readonly status: number | null
  /** Null where there is none, or it came in pieces, or is too long. */
  readonly answer: string | null
  readonly refusal: { readonly code: string; readonly message: string } | null
  /** Whether it only asked, and changed nothing also where it was cut off. */
  readonly isQuestion: boolean
  /** Whether its access token was refused only because the sandbox varies that. */
  readonly isVaried: boolean
}

/** Why a story has no beginning that a script could make, or has a gap. */
export type NoStory =
  | 'forked'
  | 'restarted'
  | 'too_long'
  | 'imported'
  | 'disk'
  | 'dropped'
  | 'lockstep'

export class Story {
  #whyNot: NoStory | null
  #calls: ToldCall[] = []
  #bytes = 0
  /** Whether there is nothing so far but provider states, which may add up with those to come. */
  #addsUp = false
  /** How often the world had been replaced when it began. */
  #since = 0

  constructor(whyNot: NoStory | null) {
    this.#whyNot = whyNot
  }

  /** The calls in the order of their answers, or why there is no whole story. */
  get calls(): readonly ToldCall[] | NoStory {
    return this.#whyNot ?? this.#calls
  }

  /** Whether there is a story that calls can be added to. */
  get isKept(): boolean {
    return this.#whyNot === null
  }

  /** Begins again with a world that was reset, which is so many replacements after the first one. */
  begin(replacements: number): void {
    if (this.#addsUp) return
    this.#end(null)
    this.#since = replacements
  }

  /** Adds a call, unless it was one to a world before. */
  add(call: ToldCall): void {
    if (this.#whyNot !== null || call.replacements < this.#since) return
    const isStates = call.operationId === 'changeProviderState'
    this.#addsUp = isStates && (this.#addsUp || this.#calls.length === 0)
    const answer = (call.answer?.length ?? 0) > ANSWER_KEPT ? null : call.answer
    this.#calls.push(answer === call.answer ? call : { ...call, answer })
    this.#bytes += CALL_BYTES + (call.body?.byteLength ?? 0) + (answer?.length ?? 0)
    const whyNot = this.#gapAfter(call)
    if (whyNot !== null) this.#end(whyNot)
  }

  /** Why there is no whole story with this call. */
  #gapAfter(call: ToldCall): NoStory | null {
    if (this.#calls.length > STORY_CALLS || this.#bytes > STORY_BYTES) return 'too_long'
    if (call.operationId === 'restoreState' && call.status === 200) return 'imported'
    if (call.refusal?.code === 'storage_unavailable' && !call.isQuestion) return 'disk'
    if (call.status === null) return 'dropped'
    // No script can repeat the calls of receivers at the instants of an advance.
    return isLockstep(call) && this.#hasLater(call) ? 'lockstep' : null
  }

  /** Whether a call was answered already that came later in the same world. */
  #hasLater({ requestId, replacements }: ToldCall): boolean {
    const before = this.#calls.at(-2)
    return before?.replacements === replacements && numberOf(before) > numberOf({ requestId })
  }

  #end(whyNot: NoStory | null): void {
    this.#whyNot = whyNot
    this.#calls = []
    this.#bytes = 0
    this.#addsUp &&= whyNot !== null
  }
}

/** The number in a request id. */
function numberOf({ requestId }: Pick<ToldCall, 'requestId'>): number {
  return Number(requestId.slice('req_'.length))
}

function isLockstep({ operationId, status, body }: ToldCall): boolean {
  if (operationId !== 'advanceClock' || status !== 200 || body === null) return false
  const { lockstep } = JSON.parse(Buffer.from(body).toString()) as { lockstep?: boolean }
  return lockstep === true
}
