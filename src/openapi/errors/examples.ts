/** The examples of refusals in documents: what the calls of the table of errors were answered. */
import type { Declaration } from '../../surface/operation.ts'
import type { Code } from '../../wire/common/error-codes.ts'
import recorded from './recorded.json' with { type: 'json' }

/** A refusal, and the operations that answered it, word for word. */
export interface RecordedError {
  readonly operations: readonly string[]
  readonly status: number
  readonly body: unknown
}

export const recordedErrors: { readonly [Each in Code]?: readonly RecordedError[] } = recorded

/** What an operation answered with a code; undefined if it is yet to be recorded. */
export function recordedAt(code: Code, operationId: string): RecordedError | undefined {
  return recordedErrors[code]?.find(({ operations }) => operations.includes(operationId))
}

/** What most operations of a surface answer with a code. */
export function commonError(
  code: Code,
  surface: readonly Declaration[],
): RecordedError | undefined {
  const ids = new Set(surface.map(({ operationId }) => operationId))
  const answering = (found: RecordedError) => found.operations.filter((id) => ids.has(id)).length
  const all = recordedErrors[code]?.filter((each) => answering(each) > 0) ?? []
  return all.sort((one, other) => answering(other) - answering(one))[0]
}
