/** Two futures on one timeline: for each subscription whose invoices differ, these invoices as it is and with the changes. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { amountText } from '../../wire/text.ts'
import { RecordLink } from '../ui/links.tsx'
import { More } from '../ui/table.tsx'
import { LaneRow, LaneTable, MarkMeaning, MarkShapes } from './drawing.tsx'
import type { Moment, MomentKind } from './lane.ts'
import { groupedBy } from './read.ts'

/** How many subscriptions are drawn. */
const DRAWN_MAX = 25

type Row = Schemas['WhatIfInvoice']
type Side = 'as_is' | 'changed'

const sides = { as_is: 'as it is', changed: 'with the change' } as const

/** How an invoice ends: as a mark, and in words. */
const endings: Readonly<Record<NonNullable<Row[Side]>['status'], [MomentKind, string]>> = {
  paid: ['recovered', 'paid'],
  open: ['period', 'still open'],
  uncollectible: ['failed', 'uncollectible'],
  void: ['ended', 'void'],
}

export const FutureLanes: FC<{ answer: Schemas['WhatIf'] }> = ({ answer }) => {
  const { from, until, invoices } = answer
  const bySubscription = groupedBy(invoices, (row) => row.subscription_id)
  const drawn = [...bySubscription].slice(0, DRAWN_MAX)
  // With room for what happens at the very end.
  const room = (Date.parse(until) - Date.parse(from)) / 50
  const scale = {
    window: { from, until: new Date(Date.parse(until) + room).toISOString() },
    now: from,
  }
  return (
    <>
      <MarkShapes />
      <LaneTable
        label="Two futures"
        caption="Invoices that differ, in both futures"
        axis="Invoices"
        {...scale}
      >
        {drawn.map(([id, rows]) => (
          <tbody>
            {(['as_is', 'changed'] as const).map((side) => {
              const moments = rows.flatMap((row) => sideMoment(row, side))
              const words =
                moments.length === 0 ? 'no invoice that differs' : `${moments.length} invoices`
              return (
                <LaneRow
                  head={[<RecordLink place="subscriptions" id={id} />, sides[side]]}
                  lane={{ spans: [], ribbons: [], moments }}
                  hrefOf={() => '#invoices'}
                  label={`${id}, ${sides[side]}: ${words}`}
                  {...scale}
                />
              )
            })}
          </tbody>
        ))}
      </LaneTable>
      <More count={bySubscription.size - drawn.length} of="subscriptions" />
      <ul class="legend" aria-label="Legend">
        {Object.values(endings).map(([kind, name]) => (
          <MarkMeaning kind={kind} name={name} />
        ))}
      </ul>
    </>
  )
}

/** An invoice where that future has it. */
function sideMoment(row: Row, side: Side): Moment[] {
  const invoice = row[side]
  if (invoice === null) return []
  const [kind] = endings[invoice.status]
  const note = amountText(invoice.amount_due, row.currency)
  const text = `${note} ${invoice.status} (${row.reason.replaceAll('_', ' ')})`
  return [{ at: row.created_at, kind, text, event: null, note }]
}
