/** The actions on a subscription: pause, resume, cancel. Only those that its status allows are offered. */
import type { FC } from 'hono/jsx'
import type { CommandTrigger } from '../../billing/status.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { Choices } from '../forms/choices.tsx'
import { PostButton } from '../forms/form.tsx'
import { confirmation, type Question } from '../page-kinds/confirmation.tsx'
import type { PageRow, PageTable } from '../page-kinds/page-row.tsx'
import { chargedText, type InvoiceToCome, invoicesAfter, previewOf } from '../reading/preview.ts'
import { allows } from '../reading/statuses.ts'
import { button, dangerButton, recordAddress, recordPath } from '../ui/links.tsx'
import type { Notice } from '../ui/notices.ts'
import { type PageContext, withNotice } from '../ui/page-context.ts'
import type { NamedValue } from '../ui/table.tsx'
import { At, MoneyText, Nothing } from '../ui/values.tsx'

type Subscription = Schemas['SubscriptionRecord']

/** The address of the page of the subscription that the path names. */
export function subscriptionAddress(page: PageContext): string {
  return recordAddress(page, 'subscriptions', page.id)
}

/** The page of the subscription with a notice. */
export function done(page: PageContext, notice: Notice): string {
  return withNotice(subscriptionAddress(page), notice)
}

/** The rows of the actions; a refusal is shown on the page of the subscription. */
export function actionPages(show: PageRow['show']): PageTable {
  const button = (act: NonNullable<PageRow['act']>): PageRow => ({ hasNoPage: true, show, act })
  return {
    'subscriptions/:id/pause': button(async (page) => {
      await page.sandbox.subscriptions.pause(page.id)
      return done(page, 'paused')
    }),
    'subscriptions/:id/resume': button(async (page) => {
      await page.sandbox.subscriptions.resume(page.id)
      return done(page, 'resumed')
    }),
    'subscriptions/:id/remove-scheduled-cancellation': button(async (page) => {
      await page.sandbox.subscriptions.removeScheduledCancellation(page.id)
      return done(page, 'cancellation_removed')
    }),
    'subscriptions/:id/cancel': confirmation({
      ask: askToCancel,
      act: ({ sandbox, id }, { values }) =>
        sandbox.subscriptions.cancel(id, { at_period_end: values.raw('at_period_end') === 'true' }),
      back: subscriptionAddress,
      keep: 'Keep it',
      did: ({ values }) =>
        values.raw('at_period_end') === 'true' ? 'cancel_scheduled' : 'canceled',
    }),
  }
}

/** The actions that the status of a subscription allows. */
export const Actions: FC<{ subscription: Subscription }> = ({ subscription }) => {
  const at = (action: string) =>
    `${recordPath('subscriptions', subscription.subscription_id)}/${action}`
  const can = (trigger: CommandTrigger) => allows(subscription, trigger)
  const isScheduled = subscription.cancel_at_period_end
  return (
    <>
      {can('change_plan') && button('Change plan…', at('update'))}
      {can('apply_coupon') && button('Apply a coupon…', at('apply-coupon'))}
      {can('pause') && <PostButton to={at('pause')}>Pause</PostButton>}
      {can('resume') && <PostButton to={at('resume')}>Resume</PostButton>}
      {isScheduled && can('remove_scheduled_cancellation') && (
        <PostButton to={at('remove-scheduled-cancellation')}>
          Remove the scheduled cancellation
        </PostButton>
      )}
      {can('cancel_now') && dangerButton('Cancel…', at('cancel'))}
    </>
  )
}

/** Instead of a form that the sandbox always refuses. */
export const NotAllowed: FC<{ status: string }> = ({ status }) => (
  <p>A subscription that is {status.replaceAll('_', ' ')} does not take this.</p>
)

async function askToCancel(page: PageContext): Promise<Question> {
  const subscription = await page.sandbox.subscriptions.get(page.id)
  const choices = await endings(page, subscription)
  const title = `Cancel ${page.id}`
  const [first] = choices
  if (first === undefined) {
    return { title, text: <NotAllowed status={subscription.status} />, submit: null }
  }
  return {
    title,
    text: 'A subscription that is canceled is never active again: its plan, its discounts and what is left of its period go with it, and nothing is paid back.',
    submit: 'Cancel the subscription',
    choices: (
      <Choices
        name="at_period_end"
        legend="When does it end?"
        choices={choices}
        chosen={first.value}
      />
    ),
  }
}

/** The ends that the status allows. */
async function endings(page: PageContext, subscription: Subscription) {
  const { subscription_id: id, current_period_end: end } = subscription
  const later = {
    value: 'true',
    label: 'With its period',
    note: (
      <>
        Access continues until <At instant={end} />. Then nothing more is billed.
      </>
    ),
  }
  if (!allows(subscription, 'cancel_now')) return []
  const now = { value: 'false', label: 'Now', note: await endingNow(page, id) }
  return allows(subscription, 'cancel_at_period_end') ? [later, now] : [now]
}

async function endingNow(page: PageContext, id: string): Promise<string> {
  const act = { operation: 'cancelSubscription', params: { subscription_id: id } } as const
  const preview = await previewOf(page, { ...act, body: { at_period_end: false } })
  const voided = invoicesAfter(preview, id)
    .filter(({ status }) => status === 'void')
    .map((each) => each.invoice_id)
  const text = `${chargedText(preview)}.`
  return voided.length === 0
    ? `${text} It has no open invoice.`
    : `${text} Its open invoices become void now: ${voided.join(', ')}.`
}

/** The facts of the next invoice: when it is created, and the amount due. */
export function nextInvoiceFacts(next: InvoiceToCome | null): NamedValue[] {
  if (next === null) return [['Next invoice', <Nothing />]]
  return [
    ['Next invoice', <At instant={next.created_at} />],
    ['Due then', <MoneyText amount={next.amount_due} currency={next.currency} />],
  ]
}
