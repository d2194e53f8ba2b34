/** What if: a question about one change, and the two futures that it makes. Nothing in the sandbox changes. */
import type { Hono } from 'hono'
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { amountText } from '../../wire/text.ts'
import { page } from '../page.tsx'
import { foundOrRefused } from '../sent.ts'
import { FutureLanes } from '../timeline/futures.tsx'
import { linkCell, RecordLink } from '../ui/links.tsx'
import { Empty, Facts, Heading, Section, Table } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { QuestionForm, questionNames, questionOf, questionPaths } from './what-if-question.tsx'

export function whatIfPages(pages: Hono): void {
  pages.get('/what-if', page(whatIfPage))
}

async function whatIfPage(visit: Visit): Promise<View> {
  const { sandbox, asked: values } = visit
  const name = questionNames.find((each) => each === values.raw('ask')) ?? 'plan'
  // Nothing is said before it was asked.
  const { found: answer, refusal } = await foundOrRefused(async () =>
    values.has('asked') ? sandbox.whatIf(questionOf(name, values)) : null,
  )
  const body = (
    <>
      <Heading title="What if" />
      <p class="hint">
        Compares two futures on copies: as it is, and with a change. Nothing in this sandbox
        changes.
      </p>
      <QuestionForm visit={visit} name={name} sent={{ values, refusal, paths: questionPaths }} />
      {answer !== null && <AnswerParts visit={visit} answer={answer} />}
    </>
  )
  return { title: 'What if', body, live: 'nothing' }
}

const AnswerParts: FC<{ visit: Visit; answer: Schemas['WhatIf'] }> = ({ visit, answer }) => {
  const isSame = answer.invoices_total + answer.subscriptions_total + answer.customers_total === 0
  return (
    <>
      <Section title="The difference in money">
        <Facts
          facts={[
            ['From', <At instant={answer.from} />],
            ['To', <At instant={answer.complete_until} />],
          ]}
        />
        {answer.complete_until < answer.until && (
          <p class="hint">
            The comparison ends early ({answer.stopped_because.replaceAll('_', ' ')}).
          </p>
        )}
        <MoneyTable caption="Money of all customers" rows={answer.money} first={null} />
        {isSame && (
          <Empty>Both futures are the same: the change makes no difference until then.</Empty>
        )}
      </Section>
      {answer.invoices.length > 0 && (
        <Section title="The two futures">
          <FutureLanes visit={visit} answer={answer} />
        </Section>
      )}
      <Differences visit={visit} answer={answer} />
    </>
  )
}

type MoneyRow = Schemas['WhatIfMoney'] | Schemas['WhatIfCustomer']

/** Sums as they are, with the change, and what is more or less. */
const MoneyTable: FC<{
  caption: string
  rows: readonly MoneyRow[]
  first: { readonly name: string; readonly cell: (row: MoneyRow) => Child } | null
}> = ({ caption, rows, first }) => (
  <Table
    caption={caption}
    rows={rows.flatMap((row) => sumKinds.map((kind) => ({ row, kind })))}
    columns={[
      ...(first === null ? [] : [{ name: first.name, cell: ({ row }: Sum) => first.cell(row) }]),
      { name: 'What', cell: ({ kind }) => kind },
      { name: 'As it is', cell: ({ row, kind }) => money(row, row.as_is[kind]), isNumber: true },
      {
        name: 'With the change',
        cell: ({ row, kind }) => money(row, row.changed[kind]),
        isNumber: true,
      },
      {
        name: 'Difference',
        cell: ({ row, kind }) => <More amount={row.difference[kind]} currency={row.currency} />,
        isNumber: true,
      },
    ]}
    empty={<Empty>No money moves in either future.</Empty>}
  />
)

const sumKinds = ['paid', 'due', 'uncollectible', 'balance'] as const

interface Sum {
  readonly row: MoneyRow
  readonly kind: (typeof sumKinds)[number]
}

function money({ currency }: MoneyRow, amount: number) {
  return <MoneyText amount={amount} currency={currency} />
}

/** How much more: a sum with its sign. */
const More: FC<{ amount: number; currency: string }> = ({ amount, currency }) =>
  amount === 0 ? (
    <Nothing />
  ) : (
    <strong class="number">
      {amount > 0 ? '+' : ''}
      {amountText(amount, currency)}
    </strong>
  )

const Differences: FC<{ visit: Visit; answer: Schemas['WhatIf'] }> = ({ visit, answer }) => (
  <>
    {answer.subscriptions.length > 0 && (
      <Section title="Subscriptions that differ">
        <Table
          caption="Subscriptions that differ"
          rows={answer.subscriptions}
          columns={[
            { name: 'Subscription', cell: linkCell(visit, 'subscriptions', 'subscription_id') },
            { name: 'As it is', cell: ({ as_is: status }) => statusCell(status) },
            { name: 'With the change', cell: ({ changed: status }) => statusCell(status) },
          ]}
        />
        <Rest shown={answer.subscriptions.length} total={answer.subscriptions_total} />
      </Section>
    )}
    {answer.customers.length > 0 && (
      <Section title="Customers whose money differs">
        <MoneyTable
          caption="Customers whose money differs"
          rows={answer.customers}
          first={{ name: 'Customer', cell: (row) => <CustomerCell visit={visit} row={row} /> }}
        />
        <Rest shown={answer.customers.length} total={answer.customers_total} />
      </Section>
    )}
    {answer.invoices.length > 0 && <Invoices visit={visit} answer={answer} />}
  </>
)

function statusCell(status: string | null) {
  return status === null ? <Nothing /> : <StatusBadge status={status} />
}

const CustomerCell: FC<{ visit: Visit; row: MoneyRow }> = ({ visit, row }) =>
  'customer_id' in row ? <RecordLink visit={visit} place="customers" id={row.customer_id} /> : null

const Invoices: FC<{ visit: Visit; answer: Schemas['WhatIf'] }> = ({ visit, answer }) => (
  <Section title="Invoices that differ" id="invoices">
    <Table
      caption="Invoices that differ"
      rows={answer.invoices}
      columns={[
        { name: 'At', cell: ({ created_at: at }) => <At instant={at} /> },
        { name: 'Subscription', cell: linkCell(visit, 'subscriptions', 'subscription_id') },
        { name: 'Reason', cell: ({ reason }) => reason.replaceAll('_', ' ') },
        { name: 'As it is', cell: (row) => invoiceCell(row, row.as_is), isNumber: true },
        { name: 'With the change', cell: (row) => invoiceCell(row, row.changed), isNumber: true },
      ]}
    />
    <Rest shown={answer.invoices.length} total={answer.invoices_total} />
  </Section>
)

function invoiceCell(
  { currency }: Schemas['WhatIfInvoice'],
  invoice: Schemas['WhatIfInvoiceSide'] | null,
) {
  if (invoice === null) return <Nothing />
  return (
    <>
      <MoneyText amount={invoice.amount_due} currency={currency} />{' '}
      <StatusBadge status={invoice.status} />
    </>
  )
}

const Rest: FC<{ shown: number; total: number }> = ({ shown, total }) =>
  total > shown ? <p class="hint">and {String(total - shown)} more</p> : null
