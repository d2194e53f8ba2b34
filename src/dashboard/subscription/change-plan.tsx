/** Changing the plan of a subscription. What it costs is shown before it is charged. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import { answered } from '../../library/transport.ts'
import { page, submit } from '../page.tsx'
import { Derivation } from '../pages/derivation.tsx'
import {
  type BalanceAfter,
  balanceAfter,
  chargedText,
  type InvoiceToCome,
  nextInvoice,
  type Preview,
  previewOf,
  type SubscriptionAfter,
  subscriptionAfter,
} from '../preview.ts'
import { foundOrRefused, nothingSent, type Sent } from '../sent.ts'
import { allows } from '../statuses.ts'
import { Choices, planChoice } from '../ui/choices.tsx'
import { Form, Refused, TextField } from '../ui/form.tsx'
import { Facts, Heading, Section } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { done, NotAllowed, subscriptionAddress } from './actions.tsx'
import { nextInvoiceFacts } from './next-invoice.tsx'

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
  readonly subscription: SubscriptionAfter
  readonly balance: BalanceAfter | null
  readonly next: InvoiceToCome | null
}

/** Throws what the change would be refused with. */
async function outcomeOf(visit: Visit, id: string, plan: string): Promise<PlanChange> {
  const act = {
    operation: 'updateSubscription',
    params: { subscription_id: id },
    body: { plan },
  } as const
  const preview = await previewOf(visit, act)
  const subscription = subscriptionAfter(preview)
  const balance = await balanceAfter(visit, preview, subscription.customer_id)
  const next = await nextInvoice(visit, act, preview)
  return { preview, subscription, balance, next }
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
          <Refused sent={{ ...nothingSent, refusal }} />
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
            ...nextInvoiceFacts(next),
            [
              'Balance of the customer after',
              balance === null ? (
                <Nothing />
              ) : (
                <MoneyText amount={balance.amount} currency={balance.currency} />
              ),
            ],
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
