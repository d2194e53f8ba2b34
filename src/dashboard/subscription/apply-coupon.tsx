/** Applying a coupon to a subscription. Its effect is shown before it is redeemed. */
import { withSuggestions } from '../forms/field.ts'
import { Form, Refused } from '../forms/form.tsx'
import { leadingTo, type PageRow } from '../page-kinds/page-row.tsx'
import { chargedText, nextInvoice, previewOf } from '../reading/preview.ts'
import { allows } from '../reading/statuses.ts'
import { foundOrRefused } from '../ui/form-state.ts'
import type { PageContext, View } from '../ui/page-context.ts'
import { Facts, Section } from '../ui/table.tsx'
import { StatusBadge } from '../ui/values.tsx'
import { NotAllowed, nextInvoiceFacts } from './actions.tsx'

export const applyCouponPage: PageRow = {
  show,
  act: leadingTo('applied', ({ sandbox, id }, values) =>
    sandbox.subscriptions.applyCoupon(id, { coupon_id: values.raw('coupon_id') }),
  ),
}

async function show(page: PageContext): Promise<View> {
  const { subscription_id: id, discounts, status } = await page.sandbox.subscriptions.get(page.id)
  const { values, refusal: earlier } = page.form
  const coupon = values.text('coupon_id')
  const { found: outcome, refusal } =
    coupon === undefined || earlier !== null
      ? { found: null, refusal: earlier }
      : await foundOrRefused(() => outcomeOf(page, id, coupon))
  const form = { values, refusal }
  const present = discounts.map((each) => each.coupon_id).join(', ')
  const field = { name: 'coupon_id', suggest: 'coupons', isRequired: true } as const
  const body = allows({ status }, 'apply_coupon') ? (
    <div class="with-preview">
      <Form
        form={form}
        fields={await withSuggestions(page, [field])}
        submit="Apply the coupon"
        cancel={page.above}
        preview={page.path}
      />
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
      <Refused form={form} />
      <NotAllowed status={status} />
    </>
  )
  return {
    title: `Apply a coupon to ${id}`,
    note: <StatusBadge status={status} />,
    text:
      present === ''
        ? 'It has no discount.'
        : `It has a discount of ${present}. A new discount replaces it, unless all of these coupons are stackable; a trial extension leaves it as it is.`,
    body,
    live: 'nothing',
  }
}

/** The effect of a coupon. Throws the refusal of its application. */
async function outcomeOf(page: PageContext, id: string, coupon_id: string) {
  const act = {
    operation: 'applyCoupon',
    params: { subscription_id: id },
    body: { coupon_id },
  } as const
  const preview = await previewOf(page, act)
  return { preview, next: await nextInvoice(page, act, preview) }
}
