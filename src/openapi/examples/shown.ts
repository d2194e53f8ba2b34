/** Examples in documents: what the example calls of an operation, and their answers, show at each place. */
import type { ExamplesObject } from 'openapi3-ts/oas31'
import type { ExampleAnswer, ExampleAnswers, ExampleCall, ExampleCalls } from './call.ts'

/** What a document shows: calls, and the answer to each. */
export interface Examples {
  readonly calls: ExampleCalls
  readonly answers: ExampleAnswers
}

/** One call of an operation and its answer. */
export interface Shown extends ExampleCall {
  readonly name: string
  readonly answer: ExampleAnswer
}

/** The examples of an operation; one whose answer is yet to be recorded is left out. */
export function shownOf(operationId: string, { calls, answers }: Examples): Shown[] {
  return Object.entries(calls[operationId] ?? {}).flatMap(([name, call]) => {
    const answer = answers[operationId]?.[name]
    return answer === undefined ? [] : [{ ...call, name, answer }]
  })
}

/** `examples` with the values at one place; those of parameters, body and answer go together by their names. */
export function examplesAt(
  shown: readonly Shown[],
  pick: (each: Shown) => unknown,
): { examples?: ExamplesObject } {
  const found = shown.flatMap((each) => {
    const value = pick(each)
    const { name, summary } = each
    if (value === undefined) return []
    return [[name, summary === undefined ? { value } : { summary, value }] as const]
  })
  return found.length === 0 ? {} : { examples: Object.fromEntries(found) }
}
