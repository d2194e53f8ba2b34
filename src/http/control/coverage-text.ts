/** Coverage for people: tables for a terminal of 80 columns or more. */
import { countText } from '../../wire/common/text.ts'
import { type Measure, measureNames, type WireCoverage } from '../../wire/sandbox/coverage.ts'
import { measured, operations } from './coverage-report.ts'

/** The width where nothing is known of a terminal, and the least. */
const WIDTH_MIN = 80

/** The first column of every table, at least. */
const NAME_WIDTH_MIN = 26

/** Tables as wide as a terminal, where they need that. */
export function coverageTables(report: WireCoverage, terminalWidth = WIDTH_MIN): string {
  const width = Math.max(WIDTH_MIN, terminalWidth)
  const tables = [measureTable(report), statusTable(report), mediaTable(report)]
  if (report.consumers.length > 0) tables.push(consumerTable(report))
  const unseen = unseenIn(report).map(([measure, units]) => wrapList(measure, units, width))
  return [
    `Coverage of /v1: ${callsOf(report)}.\n${verdict(report)}`,
    ...tables.map((table) => formatTable(table, width)),
    ...(unseen.length === 0 ? [] : ['Not seen, of any consumer:', ...unseen]),
    ...(report.how.length === 0 ? [] : [HOW, ...report.how.map(howText)]),
    '',
  ].join('\n\n')
}

const HOW =
  'How to see it, each time in a new sandbox, such as that of: npx subscription-sandbox exec -- sh'

/** Commands are not wrapped: they are for a shell. */
function howText({ measure, unit, commands }: WireCoverage['how'][number]): string {
  return [`  ${words(measure)}: ${unit}`, ...commands.map((each) => `    ${each}`)].join('\n')
}

function callsOf({ calls, unmatched }: WireCoverage): string {
  const said = countText(calls, 'call')
  return unmatched === 0 ? said : `${said}, ${unmatched} without an operation`
}

function verdict({ ok, thresholds }: WireCoverage): string {
  if (thresholds.length === 0) return 'No threshold was asked for.'
  return ok ? 'Every threshold is met.' : 'A threshold is not met.'
}

function measureTable({ measures, thresholds }: WireCoverage): string[][] {
  const rows = measureNames.map((name) => {
    const { seen, of, percent } = measures[name]
    const threshold = thresholds.find(({ measure }) => measure === name)
    const least =
      threshold === undefined ? ['', ''] : [`${threshold.min}`, threshold.ok ? 'yes' : 'no']
    return [words(name), `${seen}`, `${of}`, percent.toFixed(1), ...least]
  })
  return [['measure', 'seen', 'of', '%', 'least', 'met'], ...rows]
}

/** Calls by operation and status; what is documented and was not seen shows as 0. */
function statusTable(report: WireCoverage): string[][] {
  const declared = measured.statuses.all
  const statuses = [...new Set(declared.map((unit) => unit.split(' ')[1] ?? ''))].sort()
  return callTable(report, {
    head: ['operation, by status', ...statuses, 'other'],
    columnOf: ({ status }) => (statuses.includes(String(status)) ? String(status) : 'other'),
    unseen: (unit) => (declared.includes(unit) ? '0' : ''),
  })
}

function mediaTable(report: WireCoverage): string[][] {
  return callTable(report, {
    head: ['operation, by media type', 'json', 'form', 'none', 'other'],
    columnOf: ({ media }) => media,
    unseen: () => '',
  })
}

/** A row for each operation, with its calls in each column; `unseen` is the text for none. */
function callTable(
  { seen }: WireCoverage,
  {
    head,
    columnOf,
    unseen,
  }: {
    readonly head: string[]
    readonly columnOf: (answer: WireCoverage['seen']['answers'][number]) => string
    readonly unseen: (unit: string) => string
  },
): string[][] {
  const [, ...columns] = head
  const rows = operations.map(({ operationId }) => {
    const own = seen.answers.filter(({ operation_id }) => operation_id === operationId)
    const cells = columns.map((column) => {
      const calls = own.filter((each) => columnOf(each) === column)
      const sum = calls.reduce((total, each) => total + each.calls, 0)
      return sum === 0 ? unseen(`${operationId} ${column}`) : short(sum)
    })
    return [operationId, ...cells]
  })
  return [head, ...rows]
}

function consumerTable({ consumers }: WireCoverage): string[][] {
  const shown = ['operations', 'statuses', 'error_codes', 'transitions'] as const
  const rows = consumers.map(({ kind, consumer, calls, measures }) => {
    const name = kind === 'others' ? '(all others)' : (consumer ?? '(without a name)')
    return [name, short(calls), ...shown.map((each) => measures[each].percent.toFixed(1))]
  })
  return [['consumer', 'calls', 'operat. %', 'status %', 'codes %', 'moves %'], ...rows]
}

/** What was not seen, by measure; of one operation together. */
function unseenIn({ unseen }: WireCoverage): [string, string[]][] {
  return measureNames.flatMap((name): [string, string[]][] => {
    const units = unseen[name].map(unitText)
    return units.length === 0 ? [] : [[words(name), [...new Set(units)]]]
  })

  function unitText(unit: WireCoverage['unseen'][Measure][number]): string {
    if (typeof unit === 'string') return unit
    if ('trigger' in unit) return `${unit.from} ${unit.trigger} ${unit.to}`
    const name = unit.operation_id
    const own = 'status' in unit ? unseen.statuses : unseen.media
    const values = own.filter(({ operation_id }) => operation_id === name)
    const shown = values.map((each) => ('status' in each ? each.status : each.media))
    return `${name} ${shown.join(' ')}`
  }
}

function words(name: Measure): string {
  return name.replaceAll('_', ' ')
}

/** A count in at most five characters. */
function short(count: number): string {
  if (count < 100_000) return String(count)
  const thousands = Math.floor(Math.log10(count / 10) / 3)
  return `${Math.floor(count / 1000 ** thousands)}${['', 'k', 'M', 'G', 'T'][thousands]}`
}

function formatTable(rows: string[][], width: number): string {
  const columns = (rows[0]?.length ?? 0) - 1
  const cellWidth = Math.min(11, Math.floor((width - NAME_WIDTH_MIN) / columns))
  const longest = Math.max(...rows.map(([name = '']) => name.length)) + 1
  const room = width - columns * cellWidth
  const nameWidth = Math.max(NAME_WIDTH_MIN, Math.min(longest, room))
  const line = ([name = '', ...cells]: readonly string[]) => {
    const clipped = name.length < nameWidth ? name : `${name.slice(0, nameWidth - 4)}...`
    return `${clipped.padEnd(nameWidth)}${cells.map((cell) => cell.padStart(cellWidth)).join('')}`
  }
  return rows.map((row) => line(row).trimEnd()).join('\n')
}

/** A list in lines. No unit is longer than the shortest of them. */
function wrapList(title: string, units: readonly string[], width: number): string {
  const lines = [`  ${title}:`]
  for (const [at, unit] of units.entries()) {
    const text = `${unit}${at < units.length - 1 ? ',' : ''}`
    const last = lines.at(-1) ?? ''
    if (last.length + 1 + text.length <= width) lines[lines.length - 1] = `${last} ${text}`
    else lines.push(`    ${text}`)
  }
  return lines.join('\n')
}
