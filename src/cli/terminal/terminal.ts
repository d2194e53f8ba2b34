/** What a terminal can show: how wide lines may be, colours, and no control characters. */
import { styleText } from 'node:util'
import stringWidth from 'string-width'

/** The width of help and tables if no other is known, and the one that they are made for. */
export const USUAL_WIDTH = 80

/** The columns of the terminal; COLUMNS if output is piped or the terminal does not know its size. */
export function widthOfOutput(): number {
  const { isTTY, columns = 0 } = process.stdout
  if (isTTY && columns > 0) return columns
  const said = Number(process.env['COLUMNS'])
  return Number.isSafeInteger(said) && said > 0 ? said : USUAL_WIDTH
}

/** How wide a line of an answer may be. What is piped has one line for each record, for programs that read it by line. */
export function widthOfLines(): number {
  return process.stdout.isTTY ? widthOfOutput() : Number.POSITIVE_INFINITY
}

export type Style = 'bold' | 'green' | 'red' | 'yellow'

/** Text in a style where the stream shows colours: in a terminal, but for what NO_COLOR, FORCE_COLOR and TERM say to Node. */
export function withStyle(
  style: Style | null,
  text: string,
  stream: NodeJS.WriteStream = process.stdout,
): string {
  if (style === null || text === '') return text
  return styleText(style, text, { stream, validateStream: true })
}

export function showsColours(): boolean {
  return withStyle('bold', ' ') !== ' '
}

/** Says beside the answer, on standard error, what a person should know. */
export function writeWarning(text: string): void {
  process.stderr.write(`${withStyle('yellow', 'Warning:', process.stderr)} ${text}\n`)
}

/** Text whose lines fit in the terminal. */
export function foldText(text: string): string {
  const width = widthOfLines()
  const lines = text.split('\n').flatMap((line) => {
    const [margin = ''] = /^ */.exec(line) ?? []
    return wrapText(line, width, { indent: `${margin}  ` })
  })
  return lines.join('\n')
}

/**
 * Text in lines of a width. Words and paths stay whole, so that they can be copied; `splits` has those split that are longer
 * than a line. `indent` is what further lines begin with, and `at` where a line may end.
 */
export function wrapText(
  text: string,
  width: number,
  { indent = '', splits = false, at = /(?<=\S)(?= )/ } = {},
): string[] {
  if (width === Number.POSITIVE_INFINITY) return [text]
  const lines: string[] = []
  for (const piece of text.split(at)) {
    const joined = `${lines.at(-1) ?? ''}${piece}`
    if (lines.length > 0 && stringWidth(joined) <= width) lines[lines.length - 1] = joined
    else {
      const line = lines.length === 0 ? piece : `${indent}${piece.trimStart()}`
      lines.push(...(splits ? split(line, width) : [line]))
    }
  }
  return lines
}

function split(text: string, width: number): string[] {
  const parts = ['']
  for (const character of text) {
    if (stringWidth(`${parts.at(-1)}${character}`) > width) parts.push('')
    parts[parts.length - 1] += character
  }
  return parts
}

/** Text without control characters: what a client sends must not steer the terminal. */
export function withoutControls(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}
