/**
 * Changing the plan of a subscription. What it would cost is shown before it is charged: the change is made in a fork,
 * which goes as soon as it is read.
 */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { amountText } from '../../wire/text.ts'
import { eventNumbers } from '../newest.ts'
import { page, submit } from '../page.tsx'
import { Derivation } from '../pages/derivation.tsx'
import { foundOrRefused, type Sent } from '../sent.ts'
import { Choices, planChoice } from '../ui/choices.tsx'
import { Form, TextField } from '../ui/form.tsx'
import { Facts, Heading, Section } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { done, subscriptionAddress } from './actions.tsx'

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
  readonly subscription: Omit<Schemas['SubscriptionRecord'], 'access_until'>
  /** How the invoice for what is left of the period came about; null where none is made. */
  readonly proration: Schemas['Explanation'] | null
  readonly balance: number
  readonly next: Schemas['Invoice'] | null
}

/**
 * Throws what the change would be refused with. It is a fork that answers, because a what-if has no lines of invoices; its
 * name says what it is for, should the server be killed before it is closed.
 */
async function outcomeOf(visit: Visit, id: string, plan: string): Promise<PlanChange> {
  const { newest } = await eventNumbers(visit)
  const fork = await visit.sandbox.fork({ id: `plan-preview-${crypto.randomUUID().slice(0, 8)}` })
  try {
    const subscription = await fork.subscriptions.update(id, { plan })
    const made = (await fork.events.list({ ...invoicesOf(id), after: newest })).find(
      ({ detail }) => detail['reason'] === 'proration',
    )
    const until = subscription.current_period_end
    const [next = null] = await fork.subscriptions.forecast(id, { until })
    const { balance } = await fork.customers.get(subscription.customer_id)
    const proration = made === undefined ? null : await fork.invoices.explain(made.subject.id)
    return { subscription, proration, balance, next }
  } finally {
    await fork.close()
  }
}

function invoicesOf(id: string) {
  return { type: 'invoice.created' as const, subscription_id: [id] }
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
  const { found: outcome, refusal } = await previewOf(visit, id, sent)
  const asked = { values: sent.values, refusal }
  const address = `${subscriptionAddress(visit)}/update`
  const others = plans.data.filter((plan) => plan.plan_id !== subscription.plan)
  const body = (
    <>
      <Heading title={`Change the plan of ${id}`} note={<StatusBadge status={status} />} />
      <div class="with-preview">
        <div>
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
          {plans.has_more && (
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
          {outcome === null && refusal === null && (
            <p class="hint">Choose a plan to see what the change costs. Nothing is charged yet.</p>
          )}
        </div>
      </div>
    </>
  )
  return { title: `Change the plan of ${id}`, body, live: 'nothing' }
}

/** What the chosen plan leads to; nothing before one is chosen. */
async function previewOf(visit: Visit, id: string, { values, refusal }: Sent) {
  const plan = values.text('plan')
  if (plan === undefined || refusal !== null) return { found: null, refusal }
  return foundOrRefused(() => outcomeOf(visit, id, plan))
}

const Costs: FC<{ visit: Visit; outcome: PlanChange; sent: Sent }> = ({ visit, outcome, sent }) => {
  const { subscription, proration, next, balance } = outcome
  const { pending_plan: pending } = subscription
  const plan = sent.values.raw('plan')
  const currency = (proration?.invoice ?? next)?.currency
  return (
    <>
      <Section title={chargedText(proration)}>
        <Facts
          facts={[
            [
              'The new plan holds',
              pending === plan ? <At instant={subscription.current_period_end} /> : 'at once',
            ],
            ['Next invoice', <At instant={next?.created_at} />],
            [
              'Due then',
              next === null ? (
                <Nothing />
              ) : (
                <MoneyText amount={next.amount_due} currency={next.currency} />
              ),
            ],
            [
              'Balance of the customer after',
              currency === undefined ? (
                <Nothing />
              ) : (
                <MoneyText amount={balance} currency={currency} />
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
      {proration !== null && <Derivation explanation={proration} />}
    </>
  )
}

function chargedText(proration: Schemas['Explanation'] | null): string {
  if (proration === null || proration.invoice.amount_due === 0) return 'Nothing is charged now'
  const { amount_due: due, currency, status } = proration.invoice
  const amount = amountText(due, currency)
  return status === 'paid' ? `Charged now: ${amount}` : `Due now: ${amount}, and the payment fails`
}
