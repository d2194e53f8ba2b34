/** The forms of coupons: a new one of each kind, and the limits of one that is there. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { withNotice } from '../page.tsx'
import { type Sent, sentOrAsked, startingWith, type Values } from '../sent.ts'
import { CheckField, Form, SelectField, TextField } from '../ui/form.tsx'
import { recordAddress } from '../ui/links.tsx'
import { InstantField, MaxField } from '../ui/restrictions.tsx'
import { Heading } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Coupon = Schemas['Coupon']
type Kind = Coupon['type']

interface KindWords {
  readonly name: string
  readonly value: string
  readonly hint: string
}

/** What each kind is called, and what its value is. */
export const couponKinds: Readonly<Record<Kind, KindWords>> = {
  percentage: {
    name: 'Percentage',
    value: 'Percent',
    hint: 'Above 0, at most 100, with at most 4 decimals, such as 12.5',
  },
  fixed: {
    name: 'Fixed amount',
    value: 'Amount',
    hint: 'In minor units: 1000 is 10.00 USD',
  },
  trial_extension: {
    name: 'Trial extension',
    value: 'Days',
    hint: 'How many days the trial is extended, or the period if there is no trial',
  },
}

const durations = [
  ['once', 'once: the next invoice'],
  ['repeating', 'repeating: some months'],
  ['forever', 'forever: every invoice'],
] as const

/** The kind that is asked for; a percentage where none is. */
function kindOf(text: string | undefined): Kind {
  return text !== undefined && Object.hasOwn(couponKinds, text) ? (text as Kind) : 'percentage'
}

export function newCouponPage(visit: Visit, sent: Sent): View {
  const action = visit.to('coupons/~new')
  const shown = sentOrAsked(sent, visit)
  const kind = kindOf(shown.values.text('type'))
  const { value, hint } = couponKinds[kind]
  const isReduction = kind !== 'trial_extension'
  const body = (
    <>
      <Heading title="New coupon" />
      <Kinds action={action} kind={kind} />
      <Form
        id="coupon"
        action={action}
        sent={shown}
        submit="Create coupon"
        cancel={visit.to('coupons')}
      >
        <input type="hidden" name="type" value={kind} />
        <TextField name="coupon_id" label="Coupon id" placeholder="SAVE20" sent={shown} />
        <TextField name="value" label={value} hint={hint} type="number" sent={shown} />
        {kind === 'fixed' && (
          <TextField name="currency" label="Currency" placeholder="USD" sent={shown} />
        )}
        {isReduction && <Duration sent={shown} />}
        <Limits sent={shown} />
      </Form>
    </>
  )
  return { title: 'New coupon', body }
}

/** Leads to the form of another kind, with what was typed: the form is its query, and its first `type` holds. */
const Kinds: FC<{ action: string; kind: Kind }> = ({ action, kind }) => (
  <nav class="kinds" aria-label="Kind of coupon">
    {/* The first button of a form is what the Enter key presses. */}
    <button type="submit" form="coupon" hidden />
    {Object.entries(couponKinds).map(([each, { name }]) => (
      <button
        type="submit"
        form="coupon"
        formmethod="get"
        formaction={action}
        name="type"
        value={each}
        aria-current={each === kind ? 'true' : undefined}
      >
        {name}
      </button>
    ))}
  </nav>
)

const Duration: FC<{ sent: Sent }> = ({ sent }) => (
  <>
    <SelectField name="duration" label="Duration" options={durations} sent={sent} />
    <TextField
      name="duration_in_months"
      label="Months"
      type="number"
      hint="Only for the duration repeating"
      sent={sent}
    />
  </>
)

const Limits: FC<{ sent: Sent }> = ({ sent }) => (
  <>
    <MaxField sent={sent} />
    <InstantField name="expires_at" label="Expires at" empty="never" sent={sent} />
    <TextField
      name="applies_to_plans"
      label="Only for these plans"
      hint="Plan ids, such as basic, pro; all plans if empty"
      sent={sent}
    />
    <TextField
      name="applies_to_products"
      label="Only for these products"
      hint="Product ids, such as prod_app; all products if empty"
      sent={sent}
    />
    <CheckField
      name="stackable"
      label="Can be combined with other stackable coupons"
      hint="If not, it replaces the discounts of the subscription."
      sent={sent}
    />
  </>
)

/** Creates the coupon; which fields go together is for the sandbox to say. */
export async function sendCoupon(visit: Visit, { values }: Sent): Promise<string> {
  const type = values.text('type')
  const order = {
    type,
    coupon_id: values.text('coupon_id'),
    // Where it must be an integer, it is refused as it was typed: "5.50", and not 5.5.
    value: type === 'percentage' ? values.number('value') : values.integer('value'),
    currency: values.text('currency'),
    duration: values.text('duration'),
    duration_in_months: values.integer('duration_in_months'),
    max_redemptions: values.integer('max_redemptions'),
    expires_at: values.text('expires_at'),
    applies_to_plans: values.words('applies_to_plans'),
    applies_to_products: values.words('applies_to_products'),
    ...(values.isChecked('stackable') ? { stackable: true } : {}),
  } as unknown as Schemas['CouponCreate']
  const { coupon_id: id } = await visit.sandbox.coupons.create(order)
  return withNotice(recordAddress(visit, 'coupons', id), 'created')
}

/** A form with the limits that a coupon has. */
function limitsOf(coupon: Coupon): Sent {
  return startingWith({
    max_redemptions: coupon.max_redemptions,
    expires_at: coupon.expires_at,
    applies_to_plans: coupon.applies_to_plans?.join(', ') ?? null,
    applies_to_products: coupon.applies_to_products?.join(', ') ?? null,
    ...(coupon.stackable ? { stackable: 'true' } : {}),
  })
}

/** What is empty is no limit any more. */
function changedLimits(values: Values): Schemas['CouponPatch'] {
  return {
    max_redemptions: values.integer('max_redemptions') ?? null,
    expires_at: values.text('expires_at') ?? null,
    applies_to_plans: values.words('applies_to_plans') ?? null,
    applies_to_products: values.words('applies_to_products') ?? null,
    stackable: values.isChecked('stackable'),
  }
}

export async function editCouponPage(visit: Visit, sent: Sent): Promise<View> {
  const id = visit.id
  const coupon = await visit.sandbox.coupons.get(id)
  const shown = sent.refusal === null ? limitsOf(coupon) : sent
  const at = recordAddress(visit, 'coupons', id)
  const body = (
    <>
      <Heading title={`Change ${id}`} />
      <p>The discount stays as it is. New limits apply to new redemptions.</p>
      <Form action={`${at}/edit`} sent={shown} submit="Save" cancel={at}>
        <Limits sent={shown} />
      </Form>
    </>
  )
  return { title: `Change ${id}`, body }
}

export async function sendLimits(visit: Visit, { values }: Sent): Promise<string> {
  const { sandbox, id } = visit
  await sandbox.coupons.update(id, changedLimits(values))
  return withNotice(recordAddress(visit, 'coupons', id), 'changed')
}
