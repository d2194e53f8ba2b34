/**
 * Pact files: reads what a consumer's tests wrote, in the versions 2 to 4 of the Pact specification, whatever language
 * they were written in. Owns what is wrong with a file and where; what it asks of a provider is read by its caller.
 */
import {
  findNodeAtLocation,
  type Node,
  type ParseError,
  parseTree,
  printParseErrorCode,
} from 'jsonc-parser'
import * as z from 'zod'
import { type PactRequest, requestOf, WireRequest } from './pact-request.ts'

/** A condition that the provider is in before an interaction. */
export interface ProviderState {
  readonly name: string
  readonly params: Readonly<Record<string, unknown>>
}

/** One request over HTTP and the answer that the consumer relies on. */
export interface PactInteraction {
  readonly description: string
  readonly states: readonly ProviderState[]
  readonly request: PactRequest
  /** The status that the answer has to have. */
  readonly status: number
  /** Where it begins in the file, from 1. */
  readonly line: number
}

/** Something in a pact that is not HTTP: a message, or an interaction of a plugin. */
export interface ForeignInteraction {
  readonly description: string
  /** What the file calls it, such as `Asynchronous/Messages`. */
  readonly type: string
  readonly line: number
}

export interface PactFile {
  /** Where it was read: a path or a URL, as it was given. */
  readonly source: string
  readonly consumer: string
  readonly provider: string
  /** The version of the Pact specification, such as `3.0.0`. */
  readonly version: string
  readonly interactions: readonly PactInteraction[]
  readonly foreign: readonly ForeignInteraction[]
  /** The whole file, parsed. */
  readonly document: Readonly<Record<string, unknown>>
}

/** What is wrong with a file; line and column count from 1. */
export interface PactProblem {
  readonly source: string
  readonly line: number
  readonly column: number
  readonly message: string
}

const Party = z.object({ name: z.string().min(1) })

const State = z.object({
  name: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
})

const HttpInteraction = z.object({
  type: z.string().optional(),
  description: z.string().min(1),
  // Version 2 knows one state, by its name alone; older Ruby consumers call it provider_state.
  providerState: z.string().nullish(),
  provider_state: z.string().nullish(),
  providerStates: z.array(State).nullish(),
  request: WireRequest,
  response: z.object({ status: z.int().min(100).max(599).default(200) }),
})
type HttpInteraction = z.output<typeof HttpInteraction>

const Document = z.object({
  consumer: Party,
  provider: Party,
  interactions: z.array(z.unknown()).default([]),
  messages: z.array(z.unknown()).default([]),
  metadata: z.record(z.string(), z.unknown()).default({}),
})

const HTTP = 'Synchronous/HTTP'

/** Reads the text of a pact file; `source` is what it is called where something is wrong with it. */
export function readPact(source: string, text: string): PactFile | readonly PactProblem[] {
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [error] = errors
  if (tree === undefined || error !== undefined) {
    const what =
      error === undefined ? 'is empty' : `is not JSON: ${printParseErrorCode(error.error)}`
    return [{ source, ...placeAt(text, error?.offset ?? 0), message: `The file ${what}.` }]
  }
  const document: unknown = JSON.parse(text)
  const read = Document.safeParse(document)
  const place = (path: readonly PropertyKey[]) => placeAt(text, nearest(tree, path).offset)
  const problem = (path: readonly PropertyKey[], message: string): PactProblem => {
    return { source, ...place(path), message }
  }
  if (!read.success) return read.error.issues.map((issue) => problem(issue.path, sentence(issue)))
  const { consumer, provider, interactions, messages, metadata } = read.data
  const problems: PactProblem[] = []
  const http: PactInteraction[] = []
  const foreign: ForeignInteraction[] = messages.map((each, index) => {
    return foreignOf(each, 'Asynchronous/Messages', place(['messages', index]).line)
  })
  for (const [index, each] of interactions.entries()) {
    const path = ['interactions', index]
    const type = typeOf(each)
    if (type !== HTTP) {
      foreign.push(foreignOf(each, type, place(path).line))
      continue
    }
    const interaction = HttpInteraction.safeParse(each)
    if (interaction.success) http.push(interactionOf(interaction.data, place(path).line))
    else {
      const { issues } = interaction.error
      problems.push(...issues.map((issue) => problem([...path, ...issue.path], sentence(issue))))
    }
  }
  if (problems.length > 0) return problems
  const names = { source, consumer: consumer.name, provider: provider.name }
  const whole = document as Readonly<Record<string, unknown>>
  return { ...names, version: versionOf(metadata), interactions: http, foreign, document: whole }
}

/** Whether reading a file found something wrong with it. */
export function isUnreadable(
  read: PactFile | readonly PactProblem[],
): read is readonly PactProblem[] {
  return Array.isArray(read)
}

function interactionOf(read: HttpInteraction, line: number): PactInteraction {
  const { description, request, response } = read
  return {
    description,
    states: statesOf(read),
    request: requestOf(request),
    status: response.status,
    line,
  }
}

function statesOf({
  providerState,
  provider_state,
  providerStates,
}: HttpInteraction): ProviderState[] {
  const named = providerState ?? provider_state
  if (providerStates == null) return named == null ? [] : [{ name: named, params: {} }]
  return providerStates.map(({ name, params = {} }) => ({ name, params }))
}

function typeOf(interaction: unknown): string {
  const { type } = (interaction ?? {}) as { type?: unknown }
  return typeof type === 'string' ? type : HTTP
}

function foreignOf(interaction: unknown, type: string, line: number): ForeignInteraction {
  const { description } = (interaction ?? {}) as { description?: unknown }
  return { description: typeof description === 'string' ? description : '', type, line }
}

/** Every tool writes it at a place of its own. */
function versionOf(metadata: Record<string, unknown>): string {
  for (const key of ['pactSpecification', 'pact-specification']) {
    const { version } = (metadata[key] ?? {}) as { version?: unknown }
    if (typeof version === 'string') return version
  }
  const older = metadata['pactSpecificationVersion']
  return typeof older === 'string' ? older : '2.0.0'
}

function sentence({ path, message }: z.core.$ZodIssue): string {
  return path.length === 0 ? `${message}.` : `${path.join('.')}: ${message}.`
}

/** The deepest node on a path: where something is missing, what it is missing from. */
function nearest(tree: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path
      .slice(0, length)
      .map((step) => (typeof step === 'number' ? step : String(step)))
    const found = findNodeAtLocation(tree, steps)
    if (found !== undefined) return found
  }
  return tree
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') }
}
