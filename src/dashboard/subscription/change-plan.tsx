/** Changing the plan of a subscription. Its cost is shown before it is charged. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { Choices, FormField, Hidden, planChoice } from '../forms/controls.tsx'
import { Form, QueryForm, Refused } from '../forms/form.tsx'
import { PAGE_LENGTH } from '../page-kinds/list-page.tsx'
import { leadingTo, type PageRow } from '../page-kinds/page-row.tsx'
import {
  balanceAfter,
  chargedText,
  nextInvoice,
  previewOf,
  subscriptionAfter,
} from '../reading/preview.ts'
import { allows } from '../reading/statuses.ts'
import { emptyForm, type FormState, foundOrRefused } from '../ui/form-state.ts'
import { type PageContext, usePage, type View } from '../ui/page-context.ts'
import { Facts, Section } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import { NotAllowed, nextInvoiceFacts } from './actions.tsx'
import { Derivation } from './derivation.tsx'

export const changePlanPage: PageRow = {
  show,
  act: leadingTo('changed', ({ sandbox, id }, values) =>
    sandbox.subscriptions.update(id, { plan: values.raw('plan') }),
  ),
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

async function show(page: PageContext): Promise<View> {
  const [subscription, plans] = await Promise.all([
    page.sandbox.subscriptions.get(page.id),
    page.list('/sandbox/plans', { limit: PAGE_LENGTH }),
  ])
  const { subscription_id: id, status } = subscription
  const { values, refusal: earlier } = page.form
  // A plan may be in the query.
  const plan = values.text('plan')
  const { found: outcome, refusal } =
    plan === undefined || earlier !== null
      ? { found: null, refusal: earlier }
      : await foundOrRefused(() => outcomeOf(page, id, plan))
  const isPossible = allows(subscription, 'change_plan')
  const body = (
    <div class="with-preview">
      <div>
        {isPossible ? (
          <PlanForms subscription={subscription} plans={plans} form={{ values, refusal }} />
        ) : (
          <NotAllowed status={status} />
        )}
      </div>
      <div id="preview" aria-live="polite">
        <Refused form={{ ...emptyForm, refusal }} />
        {outcome !== null && <Costs outcome={outcome} />}
        {isPossible && outcome === null && refusal === null && (
          <p class="hint">Choose a plan to see what the change costs. Nothing is charged yet.</p>
        )}
      </div>
    </div>
  )
  const title = `Change the plan of ${id}`
  return { title, note: <StatusBadge status={status} />, body, live: 'nothing' }
}

/** The plans to choose from, and a field for those further down the list. */
const PlanForms: FC<{
  subscription: Schemas['SubscriptionRecord']
  plans: Schemas['PlanList']
  form: FormState
}> = ({ subscription: { plan }, plans: { data, has_more: isCut }, form }) => {
  const { path, above } = usePage()
  const showCost = (
    <>
      <button type="submit" class="unscripted">
        Show what it costs
      </button>
      <a href={above}>Cancel</a>
    </>
  )
  return (
    <>
      <QueryForm form={form} action={path} preview={path} actions={showCost}>
        <Choices
          name="plan"
          legend={`From ${plan} to`}
          choices={data.filter((each) => each.plan_id !== plan).map(planChoice)}
        />
      </QueryForm>
      {isCut && (
        <QueryForm
          form={form}
          action={path}
          actions={<button type="submit">Show what it costs</button>}
        >
          <FormField name="plan" label="Or enter an id" isRequired />
        </QueryForm>
      )}
    </>
  )
}

const Costs: FC<{ outcome: PlanChange }> = ({
  outcome: { preview, subscription, next, balance },
}) => {
  const plan = usePage().form.values.raw('plan')
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
        <Form submit={`Change the plan to ${plan}`}>
          <Hidden values={{ plan }} />
        </Form>
      </Section>
      {preview.explanations.map((each) => (
        <Derivation explanation={each} />
      ))}
    </>
  )
}
