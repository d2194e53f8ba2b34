/** Refusals of a server, in the words of the command line: options in place of fields, and the exit code that follows. */
import { CONTROL_TOKEN_HEADER } from '../headers.ts'
import { UsageError } from './usage.ts'

/** The sandbox refused the operation; the message is its sentence. */
export class OperationRefused extends Error {
  override readonly name = 'OperationRefused'
  /** Its code; null if the answer is not a refusal of a sandbox. */
  readonly code: string | null
  readonly title: string
  /** What is wrong, field by field; else one sentence. */
  readonly sentences: readonly string[]

  constructor(code: string | null, title: string, sentences: readonly string[]) {
    super(textOf(title, sentences))
    this.code = code
    this.title = title
    this.sentences = sentences
  }
}

/** A field as the server names it, and what is typed for it. */
export interface TypedField {
  readonly name: string
  readonly label: string
}

/** A refusal of either surface. */
interface Body {
  readonly code?: string
  readonly title?: string
  readonly detail?: string
  /** On /v1 the code is called so. */
  readonly error?: string
  readonly message?: string
  readonly errors?: readonly { readonly message: string }[]
}

/** What a refusal says. `UsageError` where the control token is missing or wrong. */
export async function refusalOf(answer: Response): Promise<Error> {
  const text = await answer.text()
  const { code, error, title = '', detail, message, errors = [] } = readBody(text)
  const sentence = withCommand(detail ?? message ?? `It was answered ${answer.status}: ${text}`)
  if (answer.status === 401 && sentence.startsWith(CONTROL_TOKEN_HEADER)) {
    const fault = sentence.startsWith(`${CONTROL_TOKEN_HEADER} is missing`) ? 'missing' : 'wrong'
    return new UsageError(
      `The control token is ${fault}; it must be the one that the server was started with: --control-token TOKEN, or SANDBOX_CONTROL_TOKEN.`,
    )
  }
  const sentences = errors.length < 2 ? [sentence] : errors.map((each) => each.message)
  return new OperationRefused(code ?? error ?? null, title, sentences)
}

/** The command in place of the request that a sandbox that does not exist is answered with. */
function withCommand(sentence: string): string {
  return sentence.replace('GET /sandboxes lists', 'subscription-sandbox sandboxes lists')
}

/** How a command spells fields: as options, or in its own words. */
export interface Typed {
  readonly fields: readonly TypedField[]
  readonly inWords: (sentence: string) => string
}

/**
 * A failure with options in place of fields. A request that is malformed was typed wrongly: a `UsageError`. Other
 * refusals are an answer, and stay what they are.
 */
export function asTyped(failure: unknown, { fields, inWords }: Typed): unknown {
  if (!(failure instanceof OperationRefused)) return failure
  const { code, title } = failure
  const sentences = failure.sentences.map((each) => inOptions(inWords(each), fields))
  if (code === 'invalid_request') return new UsageError(textOf(title, sentences))
  return new OperationRefused(code, title, sentences)
}

/** `max_redemptions must be ...` becomes `--max-redemptions must be ...`; of a whole object, its parts are named. */
function inOptions(sentence: string, fields: readonly TypedField[]): string {
  const [, field = '', rest = ''] = /^([\w.-]+)(.*)$/s.exec(sentence) ?? []
  const own = labelOf(field, fields)
  if (own !== undefined) return `${own}${exclusionInOptions(rest, fields)}`
  const [rule = '', got] = sentence.split(/(?=; got )/)
  const [, whole] = /^(The body|[\w.]+) (?:is|must be) /.exec(rule) ?? []
  if (whole === undefined) return sentence
  const within = whole === 'The body' ? '' : `${whole}.`
  const named = rule.replace(/[a-z_]+/g, (word) => labelOf(`${within}${word}`, fields) ?? word)
  return `${named}${got ?? ''}`
}

/** What excludes a field is named as it is typed, too. */
function exclusionInOptions(rest: string, fields: readonly TypedField[]): string {
  return rest.replace(
    /^( (?:cannot be combined with|can be given only where) )([\w.]+)(?=\.$| is )/,
    (_, words: string, name: string) => `${words}${labelOf(name, fields) ?? name}`,
  )
}

function labelOf(name: string, fields: readonly TypedField[]): string | undefined {
  return fields.find((each) => each.name === name)?.label
}

function textOf(title: string, sentences: readonly string[]): string {
  const [only = '', ...others] = sentences
  return others.length === 0
    ? only
    : [`${title}:`, ...sentences.map((each) => `  ${each}`)].join('\n')
}

function readBody(text: string): Body {
  try {
    return (JSON.parse(text) ?? {}) as Body
  } catch (error) {
    if (error instanceof SyntaxError) return {}
    throw error
  }
}
