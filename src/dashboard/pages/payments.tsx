/** Payments: the outcomes of the next ones, and one-time charges. */
import type { PaymentScope, Schemas } from '../../library/sandbox.ts'
import { repeatOutcome } from '../../library/sandbox-client.ts'
import { argumentError } from '../../library/sandbox-error.ts'
import { ChargeCreate } from '../../wire/billing/charge.ts'
import { bodyOf, fieldsFrom, formFieldsOf, moneyHint } from '../forms/field.ts'
import { Form, PostButton } from '../forms/form.tsx'
import { collection } from '../page-kinds/collection.tsx'
import { confirmation } from '../page-kinds/lists-and-questions.tsx'
import { buttonRow, type PageTable, thenLead } from '../page-kinds/page-row.tsx'
import { failures } from '../reading/statuses.ts'
import type { FormValues } from '../ui/form-state.ts'
import { dangerButton, Hint, Paragraph } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Section, Table } from '../ui/table.tsx'
import { type ColumnOf, column, Text, valueCell } from '../ui/values.tsx'

type Script = Schemas['PaymentScript']
type Outcome = Script['outcomes'][number]

const customer = { name: 'customer_id', placeholder: 'cus_ada' }

export const paymentPages: PageTable = {
  payments: { show: paymentsPage, act: thenLead('scripted', scriptOutcomes, 'payments') },
  'payments/clear': confirmation({
    ask: {
      title: 'Clear all scripted payments',
      text: 'All scripted outcomes are deleted, those that hold always too. Payments then succeed if the customer has a payment method. Past payments stay as they are.',
      submit: 'Clear all',
    },
    act: ({ sandbox }) => sandbox.payments.clear(),
    did: 'cleared',
  }),
  'payments/remove': buttonRow('removed', ({ sandbox }, values) =>
    sandbox.payments.remove(bodyOf(scopeFields, values) as PaymentScope),
  ),
  ...collection('charges', {
    list: {
      title: 'One-time charges',
      filter: [customer],
      columns: ['charge_id', 'status', 'amount_due', 'customer_id', 'failure_reason', 'created_at'],
      empty:
        'No charge yet. A charge is a payment without a subscription.\n[Charge a customer once](payments/charges/~new)',
    },
    facts: [
      'amount',
      'discount_total',
      'amount_due',
      'failure_reason',
      'customer_id',
      'coupon_id',
      'created_at',
    ],
    create: {
      submit: 'Charge',
      fields: formFieldsOf(ChargeCreate, {
        customer_id: customer,
        amount: moneyHint,
        currency: {},
        coupon_id: 'No coupon if empty',
      }),
      did: ({ failure_reason: reason }) => (reason === null ? 'charged' : 'charge_failed'),
    },
  }),
}

const scopeFields = fieldsFrom({
  customer_id: 'Such as cus_ada; all payments if this and the next field are empty',
  subscription_id: ['Or subscription', 'Such as sub_000001'],
})

const outcomeFields = fieldsFrom({
  outcome: { options: { ...failures, succeed: 'succeeds' }, paths: ['always', 'outcomes'] },
  lasts: {
    paths: [],
    label: 'How often',
    options: { times: 'a number of times', always: 'always, from now on' },
  },
  times: {
    paths: [],
    label: 'Number of times',
    kind: 'integer',
    hint: 'Only without “always”: 1 if empty, added to what is already scripted',
  },
})

async function scriptOutcomes({ sandbox }: PageContext, values: FormValues): Promise<void> {
  const scope = bodyOf(scopeFields, values) as PaymentScope
  const outcome = values.raw('outcome') as Outcome
  const times = values.integer('times')
  const isAlways = values.raw('lasts') === 'always'
  if (isAlways && times !== undefined) {
    const got = JSON.stringify(values.raw('times'))
    throw argumentError('times', `times must be empty where an outcome holds always; got ${got}.`)
  }
  const rule = isAlways ? { always: outcome } : { outcomes: repeatOutcome(outcome, times ?? 1) }
  await sandbox.payments.script({ ...scope, ...rule })
}

async function paymentsPage(page: PageContext): Promise<View> {
  const scripts = await page.list('/sandbox/payment-outcomes', page.cursor())
  const body = [
    <Table
      title="Scripted outcomes"
      rows={{
        ...scripts,
        data: scripts.data.map((each) => ({ of: scopeText(each.scope), ...each })),
      }}
      columns={columns}
      empty={
        'Nothing is scripted: payments of customers who have a payment method succeed.\nMake the next one fail with the form below.'
      }
    >
      <Hint text="A payment takes the next outcome of its subscription, else of its customer, else of all payments. If none is left, it takes the outcome that holds always, in the same order." />
    </Table>,
    // Other pages lead here with a customer or a subscription.
    <Form
      title="Set the outcome of the next payments"
      fields={[...outcomeFields, ...scopeFields]}
      submit="Set outcome"
    />,
    <Section title="One-time charges">
      <Paragraph text="Payments without a subscription: [all charges](payments/charges), [charge a customer once](payments/charges/~new)." />
    </Section>,
  ]
  const actions = scripts.data.length > 0 && dangerButton('Clear all…', 'payments/clear')
  return { title: 'Payments', actions, body }
}

const columns: readonly ColumnOf<Script>[] = [
  column(
    'Scope',
    ({ scope }) => {
      const name = 'subscription_id' in scope ? 'subscription_id' : 'customer_id'
      return name in scope ? valueCell(scope, name) : scopeText(scope)
    },
    { field: 'scope' },
  ),
  column('Next outcomes', ({ outcomes }) => <Text value={sequenceText(outcomes)} />, {
    field: 'outcomes',
  }),
  'always',
  column('Actions', ({ scope }) => (
    <PostButton
      to="payments/remove"
      values={scope}
      label={`Remove the outcomes for ${scopeText(scope)}`}
    >
      Remove
    </PostButton>
  )),
]

function scopeText({ subscription_id, customer_id }: Script['scope']): string {
  return subscription_id ?? customer_id ?? 'all payments'
}

const RUNS_SHOWN = 8

/** `card_declined × 2, succeed`; empty if nothing is left. */
function sequenceText(left: readonly Outcome[]): string {
  const runs = left.join(' ').match(/(\b\w+)(?: \1\b)*/g) ?? []
  const texts = runs.slice(0, RUNS_SHOWN).map((run) => {
    const [outcome = '', ...again] = run.split(' ')
    return again.length === 0 ? outcome : `${outcome} × ${again.length + 1}`
  })
  return [...texts, ...(runs.length > RUNS_SHOWN ? ['…'] : [])].join(', ')
}
