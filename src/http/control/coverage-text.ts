/** Coverage for people: tables for a terminal of 80 columns or more, and a summary in Markdown for the page of a build. */
import {
  type Measure,
  measureNames,
  type WireCoverage,
  type WireCoverageRow,
} from '../../wire/coverage.ts'
import { operations, universe } from './coverage-universe.ts'

/** The width where nothing is known of a terminal, and the least. */
const WIDTH_MIN = 80

/** The first column of every table, at least. */
const NAME_WIDTH_MIN = 26

/** One table: what its columns hold, and its rows. */
interface Table {
  readonly head: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** Tables as wide as a terminal, where they need that. */
export function coverageTables(report: WireCoverage, terminalWidth = WIDTH_MIN): string {
  const width = Math.max(WIDTH_MIN, terminalWidth)
  const tables = [measureTable(report), statusTable(report), mediaTable(report)]
  if (report.consumers.length > 0) tables.push(consumerTable(report))
  const unseen = unseenIn(report).map(([measure, units]) => wrapped(measure, units, width))
  return [
    `Coverage of /v1: ${callsOf(report)}.\n${verdict(report)}`,
    ...tables.map((table) => drawn(table, width)),
    ...(unseen.length === 0 ? [] : ['Not seen, of any consumer:', ...unseen]),
    '',
  ].join('\n\n')
}

/** Markdown, as build pages show it. */
export function coverageSummary(report: WireCoverage): string {
  const unseen = unseenIn(report).map(
    ([measure, units]) => `- **${measure}**: ${units.map((unit) => `\`${unit}\``).join(', ')}`,
  )
  const consumers = report.consumers.length === 0 ? [] : [markdown(consumerTable(report))]
  return [
    `### Coverage of /v1`,
    `${callsOf(report)}. **${verdict(report)}**`,
    markdown(measureTable(report)),
    ...consumers,
    ...(unseen.length === 0
      ? []
      : ['<details><summary>Not seen, of any consumer</summary>', unseen.join('\n'), '</details>']),
    '',
  ].join('\n\n')
}

function callsOf({ calls, unmatched }: WireCoverage): string {
  const said = `${calls} ${calls === 1 ? 'call' : 'calls'}`
  return unmatched === 0 ? said : `${said}, ${unmatched} without an operation`
}

function verdict({ ok, thresholds }: WireCoverage): string {
  if (thresholds.length === 0) return 'No threshold was asked for.'
  return ok ? 'Every threshold is met.' : 'A threshold is not met.'
}

function measureTable({ measures, thresholds }: WireCoverage): Table {
  const rows = measureNames.map((name) => {
    const { seen, of, percent } = measures[name]
    const threshold = thresholds.find(({ measure }) => measure === name)
    const least = threshold === undefined ? ['', ''] : [`${threshold.min}`, yes(threshold.ok)]
    return [words(name), `${seen}`, `${of}`, percent.toFixed(1), ...least]
  })
  return { head: ['measure', 'seen', 'of', '%', 'least', 'met'], rows }
}

/** Calls by operation and status; what is documented and was not seen shows as 0. */
function statusTable({ seen }: WireCoverage): Table {
  const declared = universe().statuses
  const columns = [...new Set(declared.map((unit) => unit.split(' ')[1] ?? ''))].sort()
  const rows = operations.map(({ operationId }) => {
    const own = seen.answers.filter(({ operation_id }) => operation_id === operationId)
    const cells = columns.map((status) => {
      const calls = sumOf(own.filter((each) => String(each.status) === status))
      return calls > 0 || declared.includes(`${operationId} ${status}`) ? short(calls) : ''
    })
    const others = sumOf(own.filter(({ status }) => !columns.includes(String(status))))
    return [operationId, ...cells, others === 0 ? '' : short(others)]
  })
  return { head: ['operation, by status', ...columns, 'other'], rows }
}

/** Calls by operation and media type of the request, whatever was answered. */
function mediaTable({ seen }: WireCoverage): Table {
  const columns = ['json', 'form', 'none', 'other'] as const
  const rows = operations.map(({ operationId }) => {
    const own = seen.answers.filter(({ operation_id }) => operation_id === operationId)
    const calls = columns.map((media) => sumOf(own.filter((each) => each.media === media)))
    return [operationId, ...calls.map((each) => (each === 0 ? '' : short(each)))]
  })
  return { head: ['operation, by media type', ...columns], rows }
}

function consumerTable({ consumers }: WireCoverage): Table {
  const shown = ['operations', 'statuses', 'error_codes', 'transitions'] as const
  const rows = consumers.map((row) => {
    const shares = shown.map((name) => row.measures[name].percent.toFixed(1))
    return [nameOf(row), short(row.calls), ...shares]
  })
  return { head: ['consumer', 'calls', 'operat. %', 'status %', 'codes %', 'moves %'], rows }
}

function nameOf({ kind, consumer }: WireCoverageRow): string {
  if (kind === 'others') return '(all others)'
  return consumer ?? '(without a name)'
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

function yes(isMet: boolean): string {
  return isMet ? 'yes' : 'no'
}

function sumOf(answers: readonly { readonly calls: number }[]): number {
  return answers.reduce((sum, { calls }) => sum + calls, 0)
}

/** A count in at most five characters. */
function short(count: number): string {
  if (count < 100_000) return String(count)
  const [unit, size] = (
    [
      ['k', 1e3],
      ['M', 1e6],
      ['G', 1e9],
    ] as const
  ).find(([, size]) => count < size * 10_000) ?? ['T', 1e12]
  return `${Math.floor(count / size)}${unit}`
}

function drawn({ head, rows }: Table, width: number): string {
  const columns = head.length - 1
  const cellWidth = Math.min(11, Math.floor((width - NAME_WIDTH_MIN) / columns))
  const longest = Math.max(...rows.map(([name = '']) => name.length)) + 1
  const room = width - columns * cellWidth
  const nameWidth = Math.max(NAME_WIDTH_MIN, Math.min(longest, room))
  const line = ([name = '', ...cells]: readonly string[]) => {
    const clipped = name.length < nameWidth ? name : `${name.slice(0, nameWidth - 4)}...`
    return `${clipped.padEnd(nameWidth)}${cells.map((cell) => cell.padStart(cellWidth)).join('')}`
  }
  return [head, ...rows].map((row) => line(row).trimEnd()).join('\n')
}

/** A list in lines. No unit is longer than the shortest of them. */
function wrapped(title: string, units: readonly string[], width: number): string {
  const lines = [`  ${title}:`]
  for (const [at, unit] of units.entries()) {
    const text = `${unit}${at < units.length - 1 ? ',' : ''}`
    const last = lines.at(-1) ?? ''
    if (last.length + 1 + text.length <= width) lines[lines.length - 1] = `${last} ${text}`
    else lines.push(`    ${text}`)
  }
  return lines.join('\n')
}

function markdown({ head, rows }: Table): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escaped).join(' | ')} |`
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [line(head), `| ${rule.join(' | ')} |`, ...rows.map(line)].join('\n')
}

/** A consumer may have any name. */
function escaped(text: string): string {
  return text.replace(/[&<>|`*_\\[\]~]/g, (sign) => `&#${sign.charCodeAt(0)};`)
}
