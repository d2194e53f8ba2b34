/** Values as a language writes them, in lines of 120 columns where they fit. */
import type { Part, Parts } from '../../wire/sandbox/recording.ts'
import { partsOf } from './steps.ts'

const WIDTH = 120

/** What differs between languages. */
export interface Language {
  readonly quoted: (text: string) => string
  /** A text with variables: its ends, what is escaped beside what JSON escapes, and a variable in it. */
  readonly template: {
    readonly ends: readonly [string, string]
    readonly escaped: (json: string) => string
    readonly variable: (name: string) => string
  }
  /** What the variables of the sandbox are called. */
  readonly variables: Readonly<Record<string, string>>
  readonly nameOf: (member: string) => string
  /** What `true`, `false` and `null` are called. */
  readonly words: Readonly<Record<string, string>>
  /** What is between the braces of an object and its members. */
  readonly space: '' | ' '
  readonly indent: string
}

/** How a language writes the texts and the values of a recording. */
export function writerOf(language: Language) {
  return {
    /** A text, in which variables may stand. */
    text: (parts: Parts) => textOf(parts, language),
    /** A value in a line of a test, after so many columns. */
    written: (value: unknown, column: number) =>
      literal(value, language, { column: column + language.indent.length }),
  }
}

/** JSON escapes what no line can hold. */
function textOf(parts: Parts, { quoted, template, variables }: Language): string {
  const nameOf = ({ variable }: Exclude<Part, string>) => variables[variable] ?? variable
  const [first = '', ...more] = parts
  if (more.length === 0) return typeof first === 'string' ? quoted(first) : nameOf(first)
  const pieces = parts.map((part) =>
    typeof part === 'string'
      ? template.escaped(JSON.stringify(part).slice(1, -1))
      : template.variable(nameOf(part)),
  )
  return `${template.ends[0]}${pieces.join('')}${template.ends[1]}`
}

/** A value after so many columns; on more lines, indented by `margin`, if it does not fit on one. */
function literal(
  value: unknown,
  language: Language,
  { margin = 0, column = margin }: { readonly margin?: number; readonly column?: number } = {},
): string {
  const { words, nameOf, indent } = language
  if (typeof value === 'string') return textOf(partsOf(value), language)
  if (typeof value !== 'object' || value === null) return words[String(value)] ?? String(value)
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
export function quotePlain(text: string, quote: "'" | '"'): string | null {
  const isPlain = JSON.stringify(text).replaceAll('\\"', '"') === `"${text}"`
  return isPlain && !text.includes(quote) && !text.includes('\\') ? `${quote}${text}${quote}` : null
}
