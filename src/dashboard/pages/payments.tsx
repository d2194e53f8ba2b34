/** Payments: the outcomes of the next ones, and where one-time charges are. */
import type { Child } from 'hono/jsx'
import type { PaymentFailure, PaymentScope, Schemas } from '../../library/sandbox.ts'
import type { FieldDeclaration, Option } from '../forms/field.ts'
import { Form } from '../forms/form.tsx'
import { confirmation } from '../page-kinds/confirmation.tsx'
import { PAGE_LENGTH } from '../page-kinds/list-page.tsx'
import { leadingTo, type PageTable } from '../page-kinds/page-row.tsx'
import { type Column, text } from '../ui/columns.tsx'
import { type FormState, formOrQuery } from '../ui/form-state.ts'
import { dangerButton, PageLink, RecordLink } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { emptyText, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { Text } from '../ui/values.tsx'

type Script = Schemas['PaymentScript']
type Outcome = Script['outcomes'][number]

/** The outcomes of an attempt, in words. */
export const outcomeTexts = {
  card_declined: 'fails: card_declined',
  insufficient_funds: 'fails: insufficient_funds',
  expired_card: 'fails: expired_card',
  processing_error: 'fails: processing_error',
  no_payment_method: 'fails: no_payment_method',
  succeed: 'succeeds',
} as const satisfies Record<Outcome, string>

export const paymentPages: PageTable = {
  payments: { show: paymentsPage, act: leadingTo('payments', 'scripted', script) },
  'payments/clear': confirmation({
    ask: () => ({
      title: 'Clear all scripted payments',
      text: 'All scripted outcomes are deleted, those that hold always too. Payments then succeed if the customer has a payment method. Past payments stay as they are.',
      submit: 'Clear all',
    }),
    back: 'payments',
    act: ({ sandbox }) => sandbox.payments.clear(),
    did: 'cleared',
  }),
}

const fields: readonly FieldDeclaration[] = [
  { name: 'outcome', options: Object.entries(outcomeTexts) as Option[] },
  {
    name: 'lasts',
    label: 'How often',
    options: [
      ['times', 'a number of times'],
      ['always', 'always, from now on'],
    ],
  },
  {
    name: 'times',
    label: 'Number of times',
    kind: 'integer',
    hint: 'Only without “always”: 1 if empty, added to what is already scripted',
  },
  {
    name: 'customer_id',
    hint: 'Such as cus_ada; all payments if this and the next field are empty',
  },
  { name: 'subscription_id', label: 'Or subscription', hint: 'Such as sub_000001' },
]

/** The names of the sandbox for what is chosen. */
const paths = { outcome: ['always', 'outcomes'] }

async function script({ sandbox }: PageContext, { values }: FormState): Promise<void> {
  const scope: PaymentScope = Object.fromEntries(
    ['customer_id', 'subscription_id']
      .map((name) => [name, values.text(name)])
      .filter(([, id]) => id !== undefined),
  )
  const outcome = values.raw('outcome') as Outcome
  const times = values.integer('times')
  if (values.raw('lasts') === 'always') {
    // A number of times is sent too, so that the sandbox refuses it.
    const rule: object = { always: outcome, ...scope, times }
    await sandbox.payments.script(rule as Schemas['PaymentRuleCreate'])
  } else {
    // A success can be scripted so many times like a failure.
    await sandbox.payments.fail({ reason: outcome as PaymentFailure, times: times ?? 1, ...scope })
  }
}

async function paymentsPage(page: PageContext, form: FormState): Promise<View> {
  const scripts = await page.list('/sandbox/payment-outcomes', page.cursor(PAGE_LENGTH))
  // Other pages lead here with a customer or a subscription.
  const scope = page.queryOf('customer_id', 'subscription_id')
  const body = (
    <>
      <Heading title="Payments">
        {scripts.data.length > 0 && dangerButton('Clear all…', 'payments/clear')}
      </Heading>
      <Section title="Scripted outcomes">
        <Table
          caption="Scripted payments"
          rows={scripts.data}
          columns={columns}
          empty={emptyText(
            'Nothing is scripted: payments of customers who have a payment method succeed.',
            'Make the next one fail with the form below.',
          )}
        />
        <Pager path="payments" query={scope} next={scripts.next_after} />
        <p class="hint">
          A payment takes the next outcome of its subscription, else of its customer, else of all
          payments. If none is left, it takes the outcome that holds always, in the same order.
        </p>
      </Section>
      <Section title="Set the outcome of the next payments">
        <Form
          action={page.to('payments')}
          form={{ ...formOrQuery(form, page), paths }}
          fields={fields}
          submit="Set outcome"
        />
      </Section>
      <Section title="One-time charges">
        <p>
          Payments without a subscription: <PageLink to="payments/charges">all charges</PageLink>,{' '}
          <PageLink to="payments/charges/~new">charge a customer once</PageLink>.
        </p>
      </Section>
    </>
  )
  return { title: 'Payments', body }
}

const columns: readonly Column<Script>[] = [
  { name: 'For', cell: ({ scope }) => scopeCell(scope) },
  { name: 'The next, in order', cell: ({ outcomes }) => <Text value={sequenceText(outcomes)} /> },
  text('Then always', 'always'),
]

function scopeCell({
  subscription_id: subscription,
  customer_id: customer,
}: Script['scope']): Child {
  if (subscription !== undefined) return <RecordLink place="subscriptions" id={subscription} />
  return customer === undefined ? 'all payments' : <RecordLink place="customers" id={customer} />
}

/** How many runs of one outcome are shown. */
const RUNS_SHOWN = 8

/** `card_declined × 2, succeed`; empty if nothing is left. */
function sequenceText(left: readonly Outcome[]): string {
  const runs: { outcome: Outcome; times: number }[] = []
  for (const outcome of left) {
    const last = runs.at(-1)
    if (last?.outcome === outcome) last.times += 1
    else runs.push({ outcome, times: 1 })
  }
  const texts = runs
    .slice(0, RUNS_SHOWN)
    .map(({ outcome, times }) => (times === 1 ? outcome : `${outcome} × ${times}`))
  return `${texts.join(', ')}${runs.length > RUNS_SHOWN ? ', …' : ''}`
}
