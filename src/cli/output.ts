/** Answers as text for people: lists as tables, records line by line, and five operations in their own format. */
import type { Schemas } from '../library/sandbox.ts'
import { listColumns } from '../operations/labels.ts'
import type { OperationCommand } from '../operations/naming.ts'
import { instantText } from '../wire/text.ts'
import { cellOf, type Fields, recordText, tableOf } from './tables.ts'
import { coloured, countText, folded, widthOfOutput } from './terminal.ts'

const formats: Readonly<Record<string, (answer: never) => string | Promise<string>>> = {
  advanceClock: showAdvance,
  explainInvoice: showExplanation,
  auditSandbox: showAudit,
  compareFutures: showWhatIf,
  retrieveCoverage: async (answer) => {
    const { coverageTables } = await import('../http/control/coverage-text.ts')
    return coverageTables(answer, widthOfOutput())
  },
}

export async function answerText(answer: Fields, { operationId }: OperationCommand) {
  const format = formats[operationId]
  if (format !== undefined) return format(answer as never)
  return 'data' in answer ? showPage(answer as never, operationId) : recordText(answer)
}

/** One record of a stream, in one line. */
export function lineOf(record: Fields, { operationId }: OperationCommand): string {
  return (listColumns[operationId] ?? [])
    .map((name) => cellOf(flatRequest(record), name))
    .join('  ')
}

interface Page {
  readonly data: readonly Fields[]
  readonly has_more: boolean
  readonly next_after: string | number | null
}

function showPage({ data, has_more, next_after }: Page, operationId: string): string {
  const [first] = data
  if (first === undefined) return 'There are none.\n'
  const table = tableOf(data.map(flatRequest), listColumns[operationId] ?? Object.keys(first))
  return has_more ? `${table}There are more: --after ${next_after}\n` : table
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

/** How many events of an advance are shown; more of them are read with `events`. */
const EVENTS_SHOWN = 50

function showAdvance(answer: Schemas['Advance']): string {
  const { from, to, stopped_because: reason, events_total: total, next_due: due } = answer
  const events = answer.events.slice(0, EVENTS_SHOWN)
  const isCut = total > events.length
  return [
    `${instantText(from)} -> ${coloured('bold', instantText(to))}, ${countText(total, 'event')}\n`,
    tableOf(events, ['at', 'type', 'subject', 'detail']),
    isCut
      ? `${total - events.length} more: subscription-sandbox events --after ${events.at(-1)?.seq}\n`
      : '',
    reasons[reason] ?? '',
    due === null
      ? 'Nothing more falls due.\n'
      : `Next: ${instantText(due.at)} ${due.kind} of ${due.subject.id}\n`,
  ].join('')
}

function showExplanation({ invoice, lines, discounts, sum }: Schemas['Explanation']): string {
  const title = `${invoice.invoice_id}: ${cellOf(invoice, 'amount_due')} due, ${invoice.status}`
  const texts = [...lines, ...discounts].map(({ text }) => `  ${text}`)
  return folded(`${[coloured('bold', title), ...texts, `  ${sum}`].join('\n')}\n`)
}

function showAudit({ ok, checked, invariants, violations }: Schemas['Audit']): string {
  const records = Object.values(checked).reduce((sum, each) => sum + each, 0)
  const result = ok ? coloured('green', 'in order') : coloured('red', 'not in order')
  const title = `The books are ${result}: ${invariants.length} promises checked on ${records} records.\n`
  return `${title}${tableOf(violations, ['invariant', 'id', 'message'])}`
}

function showWhatIf(answer: Schemas['WhatIf']): string {
  const { from, until, money, subscriptions, invoices_total: invoices } = answer
  const sums = money.flatMap(({ currency, ...sides }) =>
    ['paid', 'due', 'uncollectible', 'balance'].map((what): Fields => {
      const texts = Object.entries(sides).map(([side, sums]) => [
        side,
        cellOf({ currency, ...sums }, what),
      ])
      return { currency, what, ...Object.fromEntries(texts) }
    }),
  )
  const futures = ['as_is', 'changed']
  return [
    `${instantText(from)} -> ${instantText(until)}\n`,
    sums.length === 0
      ? 'No money is asked for.\n'
      : tableOf(sums, ['currency', 'what', ...futures, 'difference']),
    subscriptions.length === 0
      ? ''
      : `\n${tableOf(subscriptions, ['subscription_id', ...futures])}`,
    `\n${countText(invoices, 'invoice differs', 'invoices differ')}.\n`,
  ].join('')
}
