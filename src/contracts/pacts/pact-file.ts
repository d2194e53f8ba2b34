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
import { LineCounter } from 'yaml'
import * as z from 'zod'
import { toDotPath } from 'zod/v4/core'
import { isDeeper } from '../common/json.ts'
import type { Offered } from './broker-client.ts'
import { WireBody, WireHeaders, WireRequest, wrapBodies } from './pact-request.ts'
import { namesVersion4, warningsOf, warningText } from './pact-warnings.ts'

/** One request over HTTP and the answer that the consumer relies on. */
export interface PactInteraction extends z.output<typeof HttpInteraction> {
  /** Its place among the interactions of the file, from 0. */
  readonly index: number
  /** Where it begins in the file, from 1. */
  readonly line: number
  /** Whether it is work in progress, which may fail. */
  readonly isPending: boolean
  /** As the file has it, with each body as version 4 has it. */
  readonly written: Readonly<{ request?: unknown; response?: unknown }>
}

/** Something in a pact that is not HTTP: a message, or an interaction of a plugin. */
export interface ForeignInteraction {
  readonly description: string
  /** What the file calls it, such as `Asynchronous/Messages`. */
  readonly type: string
  readonly isPending: boolean
  /** Where it is in the file, as keys and positions. */
  readonly path: readonly [list: string, index: number]
  readonly line: number
}

export interface PactFile {
  /** Where it was read: a path or a URL, as it was given. */
  readonly source: string
  readonly consumer: string
  readonly provider: string
  /** The version of the Pact specification, such as `3.0.0`. */
  readonly version: string
  /** Whether bodies are wrapped, and interactions can be in progress. */
  readonly isVersion4: boolean
  readonly interactions: readonly PactInteraction[]
  readonly foreign: readonly ForeignInteraction[]
  /** How a broker offered it; absent for a file. */
  readonly offered?: Offered
  /** What in the file is read otherwise than its author may think, or not at all. */
  readonly warnings: readonly PactProblem[]
  /** The whole file, parsed. */
  readonly document: Readonly<Record<string, unknown>>
  /** The whole file as it was read. */
  readonly text: string
  /** The line of what is at a path, or of the nearest thing around it. */
  readonly lineOf: (path: readonly PropertyKey[]) => number
}

/** What is wrong with a file; line and column count from 1. */
export interface PactProblem {
  readonly line: number
  readonly column: number
  /** The field, such as `interactions[0].request`; absent for the file as a whole. */
  readonly field?: string
  readonly message: string
}

/** What is wrong with a file as a whole. */
export function problemsOfFile(message: string): PactProblem[] {
  return [{ line: 1, column: 1, message }]
}

const Party = z.object({ name: z.string().min(1) })

/** A condition that the provider is in before an interaction. */
const State = z.object({
  name: z.string(),
  // Some tools write null for no params.
  params: z.preprocess((params) => params ?? {}, z.record(z.string(), z.unknown())),
})
export type GivenState = z.output<typeof State>

const HttpInteraction = z
  .object({
    type: z.string().optional(),
    pending: z.boolean().nullish(),
    description: z.string().min(1),
    // Version 2 knows one state, by its name alone; older Ruby consumers call it provider_state.
    providerState: z.string().nullish(),
    provider_state: z.string().nullish(),
    providerStates: z.array(State).nullish(),
    request: WireRequest,
    response: z.object({
      status: z.int().min(100).max(599).default(200),
      headers: WireHeaders,
      body: WireBody,
    }),
  })
  .transform(({ description, request, response, ...read }) => {
    const name = read.providerState ?? read.provider_state
    const { providerStates = name == null ? [] : [{ name, params: {} }] } = read
    const states = providerStates ?? []
    return { description, states, request, status: response.status }
  })

const Version = z.union([z.string(), z.number().transform(String)]).optional()
const Specification = z.looseObject({ version: Version }).optional()

const Document = z.object({
  consumer: Party,
  provider: Party,
  interactions: z.array(z.unknown()).default([]),
  messages: z.array(z.unknown()).default([]),
  metadata: z
    .looseObject({
      pactSpecification: Specification,
      'pact-specification': Specification,
      // A plugin is a program that the core would start.
      plugins: z
        .array(z.unknown())
        .max(0, 'Plugins are not run here; the pact must be plain HTTP')
        .optional(),
    })
    .default({}),
})

const HTTP = 'Synchronous/HTTP'

/** What an entry is, before it is known to be HTTP. */
const Kind = z
  .object({ type: z.string().catch(HTTP), description: z.string().catch('') })
  .catch({ type: HTTP, description: '' })

/** As deep as the core reads a file. */
const FILE_DEPTH_MAX = 127

/** Reads the text of a pact file; problems name it `source`. */
export function readPact(source: string, text: string): PactFile | readonly PactProblem[] {
  if (isDeeper(text, FILE_DEPTH_MAX)) {
    return problemsOfFile(`The file must be nested at most ${FILE_DEPTH_MAX} levels deep.`)
  }
  const errors: ParseError[] = []
  const tree = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false })
  const [error] = errors
  const placeAt = placesInText(text)
  if (tree === undefined || error !== undefined) {
    const code = error === undefined ? 'no value' : printParseErrorCode(error.error)
    // `CloseBraceExpected` as `close brace expected`.
    const reason = code.replace(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()
    const what = text.trim() === '' ? 'is empty' : `is not JSON: ${reason}`
    return [{ ...placeAt(error?.offset ?? 0), message: `The file ${what}.` }]
  }
  const twice = repeatedName(tree)
  if (twice !== null) {
    const message = `The file must give ${JSON.stringify(twice.value)} once in an object; got it twice.`
    return [{ ...placeAt(twice.offset), message }]
  }
  const place: Place = (path) => placeAt(nearestNode(tree, path).offset)
  const document: unknown = JSON.parse(text)
  const read = Document.safeParse(document)
  if (!read.success) return problemsOf(read.error, [], place)
  const { consumer, provider, metadata } = read.data
  const version = versionIn(metadata)
  // The core knows interactions in progress from version 4 on, and fails what another version calls so.
  const isVersion4 = namesVersion4(version?.isOld ? undefined : version?.text)
  const { problems, http, foreign } = sortInteractions({ ...read.data, isVersion4 }, place)
  if (problems.length > 0) return problems
  const warnings = warningsOf(Object(document), version, { found: http, isVersion4 })
  return {
    source,
    consumer: consumer.name,
    provider: provider.name,
    version: version?.text ?? '2.0.0',
    isVersion4,
    foreign,
    interactions: http,
    warnings: warnings.map((each) => ({ ...place(each.path), message: warningText(each) })),
    document: document as Readonly<Record<string, unknown>>,
    text,
    lineOf: (path) => place(path).line,
  }
}

/** The version of the specification that a file names; tools write it in different places. Null where it names none. */
function versionIn(metadata: z.output<typeof Document>['metadata']) {
  const { pactSpecification: named, 'pact-specification': dashed, ...more } = metadata
  const places = [
    [['pactSpecification', 'version'], named?.version],
    [['pact-specification', 'version'], dashed?.version],
    [['pactSpecificationVersion'], more['pactSpecificationVersion']],
  ] as const
  for (const [path, text] of places) {
    if (typeof text !== 'string') continue
    // The core does not read the oldest place.
    return { path: ['metadata', ...path], text, isOld: path.length === 1 }
  }
  return null
}

/** A name that an object has twice; readers differ in which one they take. Null if there is none. */
function repeatedName(tree: Node): Node | null {
  const nodes = [tree]
  for (const { type, children = [] } of nodes) {
    const names = new Set<unknown>()
    for (const child of children) {
      nodes.push(child)
      const [name] = type === 'object' ? (child.children ?? []) : []
      if (name === undefined) continue
      if (names.has(name.value)) return name
      names.add(name.value)
    }
  }
  return null
}

/** Whether reading a file found something wrong with it. */
export function isUnreadable(
  read: PactFile | readonly PactProblem[],
): read is readonly PactProblem[] {
  return Array.isArray(read)
}

/** The interactions of a file by what they are: over HTTP, something else, or unreadable. */
function sortInteractions(
  { interactions, messages, isVersion4 }: z.output<typeof Document> & Pick<PactFile, 'isVersion4'>,
  place: Place,
) {
  const http: PactInteraction[] = []
  const problems: PactProblem[] = []
  const foreign: ForeignInteraction[] = messages.map((each, index) => {
    const path = ['messages', index] as const
    const { description } = Kind.parse(each)
    const { line } = place(path)
    return { description, type: 'Asynchronous/Messages', isPending: false, path, line }
  })
  for (const [index, each] of interactions.entries()) {
    const path = ['interactions', index] as const
    const { line } = place(path)
    const kind = Kind.parse(each)
    const isPending = isVersion4 && Object(each).pending === true
    const written = isVersion4 ? Object(each) : wrapBodies(each)
    const read = HttpInteraction.safeParse(written)
    if (kind.type !== HTTP) foreign.push({ ...kind, isPending, path, line })
    else if (read.success) http.push({ ...read.data, isPending, index, line, written })
    else problems.push(...problemsOf(read.error, path, place))
  }
  return { http, foreign, problems }
}

function problemsOf(
  { issues }: z.ZodError,
  at: readonly PropertyKey[],
  place: Place,
): PactProblem[] {
  return issues.map((issue) => {
    const path = [...at, ...issue.path]
    const field = toDotPath(path)
    const rule = issue.message.replace(/^Invalid input: expected (\w+), received (\w+)$/, ruleText)
    if (field === '') return { ...place(path), message: `The file: ${rule}.` }
    return { ...place(path), field, message: `${field}: ${rule}.` }
  })
}

function ruleText(_: string, expected: string, got: string): string {
  const rule = `it must be ${/^[aeiou]/.test(expected) ? 'an' : 'a'} ${expected}`
  return got === 'undefined' ? `it is missing; ${rule}` : `${rule}; got ${got}`
}

/** The place of what is at a path, or of the nearest thing around it; line and column count from 1. */
type Place = (path: readonly PropertyKey[]) => Pick<PactProblem, 'line' | 'column'>

/** The places of offsets in a text. Its lines are found once: a pact of many interactions asks for the place of each. */
function placesInText(text: string) {
  const lines = new LineCounter()
  lines.addNewLine(0)
  for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1)
  return (offset: number) => {
    const { line, col: column } = lines.linePos(offset)
    return { line, column }
  }
}

/** The deepest node on a path: where something is missing, what it is missing from. */
function nearestNode(tree: Node, path: readonly PropertyKey[]): Node {
  for (let length = path.length; length > 0; length -= 1) {
    const steps = path
      .slice(0, length)
      .map((step) => (typeof step === 'number' ? step : String(step)))
    const found = findNodeAtLocation(tree, steps)
    if (found !== undefined) return found
  }
  return tree
}
