/** Examples in documents: puts the example calls of an operation, and what they were answered, where tools look for them. */
import type {
  ExamplesObject,
  MediaTypeObject,
  OperationObject,
  ParameterObject,
  RequestBodyObject,
  ResponseObject,
} from 'openapi3-ts/oas31'
import {
  type ExampleAnswer,
  type ExampleAnswers,
  type ExampleCall,
  type ExampleCalls,
  exampleSandboxes,
} from './call.ts'

/** What a document shows: calls, and the answer to each. */
export interface Examples {
  readonly calls: ExampleCalls
  readonly answers: ExampleAnswers
}

/** A drawn operation with its examples. Those of parameters, body and answer go together by their names. */
export function withExamples(operation: OperationObject, examples: Examples): OperationObject {
  const { operationId = '', parameters = [], requestBody, responses = {} } = operation
  const shown = examplesOf(operationId, examples)
  const bodies = named(shown, ({ body }) => body)
  const written = requestBody as RequestBodyObject | undefined
  return {
    ...operation,
    ...(parameters.length === 0
      ? {}
      : { parameters: (parameters as ParameterObject[]).map((each) => inParameter(each, shown)) }),
    ...(written === undefined ? {} : { requestBody: inContent(written, bodies) }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([status, response]) => {
        const answers = shown.filter(({ answer }) => String(answer.status) === status)
        return [status, inResponse(response as ResponseObject, answers)]
      }),
    ),
  }
}

interface Shown extends ExampleCall {
  readonly name: string
  readonly answer: ExampleAnswer
}

/** The examples of an operation; one whose answer is yet to be recorded is left out. */
function examplesOf(operationId: string, { calls, answers }: Examples): Shown[] {
  return Object.entries(calls[operationId] ?? {}).flatMap(([name, call]) => {
    const answer = answers[operationId]?.[name]
    return answer === undefined ? [] : [{ ...call, name, answer }]
  })
}

function inParameter(parameter: ParameterObject, shown: readonly Shown[]): ParameterObject {
  const { name, in: place } = parameter
  const examples = named(shown, ({ params, query, sandbox = exampleSandboxes.main }) => {
    if (place === 'header') return sandbox
    return (place === 'path' ? params : query)?.[name]
  })
  return examples === null ? parameter : { ...parameter, examples }
}

function inResponse(response: ResponseObject, shown: readonly Shown[]): ResponseObject {
  const examples = named(shown, ({ answer }) => answer.location)
  const { Location: location, ...others } = response.headers ?? {}
  const content = Object.entries(response.content ?? {}).map(([media, type]) => {
    const own = shown.filter(({ answer }) => isWrittenAs(answer, media))
    const bodies = named(own, ({ answer }) => answer.body ?? undefined)
    return [media, bodies === null ? type : { ...type, examples: bodies }]
  })
  const drawn =
    content.length === 0 ? response : { ...response, content: Object.fromEntries(content) }
  return examples === null || location === undefined
    ? drawn
    : { ...drawn, headers: { ...others, Location: { ...location, examples } } }
}

/** What is no text is JSON, whatever its type is called. */
function isWrittenAs({ textType }: ExampleAnswer, media: string): boolean {
  return textType === undefined ? !media.startsWith('text/') : media === textType
}

/** A body with examples in each of its media types; as it was where there are none. */
function inContent(part: RequestBodyObject, examples: ExamplesObject | null): RequestBodyObject {
  if (examples === null) return part
  const content = Object.entries(part.content).map(([media, type]): [string, MediaTypeObject] => [
    media,
    { ...type, examples },
  ])
  return { ...part, content: Object.fromEntries(content) }
}

/** The examples that have a value there, by name; null where none has. */
function named(shown: readonly Shown[], pick: (each: Shown) => unknown): ExamplesObject | null {
  const found = shown.flatMap((each) => {
    const value = pick(each)
    const { name, summary } = each
    if (value === undefined) return []
    return [[name, summary === undefined ? { value } : { summary, value }] as const]
  })
  return found.length === 0 ? null : Object.fromEntries(found)
}
