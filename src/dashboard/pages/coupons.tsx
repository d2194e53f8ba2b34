/** Coupons with their redemptions, and promotions: codes for a coupon, with their own window and limit. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { CouponPatch, PromotionCreate, PromotionPatch } from '../../wire/billing/coupon.ts'
import { countText, worthText } from '../../wire/common/text.ts'
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
import { collection } from '../page-kinds/collection.tsx'
import type { PageRow, PageTable } from '../page-kinds/page-row.tsx'
import { button, Hint, linkWith, RecordLink, recordPath, SubjectLink } from '../ui/links.tsx'
import { CALL_MAX, NEWEST, PAGE_LENGTH, type PageContext, withNotice } from '../ui/page-context.ts'
import { Table } from '../ui/table.tsx'
import { type Column, type ColumnOf, column, moneyText, Nothing } from '../ui/values.tsx'

type Coupon = Schemas['Coupon']

type Kind = Coupon['type']

/** The name of each kind, and the name and hint of its value. */
const couponKinds: Readonly<Record<Kind, { name: string; value: string; hint: string }>> = {
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

const kindOf = (text: string) => (Object.hasOwn(couponKinds, text) ? (text as Kind) : 'percentage')

const limits = {
  max_redemptions: [
    'Maximum redemptions',
    'How often it can be redeemed in total; no limit if empty',
  ],
  expires_at: instantHint('never'),
} as const

/** The limits of a coupon, which can be changed later, too. */
const limitFields = formFieldsOf(CouponPatch, {
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

const durationFields = fieldsFrom({
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
    ...(kind === 'trial_extension' ? [] : durationFields),
    ...limitFields,
  ]
}

const newCoupon: PageRow = {
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

const worth: Column<Coupon> = column('Value', (row) => worthText(row, moneyText), {
  field: 'value',
  isNumber: true,
})

/** How long its discount lasts; a trial extension leaves none. */
export const duration: Column<Pick<Coupon, 'duration' | 'duration_in_months'>> = column(
  'Duration',
  ({ duration: lasts, duration_in_months: months }) =>
    lasts === 'repeating' ? countText(months ?? 0, 'month') : (lasts ?? <Nothing />),
  { field: 'duration' },
)

/** How often a coupon or a promotion was redeemed: `3 of 10`, or the number alone if it has no limit. */
const redeemed: Column<Pick<Coupon, 'times_redeemed' | 'max_redemptions'>> = column(
  'Redeemed',
  ({ times_redeemed: times, max_redemptions: max }) =>
    max === null ? String(times) : `${times} of ${max}`,
  { field: 'times_redeemed', isNumber: true },
)

function limitColumn(place: 'plans' | 'products'): Column<Coupon> {
  const cell = ({ [`applies_to_${place}` as const]: ids }: Coupon) =>
    ids?.flatMap((id, nth) => [nth > 0 && ', ', <RecordLink place={place} id={id} />]) ?? 'all'
  return column(`Only for ${place}`, cell, { field: `applies_to_${place}` })
}

const promotionColumns: readonly ColumnOf<Schemas['Promotion']>[] = [
  'code',
  'coupon_id',
  'starts_at',
  'expires_at',
  redeemed,
]

const noPromotion =
  'No promotion yet. A promotion is a code that customers type in for a coupon.\n[Create one](promotions/~new)'

export const couponPages: PageTable = {
  ...collection('coupons', {
    list: {
      columns: [
        'coupon_id',
        column('Kind', ({ type }) => couponKinds[type].name, { field: 'type' }),
        worth,
        duration,
        redeemed,
        'expires_at',
        'stackable',
      ],
      empty: 'No coupon yet. A coupon takes something off invoices, or makes a trial longer.',
      below: promotionSection,
    },
    note: ({ type }) => <span class="hint">{couponKinds[type].name}</span>,
    actions: ({ coupon_id }) => button('New promotion', 'promotions/~new', { coupon_id }),
    facts: ({ type }) => [
      { ...worth, name: couponKinds[type].value },
      duration,
      redeemed,
      'expires_at',
      limitColumn('plans'),
      limitColumn('products'),
      'stackable',
    ],
    below: redemptionTable,
    create: newCoupon,
    change: {
      label: 'Change limits',
      text: 'The discount stays as it is. New limits apply to new redemptions.',
      fields: limitFields,
    },
    remove:
      'The coupon is deleted. The sandbox refuses that while a promotion, a subscription, an invoice or a charge refers to it.',
  }),
  ...collection('promotions', {
    home: 'coupons',
    list: { columns: promotionColumns, empty: noPromotion },
    note: () => <span class="hint">Promotion</span>,
    facts: ['coupon_id', 'starts_at', 'expires_at', redeemed],
    below: (_, { coupon_id: id }) => (
      <p>
        Its redemptions are listed with {linkWith({}, 'its coupon', recordPath('coupons', id))}. The
        limits of the coupon apply too.
      </p>
    ),
    create: {
      fields: formFieldsOf(PromotionCreate, {
        code: 'What the customer enters',
        coupon_id: { hint: 'The coupon that the code stands for', suggest: 'coupon' },
        ...validity,
      }),
    },
    change: { label: 'Change limits', fields: formFieldsOf(PromotionPatch, validity) },
    remove: 'The code is deleted and cannot be used any more. Its coupon and its discounts stay.',
  }),
}

async function promotionSection(page: PageContext) {
  const query = { limit: PAGE_LENGTH, order: NEWEST }
  const { data, next_after: after } = await page.list('/sandbox/promotions', query)
  return (
    <Table
      title="Promotions"
      actions={button('New promotion', 'promotions/~new')}
      rows={data}
      columns={promotionColumns}
      empty={noPromotion}
    >
      {after !== null && <p>{linkWith({ after }, 'More promotions', 'promotions')}</p>}
    </Table>
  )
}

/** Who redeemed it, according to the events of subscriptions, and the charges. */
async function redemptionTable(page: PageContext, coupon: Coupon) {
  const { coupon_id: id, type, times_redeemed: times } = coupon
  const cursor = page.cursor(CALL_MAX)
  const about = type === 'trial_extension' ? 'trial.extended' : 'discount.applied'
  const [events, charges] = await Promise.all([
    page.list('/sandbox/events', { type: about, ...cursor }),
    page.list('/sandbox/charges', { limit: CALL_MAX, order: NEWEST }),
  ])
  const found = events.data.filter(({ detail }) => 'coupon_id' in detail && detail.coupon_id === id)
  const charged = charges.data
    .filter((charge) => charge.coupon_id === id)
    .map(({ charge_id, created_at: at }) => ({ at, subject: { kind: 'charge', id: charge_id } }))
  const isFirst = page.query('after') === undefined
  const sign = cursor.order === NEWEST ? -1 : 1
  const rows = [...(isFirst ? charged : []), ...found]
  rows.sort((one, other) => sign * one.at.localeCompare(other.at))
  const none =
    times === 0
      ? 'Nobody redeemed it yet. It is redeemed at a checkout or on a subscription.'
      : 'None of those that are kept here is of this coupon.'
  return (
    <Table
      title="Redemptions"
      rows={{ data: rows, next_after: events.next_after }}
      columns={['at', { name: 'By', cell: ({ subject }) => <SubjectLink subject={subject} /> }]}
      empty={`${none}\n[Create a subscription with it](subscriptions/~new)`}
    >
      {charges.has_more && (
        <Hint text={`Of the one-time charges, the ${CALL_MAX} newest are looked through.`} />
      )}
    </Table>
  )
}
