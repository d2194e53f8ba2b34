/** What can be done with a subscription: pause, resume, cancel, apply a coupon. The sandbox says what its status refuses. */
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { addForm, submit, withNotice } from '../page.tsx'
import { addQuestion, type Question } from '../question.tsx'
import type { Sent } from '../sent.ts'
import { Choices } from '../ui/choices.tsx'
import { Form, TextField } from '../ui/form.tsx'
import { recordAddress } from '../ui/links.tsx'
import type { Notice } from '../ui/notices.ts'
import { Heading } from '../ui/table.tsx'
import { At, StatusBadge } from '../ui/values.tsx'
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
  for (const action of ['pause', 'resume'] as const) {
    const path = `/subscriptions/:id/${action}`
    // Who loads the page of a refusal again gets that of the subscription.
    pages.get(path, (c) => c.redirect(subscriptionAddress(c.get('visit'))))
    pages.post(path, submit({ act: actions[action], show: subscriptionPage }))
  }
  addQuestion(pages, '/subscriptions/:id/cancel', { ask: askToCancel, act: cancel })
  addForm(pages, '/subscriptions/:id/apply-coupon', { act: applyCoupon, show: couponPage })
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
}

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
  const { sandbox, control, id } = visit
  const subscription = await sandbox.subscriptions.get(id)
  const query = { subscription_id: id, status: 'open', limit: 1000 } as const
  const open = await answered(control.GET('/sandbox/invoices', { params: { query } }))
  return {
    title: `Cancel ${id}`,
    text: (
      <p>
        A subscription that is canceled is never active again: its plan, its discounts and what is
        left of its period go with it, and nothing is paid back.
      </p>
    ),
    submit: 'Cancel the subscription',
    cancel: subscriptionAddress(visit),
    keep: 'Keep it',
    fields: (
      <Choices
        name="at_period_end"
        legend="When does it end?"
        sent={sent}
        choices={endings(subscription, open.data)}
        chosen="true"
      />
    ),
  }
}

function endings(
  { current_period_end: end }: Schemas['SubscriptionRecord'],
  open: readonly Schemas['Invoice'][],
) {
  const voided = open.map((each) => each.invoice_id).join(', ')
  return [
    {
      value: 'true',
      label: 'With its period',
      note: (
        <>
          Access continues until <At instant={end} />. Then nothing more is billed.
        </>
      ),
    },
    {
      value: 'false',
      label: 'Now',
      note:
        voided === '' ? 'It has no open invoice.' : `Its open invoices become void now: ${voided}.`,
    },
  ]
}

async function applyCoupon(visit: Visit, { values }: Sent): Promise<string> {
  const order = { coupon_id: values.raw('coupon_id') }
  await visit.sandbox.subscriptions.applyCoupon(visit.id, order)
  return done(visit, 'applied')
}

async function couponPage(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, control } = visit
  const few = { params: { query: { limit: 50 } } }
  const [subscription, coupons] = await Promise.all([
    sandbox.subscriptions.get(visit.id),
    answered(control.GET('/sandbox/coupons', few)),
  ])
  const { subscription_id: id, discounts } = subscription
  const address = subscriptionAddress(visit)
  const present = discounts.map((each) => each.coupon_id).join(', ')
  const body = (
    <>
      <Heading
        title={`Apply a coupon to ${id}`}
        note={<StatusBadge status={subscription.status} />}
      />
      <p>
        {present === ''
          ? 'It has no discount.'
          : `It has a discount of ${present}. A new discount replaces it, unless all of these coupons are stackable; a trial extension leaves it as it is.`}
      </p>
      <Form
        action={`${address}/apply-coupon`}
        sent={sent}
        submit="Apply the coupon"
        cancel={address}
      >
        <TextField
          name="coupon_id"
          label="Coupon"
          sent={sent}
          suggestions={coupons.data.map((each) => each.coupon_id)}
          isRequired
        />
      </Form>
    </>
  )
  return { title: `Apply a coupon to ${id}`, body, live: 'nothing' }
}
