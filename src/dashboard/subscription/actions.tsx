/** The actions on a subscription. Only those that the table of statuses allows are offered. */
import type { Child } from 'hono/jsx'
import type { CommandTrigger } from '../../billing/status.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { PostButton } from '../forms/form.tsx'
import { buttonRow, type PageTable } from '../page-kinds/page-row.tsx'
import { accepts } from '../reading/statuses.ts'
import { button, dangerButton, recordPath } from '../ui/links.tsx'

/** The rows of buttons; a refusal is shown on the page of the subscription. */
export const actionPages: PageTable = {
  'subscriptions/:id/resume': buttonRow('resumed', ({ sandbox, id }) =>
    sandbox.subscriptions.resume(id),
  ),
  'subscriptions/:id/remove-scheduled-cancellation': buttonRow(
    'cancellation_removed',
    ({ sandbox, id }) => sandbox.subscriptions.removeScheduledCancellation(id),
  ),
}

/** The actions that the status of a subscription allows. */
export function subscriptionActions(subscription: Schemas['SubscriptionRecord']): Child {
  const at = (action: string) =>
    `${recordPath('subscriptions', subscription.subscription_id)}/${action}`
  const can = (trigger: CommandTrigger) => accepts(subscription, trigger)
  const isScheduled = subscription.cancel_at_period_end
  return (
    <>
      {can('cancel_now') && button('Fail the next payment…', at('fail-payment'))}
      {can('change_plan') && button('Change plan…', at('update'))}
      {can('apply_coupon') && button('Apply a coupon…', at('apply-coupon'))}
      {can('pause') && button('Pause…', at('pause'))}
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
