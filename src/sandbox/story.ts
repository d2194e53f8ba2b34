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
  readonly status: number
  /** Null where there is none, or it came in pieces, or is too long. */
  readonly answer: string | null
  readonly refusal: { readonly code: string; readonly message: string } | null
  /** Whether its access token was refused only because the sandbox varies that. */
  readonly isVaried: boolean
}

/** Why a story has no beginning that a script could make, or has a gap. */
export type NoStory = 'forked' | 'restarted' | 'too_long' | 'imported' | 'disk'

export class Story {
  #whyNot: NoStory | null
  #calls: ToldCall[] = []
  #bytes = 0
  /** Whether there is nothing so far but provider states, which may add up with those to come. */
  #addsUp = false

  constructor(whyNot: NoStory | null) {
    this.#whyNot = whyNot
  }

  /** The calls in the order of their answers, or why there is no whole story. */
  get calls(): readonly ToldCall[] | NoStory {
    return this.#whyNot ?? this.#calls
  }

  /** Begins again with a world that was reset. */
  begin(): void {
    if (!this.#addsUp) this.#end(null)
  }

  add(call: ToldCall): void {
    if (this.#whyNot !== null) return
    const isStates = call.operationId === 'changeProviderState'
    this.#addsUp = isStates && (this.#addsUp || this.#calls.length === 0)
    const answer = (call.answer?.length ?? 0) > ANSWER_KEPT ? null : call.answer
    this.#calls.push(answer === call.answer ? call : { ...call, answer })
    this.#bytes += CALL_BYTES + (call.body?.byteLength ?? 0) + (answer?.length ?? 0)
    if (this.#calls.length > STORY_CALLS || this.#bytes > STORY_BYTES) this.#end('too_long')
    else if (call.operationId === 'restoreState' && call.status === 200) this.#end('imported')
    else if (call.refusal?.code === 'storage_unavailable') this.#end('disk')
  }

  #end(whyNot: NoStory | null): void {
    this.#whyNot = whyNot
    this.#calls = []
    this.#bytes = 0
    this.#addsUp &&= whyNot !== null
  }
}
