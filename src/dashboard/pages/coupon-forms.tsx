/** The form of a new coupon, for each kind, and the fields of the limits of coupons and promotions. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { CouponPatch, PromotionCreate, PromotionPatch } from '../../wire/billing/coupon.ts'
import { Hidden } from '../forms/controls.tsx'
import {
  bodyOf,
  type FieldDeclaration,
  fieldsFrom,
  formFieldsOf,
  instantHint,
  moneyHint,
} from '../forms/field.ts'
import { Form } from '../forms/form.tsx'
import type { PageRow } from '../page-kinds/page-row.tsx'
import { recordPath } from '../ui/links.tsx'
import { withNotice } from '../ui/page-context.ts'

type Kind = Schemas['Coupon']['type']

/** The name of each kind, and the name and hint of its value. */
export const couponKinds: Readonly<Record<Kind, { name: string; value: string; hint: string }>> = {
  percentage: {
    name: 'Percentage',
    value: 'Percent',
    hint: 'Above 0, at most 100, with at most 4 decimals, such as 12.5',
  },
  fixed: { name: 'Fixed amount', value: 'Amount', hint: moneyHint },
  trial_extension: {
    name: 'Trial extension',
    value: 'Days',
    hint: 'How many days the trial is extended, or the period if there is no trial',
  },
}

/** The kind that is requested; by default a percentage. */
function kindOf(text: string): Kind {
  return Object.hasOwn(couponKinds, text) ? (text as Kind) : 'percentage'
}

const limits = {
  max_redemptions: [
    'Maximum redemptions',
    'How often it can be redeemed in total; no limit if empty',
  ],
  expires_at: instantHint('never'),
} as const

/** The limits of a coupon, which can be changed later, too. */
export const limitFields = formFieldsOf(CouponPatch, {
  ...limits,
  applies_to_plans: ['Only for these plans', 'Plan ids, such as basic, pro; all plans if empty'],
  applies_to_products: [
    'Only for these products',
    'Product ids, such as prod_app; all products if empty',
  ],
  stackable: [
    'Can be combined with other stackable coupons',
    'If not, it replaces the discounts of the subscription.',
  ],
})

const validity = { starts_at: instantHint('at once'), ...limits }

export const promotionFields = formFieldsOf(PromotionCreate, {
  code: 'What the customer enters',
  coupon_id: { hint: 'The coupon that the code stands for', suggest: 'coupon' },
  ...validity,
})

export const promotionLimits = formFieldsOf(PromotionPatch, validity)

const duration = fieldsFrom({
  duration: {
    options: {
      once: 'once: the next invoice',
      repeating: 'repeating: some months',
      forever: 'forever: every invoice',
    },
  },
  duration_in_months: { label: 'Months', kind: 'integer', hint: 'Only for the duration repeating' },
})

const valueKinds = { percentage: 'number', fixed: 'money', trial_extension: 'integer' } as const

/** Which fields go together is for the sandbox to say. */
function fieldsFor(kind: Kind): FieldDeclaration[] {
  const { value, hint } = couponKinds[kind]
  return [
    { name: 'coupon_id', label: 'Coupon id', placeholder: 'SAVE20' },
    // Days are refused as they were typed: "5.50", and not 5.5.
    { name: 'value', label: value, hint, kind: valueKinds[kind] },
    ...(kind === 'fixed' ? [{ name: 'currency', placeholder: 'USD' }] : []),
    ...(kind === 'trial_extension' ? [] : duration),
    ...limitFields,
  ]
}

export const newCoupon: PageRow = {
  show: (page) => {
    const kind = kindOf(page.form.values.raw('type'))
    const body = [
      <Kinds kind={kind} />,
      <Form
        id="coupon"
        to="coupons/~new"
        fields={fieldsFor(kind)}
        submit="Create coupon"
        cancel={page.above}
      >
        <Hidden values={{ type: kind }} />
      </Form>,
    ]
    return { title: 'New coupon', body, live: 'nothing' }
  },
  act: async (page, values) => {
    const type = values.text('type')
    const body = { type, ...bodyOf(fieldsFor(kindOf(values.raw('type'))), values) }
    const { coupon_id: id } = await page.sandbox.coupons.create(body as never)
    return withNotice(page.to(recordPath('coupons', id)), 'created')
  },
}

/** Leads to the form of another kind, with what was typed: the form is its query, whose first `type` counts. */
const Kinds: FC<{ kind: Kind }> = ({ kind }) => (
  <nav class="moves" aria-label="Kind of coupon">
    {/* The first button of a form is what the Enter key presses. */}
    <button type="submit" form="coupon" hidden />
    <span class="group">
      {Object.entries(couponKinds).map(([each, { name }]) => (
        <button
          type="submit"
          form="coupon"
          formmethod="get"
          name="type"
          value={each}
          aria-current={each === kind ? 'true' : undefined}
        >
          {name}
        </button>
      ))}
    </span>
  </nav>
)
