/**
 * Example calls: what the documents show of each operation, by its `operationId` and then by the name of the example.
 * The first one of an operation is what the reference opens with. Owns their shape, and the names that they share with
 * the calls that make what they name (`server/sample-data.ts`).
 */
import type { ExamplesObject } from 'openapi3-ts/oas31'

/** One call; what it is about is in the sandbox `examples` unless another one is named. */
export interface ExampleCall {
  /** What it shows, where an operation has several. */
  readonly summary?: string
  readonly sandbox?: ExampleSandbox
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number | readonly string[]>>
  readonly body?: unknown
}

/** The calls of some operations. */
export type ExampleCalls = Readonly<Record<string, Readonly<Record<string, ExampleCall>>>>

/** The only example of an operation. */
export function call(example: ExampleCall) {
  return { example }
}

/** As `call`, of a record that its path names. */
export function exampleOf(params: NonNullable<ExampleCall['params']>, body?: unknown) {
  return call({ params, body })
}

/** As `call`, with a body alone, or a query. */
export const body = (value: unknown) => call({ body: value })
export const query = (fields: NonNullable<ExampleCall['query']>) => call({ query: fields })

/** What a call answered. */
export interface ExampleAnswer {
  readonly status: number
  /** The header `Location`, where something was made. */
  readonly location?: string
  /** The media type of a body that is text. */
  readonly textType?: string
  /** Null where it has none. */
  readonly body: unknown
}

/** The answers to `ExampleCalls`. */
export type ExampleAnswers = Readonly<Record<string, Readonly<Record<string, ExampleAnswer>>>>

/** The sandboxes of the examples: calls that change a whole sandbox do so in a separate one. */
export const exampleSandboxes = {
  main: 'examples',
  /** A fork of it, whose clock moves and which is reset. */
  fork: 'examples-fork',
  /** From the fixture `empty`: its whole state is short enough to be shown. */
  empty: 'examples-empty',
  /** Is only there to be deleted. */
  old: 'examples-old',
  /** Is not there yet. */
  fresh: 'examples-new',
} as const
export type ExampleSandbox = (typeof exampleSandboxes)[keyof typeof exampleSandboxes]

/** A refresh token that works: its text is chosen, and looks like any other of the sandbox `examples`. */
export const EXAMPLE_REFRESH_TOKEN = `rt_${exampleSandboxes.main}_a-refresh-token-that-the-examples-name-here`

/** The secret of a webhook: chosen, too. */
export const EXAMPLE_WEBHOOK_SECRET = 'whsec_YSBzZWNyZXQgb2YgdGhlIGV4YW1wbGVzLCAzMiBieXQ='

/** Names of the broker, and of the checkpoints. */
export const provider = 'subscription-service'
export const consumer = 'web-shop'
export const CHECKPOINT = 'before-renewal'

/** A pact that fits the documented surface. */
export const examplePact = {
  consumer: { name: consumer },
  provider: { name: provider },
  interactions: [
    {
      description: 'a request to pause a subscription',
      providerStates: [
        { name: 'a subscription exists', params: { subscription_id: 'sub_of_the_shop' } },
      ],
      request: {
        method: 'POST',
        path: '/v1/subscriptions/sub_of_the_shop/pause',
        headers: { Authorization: 'Bearer sk_sandbox_default' },
      },
      response: { status: 200, body: { subscription_id: 'sub_of_the_shop' } },
    },
  ],
  metadata: { pactSpecification: { version: '3.0.0' } },
}

/** What a document shows: calls, and the answer to each. */
export interface Examples {
  readonly calls: ExampleCalls
  readonly answers: ExampleAnswers
}

/** One call of an operation and its answer. */
export interface AnsweredCall extends ExampleCall {
  readonly name: string
  readonly answer: ExampleAnswer
}

/** The examples of an operation; one whose answer is yet to be recorded is left out. */
export function answeredCalls(operationId: string, { calls, answers }: Examples): AnsweredCall[] {
  return Object.entries(calls[operationId] ?? {}).flatMap(([name, call]) => {
    const answer = answers[operationId]?.[name]
    return answer === undefined ? [] : [{ ...call, name, answer }]
  })
}

/** `examples` with the values at one place; those of parameters, body and answer go together by their names. */
export function examplesAt(
  shown: readonly AnsweredCall[],
  pick: (each: AnsweredCall) => unknown,
): { examples?: ExamplesObject } {
  const found = shown.flatMap((each) => {
    const value = pick(each)
    const { name, summary } = each
    if (value === undefined) return []
    return [[name, summary === undefined ? { value } : { summary, value }] as const]
  })
  return found.length === 0 ? {} : { examples: Object.fromEntries(found) }
}
