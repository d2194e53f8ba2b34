/** What can be done with a subscription: pause, resume, cancel, apply a coupon. Only what its status allows is offered. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { CommandTrigger } from '../../billing/status.ts'
import type { Schemas } from '../../library/sandbox.ts'
import { submit, withNotice } from '../page.tsx'
import { chargedText, invoicesAfter, previewOf } from '../preview.ts'
import { addQuestion, type Question } from '../question.tsx'
import type { Sent } from '../sent.ts'
import { allows } from '../statuses.ts'
import { Choices } from '../ui/choices.tsx'
import { PostButton } from '../ui/form.tsx'
import { ButtonLink, DangerLink, recordAddress } from '../ui/links.tsx'
import type { Notice } from '../ui/notices.ts'
import { At } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

/** The address of the page of the subscription that the path names. */
export function subscriptionAddress(visit: Visit): string {
  return recordAddress(visit, 'subscriptions', visit.id)
}

export function actionPages(
  pages: Hono,
  subscriptionPage: (visit: Visit, sent: Sent) => Promise<View>,
): void {
  for (const [action, act] of Object.entries(actions)) {
    const path = `/subscriptions/:id/${action}`
    // Who loads the page of a refusal again gets that of the subscription.
    pages.get(path, (c) => c.redirect(subscriptionAddress(c.get('visit'))))
    pages.post(path, submit({ act, show: subscriptionPage }))
  }
  addQuestion(pages, '/subscriptions/:id/cancel', { ask: askToCancel, act: cancel })
}

const actions = {
  pause: async (visit: Visit) => {
    await visit.sandbox.subscriptions.pause(visit.id)
    return done(visit, 'paused')
  },
  resume: async (visit: Visit) => {
    await visit.sandbox.subscriptions.resume(visit.id)
    return done(visit, 'resumed')
  },
  'remove-scheduled-cancellation': async (visit: Visit) => {
    await visit.sandbox.subscriptions.removeScheduledCancellation(visit.id)
    return done(visit, 'cancellation_removed')
  },
}

/** What can be done with a subscription: what its status allows. */
export const Actions: FC<{ visit: Visit; subscription: Schemas['SubscriptionRecord'] }> = ({
  visit,
  subscription,
}) => {
  const at = (action: string) => `${subscriptionAddress(visit)}/${action}`
  const can = (trigger: CommandTrigger) => allows(subscription, trigger)
  const isScheduled = subscription.cancel_at_period_end
  return (
    <>
      {can('change_plan') && <ButtonLink href={at('update')}>Change plan…</ButtonLink>}
      {can('apply_coupon') && <ButtonLink href={at('apply-coupon')}>Apply a coupon…</ButtonLink>}
      {can('pause') && <PostButton action={at('pause')}>Pause</PostButton>}
      {can('resume') && <PostButton action={at('resume')}>Resume</PostButton>}
      {isScheduled && can('remove_scheduled_cancellation') && (
        <PostButton action={at('remove-scheduled-cancellation')}>
          Remove the scheduled cancellation
        </PostButton>
      )}
      {can('cancel_now') && <DangerLink href={at('cancel')}>Cancel…</DangerLink>}
    </>
  )
}

/** Instead of a form that the sandbox always refuses. */
export const NotAllowed: FC<{ status: string }> = ({ status }) => (
  <p>A subscription that is {status.replaceAll('_', ' ')} does not take this.</p>
)

/** The page of the subscription, which says what was done. */
export function done(visit: Visit, notice: Notice): string {
  return withNotice(subscriptionAddress(visit), notice)
}

async function cancel(visit: Visit, { values }: Sent): Promise<string> {
  const isLater = values.raw('at_period_end') === 'true'
  await visit.sandbox.subscriptions.cancel(visit.id, { at_period_end: isLater })
  return done(visit, isLater ? 'cancel_scheduled' : 'canceled')
}

async function askToCancel(visit: Visit, sent: Sent): Promise<Question> {
  const { sandbox, id } = visit
  const subscription = await sandbox.subscriptions.get(id)
  const choices = await endings(visit, subscription)
  const shared = { title: `Cancel ${id}`, cancel: subscriptionAddress(visit), keep: 'Keep it' }
  const [first] = choices
  if (first === undefined) {
    return { ...shared, text: <NotAllowed status={subscription.status} />, submit: null }
  }
  return {
    ...shared,
    text: (
      <p>
        A subscription that is canceled is never active again: its plan, its discounts and what is
        left of its period go with it, and nothing is paid back.
      </p>
    ),
    submit: 'Cancel the subscription',
    fields: (
      <Choices
        name="at_period_end"
        legend="When does it end?"
        sent={sent}
        choices={choices}
        chosen={first.value}
      />
    ),
  }
}

/** The ends that the status allows. */
async function endings(visit: Visit, subscription: Schemas['SubscriptionRecord']) {
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
  const now = { value: 'false', label: 'Now', note: await endingNow(visit, id) }
  return allows(subscription, 'cancel_at_period_end') ? [later, now] : [now]
}

async function endingNow(visit: Visit, id: string): Promise<string> {
  const act = { operation: 'cancelSubscription', params: { subscription_id: id } } as const
  const preview = await previewOf(visit, { ...act, body: { at_period_end: false } })
  const voided = invoicesAfter(preview, id)
    .filter(({ status }) => status === 'void')
    .map((each) => each.invoice_id)
  const text = `${chargedText(preview)}.`
  return voided.length === 0
    ? `${text} It has no open invoice.`
    : `${text} Its open invoices become void now: ${voided.join(', ')}.`
}
