/**
 * Operations as commands call them: what they take, from a table that is written from their declarations, because a command
 * would otherwise load the whole server for its options; and how typed text becomes the value of a field.
 */
import { readFileSync } from 'node:fs'
import { Option } from 'commander'
import table from '../../generated/commands.json' with { type: 'json' }
import { fileErrorText } from '../../store/files.ts'
import { BYTE_ORDER_MARK } from '../terminal/files.ts'
import { UsageError } from '../terminal/usage.ts'

/** What is typed for a field; nothing has to follow a `switch`. */
export type Kind = 'switch' | 'number' | 'list' | 'json' | 'text'

export interface Field {
  /** Its place in the body or the query: `['match', 'operation']`. */
  readonly path: readonly string[]
  /** What it is, in words; of several alternatives, what it is in each. */
  readonly description: string
  readonly kind: Kind
  /** Those that it takes, or each element of a list, where there are only some. */
  readonly words?: readonly string[]
  readonly isRequired?: true
  /** Whether `null` is null, and not that text. */
  readonly takesNull?: true
  /** Whether a number is one, and not its text. */
  readonly takesNumber?: true
}

/** An operation, as far as a command needs to know it. */
export interface CommandOperation {
  readonly method: string
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly credential: 'api_key' | 'refresh_token' | 'none'
  /** The parameters of the path, with what they are. */
  readonly params: Readonly<Record<string, string>>
  /** Where its fields are: in the query, or in a body of this kind. */
  readonly fieldsIn: 'query' | 'form' | 'json' | null
  readonly isBodyRequired?: true
  /** With those of each nested object in place of the object. */
  readonly fields: readonly Field[]
  /** The fields of each record of the lists in its answer. */
  readonly lists: Readonly<Record<string, readonly string[]>>
  /** Whether it answers anything but JSON, such as a script. */
  readonly answersText?: true
  /** Whether a what-if can ask about it. */
  readonly isChange?: true
}

export type CommandOperations = ReadonlyMap<string, CommandOperation>

export const commandOperations: CommandOperations = new Map(
  Object.entries(table as Readonly<Record<string, CommandOperation>>),
)

/** Of more words, such as the codes of currencies and the assumptions, help lists none. */
const LISTED_MAX = 35

/** The option of a field: `--match-operation <text>`. */
export function optionOf(
  { path, kind, description, words = [], isRequired }: Field,
  name = path.join('-'),
): Option {
  const flag = `--${name.replaceAll('_', '-')}`
  const value = kind === 'switch' ? ' [true|false]' : ` <${kind}>`
  const isListed = kind !== 'switch' && words.length > 0 && words.length <= LISTED_MAX
  const isSaid = isListed && description === `one of ${words.join(', ')}`
  const texts = [...(isSaid ? [] : [description]), ...(isRequired ? ['(required)'] : [])]
  const option = new Option(`${flag}${value}`, texts.join(' '))
  // For help and completion: the operation refuses other words, in its own sentence.
  if (isListed) option.argChoices = [...words]
  return option
}

/**
 * The value of a field, from the text of its option. Text that cannot be parsed is sent unchanged, so that the operation
 * says what it accepts. `null` is read as null unless the field accepts that text. Throws `UsageError` for invalid JSON,
 * and for an amount with decimals.
 */
export function readValue(
  name: string,
  { kind, takesNull, takesNumber, description = '' }: Partial<Field>,
  typed: string | true,
): unknown {
  if (typed === true) return true
  if (takesNull && typed === 'null') return null
  if (kind === 'switch' && /^(true|false)$/.test(typed)) return typed === 'true'
  // Where a value can also be a percentage, its command knows.
  if (/^(?!.* Or: ).*in minor units/.test(description)) refuseDecimals(name, typed)
  // One of more digits would be rounded; as a text it is refused.
  if (takesNumber && /^-?(?=(?:\.?\d){1,15}$)\d+(\.\d+)?$/.test(typed)) return Number(typed)
  // An empty list can be written as nothing, or as answers print it.
  if (kind === 'list' && /^\s*(\[\])?\s*$/.test(typed)) return []
  if (kind === 'list') return typed.split(',').map((each) => each.trim())
  return kind === 'json' ? readJson(name, typed) : typed
}

/** Throws `UsageError` for an amount such as 10.00: as a number it would be 10 minor units. */
export function refuseDecimals(name: string, typed: unknown): void {
  if (!/^-?\d+\.\d+$/.test(String(typed))) return
  const rule = 'must be an integer of minor units: 1000 is 10.00 USD'
  throw new UsageError(`${name} ${rule}; got "${typed}".`)
}

/** Reads JSON. Throws `UsageError` with what it was meant for. */
function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    // The message repeats the text, which may be of several lines.
    const reason = (error as Error).message.replace(/\p{Cc}/gu, (character) =>
      JSON.stringify(character).slice(1, -1),
    )
    throw new UsageError(`${name} must be JSON: ${reason}.`)
  }
}

/** The body in a file. Throws `UsageError` where it cannot be read, or is not a JSON object. */
export function bodyIn(file: string): Record<string, unknown> {
  const body = readJson('--body', textIn(file))
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) {
    return body as Record<string, unknown>
  }
  throw new UsageError('--body must be a JSON object.')
}

function textIn(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8').replace(BYTE_ORDER_MARK, '')
  } catch (error) {
    throw new UsageError(`--body "${file}" cannot be read: ${fileErrorText(error as Error)}.`)
  }
}

export function setAt(
  target: Record<string, unknown>,
  [step = '', ...rest]: readonly string[],
  value: unknown,
): void {
  const inner = { ...(target[step] as Record<string, unknown> | undefined) }
  if (rest.length > 0) setAt(inner, rest, value)
  target[step] = rest.length > 0 ? inner : value
}
