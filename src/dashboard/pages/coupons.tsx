/** Coupons with their redemptions, and promotions: codes for a coupon, with their own window and limit. */
import type { Schemas } from '../../library/sandbox.ts'
import { countText, worthText } from '../../wire/common/text.ts'
import { collection } from '../page-kinds/collection.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { button, Hint, linkWith, RecordLink, recordPath, SubjectLink } from '../ui/links.tsx'
import { NEWEST, PAGE_LENGTH, type PageContext } from '../ui/page-context.ts'
import { Table } from '../ui/table.tsx'
import { type Column, type ColumnOf, column, Nothing } from '../ui/values.tsx'
import {
  couponKinds,
  limitFields,
  newCoupon,
  promotionFields,
  promotionLimits,
} from './coupon-forms.tsx'

type Coupon = Schemas['Coupon']

const worth: Column<Coupon> = column('Value', (each) => worthText(each), {
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
    create: { fields: promotionFields },
    change: { label: 'Change limits', fields: promotionLimits },
    remove: 'The code is deleted and cannot be used any more. Its coupon and its discounts stay.',
  }),
}

async function promotionSection(page: PageContext) {
  const { data, next_after: after } = await page.list('/sandbox/promotions', {
    limit: PAGE_LENGTH,
    order: NEWEST,
  })
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

/** As many records as one call answers. */
const LOOKED_THROUGH = 1000

/** Who redeemed it, according to the events of subscriptions, and the charges. */
async function redemptionTable(page: PageContext, coupon: Coupon) {
  const { coupon_id: id, type, times_redeemed: times } = coupon
  const about = type === 'trial_extension' ? 'trial.extended' : 'discount.applied'
  const [events, charges] = await Promise.all([
    page.list('/sandbox/events', { type: about, ...page.cursor(LOOKED_THROUGH) }),
    page.list('/sandbox/charges', { limit: LOOKED_THROUGH, order: NEWEST }),
  ])
  const found = events.data.filter(({ detail }) => 'coupon_id' in detail && detail.coupon_id === id)
  const charged = charges.data
    .filter((charge) => charge.coupon_id === id)
    .map(({ charge_id, created_at: at }) => ({ at, subject: { kind: 'charge', id: charge_id } }))
  const none =
    times === 0
      ? 'Nobody redeemed it yet. It is redeemed at a checkout or on a subscription.'
      : 'None of those that are kept here is of this coupon.'
  return (
    <Table
      title="Redemptions"
      rows={{
        data: page.query('after') === undefined ? [...charged, ...found] : found,
        next_after: events.next_after,
      }}
      columns={['at', { name: 'By', cell: ({ subject }) => <SubjectLink subject={subject} /> }]}
      empty={`${none}\n[Create a subscription with it](subscriptions/~new)`}
    >
      {charges.has_more && (
        <Hint text={`Of the one-time charges, the ${LOOKED_THROUGH} newest are looked through.`} />
      )}
    </Table>
  )
}
