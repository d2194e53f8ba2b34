/** What if: one change, and the two futures with and without it. Nothing in the sandbox changes. */
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { amountText } from '../../wire/text.ts'
import type { PageRow } from '../page-kinds/page-row.tsx'
import { FutureLanes } from '../timeline/futures.tsx'
import { type Column, factsOf, field, words } from '../ui/columns.tsx'
import { foundOrRefused } from '../ui/form-state.ts'
import { Hint, RecordLink } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Empty, Facts, More, Section, Table } from '../ui/table.tsx'
import { MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import { changeNames, changePaths, QuestionForm, questionOf } from './what-if-question.tsx'

export const whatIfPage: PageRow = { show }

async function show({ sandbox, form: { values } }: PageContext): Promise<View> {
  const name = changeNames.find((each) => each === values.raw('ask')) ?? 'plan'
  // Before it is asked, there is no answer.
  const { found: answer, refusal } = await foundOrRefused(async () =>
    values.has('asked') ? sandbox.whatIf(questionOf(name, values)) : null,
  )
  const body = (
    <>
      <Hint text="Compares two futures on copies: as it is, and with a change. Nothing in this sandbox changes." />
      <QuestionForm name={name} form={{ values, refusal, paths: changePaths }} />
      {answer !== null && <AnswerParts answer={answer} />}
    </>
  )
  return { title: 'What if', body, live: 'nothing' }
}

const AnswerParts: FC<{ answer: Schemas['WhatIf'] }> = ({ answer }) => {
  const isSame = answer.invoices_total + answer.subscriptions_total + answer.customers_total === 0
  return (
    <>
      <Section title="The difference in money">
        <Facts facts={factsOf(answer, ['from', 'complete_until'])} />
        {answer.complete_until < answer.until && (
          <p class="hint">
            The comparison ends early ({answer.stopped_because.replaceAll('_', ' ')}).
          </p>
        )}
        <MoneyTable caption="Money of all customers" rows={answer.money} />
        {isSame && (
          <Empty text="Both futures are the same: the change makes no difference until then." />
        )}
      </Section>
      {answer.invoices.length > 0 && (
        <Section title="The two futures">
          <FutureLanes answer={answer} />
        </Section>
      )}
      <Differences answer={answer} />
    </>
  )
}

type MoneyRow = Schemas['WhatIfMoney'] | Schemas['WhatIfCustomer']

const sumKinds = ['paid', 'due', 'uncollectible', 'balance'] as const

interface Sum {
  readonly row: MoneyRow
  readonly kind: (typeof sumKinds)[number]
}

function sum(name: string, side: 'as_is' | 'changed'): Column<Sum> {
  const cell = ({ row, kind }: Sum) => (
    <MoneyText amount={row[side][kind]} currency={row.currency} />
  )
  return { name, cell, isNumber: true }
}

const customer: Column<Sum> = {
  name: 'Customer',
  cell: ({ row }) => 'customer_id' in row && <RecordLink place="customers" id={row.customer_id} />,
}

/** Sums as they are, with the change, and the difference. */
const MoneyTable: FC<{
  caption?: string
  title?: string
  rows: readonly MoneyRow[]
  more?: number
}> = ({ caption, title, rows, more = 0 }) => (
  <Table
    {...(title !== undefined && { title })}
    {...(caption !== undefined && { caption })}
    rows={rows.flatMap((row) => sumKinds.map((kind) => ({ row, kind })))}
    columns={[
      ...(title === undefined ? [] : [customer]),
      { name: 'What', cell: ({ kind }) => kind },
      sum('As it is', 'as_is'),
      sum('With the change', 'changed'),
      { name: 'Difference', cell: ({ row, kind }) => signed(row, kind), isNumber: true },
    ]}
    empty="No money moves in either future."
  >
    <More count={more} />
  </Table>
)

/** A difference with its sign. */
function signed({ difference, currency }: MoneyRow, kind: Sum['kind']): Child {
  const amount = difference[kind]
  if (amount === 0) return <Nothing />
  return (
    <strong class="number">
      {amount > 0 ? '+' : ''}
      {amountText(amount, currency)}
    </strong>
  )
}

const Differences: FC<{ answer: Schemas['WhatIf'] }> = ({ answer }) => {
  const { subscriptions, customers, invoices } = answer
  return (
    <>
      {subscriptions.length > 0 && (
        <Table
          title="Subscriptions that differ"
          rows={subscriptions}
          columns={[
            'subscription_id',
            { name: 'As it is', cell: ({ as_is: status }) => statusCell(status) },
            { name: 'With the change', cell: ({ changed: status }) => statusCell(status) },
          ]}
        >
          <More count={answer.subscriptions_total - subscriptions.length} />
        </Table>
      )}
      {customers.length > 0 && (
        <MoneyTable
          title="Customers whose money differs"
          rows={customers}
          more={answer.customers_total - customers.length}
        />
      )}
      {invoices.length > 0 && (
        <Table
          title="Invoices that differ"
          id="invoices"
          rows={invoices}
          columns={[
            field('created_at', 'At'),
            'subscription_id',
            words('reason', 'Reason'),
            invoice('As it is', 'as_is'),
            invoice('With the change', 'changed'),
          ]}
        >
          <More count={answer.invoices_total - invoices.length} />
        </Table>
      )}
    </>
  )
}

function statusCell(status: string | null): Child {
  return status === null ? <Nothing /> : <StatusBadge status={status} />
}

function invoice(name: string, key: 'as_is' | 'changed'): Column<Schemas['WhatIfInvoice']> {
  return {
    name,
    isNumber: true,
    cell: ({ [key]: side, currency }) =>
      side === null ? (
        <Nothing />
      ) : (
        <>
          <MoneyText amount={side.amount_due} currency={currency} />{' '}
          <StatusBadge status={side.status} />
        </>
      ),
  }
}
