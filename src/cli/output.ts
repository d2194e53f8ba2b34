/** Answers as text for people: lists as tables, records line by line, and five operations in their own format. */
import { listColumns } from '../operations/labels.ts'
import type { OperationCommand } from '../operations/naming.ts'
import { instantText } from '../wire/text.ts'
import { cellOf, type Fields } from './columns.ts'
import { coloured, recordText, tableOf } from './tables.ts'
import { folded, widthOfOutput } from './terminal.ts'

type Show = (answer: Fields) => string | Promise<string>

interface Page {
  readonly data: readonly Fields[]
  readonly has_more: boolean
  readonly next_after: string | number | null
}

/** Operations whose answers have their own format. */
const formats: Readonly<Record<string, Show>> = {
  advanceClock: showAdvance,
  explainInvoice: showExplanation,
  auditSandbox: showAudit,
  compareFutures: showWhatIf,
  retrieveCoverage: async (answer) => {
    const { coverageTables } = await import('../http/control/coverage-text.ts')
    const report = answer as unknown as Parameters<typeof coverageTables>[0]
    return coverageTables(report, widthOfOutput())
  },
}

/** An answer as text. */
export async function answerText(answer: Fields, { operationId }: OperationCommand) {
  const format = formats[operationId]
  if (format !== undefined) return format(answer)
  return 'data' in answer ? showPage(answer as unknown as Page, operationId) : recordText(answer)
}

/** One record of a stream, in one line. */
export function lineOf(record: Fields, { operationId }: OperationCommand): string {
  const flat = operationId === 'listRequests' ? flatRequest(record) : record
  return (listColumns[operationId] ?? []).map((name) => cellOf(flat, name)).join('  ')
}

function showPage({ data, has_more, next_after }: Page, operationId: string): string {
  const [first] = data
  if (first === undefined) return 'There are none.\n'
  const records = 'request' in first ? data.map(flatRequest) : data
  const table = tableOf(records, listColumns[operationId] ?? Object.keys(first))
  return has_more ? `${table}There are more: --after ${next_after}\n` : table
}

/** A logged request, as the fields of a table. */
function flatRequest(record: Fields): Fields {
  const { request, answer, refusal } = record as Record<string, Record<string, unknown> | null>
  return {
    ...record,
    request: `${request?.['method']} ${request?.['path']}`,
    answer: answer?.['status'] ?? 'no answer',
    refusal: refusal?.['code'] ?? null,
  }
}

const reasons: Readonly<Record<string, string>> = {
  condition_not_met: 'The condition was not met within that time.',
  item_limit: 'It stopped at the limit of due items; advance again to go on.',
  stopped: 'It stopped with the server; advance again to go on once it is back.',
  sandbox_full: 'It stopped because the sandbox is full.',
  receiver_loop: 'It stopped because receivers of webhooks cause events without end.',
  replaced: 'It stopped because the sandbox was reset or restored meanwhile.',
}

/** How many events of an advance are shown; more of them are read with `events`. */
const EVENTS_SHOWN = 50

function showAdvance(answer: Fields): string {
  const { from, to, stopped_because: reason, next_due: next } = answer
  const events = (answer['events'] as readonly Fields[]).slice(0, EVENTS_SHOWN)
  const total = Number(answer['events_total'])
  const due = next as {
    readonly at: string
    readonly kind: string
    readonly subject: Fields
  } | null
  const table = events.length === 0 ? '' : `${tableOf(events, eventColumns)}`
  const more = total - events.length
  return [
    `${instantText(String(from))} -> ${coloured('bold', instantText(String(to)))}, ${total} event${total === 1 ? '' : 's'}\n`,
    table,
    more > 0 ? `${more} more: subscription-sandbox events --after ${events.at(-1)?.['seq']}\n` : '',
    reason !== undefined && String(reason) in reasons ? `${reasons[String(reason)]}\n` : '',
    due === null
      ? 'Nothing more falls due.\n'
      : `Next: ${instantText(due.at)} ${due.kind} of ${due.subject['id']}\n`,
  ].join('')
}

const eventColumns = ['at', 'type', 'subject', 'detail']

/** The sentences of an explanation. */
function showExplanation(answer: Fields): string {
  const { lines, discounts, sum, invoice } = answer as {
    readonly lines: readonly Fields[]
    readonly discounts: readonly Fields[]
    readonly sum: string
    readonly invoice: Fields
  }
  const title = `${invoice['invoice_id']}: ${cellOf(invoice, 'amount_due')} due, ${invoice['status']}`
  const texts = [...lines, ...discounts].map(({ text }) => `  ${text}`)
  return folded(`${[coloured('bold', title), ...texts, `  ${sum}`].join('\n')}\n`)
}

function showAudit(answer: Fields): string {
  const { ok, checked } = answer
  const records = Object.values(checked as Record<string, number>).reduce(
    (sum, each) => sum + each,
    0,
  )
  const promises = (answer['invariants'] as readonly Fields[]).length
  const violations = answer['violations'] as readonly Fields[]
  const result = ok ? coloured('green', 'in order') : coloured('red', 'not in order')
  const title = `The books are ${result}: ${promises} promises checked on ${records} records.\n`
  return violations.length === 0
    ? title
    : `${title}${tableOf(violations, ['invariant', 'id', 'message'])}`
}

const moneyRows = ['currency', 'what', 'as_is', 'changed', 'difference']

function showWhatIf(answer: Fields): string {
  const { from, until } = answer
  const money = (answer['money'] as readonly Fields[]).flatMap((row) =>
    ['paid', 'due', 'uncollectible', 'balance'].map((what): Fields => {
      const sums = ['as_is', 'changed', 'difference'].map((side) => {
        const { currency } = row
        return [side, cellOf({ currency, ...(row[side] as Fields) }, what)]
      })
      return { currency: row['currency'], what, ...Object.fromEntries(sums) }
    }),
  )
  const subscriptions = answer['subscriptions'] as readonly Fields[]
  const invoices = Number(answer['invoices_total'])
  return [
    `${instantText(String(from))} -> ${instantText(String(until))}\n`,
    money.length === 0 ? 'No money is asked for.\n' : tableOf(money, moneyRows),
    subscriptions.length === 0
      ? ''
      : `\n${tableOf(subscriptions, ['subscription_id', 'as_is', 'changed'])}`,
    `\n${invoices} invoice${invoices === 1 ? '' : 's'} differ${invoices === 1 ? 's' : ''}.\n`,
  ].join('')
}
