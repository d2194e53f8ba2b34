/** What a terminal can show: how wide lines may be, and no control characters. */
import { stripVTControlCharacters } from 'node:util'

/** The width of help and tables where nothing else is known, and the one that they are made for. */
export const USUAL_WIDTH = 80

/** The columns of the terminal; COLUMNS if output is piped or the terminal does not know its size. */
export function widthOfOutput(): number {
  const { isTTY, columns = 0 } = process.stdout
  if (isTTY && columns > 0) return columns
  const said = Number(process.env['COLUMNS'])
  return Number.isSafeInteger(said) && said > 0 ? said : USUAL_WIDTH
}

/**
 * Text whose lines fit in the terminal: a longer one goes on below, further in. Words and paths stay whole, so that they
 * can be copied. What is piped is left as it is, for programs that read it line by line.
 */
export function folded(text: string): string {
  if (!process.stdout.isTTY) return text
  const width = widthOfOutput()
  return text
    .split('\n')
    .map((line) => foldedLine(line, width))
    .join('\n')
}

/** Text without control characters: what a client sends must not steer the terminal. */
export function visible(text: string): string {
  return text.replace(
    /\p{Cc}/gu,
    (character) => `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )
}

function foldedLine(line: string, width: number): string {
  if (lengthShown(line) <= width) return line
  const [margin = ''] = /^ */.exec(line) ?? []
  const lines: string[] = []
  let current = ''
  for (const piece of line.split(/(?<=\S)(?= )/)) {
    if (current !== '' && lengthShown(current) + lengthShown(piece) > width) {
      lines.push(current)
      current = `${margin}  ${piece.trimStart()}`
    } else current += piece
  }
  return [...lines, current].join('\n')
}

function lengthShown(text: string): number {
  return stripVTControlCharacters(text).length
}
