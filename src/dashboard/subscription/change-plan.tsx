/** Changing the plan of a subscription. What it costs is shown before it is charged. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { page, submit } from '../page.tsx'
import { Derivation } from '../pages/derivation.tsx'
import {
  type Act,
  type BalanceAfter,
  balanceAfter,
  chargedText,
  futureOf,
  type InvoiceAfter,
  invoicesAfter,
  type Preview,
  previewOf,
} from '../preview.ts'
import { foundOrRefused, type Sent } from '../sent.ts'
import { allows } from '../statuses.ts'
import { Choices, planChoice } from '../ui/choices.tsx'
import { Form, TextField } from '../ui/form.tsx'
import { Facts, Heading, Section } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { done, NotAllowed, subscriptionAddress } from './actions.tsx'

/** How many plans there are to choose from. */
const LISTED = 50

export function changePlanPages(pages: Hono): void {
  pages.get('/subscriptions/:id/update', page(askedPage))
  pages.post('/subscriptions/:id/update', submit({ act: change, show: updatePage }))
}

async function change(visit: Visit, { values }: Sent): Promise<string> {
  await visit.sandbox.subscriptions.update(visit.id, { plan: values.raw('plan') })
  return done(visit, 'changed')
}

/** What a change of plan leads to. */
interface PlanChange {
  readonly preview: Preview
  /** As the change leaves it. */
  readonly subscription: Pick<
    Schemas['SubscriptionRecord'],
    'status' | 'pending_plan' | 'current_period_end'
  >
  readonly balance: BalanceAfter | null
  readonly next: InvoiceToCome | null
}

type InvoiceToCome = Pick<InvoiceAfter, 'created_at' | 'amount_due' | 'currency'>

/** Throws what the change would be refused with. */
async function outcomeOf(visit: Visit, id: string, plan: string): Promise<PlanChange> {
  const act = {
    operation: 'updateSubscription',
    params: { subscription_id: id },
    body: { plan },
  } as const
  const preview = await previewOf(visit, act)
  const [answer] = preview.answers
  const subscription = answer?.body
  if (!subscription || !('pending_plan' in subscription)) {
    throw new Error('An update answers the subscription')
  }
  const { customer_id: customer, current_period_end: until } = subscription
  const balance = await balanceAfter(visit, preview, customer)
  const next = await nextInvoice(visit, act, { id, from: preview.from, until })
  return { preview, subscription, balance, next }
}

/** The first invoice to come until the end of the period. Where nothing of it differs, it is that of the present plan. */
async function nextInvoice(
  visit: Visit,
  act: Act,
  { id, from, until }: { readonly id: string; readonly from: string; readonly until: string },
): Promise<InvoiceToCome | null> {
  // The period of a paused one may be over.
  if (until <= from) return null
  const { invoices } = await futureOf(visit, act, { until })
  const differing = invoices.filter(
    ({ subscription_id, created_at }) => subscription_id === id && created_at > from,
  )
  const [next = null] =
    differing.length > 0
      ? invoicesAfter({ invoices: differing }, id)
      : await visit.sandbox.subscriptions.forecast(id, { until })
  return next
}

/** The page with a plan in its query, or none yet. */
async function askedPage(visit: Visit): Promise<View> {
  return updatePage(visit, { values: visit.asked, refusal: null })
}

async function updatePage(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, control } = visit
  const [subscription, plans] = await Promise.all([
    sandbox.subscriptions.get(visit.id),
    answered(control.GET('/sandbox/plans', { params: { query: { limit: LISTED } } })),
  ])
  const { subscription_id: id, status } = subscription
  const { found: outcome, refusal } = await chosenOutcome(visit, id, sent)
  const asked = { values: sent.values, refusal }
  const address = `${subscriptionAddress(visit)}/update`
  const isPossible = allows(subscription, 'change_plan')
  const others = plans.data.filter((plan) => plan.plan_id !== subscription.plan)
  const body = (
    <>
      <Heading title={`Change the plan of ${id}`} note={<StatusBadge status={status} />} />
      <div class="with-preview">
        <div>
          {!isPossible && <NotAllowed status={status} />}
          {isPossible && (
            <form method="get" action={address} class="form" data-preview={address}>
              <Choices
                name="plan"
                legend={`From ${subscription.plan} to`}
                sent={asked}
                choices={others.map(planChoice)}
              />
              <div class="actions">
                <button type="submit" class="unscripted">
                  Show what it costs
                </button>
                <a href={subscriptionAddress(visit)}>Cancel</a>
              </div>
            </form>
          )}
          {isPossible && plans.has_more && (
            <form method="get" action={address} class="form">
              <TextField name="plan" label="Or enter an id" sent={asked} isRequired />
              <div class="actions">
                <button type="submit">Show what it costs</button>
              </div>
            </form>
          )}
        </div>
        <div id="preview" aria-live="polite">
          {refusal !== null && <p class="refusal">{refusal.message}</p>}
          {outcome !== null && <Costs visit={visit} outcome={outcome} sent={sent} />}
          {isPossible && outcome === null && refusal === null && (
            <p class="hint">Choose a plan to see what the change costs. Nothing is charged yet.</p>
          )}
        </div>
      </div>
    </>
  )
  return { title: `Change the plan of ${id}`, body, live: 'nothing' }
}

/** What the chosen plan leads to; nothing before one is chosen. */
async function chosenOutcome(visit: Visit, id: string, { values, refusal }: Sent) {
  const plan = values.text('plan')
  if (plan === undefined || refusal !== null) return { found: null, refusal }
  return foundOrRefused(() => outcomeOf(visit, id, plan))
}

const Costs: FC<{ visit: Visit; outcome: PlanChange; sent: Sent }> = ({ visit, outcome, sent }) => {
  const { preview, subscription, next, balance } = outcome
  const plan = sent.values.raw('plan')
  const isLater = subscription.pending_plan === plan
  return (
    <>
      <Section title={chargedText(preview)}>
        <Facts
          facts={[
            [
              'The new plan holds',
              isLater ? <At instant={subscription.current_period_end} /> : 'at once',
            ],
            ['Status after', <StatusBadge status={subscription.status} />],
            ['Next invoice', <At instant={next?.created_at} />],
            ['Due then', <Amount of={next && { ...next, amount: next.amount_due }} />],
            ['Balance of the customer after', <Amount of={balance} />],
          ]}
        />
        <Form
          action={`${subscriptionAddress(visit)}/update`}
          sent={sent}
          submit={`Change the plan to ${plan}`}
        >
          <input type="hidden" name="plan" value={plan} />
        </Form>
      </Section>
      {preview.explanations.map((each) => (
        <Derivation explanation={each} />
      ))}
    </>
  )
}

const Amount: FC<{ of: { readonly amount: number; readonly currency: string } | null }> = ({
  of,
}) => (of === null ? <Nothing /> : <MoneyText amount={of.amount} currency={of.currency} />)
