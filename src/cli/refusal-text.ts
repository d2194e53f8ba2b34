/** Refusals of a server in the words of the command line: options in place of fields. */
import { SandboxError } from '../library/sandbox-error.ts'
import { codeTable } from '../wire/errors.ts'
import { UsageError } from './usage.ts'

/** What is typed for a field, by the name that the server has for it. */
export type Labels = ReadonlyMap<string, string>

/**
 * A failure with options in place of fields; `inWords` replaces what else a command has other words for. A request that is
 * malformed was typed wrongly: a `UsageError`. Other refusals are an answer, and stay what they are.
 */
export function asTyped(
  failure: unknown,
  labels: Labels,
  inWords: (sentence: string) => string,
): unknown {
  if (!(failure instanceof SandboxError)) return failure
  const { code, fields } = failure
  const said = fields.length < 2 ? [failure] : fields
  const sentences = said.map(({ message }) => inOptions(inWords(message), labels))
  const heading = said.length === 1 ? [] : [`${codeTable.invalid_request.title}:`]
  const message = [...heading, ...sentences].join('\n  ')
  return code === 'invalid_request' ? new UsageError(message) : new SandboxError(message, failure)
}

/** `max_redemptions must be ...` becomes `--max-redemptions must be ...`; of a whole object, its parts are named. */
function inOptions(sentence: string, labels: Labels): string {
  const [, field = '', rest = ''] = /^([\w.-]+)(.*)$/s.exec(sentence) ?? []
  const own = labels.get(field)
  if (own !== undefined) return `${own}${exclusionInOptions(rest, labels)}`
  const [rule = '', got = ''] = sentence.split(/(?=; got )/)
  const [, whole] = /^(The body|[\w.]+) (?:is|must be) /.exec(rule) ?? []
  if (whole === undefined) return sentence
  const within = whole === 'The body' ? '' : `${whole}.`
  return rule.replace(/[a-z_]+/g, (word) => labels.get(`${within}${word}`) ?? word) + got
}

/** What excludes a field is named as it is typed, too. */
function exclusionInOptions(rest: string, labels: Labels): string {
  return rest.replace(
    /^( (?:cannot be combined with|can be given only where) )([\w.]+)(?=\.$| is )/,
    (_, words: string, name: string) => `${words}${labels.get(name) ?? name}`,
  )
}
