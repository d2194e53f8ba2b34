/** Tables and records, as wide as the terminal. */
import { styleText } from 'node:util'
import CliTable from 'cli-table3'
import { cellOf, type Fields, label } from './columns.ts'
import { USUAL_WIDTH, visible, widthOfOutput } from './terminal.ts'

/** Between two columns. */
const GAP = 2

/** No column gets narrower, however many there are. */
const COLUMN_MIN = 8

/** No lines: the columns are enough. */
const bare = {
  chars: {
    ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
    ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
    ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
    middle: ' '.repeat(GAP),
  },
  style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
}

/**
 * Records as a table. Nothing is cut: long text continues in the next line, and a narrow terminal gets one line for each
 * value.
 */
export function tableOf(records: readonly Fields[], columns: readonly string[]): string {
  const head = columns.map((name) => label(name.replace(/_id$/, '')))
  const rows = records.map((record) => columns.map((name) => visible(cellOf(record, name))))
  const natural = head.map((title, at) =>
    Math.max(...[title, ...rows.map((row) => row[at] ?? '')].map(lengthOf)),
  )
  const room = widthOfOutput() - GAP * (head.length - 1)
  if (fits(natural, room)) return drawn(head, rows, fitted(natural, room))
  return rows.map((row) => listed(head.map((title, at) => [title, row[at] ?? '']))).join('\n')
}

/** Whether the columns fit side by side. In a narrow terminal no column is split. */
function fits(natural: readonly number[], room: number): boolean {
  const least = natural.map((width) => Math.min(width, COLUMN_MIN))
  const widths = widthOfOutput() < USUAL_WIDTH ? natural : least
  return widths.reduce((sum, width) => sum + width, 0) <= room
}

/** A line for each value, after its label. */
function listed(values: readonly (readonly [title: string, text: string])[]): string {
  const width = Math.max(...values.map(([title]) => title.length)) + GAP
  const lines = values.map(([title, text]) => {
    const parts = wrapped(text, widthOfOutput() - width, 'whole')
    return `${title.padEnd(width)}${parts.join(`\n${' '.repeat(width)}`)}\n`
  })
  return lines.join('')
}

/** One record: a line for each field, and a table for each list of records in it. */
export function recordText(record: Fields): string {
  const tables = Object.entries(record).filter(([, value]) => isRecords(value))
  const names = Object.keys(record).filter((name) => !tables.some(([each]) => each === name))
  const lines = listed(names.map((name) => [label(name), visible(cellOf(record, name))]))
  const inner = tables.map(([name, value]) => {
    const records = (value as readonly Fields[]).map((each) => ({
      currency: record['currency'],
      ...each,
    }))
    const columns = [...new Set(records.flatMap(Object.keys))].filter((each) => each !== 'currency')
    return `\n${label(name)}\n${tableOf(records, columns)}`
  })
  return [lines, ...inner].join('')
}

function isRecords(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === 'object'
}

function drawn(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  widths: number[],
): string {
  const table = new CliTable({ ...bare, colWidths: widths })
  const cells = (row: readonly string[]) =>
    row.map((text, at) => wrapped(text, widths[at] ?? COLUMN_MIN, 'split').join('\n'))
  table.push(...[head, ...rows].map(cells))
  const [title = '', ...lines] = table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
  return `${[coloured('bold', title), ...lines].join('\n')}\n`
}

/** Widths that fit side by side: the widest columns shrink. */
function fitted(natural: readonly number[], room: number): number[] {
  const widths = [...natural]
  while (widths.reduce((sum, width) => sum + width, 0) > room) {
    const widest = Math.max(...widths)
    if (widest <= COLUMN_MIN) break
    widths[widths.lastIndexOf(widest)] = widest - 1
  }
  return widths
}

/** Text in lines; a word that is longer than one is split in a table, and whole in a record, where it can be copied. */
function wrapped(text: string, width: number, longWords: 'split' | 'whole'): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) {
      lines[lines.length - 1] = `${last} ${word}`
    } else if (longWords === 'whole') lines.push(word)
    else lines.push(...(word.match(new RegExp(`.{1,${width}}`, 'gu')) ?? ['']))
  }
  return lines
}

function lengthOf(text: string): number {
  return [...text].length
}

/** Colours, if standard output is a terminal and NO_COLOR is empty. */
export function coloured(style: 'bold' | 'green' | 'red', text: string): string {
  const isSeen = process.stdout.isTTY && (process.env['NO_COLOR'] ?? '') === ''
  return isSeen ? styleText(style, text) : text
}
