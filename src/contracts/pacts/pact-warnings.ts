/** What a pact file says that is not read, or that implementations of Pact read differently. Nothing here is an error. */
import { toDotPath } from 'zod/v4/core'
import { type Matcher, rulesOf } from './matching-rules.ts'
import { contentOf } from './pact-request.ts'

type Path = readonly (string | number)[]

/** A warning, and what in the file it is about. */
export interface PactWarning {
  readonly path: Path
  readonly message: string
}

/** The most warnings of one file: a mistake of a generator is in each interaction. */
const WARNINGS_MAX = 50

const rules = ['matchingRules', 'generators']

/** The keys of versions 1 to 4, and what brokers add. */
const keys = {
  file: ['consumer', 'provider', 'interactions', 'messages', 'metadata', 'createdAt'],
  interaction: [
    ...['description', 'providerState', 'provider_state', 'providerStates', 'request', 'response'],
    ...['type', 'key', 'pending', 'comments', 'pluginConfiguration', 'interactionMarkup'],
    ...['transport', 'references'],
  ],
  request: ['method', 'path', 'query', 'headers', 'body', ...rules],
  response: ['status', 'headers', 'body', ...rules],
} as const

/** The versions of the specification, as the core reads them. */
const KNOWN_VERSION = /^v?[1-4](\.\d+)*$/i

/** Version 4 alone has interactions in progress; of an unknown version the core reads none either. */
export function namesVersion4(version: string | undefined): boolean {
  return version !== undefined && /^v?4(\.\d+)*$/i.test(version)
}

/** The warnings about a file and its HTTP interactions, in the order of the file. */
export function warningsOf(
  document: Readonly<Record<string, unknown>>,
  version: { readonly path: Path; readonly text: string } | null,
  {
    found,
    isVersion4,
  }: {
    found: readonly { readonly index: number; readonly written: object }[]
    isVersion4: boolean
  },
): PactWarning[] {
  const warnings = [
    ...unknownVersion(version),
    ...unknownKeys([], document, keys.file),
    ...found.flatMap(({ index, written }) => {
      return ofInteraction(['interactions', index], { ...written }, isVersion4)
    }),
  ]
  const left = warnings.length - WARNINGS_MAX
  if (left <= 0) return warnings
  const more = left === 1 ? 'is 1 more warning' : `are ${left} more warnings`
  return [...warnings.slice(0, WARNINGS_MAX), { path: [], message: `There ${more}.` }]
}

function unknownVersion(version: Parameters<typeof warningsOf>[1]): PactWarning[] {
  if (version === null || KNOWN_VERSION.test(version.text)) return []
  const message = `must be a version from 1 to 4 of the Pact specification; got ${JSON.stringify(version.text)}. It is read as one before version 4.`
  return [{ path: version.path, message }]
}

function ofInteraction(
  path: Path,
  interaction: Readonly<Record<string, unknown>>,
  isVersion4: boolean,
): PactWarning[] {
  const sides = ['request', 'response'] as const
  return [
    ...unknownKeys(path, interaction, keys.interaction),
    ...sides.flatMap((side) => {
      const [at, value] = [[...path, side], Object(interaction[side])]
      const unread = isVersion4 ? unreadBody([...at, 'body'], value.body) : []
      return [...unknownKeys(at, value, keys[side]), ...unread]
    }),
    ...openSizes([...path, 'response'], interaction['response']),
  ]
}

/** An object in place of what version 4 has its content in. */
function unreadBody(path: Path, body: unknown): PactWarning[] {
  const names = typeof body === 'object' && !Array.isArray(body) ? Object.keys(body ?? {}) : []
  if (names.length === 0 || names.includes('content')) return []
  const message =
    'is taken for none by the Pact core, which reads a body of version 4 from its member content.'
  return [{ path, message }]
}

function unknownKeys(path: Path, value: object, known: readonly string[]): PactWarning[] {
  // Brokers write links and identifiers under such names.
  const unknown = Object.keys(value).filter((key) => !known.includes(key) && !key.startsWith('_'))
  return unknown.map((key) => ({
    path: [...path, key],
    message: 'is a key of no version of the Pact specification, and is not read.',
  }))
}

/** The sizes of lists that implementations read differently. */
function openSizes(path: Path, response: unknown): PactWarning[] {
  const { body } = contentOf(response)
  return rulesOf(response).flatMap((rule) => {
    const example = rule.steps.reduce<unknown>((value, step) => Object(value)[step], body)
    if (rule.part !== 'body' || !Array.isArray(example)) return []
    const message = rule.matchers.map((matcher) => sizeWarning(matcher, example)).find(Boolean)
    return message ? [{ path: [...path, ...rule.path], message }] : []
  })
}

function sizeWarning({ match, min, max }: Matcher, example: readonly unknown[]): string | null {
  if (match !== 'type' || (min === undefined && max === undefined)) return null
  if (example.length === 0) {
    return 'limits a list whose example is empty: the Pact core lets any list pass, whatever its size; as it reads, the limit holds. Give the example an item.'
  }
  if (max !== 0) return null
  return 'has max 0: the Pact core lets an empty list pass alone; where 0 is taken for no maximum, any list passes. For an empty list, write it as the example, without a rule.'
}

/** A warning as a line of a report, which names the field first. */
export function warningText({ path, message }: PactWarning): string {
  return path.length === 0 ? message : `${toDotPath([...path])} ${message}`
}
