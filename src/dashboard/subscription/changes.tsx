/** Changing the plan of a subscription, and applying a coupon to it. The effect is shown before it is charged or redeemed. */
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { Choices, FormField, Hidden, planChoice } from '../forms/controls.tsx'
import { withSuggestions } from '../forms/field.ts'
import { Form, QueryForm, Refused, WithPreview } from '../forms/form.tsx'
import { leadingTo, type PageTable } from '../page-kinds/page-row.tsx'
import {
  type Act,
  balanceAfter,
  chargedText,
  nextInvoice,
  previewOf,
  subscriptionAfter,
} from '../reading/preview.ts'
import { allows } from '../reading/statuses.ts'
import { emptyForm, type FormState, foundOrRefused } from '../ui/form-state.ts'
import { Hint } from '../ui/links.tsx'
import { PAGE_LENGTH, type PageContext, usePage, type View } from '../ui/page-context.ts'
import { Facts, Section } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import { nextInvoiceFacts, notAllowed } from './actions.tsx'
import { Derivation } from './derivation.tsx'

export const changePages: PageTable = {
  'subscriptions/:id/apply-coupon': {
    show: couponPage,
    act: leadingTo('applied', ({ sandbox, id }, values) =>
      sandbox.subscriptions.applyCoupon(id, { coupon_id: values.raw('coupon_id') }),
    ),
  },
  'subscriptions/:id/update': {
    show: planPage,
    act: leadingTo('changed', ({ sandbox, id }, values) =>
      sandbox.subscriptions.update(id, { plan: values.raw('plan') }),
    ),
  },
}

type Outcome = Awaited<ReturnType<typeof outcomeOf>>

/** The effect of an act on a subscription. Throws its refusal. */
async function outcomeOf(page: PageContext, act: Act) {
  const preview = await previewOf(page, act)
  return { preview, next: await nextInvoice(page, act, preview) }
}

/** What was chosen in a field would do, and why it is refused; also why it was refused when it was sent. */
async function outcomeOn(page: PageContext, field: string, actOf: (chosen: string) => Act) {
  const { values, refusal } = page.form
  // It may be in the query.
  const chosen = values.text(field)
  if (chosen === undefined || refusal !== null) return { found: null, refusal }
  return foundOrRefused(() => outcomeOf(page, actOf(chosen)))
}

async function couponPage(page: PageContext): Promise<View> {
  const { subscription_id: id, discounts, status } = await page.sandbox.subscriptions.get(page.id)
  const { found, refusal } = await outcomeOn(page, 'coupon_id', (coupon_id) => ({
    operation: 'applyCoupon',
    params: { subscription_id: id },
    body: { coupon_id },
  }))
  const form = { values: page.form.values, refusal }
  const present = discounts.map((each) => each.coupon_id).join(', ')
  const field = { name: 'coupon_id', suggest: 'coupons', isRequired: true } as const
  const preview = found && (
    <Section title={chargedText(found.preview)}>
      <Facts facts={nextInvoiceFacts(found.next)} />
    </Section>
  )
  const body = (
    <>
      <p>
        {present === ''
          ? 'It has no discount.'
          : `It has a discount of ${present}. A new discount replaces it, unless all of these coupons are stackable; a trial extension leaves it as it is.`}
      </p>
      {allows({ status }, 'apply_coupon') ? (
        <WithPreview preview={preview}>
          <Form
            form={form}
            fields={await withSuggestions(page, [field])}
            submit="Apply the coupon"
            cancel={page.above}
            preview={page.path}
          />
        </WithPreview>
      ) : (
        <>
          <Refused form={form} />
          <p>{notAllowed(status)}</p>
        </>
      )}
    </>
  )
  const title = `Apply a coupon to ${id}`
  return { title, note: <StatusBadge status={status} />, body, live: 'nothing' }
}

async function planPage(page: PageContext): Promise<View> {
  const [subscription, plans] = await Promise.all([
    page.sandbox.subscriptions.get(page.id),
    page.list('/sandbox/plans', { limit: PAGE_LENGTH }),
  ])
  const { subscription_id: id, status } = subscription
  const { found, refusal } = await outcomeOn(page, 'plan', (plan) => ({
    operation: 'updateSubscription',
    params: { subscription_id: id },
    body: { plan },
  }))
  const isPossible = allows(subscription, 'change_plan')
  const preview = (
    <>
      <Refused form={{ ...emptyForm, refusal }} />
      {found && (await costs(page, found))}
      {isPossible && found === null && refusal === null && (
        <Hint text="Choose a plan to see what the change costs. Nothing is charged yet." />
      )}
    </>
  )
  const form = { values: page.form.values, refusal }
  const body = (
    <WithPreview preview={preview}>
      {isPossible ? (
        <PlanForms plan={subscription.plan} plans={plans} form={form} />
      ) : (
        <p>{notAllowed(status)}</p>
      )}
    </WithPreview>
  )
  const title = `Change the plan of ${id}`
  return { title, note: <StatusBadge status={status} />, body, live: 'nothing' }
}

interface PlanFormsProps {
  readonly plan: string
  readonly plans: Schemas['PlanList']
  readonly form: FormState
}

/** The plans to choose from, and a field for those further down the list. */
const PlanForms: FC<PlanFormsProps> = ({ plan, plans: { data, has_more: isCut }, form }) => {
  const { path, above } = usePage()
  const cost = 'Show what it costs'
  return (
    <div>
      <QueryForm form={form} action={path} preview={path} unscripted={cost} cancel={above}>
        <Choices
          name="plan"
          legend={`From ${plan} to`}
          choices={data.filter((each) => each.plan_id !== plan).map(planChoice)}
        />
      </QueryForm>
      {isCut && (
        <QueryForm form={form} action={path} submit={cost}>
          <FormField name="plan" label="Or enter an id" isRequired />
        </QueryForm>
      )}
    </div>
  )
}

/** What a change of plan costs, and the form that makes it. */
async function costs(page: PageContext, { preview, next }: Outcome): Promise<Child> {
  const subscription = subscriptionAfter(preview)
  const balance = await balanceAfter(page, preview, subscription.customer_id)
  const plan = page.form.values.raw('plan')
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
