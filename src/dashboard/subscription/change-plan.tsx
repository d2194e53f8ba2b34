/** Changing the plan of a subscription. Its cost is shown before it is charged. */
import type { FC } from 'hono/jsx'
import { Choices, planChoice } from '../forms/choices.tsx'
import { Form, FormField, Hidden, QueryForm, Refused } from '../forms/form.tsx'
import { PAGE_LENGTH } from '../page-kinds/list-page.tsx'
import type { PageRow } from '../page-kinds/page-row.tsx'
import {
  balanceAfter,
  chargedText,
  nextInvoice,
  previewOf,
  subscriptionAfter,
} from '../reading/preview.ts'
import { allows } from '../reading/statuses.ts'
import { emptyForm, type FormState, foundOrRefused } from '../ui/form-state.ts'
import type { PageContext, View } from '../ui/page-context.ts'
import { Facts, Heading, Section } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import { done, NotAllowed, nextInvoiceFacts, subscriptionAddress } from './actions.tsx'
import { Derivation } from './derivation.tsx'

export const changePlanPage: PageRow = {
  // A plan may be in the query.
  show: (page) => show(page, { values: page.queryValues, refusal: null }),
  showRefused: show,
  act: async (page, { values }) => {
    await page.sandbox.subscriptions.update(page.id, { plan: values.raw('plan') })
    return done(page, 'changed')
  },
}

type PlanChange = Awaited<ReturnType<typeof outcomeOf>>

/** The result of a change of plan. Throws the refusal of the change. */
async function outcomeOf(page: PageContext, id: string, plan: string) {
  const act = {
    operation: 'updateSubscription',
    params: { subscription_id: id },
    body: { plan },
  } as const
  const preview = await previewOf(page, act)
  const subscription = subscriptionAfter(preview)
  const balance = await balanceAfter(page, preview, subscription.customer_id)
  return { preview, subscription, balance, next: await nextInvoice(page, act, preview) }
}

async function show(page: PageContext, form: FormState): Promise<View> {
  const [subscription, plans] = await Promise.all([
    page.sandbox.subscriptions.get(page.id),
    page.list('/sandbox/plans', { limit: PAGE_LENGTH }),
  ])
  const { subscription_id: id, status } = subscription
  const plan = form.values.text('plan')
  const { found: outcome, refusal } =
    plan === undefined || form.refusal !== null
      ? { found: null, refusal: form.refusal }
      : await foundOrRefused(() => outcomeOf(page, id, plan))
  const shown = { values: form.values, refusal }
  const back = subscriptionAddress(page)
  const address = `${back}/update`
  const isPossible = allows(subscription, 'change_plan')
  const others = plans.data.filter((each) => each.plan_id !== subscription.plan)
  const title = `Change the plan of ${id}`
  const showCost = (
    <>
      <button type="submit" class="unscripted">
        Show what it costs
      </button>
      <a href={back}>Cancel</a>
    </>
  )
  const body = (
    <>
      <Heading title={title} note={<StatusBadge status={status} />} />
      <div class="with-preview">
        <div>
          {!isPossible && <NotAllowed status={status} />}
          {isPossible && (
            <QueryForm form={shown} action={address} preview={address} actions={showCost}>
              <Choices
                name="plan"
                legend={`From ${subscription.plan} to`}
                choices={others.map(planChoice)}
              />
            </QueryForm>
          )}
          {isPossible && plans.has_more && (
            <QueryForm
              form={shown}
              action={address}
              actions={<button type="submit">Show what it costs</button>}
            >
              <FormField name="plan" label="Or enter an id" isRequired />
            </QueryForm>
          )}
        </div>
        <div id="preview" aria-live="polite">
          <Refused form={{ ...emptyForm, refusal }} />
          {outcome !== null && <Costs action={address} outcome={outcome} form={form} />}
          {isPossible && outcome === null && refusal === null && (
            <p class="hint">Choose a plan to see what the change costs. Nothing is charged yet.</p>
          )}
        </div>
      </div>
    </>
  )
  return { title, body, live: 'nothing' }
}

const Costs: FC<{ action: string; outcome: PlanChange; form: FormState }> = ({
  action,
  outcome: { preview, subscription, next, balance },
  form,
}) => {
  const plan = form.values.raw('plan')
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
            ['Balance of the customer after', balance ? <MoneyText {...balance} /> : <Nothing />],
          ]}
        />
        <Form action={action} form={form} submit={`Change the plan to ${plan}`}>
          <Hidden values={{ plan }} />
        </Form>
      </Section>
      {preview.explanations.map((each) => (
        <Derivation explanation={each} />
      ))}
    </>
  )
}
