/** Changes of a subscription. The effect of most is shown before they are made: each is one call, in the preview and then in fact. */
import type { Child } from 'hono/jsx'
import type { CommandTrigger } from '../../billing/status.ts'
import type { PaymentFailure, Schemas } from '../../library/sandbox.ts'
import { instantText } from '../../wire/common/text.ts'
import { Choices, planChoice } from '../forms/controls.tsx'
import { withSuggestions } from '../forms/field.ts'
import { PostButton } from '../forms/form.tsx'
import { buttonRow, type PageTable } from '../page-kinds/page-row.tsx'
import {
  type Act,
  balanceAfter,
  chargedText,
  invoicesAfter,
  previewOf,
  subscriptionIn,
} from '../reading/preview.ts'
import { accepts, failures } from '../reading/statuses.ts'
import { button, dangerButton, recordPath } from '../ui/links.tsx'
import { PAGE_LENGTH, type PageContext } from '../ui/page-context.ts'
import type { NamedValue } from '../ui/table.tsx'
import { At, MoneyText, moneyText, Nothing, StatusBadge } from '../ui/values.tsx'
import { Derivation } from './derivation.tsx'
import { previewedAct } from './previewed-act.tsx'

type Subscription = Schemas['SubscriptionRecord']

export const changePages: PageTable = {
  'subscriptions/:id/resume': buttonRow('resumed', ({ sandbox, id }) =>
    sandbox.subscriptions.resume(id),
  ),
  'subscriptions/:id/remove-scheduled-cancellation': buttonRow(
    'cancellation_removed',
    ({ sandbox, id }) => sandbox.subscriptions.removeScheduledCancellation(id),
  ),
  'subscriptions/:id/fail-payment': previewedAct({
    title: 'Fail the next payment of',
    submit: 'Fail the next payment',
    trigger: 'cancel_now',
    form: () => ({
      text: 'A failure follows the outcomes that are scripted for this subscription: without any, its next payment fails, whatever the payment method.',
      fields: [{ name: 'reason', label: 'Outcome', options: failures }],
      start: { reason: 'card_declined' },
    }),
    actOf: (id, typed) => ({
      operation: 'scriptPaymentOutcomes',
      body: { subscription_id: id, outcomes: [typed('reason') as PaymentFailure] },
    }),
    did: 'scripted',
  }),
  'subscriptions/:id/update': previewedAct({
    title: 'Change the plan of',
    submit: 'Change the plan',
    trigger: 'change_plan',
    form: planForm,
    chosen: 'plan',
    actOf: (id, typed) => callOn(id, 'updateSubscription', { plan: typed('plan') }),
    did: 'changed',
    facts: planFacts,
    below: ({ explanations }) => explanations.map((each) => <Derivation explanation={each} />),
  }),
  'subscriptions/:id/apply-coupon': previewedAct({
    title: 'Apply a coupon to',
    submit: 'Apply the coupon',
    trigger: 'apply_coupon',
    form: async (page, { discounts }) => ({
      text:
        discounts.length === 0
          ? 'It has no discount.'
          : `It has a discount of ${discounts.map((each) => each.coupon_id).join(', ')}. A new discount replaces it, unless all of these coupons are stackable; a trial extension leaves it as it is.`,
      fields: await withSuggestions(page, [
        { name: 'coupon_id', suggest: 'coupon', isRequired: true },
      ]),
    }),
    chosen: 'coupon_id',
    actOf: (id, typed) => callOn(id, 'applyCoupon', { coupon_id: typed('coupon_id') }),
    did: 'applied',
  }),
  'subscriptions/:id/pause': previewedAct({
    title: 'Pause',
    submit: 'Pause the subscription',
    trigger: 'pause',
    form: () => ({}),
    actOf: (id) => callOn(id, 'pauseSubscription'),
    did: 'paused',
  }),
  'subscriptions/:id/cancel': previewedAct({
    title: 'Cancel',
    submit: 'Cancel the subscription',
    isDestructive: true,
    trigger: 'cancel_now',
    form: cancelForm,
    actOf: (id, typed) =>
      callOn(id, 'cancelSubscription', { at_period_end: typed('at_period_end') === 'true' }),
    facts: balanceFacts,
    did: (values) => (values.raw('at_period_end') === 'true' ? 'cancel_scheduled' : 'canceled'),
  }),
}

/** The actions that the status of a subscription allows. */
export function subscriptionActions(subscription: Subscription): Child {
  const at = (action: string) =>
    `${recordPath('subscriptions', subscription.subscription_id)}/${action}`
  const can = (trigger: CommandTrigger) => accepts(subscription, trigger)
  const isScheduled = subscription.cancel_at_period_end
  return [
    can('cancel_now') && button('Fail the next payment…', at('fail-payment')),
    can('change_plan') && button('Change plan…', at('update')),
    can('apply_coupon') && button('Apply a coupon…', at('apply-coupon')),
    can('pause') && button('Pause…', at('pause')),
    can('resume') && <PostButton to={at('resume')}>Resume</PostButton>,
    isScheduled && can('remove_scheduled_cancellation') && (
      <PostButton to={at('remove-scheduled-cancellation')}>
        Remove the scheduled cancellation
      </PostButton>
    ),
    can('cancel_now') && dangerButton('Cancel…', at('cancel')),
  ]
}

/** The call of an operation on a subscription. */
function callOn(id: string, operation: Act['operation'], body?: object): Act {
  return { operation, params: { subscription_id: id }, ...(body && { body }) } as Act
}

/** The plans to choose from; a field if there are too many. */
async function planForm(page: PageContext, { plan, pending_plan: pending }: Subscription) {
  const { data, has_more: isCut } = await page.list('/sandbox/plans', { limit: PAGE_LENGTH })
  if (isCut) {
    const field = { name: 'plan', suggest: 'plan', isRequired: true } as const
    return { text: `From ${plan} to:`, fields: await withSuggestions(page, [field]) }
  }
  const currency = data.find((each) => each.plan_id === plan)?.currency
  // A plan in another currency is refused. The plan that it has takes back a change to come.
  const isOffered = (each: Schemas['Plan']) =>
    each.currency === currency && (pending !== null || each.plan_id !== plan)
  const choices = data.filter(isOffered).map(planChoice)
  return {
    ...(pending !== null && {
      text: `It changes to ${pending} with its next period; its own plan takes that back.`,
    }),
    choices: <Choices name="plan" legend={`From ${plan} to`} choices={choices} />,
  }
}

async function planFacts(page: PageContext, preview: Schemas['WhatIf']): Promise<NamedValue[]> {
  const subscription = subscriptionIn(preview)
  if (subscription === null) return []
  const { pending_plan: pending, current_period_end: end, status } = subscription
  const isLater = pending === page.form.values.raw('plan')
  return [
    ['The new plan holds', isLater ? <At instant={end} /> : 'at once'],
    ['Status after', <StatusBadge status={status} />],
    ...(await balanceFacts(page, preview)),
  ]
}

async function balanceFacts(page: PageContext, preview: Schemas['WhatIf']): Promise<NamedValue[]> {
  const balance = await balanceAfter(page, preview, subscriptionIn(preview)?.customer_id ?? '')
  return [['Balance of the customer after', balance ? <MoneyText {...balance} /> : <Nothing />]]
}

async function cancelForm(page: PageContext, subscription: Subscription) {
  const { current_period_end: end, status, cancel_at_period_end: isScheduled } = subscription
  // Failing payments may end it before.
  const note = `Access continues until ${instantText(end)}${status === 'past_due' ? ' at most' : ''}. Then nothing more is billed.`
  const canWait = accepts(subscription, 'cancel_at_period_end')
  if (!accepts(subscription, 'cancel_now')) return {}
  const { credit, text } = await endNowTexts(page)
  const choices = [
    ...(canWait ? [{ value: 'true', label: 'With its period', note }] : []),
    { value: 'false', label: 'Now', note: text },
  ]
  const chosen = String(canWait)
  return {
    text: `${isScheduled ? 'It ends with its period already. ' : ''}A subscription that is canceled is never active again: its plan, its discounts and what is left of its period go with it${credit ? '' : ', and nothing is paid back'}.`,
    start: { at_period_end: chosen },
    choices: (
      <Choices name="at_period_end" legend="When does it end?" choices={choices} chosen={chosen} />
    ),
  }
}

/** What ending the subscription of the page now does, in sentences, and what it credits. */
async function endNowTexts(page: PageContext) {
  const { id } = page
  const preview = await previewOf(page, callOn(id, 'cancelSubscription', { at_period_end: false }))
  const voided = invoicesAfter(preview, id)
    .filter(({ status }) => status === 'void')
    .map((each) => each.invoice_id)
    .join(', ')
  const credit = preview.money
    .filter(({ difference }) => difference.balance > 0)
    .map(({ difference, currency }) => ` ${moneyText(difference.balance, currency)} is credited.`)
    .join('')
  const open = voided ? `Its open invoices become void now: ${voided}.` : 'It has no open invoice.'
  return { credit, text: `${chargedText(preview)}. ${open}${credit}` }
}
