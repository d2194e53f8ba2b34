/**
 * Records as tables and lines, as wide as the terminal; where output is piped, each record of a table is one line. Short
 * dates, amounts with their currency, a dash for null.
 */
import stringWidth from 'string-width'
import {
  amountText,
  instantText,
  moneyFields,
  type Tone,
  toneOf,
  worthText,
} from '../../wire/common/text.ts'
import {
  type Style,
  USUAL_WIDTH,
  widthOfLines,
  withoutControls,
  withStyle,
  wrapText,
} from './terminal.ts'

/** A record that an operation answered. */
export type Fields = Readonly<Record<string, unknown>>

const GAP = 2

/** No column gets narrower, however many there are. */
const COLUMN_MIN = 8

/**
 * Records as a table. Nothing is cut: long text continues in the next line, and a narrow terminal gets one line for each
 * value.
 */
export function tableOf(records: readonly Fields[], columns: readonly string[]): string {
  if (records.length === 0) return ''
  const head = columns.map((name) => labelText(name.replace(/_id$/, '')))
  const rows = records.map((record) => columns.map((name) => withoutControls(cellOf(record, name))))
  const natural = head.map((_, at) =>
    Math.max(...[head, ...rows].map((row) => stringWidth(row[at] ?? ''))),
  )
  const width = widthOfLines()
  const room = width - GAP * (head.length - 1)
  // In a narrow terminal no column is split.
  const least = width < USUAL_WIDTH ? natural : natural.map((each) => Math.min(each, COLUMN_MIN))
  if (sumOfWidths(least) > room) {
    const lines = (row: readonly string[]) =>
      head.map((title, at): Line => [title, row[at] ?? '', styleOf(columns[at], row[at])])
    return rows.map((row) => listText(lines(row))).join('\n')
  }
  const widths = fitWidths(natural, room)
  const [title = '', ...titles] = rowLines(head, widths, () => null)
  const lines = rows.flatMap((row) => rowLines(row, widths, (at) => styleOf(columns[at], row[at])))
  return `${[withStyle('bold', title), ...titles, ...lines].join('\n')}\n`
}

/** One record: a line for each field, and a table for each list of records in it. */
export function recordText(record: Fields): string {
  const { currency } = record
  const names = Object.keys(record)
  const lines = names
    .filter((name) => !isRecords(record[name]))
    .map((name): Line => {
      const text = withoutControls(cellOf(record, name))
      return [labelText(name), text, styleOf(name, text)]
    })
  const tables = names.flatMap((name) => {
    const value = record[name]
    if (!isRecords(value)) return []
    const columns = new Set(value.flatMap(Object.keys))
    columns.delete('currency')
    const records = value.map((each) => ({ currency, ...each }))
    return `\n${labelText(name)}\n${tableOf(records, [...columns])}`
  })
  return [listText(lines), ...tables].join('')
}

function isRecords(value: unknown): value is readonly Fields[] {
  return Array.isArray(value) && value.length > 0 && typeof value[0] === 'object'
}

const toneStyles: Readonly<Record<Tone, Style | null>> = {
  good: 'green',
  waiting: 'yellow',
  bad: 'red',
  over: null,
}

/** The colour of a value: of a status, and of what was refused. */
function styleOf(name: string | undefined, text = '-'): Style | null {
  if (name === 'refusal') return text === '-' ? null : 'red'
  return name === 'status' ? toneStyles[toneOf(text)] : null
}

type Line = readonly [title: string, text: string, style: Style | null]

function listText(values: readonly Line[]): string {
  const width = Math.max(...values.map(([title]) => title.length)) + GAP
  const lines = values.map(([title, text, style]) => {
    const parts = wrapText(text, widthOfLines() - width).map((part) => withStyle(style, part))
    return `${title.padEnd(width)}${parts.join(`\n${' '.repeat(width)}`)}\n`
  })
  return lines.join('')
}

function rowLines(
  row: readonly string[],
  widths: readonly number[],
  style: (at: number) => Style | null,
): string[] {
  const cells = row.map((text, at) => wrapText(text, widths[at] ?? COLUMN_MIN, { splits: true }))
  const height = Math.max(...cells.map(({ length }) => length))
  return Array.from({ length: height }, (_, line) => {
    const parts = cells.map((cell, at) => {
      const text = cell[line] ?? ''
      const padding = ' '.repeat(Math.max((widths[at] ?? 0) - stringWidth(text), 0))
      return `${withStyle(style(at), text)}${padding}`
    })
    return parts.join(' '.repeat(GAP)).trimEnd()
  })
}

/** Widths that fit side by side: the widest columns shrink. */
function fitWidths(natural: readonly number[], room: number): number[] {
  const widths = [...natural]
  while (sumOfWidths(widths) > room) {
    const widest = Math.max(...widths)
    if (widest <= COLUMN_MIN) break
    widths[widths.lastIndexOf(widest)] = widest - 1
  }
  return widths
}

function sumOfWidths(widths: readonly number[]): number {
  return widths.reduce((sum, width) => sum + width, 0)
}

/** The value of a field of a record; `inherited` is the currency of what the record is part of. */
export function cellOf(record: Fields, name: string, inherited?: unknown): string {
  const value = record[name]
  const currency = record['currency'] ?? inherited
  if (typeof value !== 'number') return textFor(value, currency)
  if (name === 'value') return worth(record)
  const isMoney = typeof currency === 'string' && moneyFields.test(name)
  return isMoney ? amountText(value, currency) : String(value)
}

function textFor(value: unknown, currency: unknown): string {
  if (value === null || value === undefined || value === '') return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return instantText(value)
  if (Array.isArray(value)) {
    return value.length === 0 ? '-' : value.map((each) => textFor(each, currency)).join(', ')
  }
  return typeof value === 'object' ? objectText(value as Fields, currency) : String(value)
}

/** An object in one line: its id, or its fields if it has no id. */
function objectText(value: Fields, currency: unknown): string {
  if ('coupon_id' in value && 'type' in value) return `${value['coupon_id']} ${worth(value)}`
  if ('kind' in value && 'id' in value) return String(value['id'])
  const named = Object.keys(value).filter((name) => {
    const each = value[name]
    const isNothing = each === null || each === false || (each === 0 && !moneyFields.test(name))
    return !isNothing && name !== 'currency' && JSON.stringify(each) !== '{}'
  })
  const texts = named.map((name) => `${labelText(name)} ${cellOf(value, name, currency)}`)
  return texts.length === 0 ? '-' : texts.join(', ')
}

function labelText(name: string): string {
  return name.replaceAll('_', ' ')
}

function worth({ type, value, currency }: Fields): string {
  const known = typeof currency === 'string' ? currency : null
  return worthText({ type: String(type), value: Number(value), currency: known })
}
