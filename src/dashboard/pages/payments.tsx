/** Payments: how the next ones end, what is left of that, and where one-time charges are. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { PaymentFailure, PaymentScope, Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { addForm, withNotice } from '../page.tsx'
import { addQuestion, type Question } from '../question.tsx'
import { type Sent, sentOrAsked } from '../sent.ts'
import { Form, type Option, SelectField, TextField } from '../ui/form.tsx'
import { DangerLink, RecordLink } from '../ui/links.tsx'
import { Empty, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { Nothing } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Script = Schemas['PaymentScript']
type Outcome = Script['outcomes'][number]

const PAGE = 50

/** What an attempt can be made to answer, in words. */
export const outcomeTexts = {
  card_declined: 'fails: card_declined',
  insufficient_funds: 'fails: insufficient_funds',
  expired_card: 'fails: expired_card',
  processing_error: 'fails: processing_error',
  no_payment_method: 'fails: no_payment_method',
  succeed: 'succeeds',
} as const satisfies Record<Outcome, string>

export function paymentPages(pages: Hono): void {
  addForm(pages, '/payments', { act: script, show: paymentsPage })
  addQuestion(pages, '/payments/clear', { ask: askToClear, act: clear })
}

async function script({ sandbox, to }: Visit, { values }: Sent): Promise<string> {
  const scope: PaymentScope = Object.fromEntries(
    (['customer_id', 'subscription_id'] as const)
      .map((name) => [name, values.text(name)] as const)
      .filter(([, id]) => id !== undefined),
  )
  const outcome = values.raw('outcome') as Outcome
  const times = values.integer('times')
  if (values.raw('lasts') === 'always') {
    // A number of times is sent too, so that the sandbox refuses it.
    const order: object = { always: outcome, ...scope, times }
    await sandbox.payments.script(order as Schemas['PaymentRuleCreate'])
  } else {
    // A success can be scripted so many times like a failure.
    await sandbox.payments.fail({ reason: outcome as PaymentFailure, times: times ?? 1, ...scope })
  }
  return withNotice(to('payments'), 'scripted')
}

async function clear({ sandbox, to }: Visit): Promise<string> {
  await sandbox.payments.clear()
  return withNotice(to('payments'), 'cleared')
}

async function paymentsPage(visit: Visit, sent: Sent): Promise<View> {
  const { control, cursor, given, to } = visit
  const params = { query: cursor(PAGE) }
  const scripts = await answered(control.GET('/sandbox/payment-outcomes', { params }))
  // Other pages lead here with the customer or the subscription that is meant.
  const meant = given('customer_id', 'subscription_id')
  const shown = sentOrAsked(sent, visit)
  const body = (
    <>
      <Heading title="Payments">
        {scripts.data.length > 0 && <DangerLink href={to('payments/clear')}>Clear all…</DangerLink>}
      </Heading>
      <Section title="Scripted outcomes">
        <Scripts visit={visit} scripts={scripts.data} />
        <Pager visit={visit} path="payments" query={meant} next={scripts.next_after} />
        <p class="hint">
          A payment takes the next outcome of its subscription, else of its customer, else of all
          payments. If none is left, it takes the outcome that holds always, in the same order.
        </p>
      </Section>
      <Section title="Set the outcome of the next payments">
        <ScriptForm action={to('payments')} sent={{ ...shown, paths }} />
      </Section>
      <Section title="One-time charges">
        <p>
          Payments without a subscription: <a href={to('payments/charges')}>all charges</a>,{' '}
          <a href={to('payments/charges/~new')}>charge a customer once</a>.
        </p>
      </Section>
    </>
  )
  return { title: 'Payments', body }
}

/** As the sandbox calls what is chosen. */
const paths = { outcome: ['always', 'outcomes'] }

const Scripts: FC<{ visit: Visit; scripts: readonly Script[] }> = ({ visit, scripts }) => (
  <Table
    caption="Scripted payments"
    rows={scripts}
    columns={[
      { name: 'For', cell: ({ scope }) => <Scope visit={visit} scope={scope} /> },
      {
        name: 'The next, in order',
        cell: ({ outcomes: left }) => sequenceText(left) ?? <Nothing />,
      },
      { name: 'Then always', cell: ({ always }) => always ?? <Nothing /> },
    ]}
    empty={
      <Empty>
        <p>Nothing is scripted: payments of customers who have a payment method succeed.</p>
        <p>Make the next one fail with the form below.</p>
      </Empty>
    }
  />
)

const Scope: FC<{ visit: Visit; scope: Script['scope'] }> = ({ visit, scope }) => {
  const { subscription_id: subscription, customer_id: customer } = scope
  if (subscription !== undefined) {
    return <RecordLink visit={visit} place="subscriptions" id={subscription} />
  }
  if (customer === undefined) return <>all payments</>
  return <RecordLink visit={visit} place="customers" id={customer} />
}

/** How many runs of one outcome are shown. */
const RUNS_SHOWN = 8

/** `card_declined × 2, succeed`; null where nothing is left. */
function sequenceText(left: readonly Outcome[]): string | null {
  const runs: { outcome: Outcome; times: number }[] = []
  for (const outcome of left) {
    const last = runs.at(-1)
    if (last?.outcome === outcome) last.times += 1
    else runs.push({ outcome, times: 1 })
  }
  if (runs.length === 0) return null
  const texts = runs
    .slice(0, RUNS_SHOWN)
    .map(({ outcome, times }) => (times === 1 ? outcome : `${outcome} × ${times}`))
  return `${texts.join(', ')}${runs.length > RUNS_SHOWN ? ', …' : ''}`
}

const ScriptForm: FC<{ action: string; sent: Sent }> = ({ action, sent }) => (
  <Form action={action} sent={sent} submit="Set outcome">
    <SelectField
      name="outcome"
      label="Outcome"
      options={Object.entries(outcomeTexts) as Option[]}
      sent={sent}
    />
    <SelectField
      name="lasts"
      label="How often"
      options={[
        ['times', 'a number of times'],
        ['always', 'always, from now on'],
      ]}
      sent={sent}
    />
    <TextField
      name="times"
      label="Number of times"
      type="number"
      hint="Only without “always”: 1 if empty, added to what is already scripted"
      sent={sent}
    />
    <TextField
      name="customer_id"
      label="Customer"
      hint="Such as cus_ada; all payments if this and the next field are empty"
      sent={sent}
    />
    <TextField
      name="subscription_id"
      label="Or subscription"
      hint="Such as sub_000001"
      sent={sent}
    />
  </Form>
)

function askToClear({ to }: Visit): Question {
  return {
    title: 'Clear all scripted payments',
    text: (
      <p>
        All scripted outcomes are deleted, those that hold always too. Payments then succeed if the
        customer has a payment method. Past payments stay as they are.
      </p>
    ),
    submit: 'Clear all',
    cancel: to('payments'),
  }
}
