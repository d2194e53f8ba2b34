/** Two futures on one timeline: for each subscription whose invoices differ, these invoices as it is and with the changes. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { amountText } from '../../wire/text.ts'
import { RecordLink } from '../ui/links.tsx'
import { More } from '../ui/table.tsx'
import { Axis, LaneGraphic, MarkMeaning, MarkShapes } from './drawing.tsx'
import type { Moment, MomentKind } from './lane.ts'
import { groupedBy } from './read.ts'
import type { TimeWindow } from './window.ts'

/** How many subscriptions are drawn. */
const DRAWN_MAX = 25

type Row = Schemas['WhatIfInvoice']
type Side = 'as_is' | 'changed'

const sides = { as_is: 'as it is', changed: 'with the change' } as const

/** How an invoice ends, as a mark. */
const endings: Readonly<Record<NonNullable<Row[Side]>['status'], MomentKind>> = {
  paid: 'recovered',
  open: 'period',
  uncollectible: 'failed',
  void: 'ended',
}

export const FutureLanes: FC<{ answer: Schemas['WhatIf'] }> = ({ answer }) => {
  const bySubscription = groupedBy(answer.invoices, (row) => row.subscription_id)
  const drawn = [...bySubscription].slice(0, DRAWN_MAX)
  const window = widened(answer)
  return (
    <>
      <MarkShapes />
      <section class="scrolls lanes" tabindex={0} aria-label="Two futures">
        <table>
          <caption class="unseen">Invoices that differ, in both futures</caption>
          <thead>
            <tr>
              <th scope="col">Subscription</th>
              <th scope="col" class="time">
                <span class="unseen">Invoices</span>
                <Axis window={window} now={answer.from} />
              </th>
            </tr>
          </thead>
          {drawn.map(([id, rows]) => (
            <tbody>
              <FutureRow window={window} id={id} rows={rows} side="as_is" />
              <FutureRow window={window} id={id} rows={rows} side="changed" />
            </tbody>
          ))}
        </table>
      </section>
      <More count={bySubscription.size - drawn.length} of="subscriptions" />
      <ul class="legend" aria-label="Legend">
        <MarkMeaning kind="recovered" name="paid" />
        <MarkMeaning kind="period" name="still open" />
        <MarkMeaning kind="failed" name="uncollectible" />
        <MarkMeaning kind="ended" name="void" />
      </ul>
    </>
  )
}

/** With room for what happens at the very end. */
function widened({ from, until }: Schemas['WhatIf']): TimeWindow {
  const span = Date.parse(until) - Date.parse(from)
  return { from, until: new Date(Date.parse(until) + span / 50).toISOString() }
}

interface FutureRowProps {
  readonly window: TimeWindow
  readonly id: string
  readonly rows: readonly Row[]
  readonly side: Side
}

const FutureRow: FC<FutureRowProps> = ({ window, id, rows, side }) => {
  const moments = rows.flatMap((row) => sideMoment(row, side))
  const words = moments.length === 0 ? 'no invoice that differs' : `${moments.length} invoices`
  return (
    <tr>
      <th scope="row">
        <span class="line">
          <RecordLink place="subscriptions" id={id} />
        </span>
        <span class="hint">{sides[side]}</span>
      </th>
      <td class="time">
        <LaneGraphic
          lane={{ spans: [], moments }}
          window={window}
          now={window.from}
          hrefOf={() => '#invoices'}
          label={`${id}, ${sides[side]}: ${words}`}
        />
      </td>
    </tr>
  )
}

/** An invoice where that future has it. */
function sideMoment(row: Row, side: Side): Moment[] {
  const invoice = row[side]
  if (invoice === null) return []
  const note = amountText(invoice.amount_due, row.currency)
  const text = `${note} ${invoice.status} (${row.reason.replaceAll('_', ' ')})`
  return [{ at: row.created_at, kind: endings[invoice.status], text, event: null, note }]
}
