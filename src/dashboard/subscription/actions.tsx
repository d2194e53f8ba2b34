/** The actions on a subscription: pause, resume, cancel. Only those that its status allows are offered. */
import type { Child } from 'hono/jsx'
import type { CommandTrigger } from '../../billing/status.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { instantText } from '../../wire/text.ts'
import { Choices } from '../forms/controls.tsx'
import { PostButton } from '../forms/form.tsx'
import { confirmation, type Question } from '../page-kinds/lists-and-questions.tsx'
import { type PageTable, pressed } from '../page-kinds/page-row.tsx'
import { chargedText, type InvoiceToCome, invoicesAfter, previewOf } from '../reading/preview.ts'
import { allows } from '../reading/statuses.ts'
import { button, dangerButton, recordPath } from '../ui/links.tsx'
import type { PageContext } from '../ui/page-context.ts'
import type { NamedValue } from '../ui/table.tsx'
import { At, MoneyText, Nothing } from '../ui/values.tsx'

type Subscription = Schemas['SubscriptionRecord']

/** The rows of the actions; a refusal is shown on the page of the subscription. */
export const actionPages: PageTable = {
  'subscriptions/:id/pause': pressed('paused', ({ sandbox, id }) =>
    sandbox.subscriptions.pause(id),
  ),
  'subscriptions/:id/resume': pressed('resumed', ({ sandbox, id }) =>
    sandbox.subscriptions.resume(id),
  ),
  'subscriptions/:id/remove-scheduled-cancellation': pressed(
    'cancellation_removed',
    ({ sandbox, id }) => sandbox.subscriptions.removeScheduledCancellation(id),
  ),
  'subscriptions/:id/cancel': confirmation({
    ask: askToCancel,
    act: ({ sandbox, id }, values) =>
      sandbox.subscriptions.cancel(id, { at_period_end: values.raw('at_period_end') === 'true' }),
    keep: 'Keep it',
    did: (values) => (values.raw('at_period_end') === 'true' ? 'cancel_scheduled' : 'canceled'),
  }),
}

/** The actions that the status of a subscription allows. */
export function subscriptionActions(subscription: Subscription): Child {
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
export function notAllowed(status: string): string {
  return `A subscription that is ${status.replaceAll('_', ' ')} does not take this.`
}

async function askToCancel(page: PageContext): Promise<Question> {
  const subscription = await page.sandbox.subscriptions.get(page.id)
  const title = `Cancel ${page.id}`
  if (!allows(subscription, 'cancel_now')) {
    return { title, text: notAllowed(subscription.status), submit: null }
  }
  const by = instantText(subscription.current_period_end)
  const note = `Access continues until ${by}. Then nothing more is billed.`
  const canWait = allows(subscription, 'cancel_at_period_end')
  const choices = [
    ...(canWait ? [{ value: 'true', label: 'With its period', note }] : []),
    { value: 'false', label: 'Now', note: await endingNow(page) },
  ]
  return {
    title,
    text: 'A subscription that is canceled is never active again: its plan, its discounts and what is left of its period go with it, and nothing is paid back.',
    submit: 'Cancel the subscription',
    choices: (
      <Choices
        name="at_period_end"
        legend="When does it end?"
        choices={choices}
        chosen={String(canWait)}
      />
    ),
  }
}

/** What ending the subscription of the page now does, in sentences. */
async function endingNow(page: PageContext): Promise<string> {
  const { id } = page
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
