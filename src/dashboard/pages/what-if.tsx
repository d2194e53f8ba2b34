/** What if: one change, and the two futures with and without it. Nothing in the sandbox changes. */
import type { Child } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { countText } from '../../wire/common/text.ts'
import { flowOf } from '../acts/once.ts'
import { performHere, performInFork, type WhatIfQuestion } from '../acts/perform.ts'
import { PostButton } from '../forms/form.tsx'
import type { PageRow } from '../page-kinds/page-row.tsx'
import { FutureLanes } from '../timeline/futures.tsx'
import { type DrawnFutures, isDifferent, readFutures } from '../timeline/read-futures.ts'
import { callOrRefusal, type FormValues } from '../ui/form-state.ts'
import { Hint } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Empty, Facts, Section, Table } from '../ui/table.tsx'
import {
  type ColumnOf,
  column,
  factsOf,
  field,
  groupThousands,
  labelOf,
  MoneyText,
  moneyText,
  Nothing,
  StatusBadge,
  wordsColumn,
} from '../ui/values.tsx'
import {
  type ChangeName,
  changeNames,
  changePaths,
  questionForm,
  questionOf,
  valuesOfQuestion,
  withCurrency,
} from './what-if-question.tsx'

export const whatIfPage: PageRow = { show: showQuestion, act }

function nameIn(values: FormValues): ChangeName {
  return changeNames.find((each) => each === values.raw('ask')) ?? 'plan'
}

function showQuestion(page: PageContext): View {
  const subscriptions = countText(page.summary.counts['subscriptions'] ?? 0, 'subscription')
  const says = `Comparing two futures of ${groupThousands(subscriptions)}.`
  return { title: 'What if', later: { says, body: bodyOf(page) }, live: 'nothing' }
}

async function bodyOf(page: PageContext): Promise<Child> {
  const { values: typed, refusal: refused } = page.form
  const name = nameIn(typed)
  const known = await callOrRefusal(() => withCurrency(page, name, typed))
  const values = known.found ?? typed
  // Before it is asked, there is no answer.
  const { found: futures, refusal } = await callOrRefusal(async () =>
    known.found && typed.has('asked') ? futuresOf(page, questionOf(name, values)) : null,
  )
  const form = { values, refusal: refused ?? known.refusal ?? refusal, paths: changePaths }
  return [
    <Hint text="Compares two futures on copies: as it is, and with a change. Nothing in this sandbox changes." />,
    await questionForm(page, name, form),
    futures && [performButtons(name, values, futures.answer.from), answerParts(futures)],
  ]
}

async function futuresOf(page: PageContext, question: WhatIfQuestion): Promise<DrawnFutures> {
  const answer = await page.sandbox.whatIf({ ...question, unchanged: true })
  return readFutures(page, answer, firstInstant(question, answer.from))
}

function firstInstant({ changes }: WhatIfQuestion, now: string): string {
  const instants = changes.map(({ at = now }) => Date.parse(at))
  return new Date(Math.min(...instants)).toISOString()
}

/** Performs the question that was asked, here or in a fork. */
async function act(page: PageContext, values: FormValues): Promise<string> {
  const name = nameIn(values)
  const question = questionOf(name, await withCurrency(page, name, values))
  const perform = values.raw('in') === 'fork' ? performInFork : performHere
  return perform(page, question, flowOf(values))
}

/** The buttons that perform a question; a later change can be made in a fork only, where the clock can move. */
function performButtons(name: ChangeName, values: FormValues, from: string): Child {
  const question = valuesOfQuestion(name, values)
  const isLater = firstInstant(questionOf(name, values), from) > from
  return (
    <div class="actions">
      {!isLater && (
        <PostButton to="what-if" values={{ ...question, in: 'here', seen: from }}>
          Make it so
        </PostButton>
      )}
      <PostButton to="what-if" values={{ ...question, in: 'fork' }}>
        Fork here
      </PostButton>
      <span class="hint">
        {isLater
          ? 'The change is later than now: a fork moves its clock there and makes it.'
          : 'The first makes the change in this sandbox, the second in a fork of it.'}
      </span>
    </div>
  )
}

function answerParts(futures: DrawnFutures): Child {
  const { answer, drawn } = futures
  const isSame = drawn.length + answer.customers_total === 0
  return [
    <FutureLanes futures={futures} invoices="#invoices" />,
    <Section title="The difference in money">
      <Facts facts={factsOf(answer, ['from', 'complete_until'])} />
      {answer.complete_until < answer.until && (
        <Hint
          text={`The comparison ends early (${answer.stopped_because.replaceAll('_', ' ')}).`}
        />
      )}
      <Table
        caption="Money of all customers"
        rows={sumsOf(answer.money)}
        columns={sumColumns}
        empty="No money moves in either future."
      />
      {isSame && (
        <Empty text="Both futures are the same: the change makes no difference until then." />
      )}
    </Section>,
    differences(answer),
  ]
}

type Side = 'as_is' | 'changed'

/** Both futures side by side. */
function sideColumns<Row>(cell: (row: Row, side: Side) => Child, more: { isNumber?: true } = {}) {
  return [
    column('As it is', (row: Row) => cell(row, 'as_is'), more),
    column('With the change', (row: Row) => cell(row, 'changed'), more),
  ]
}

const sums = ['paid', 'due', 'uncollectible', 'balance'] as const

/** Sums as they are, with the change, and the difference: a row for each, with the customer if it is of one. */
function sumsOf(rows: readonly (Schemas['WhatIfMoney'] | Schemas['WhatIfCustomer'])[]) {
  return rows.flatMap((row) => sums.map((sum) => ({ customer_id: null, ...row, sum })))
}

type Sum = ReturnType<typeof sumsOf>[number]

const sumColumns: readonly ColumnOf<Sum>[] = [
  column('Sum', ({ sum }) => labelOf(sum === 'paid' ? 'paid_in_all' : sum)),
  ...sideColumns(
    ({ sum, currency, ...row }: Sum, side) => (
      <MoneyText amount={row[side][sum]} currency={currency} />
    ),
    { isNumber: true },
  ),
  column('Difference', signedText, { isNumber: true }),
]

function signedText({ sum, difference, currency }: Sum): Child {
  const amount = difference[sum]
  if (amount === 0) return <Nothing />
  return <strong class="number">{`${amount > 0 ? '+' : ''}${moneyText(amount, currency)}`}</strong>
}

/** How many rows of a list are shown: with all that an answer has, a page would weigh more than a megabyte. */
const LISTED_MAX = 200

function differences(answer: Schemas['WhatIf']): Child {
  const first = <Row,>(rows: readonly Row[]) => rows.slice(0, LISTED_MAX)
  const [subscriptions, customers] = [first(answer.subscriptions), first(answer.customers)]
  const differing = answer.invoices.filter(isDifferent)
  const invoices = first(differing)
  return [
    <Table
      title="Subscriptions that differ"
      rows={subscriptions}
      columns={['subscription_id', ...sideColumns(statusCell)]}
      empty={null}
      more={answer.subscriptions_total - subscriptions.length}
    />,
    <Table
      title="Customers whose money differs"
      rows={sumsOf(customers).filter(({ sum, difference }) => difference[sum] !== 0)}
      columns={['customer_id', ...sumColumns]}
      empty={null}
      more={answer.customers_total - customers.length}
    />,
    <Table
      title="Invoices that differ"
      id="invoices"
      rows={invoices}
      columns={[
        field('created_at', 'At'),
        'subscription_id',
        wordsColumn('reason', 'Reason'),
        ...sideColumns(invoiceCell, { isNumber: true }),
      ]}
      empty={null}
      // Of those that the answer has not, some may not differ.
      more={differing.length - invoices.length + answer.invoices_total - answer.invoices.length}
    />,
  ]
}

function statusCell(row: Schemas['WhatIfSubscription'], side: Side): Child {
  const status = row[side]
  return status === null ? <Nothing /> : <StatusBadge status={status} />
}

function invoiceCell(row: Schemas['WhatIfInvoice'], side: Side): Child {
  const { [side]: invoice, currency } = row
  if (invoice === null) return <Nothing />
  return [
    <MoneyText amount={invoice.amount_due} currency={currency} />,
    ' ',
    <StatusBadge status={invoice.status} />,
    invoice.attempts.length > 1 && ` after ${invoice.attempts.length} attempts`,
  ]
}
