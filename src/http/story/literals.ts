/** Values as a language writes them, in lines of 120 columns where they fit. */
import type { Parts } from '../../wire/story.ts'
import { partsOf } from './steps.ts'

const WIDTH = 120

/** What differs between languages. */
export interface Language {
  /** A text with variables. */
  readonly text: (parts: Parts) => string
  readonly nameOf: (member: string) => string
  /** What `true`, `false` and `null` are called. */
  readonly words: Readonly<Record<string, string>>
  /** What is between the braces of an object and its members. */
  readonly space: '' | ' '
  readonly indent: string
}

/** Where a value is written: in a line that is indented by `margin`, after `column` columns. */
interface Place {
  readonly margin: number
  readonly column: number
}

/** A value; on more lines if it does not fit on one. */
export function literal(value: unknown, language: Language, place: Partial<Place> = {}): string {
  const { text, words, nameOf, indent } = language
  if (typeof value === 'string') return text(partsOf(value))
  if (typeof value !== 'object' || value === null) return words[String(value)] ?? String(value)
  const { margin = 0, column = margin } = place
  const isList = Array.isArray(value)
  const named = Object.entries(value).map(
    ([name, each]) => [isList ? '' : `${nameOf(name)}: `, each] as const,
  )
  const members = named.map(([name, each]) => `${name}${literal(each, language)}`).join(', ')
  const space = isList || named.length === 0 ? '' : language.space
  const [open, close] = isList ? ['[', ']'] : ['{', '}']
  const line = `${open}${space}${members}${space}${close}`
  if (column + line.length <= WIDTH && !line.includes('\n')) return line
  const inner = ' '.repeat(margin) + indent
  const lines = named.map(([name, each]) => {
    const within = { margin: inner.length, column: inner.length + name.length }
    return `${inner}${name}${literal(each, language, within)},\n`
  })
  return `${open}\n${lines.join('')}${' '.repeat(margin)}${close}`
}

/** A text between these quotes, where it needs no escapes between them; null where it does. */
export function plainly(text: string, quote: "'" | '"'): string | null {
  const isPlain = JSON.stringify(text).replaceAll('\\"', '"') === `"${text}"`
  return isPlain && !text.includes(quote) && !text.includes('\\') ? `${quote}${text}${quote}` : null
}
