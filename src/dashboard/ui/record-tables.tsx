/** Tables of the records that several pages list. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import type { Visit } from '../visit.ts'
import { linkCell } from './links.tsx'
import { Empty, Table } from './table.tsx'
import { At, MoneyText, StatusBadge } from './values.tsx'

/** Invoices of one subscription or customer. */
export const InvoiceTable: FC<{
  visit: Visit
  caption: string
  invoices: readonly Schemas['Invoice'][]
  empty: string
}> = ({ visit, caption, invoices, empty }) => (
  <Table
    caption={caption}
    rows={invoices}
    columns={[
      { name: 'Invoice', cell: linkCell(visit, 'invoices', 'invoice_id') },
      { name: 'Created', cell: ({ created_at: at }) => <At instant={at} /> },
      {
        name: 'Due',
        isNumber: true,
        cell: ({ amount_due, currency }) => <MoneyText amount={amount_due} currency={currency} />,
      },
      { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
      { name: 'Next attempt', cell: ({ next_attempt_at: at }) => <At instant={at} /> },
      { name: 'For', cell: ({ lines }) => lines.map((line) => line.description).join(', ') },
    ]}
    empty={<Empty>{empty}</Empty>}
  />
)
