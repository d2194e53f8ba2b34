/**
 * Answers in the format that `--output` names. For people: lists as tables, records line by line, and some operations in
 * their own format. For programs: JSON, a line of JSON for each record, or CSV.
 */
import { type Command, Option } from 'commander'
import type { Schemas } from '../../library/sandbox.ts'
import { listColumns } from '../../operations/labels.ts'
import type { OperationCommand } from '../../operations/naming.ts'
import { billingText, comparisonText } from '../../wire/billing/billing-text.ts'
import { countText, instantText } from '../../wire/common/text.ts'
import { cellOf, type Fields, recordText, tableOf } from './tables.ts'
import { foldText, widthOfLines, withoutControls, withStyle } from './terminal.ts'
import { addReaders, choice } from './usage.ts'

const outputs = ['table', 'json', 'csv', 'ndjson'] as const
type Output = (typeof outputs)[number]

/** The values of the options that say how records are printed. */
export interface OutputValues {
  readonly output?: Output
  readonly json?: boolean
}

/** Adds `--output` and its short form `--json`; the first format is the default. */
export function addOutputOptions(
  command: Command,
  formats: readonly [Output, ...Output[]] = outputs,
): Command {
  const output = new Option('-o, --output <format>', `one of ${formats.join(', ')}`)
  const json = new Option('--json', 'as --output json').conflicts('output')
  return addReaders(command, { output: choice(...formats) })
    .addOption(output.default(formats[0]))
    .addOption(json)
}

/** What a command found out, in each format. */
interface Printable {
  readonly json: string
  readonly table: () => string | Promise<string>
  readonly records: () => readonly Fields[]
  /** The fields of a record, for the header of an empty list. */
  readonly fields?: () => readonly string[]
}

export async function print(values: OutputValues, shown: Printable): Promise<void> {
  process.stdout.write(await formatOutput(values, shown))
}

async function formatOutput({ output, json }: OutputValues, shown: Printable): Promise<string> {
  if (json || output === 'json') return shown.json
  if (output === 'table') return shown.table()
  const records = shown.records()
  if (output === 'ndjson') return records.map((each) => `${JSON.stringify(each)}\n`).join('')
  const columns = [...new Set(records.flatMap(Object.keys))]
  const head = records.length > 0 ? columns : (shown.fields?.() ?? [])
  return [head, ...records.map((each) => columns.map((name) => each[name]))].map(csvLine).join('')
}

/** A line of CSV, as RFC 4180 writes it: values as in JSON, a text bare, null empty. */
function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const bare = value ?? ''
    const text = typeof bare === 'string' ? bare : JSON.stringify(bare)
    const safe = process.stdout.isTTY ? withoutControls(text) : text
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
  })
  return `${cells.join(',')}\r\n`
}

/**
 * An answer in each format but its own. Its records are those of a list, the events of an advance, or the answer itself;
 * where they are printed alone, standard error says that the list goes on. `lists` has the fields of the records of each.
 */
export function printableAnswer(
  answer: Fields,
  { operationId }: OperationCommand,
  lists: Readonly<Record<string, readonly string[]>>,
): Omit<Printable, 'json'> {
  const list = operationId === 'advanceClock' ? 'events' : 'data'
  const { [list]: records, has_more: hasMore, next_after: nextAfter } = answer
  return {
    table: () => answerText(answer, operationId),
    records: () => {
      if (hasMore === true) process.stderr.write(`There are more: --after ${nextAfter}\n`)
      return Array.isArray(records) ? records : [answer]
    },
    fields: () => lists[list] ?? [],
  }
}

const answerFormats: Readonly<Record<string, (answer: never) => string | Promise<string>>> = {
  advanceClock: showAdvance,
  explainInvoice: showExplanation,
  auditSandbox: showAudit,
  compareFutures: showWhatIf,
  forecastSubscription: showForecast,
  forecastCustomer: showForecast,
  retrieveCoverage: async (answer) => {
    const { coverageTables } = await import('../../http/control/coverage-text.ts')
    return coverageTables(answer, widthOfLines())
  },
}

async function answerText(answer: Fields, operationId: string) {
  const format = answerFormats[operationId]
  if (format !== undefined) return format(answer as never)
  return 'data' in answer ? showPage(answer, operationId) : recordText(answer)
}

/** How each record of a stream is printed: in one line, and in CSV with a header before the first one. */
export function streamWriter(
  { operationId }: OperationCommand,
  { output, json }: OutputValues,
): (text: string) => string {
  let isFirst = true
  return (text) => {
    if (json || output === 'json' || output === 'ndjson') return `${text}\n`
    const record: Fields = JSON.parse(text)
    const head = isFirst ? csvLine(Object.keys(record)) : ''
    isFirst = false
    if (output === 'csv') return `${head}${csvLine(Object.values(record))}`
    const columns = listColumns[operationId] ?? []
    return `${columns.map((name) => withoutControls(cellOf(flatRequest(record), name))).join('  ')}\n`
  }
}

function showPage(page: Fields, operationId: string): string {
  const data = page['data'] as readonly Fields[]
  const [first] = data
  if (first === undefined) return 'There are none.\n'
  const table = tableOf(data.map(flatRequest), listColumns[operationId] ?? Object.keys(first))
  return page['has_more'] ? `${table}There are more: --after ${page['next_after']}\n` : table
}

/** A logged request, as the fields of a table; other records stay as they are. */
function flatRequest(record: Fields): Fields {
  if (!('request' in record)) return record
  const { request, answer, refusal } = record as unknown as Schemas['Request']
  return {
    ...record,
    request: `${request.method} ${request.path}`,
    answer: answer.status ?? 'no answer',
    refusal: refusal?.code ?? null,
  }
}

const reasons: Readonly<Record<string, string>> = {
  condition_not_met: 'The condition was not met within that time.\n',
  item_limit: 'It stopped at the limit of due items; advance again to go on.\n',
  stopped: 'It stopped with the server; advance again to go on once it is back.\n',
  sandbox_full: 'It stopped because the sandbox is full.\n',
  receiver_loop: 'It stopped because receivers of webhooks cause events without end.\n',
  replaced: 'It stopped because the sandbox was reset or restored meanwhile.\n',
}

/** How many events of an advance a terminal shows; more of them are read with `events`. */
const EVENTS_SHOWN = 50

function showAdvance(answer: Schemas['Advance']): string {
  const { from, to, stopped_because: reason, events_total: total, next_due: due } = answer
  const events = process.stdout.isTTY ? answer.events.slice(0, EVENTS_SHOWN) : answer.events
  const isCut = total > events.length
  return [
    `${instantText(from)} -> ${withStyle('bold', instantText(to))}, ${countText(total, 'event')}\n`,
    tableOf(events, ['at', 'type', 'subject', 'detail']),
    isCut
      ? `${total - events.length} more: subscription-sandbox events --after ${events.at(-1)?.seq}\n`
      : '',
    reasons[reason] ?? '',
    answer.deliveries === undefined ? '' : deliveriesText(answer.deliveries),
    due === null
      ? 'Nothing more falls due.\n'
      : `Next: ${instantText(due.at)} ${due.kind} of ${due.subject.id}\n`,
  ].join('')
}

/** What came of the deliveries of an advance in lockstep, with the first failure: the others often have its reason. */
function deliveriesText(deliveries: Schemas['LockstepDeliveries']): string {
  const { delivered, failed, failures, left_out: left } = deliveries
  const first = failures.slice(0, 1).map(({ delivery_id: id, reason }) => `; ${id}: ${reason}`)
  const without = left.length === 0 ? '' : `; it went on without ${left.join(', ')}`
  return `Deliveries: ${delivered} delivered, ${failed} failed${first.join('')}${without}.\n`
}

function showExplanation({ invoice, lines, discounts, sum }: Schemas['Explanation']): string {
  const title = `${invoice.invoice_id}: ${cellOf(invoice, 'amount_due')} due, ${invoice.status}`
  const texts = [...lines, ...discounts].map(({ text }) => `  ${text}`)
  return foldText(`${[withStyle('bold', title), ...texts, `  ${sum}`].join('\n')}\n`)
}

function showAudit({ ok, checked, invariants, violations }: Schemas['Audit']): string {
  const records = Object.values(checked).reduce((sum, each) => sum + each, 0)
  const result = ok ? withStyle('green', 'in order') : withStyle('red', 'not in order')
  const title = `The books are ${result}: ${invariants.length} promises checked on ${records} records.\n`
  return `${title}${tableOf(violations, ['invariant', 'id', 'message'])}`
}

/** The invoices of one page, with the totals of all of them. */
function showForecast(answer: Schemas['Forecast']): string {
  const { data, totals, has_more, next_after, stopped_because: reason } = answer
  return [
    billingText({ invoices: data, charges: [] }, totals),
    has_more ? `There are more: --after ${next_after}. The totals are of all.\n` : '',
    reasons[reason] ?? '',
  ].join('')
}

function showWhatIf(answer: Schemas['WhatIf']): string {
  const { from, until, money, subscriptions, invoices, invoices_total: total } = answer
  const sums = money.flatMap(({ currency, ...sides }) =>
    ['paid', 'due', 'uncollectible', 'balance'].map((what): Fields => {
      const texts = Object.entries(sides).map(([side, sums]) => [
        side,
        cellOf({ currency, ...sums }, what),
      ])
      // What was paid before counts too.
      const sum = what === 'paid' ? 'paid in all' : what
      return { currency, sum, ...Object.fromEntries(texts) }
    }),
  )
  const futures = ['as_is', 'changed']
  return [
    `${instantText(from)} -> ${instantText(until)}\n`,
    sums.length === 0
      ? 'No money is asked for.\n'
      : tableOf(sums, ['currency', 'sum', ...futures, 'difference']),
    subscriptions.length === 0
      ? ''
      : `\n${tableOf(subscriptions, ['subscription_id', ...futures])}`,
    total === 0 ? '\nNo invoice differs.\n' : `\n${comparisonText(invoices)}`,
    total > invoices.length ? `The first ${invoices.length} of ${total} invoices.\n` : '',
  ].join('')
}
