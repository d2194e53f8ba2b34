/** Applying a coupon to a subscription. What it changes is shown before it is redeemed. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { addForm } from '../page.tsx'
import {
  chargedText,
  type InvoiceToCome,
  nextInvoice,
  type Preview,
  previewOf,
} from '../preview.ts'
import { foundOrRefused, type Sent, sentOrAsked } from '../sent.ts'
import { allows } from '../statuses.ts'
import { Form, Refused, TextField } from '../ui/form.tsx'
import { Facts, Heading, Section } from '../ui/table.tsx'
import { StatusBadge } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { done, NotAllowed, subscriptionAddress } from './actions.tsx'
import { nextInvoiceFacts } from './next-invoice.tsx'

/** How many coupons are suggested. */
const SUGGESTED = 50

export function applyCouponPages(pages: Hono): void {
  addForm(pages, '/subscriptions/:id/apply-coupon', { act: applyCoupon, show: couponPage })
}

async function applyCoupon(visit: Visit, { values }: Sent): Promise<string> {
  const order = { coupon_id: values.raw('coupon_id') }
  await visit.sandbox.subscriptions.applyCoupon(visit.id, order)
  return done(visit, 'applied')
}

async function couponPage(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, control } = visit
  const few = { params: { query: { limit: SUGGESTED } } }
  const [subscription, coupons] = await Promise.all([
    sandbox.subscriptions.get(visit.id),
    answered(control.GET('/sandbox/coupons', few)),
  ])
  const { subscription_id: id, discounts } = subscription
  const { found: outcome, refusal } = await chosenOutcome(visit, id, sentOrAsked(sent, visit))
  const shown = { values: sentOrAsked(sent, visit).values, refusal }
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
      {allows(subscription, 'apply_coupon') ? (
        <div class="with-preview">
          <CouponForm visit={visit} sent={shown} coupons={coupons.data} />
          <div id="preview" aria-live="polite">
            {outcome !== null && (
              <Section title={chargedText(outcome.preview)}>
                <Facts facts={nextInvoiceFacts(outcome.next)} />
              </Section>
            )}
          </div>
        </div>
      ) : (
        <>
          <Refused sent={shown} />
          <NotAllowed status={subscription.status} />
        </>
      )}
    </>
  )
  return { title: `Apply a coupon to ${id}`, body, live: 'nothing' }
}

const CouponForm: FC<{
  visit: Visit
  sent: Sent
  coupons: readonly Schemas['Coupon'][]
}> = ({ visit, sent, coupons }) => {
  const address = subscriptionAddress(visit)
  const here = `${address}/apply-coupon`
  return (
    <Form action={here} sent={sent} submit="Apply the coupon" cancel={address} preview={here}>
      <TextField
        name="coupon_id"
        label="Coupon"
        sent={sent}
        suggestions={coupons.map((each) => each.coupon_id)}
        isRequired
      />
    </Form>
  )
}

interface Outcome {
  readonly preview: Preview
  readonly next: InvoiceToCome | null
}

/** What the coupon leads to; nothing before one is entered. */
async function chosenOutcome(visit: Visit, id: string, { values, refusal }: Sent) {
  const coupon = values.text('coupon_id')
  if (coupon === undefined || refusal !== null) return { found: null, refusal }
  return foundOrRefused<Outcome>(async () => {
    const act = {
      operation: 'applyCoupon',
      params: { subscription_id: id },
      body: { coupon_id: coupon },
    } as const
    const preview = await previewOf(visit, act)
    return { preview, next: await nextInvoice(visit, act, preview) }
  })
}
