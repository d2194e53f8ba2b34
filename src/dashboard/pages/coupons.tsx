/** Coupons: the list of them with the promotions, and one with its redemptions. */
import type { Schemas } from '../../library/sandbox.ts'
import { worthText } from '../../wire/text.ts'
import type { PageContext } from '../page-context.ts'
import { collection } from '../page-kinds/collection.tsx'
import { PAGE_LENGTH } from '../page-kinds/list-page.tsx'
import { type Column, instant, link } from '../ui/columns.tsx'
import {
  button,
  linkWith,
  PageLink,
  RecordLinks,
  type RecordPlace,
  recordPath,
  SubjectLink,
} from '../ui/links.tsx'
import { emptyText, Pager, Section, Table } from '../ui/table.tsx'
import { countOf, Nothing } from '../ui/values.tsx'
import { couponKinds, limitFields, newCoupon } from './coupon-forms.tsx'
import { promotionList, redeemed } from './promotions.tsx'

type Coupon = Schemas['Coupon']

const worth: Column<Coupon> = { name: 'Value', cell: (each) => worthText(each), isNumber: true }
const stackable: Column<Coupon> = {
  name: 'Stackable',
  cell: (each) => (each.stackable ? 'yes' : 'no'),
}

/** How long its discount lasts; a trial extension leaves none. */
const duration: Column<Coupon> = {
  name: 'Duration',
  cell: ({ duration: lasts, duration_in_months: months }) =>
    lasts === 'repeating' ? countOf(months ?? 0, 'month') : (lasts ?? <Nothing />),
}

function limitedTo(place: RecordPlace & ('plans' | 'products')): Column<Coupon> {
  const cell = ({ [`applies_to_${place}` as const]: ids }: Coupon) =>
    ids === null ? 'all' : <RecordLinks place={place} ids={ids} />
  return { name: `Only for ${place}`, cell }
}

export const couponPages = collection<Coupon>({
  place: 'coupons',
  noun: 'coupon',
  calls: ({ coupons }) => coupons,
  idOf: ({ coupon_id }) => coupon_id,
  list: {
    title: 'Coupons',
    caption: 'Coupons',
    find: (page, query) => page.list('/sandbox/coupons', query),
    columns: [
      link('Coupon', 'coupons', 'coupon_id'),
      { name: 'Kind', cell: ({ type }) => couponKinds[type].name },
      worth,
      duration,
      redeemed,
      instant('Expires', 'expires_at'),
      stackable,
    ],
    empty: {
      none: 'No coupon yet. A coupon takes something off invoices, or makes a trial longer.',
    },
    below: promotionSection,
  },
  record: {
    note: ({ type }) => <span class="hint">{couponKinds[type].name}</span>,
    actions: ({ coupon_id }) => button('New promotion', 'promotions/~new', { coupon_id }),
    facts: ({ type }) => [
      { ...worth, name: couponKinds[type].value },
      duration,
      redeemed,
      instant('Expires at', 'expires_at'),
      limitedTo('plans'),
      limitedTo('products'),
      stackable,
    ],
    below: redemptions,
  },
  create: newCoupon,
  change: {
    label: 'Change limits',
    text: 'The discount stays as it is. New limits apply to new redemptions.',
    fields: limitFields,
  },
  remove:
    'The coupon is deleted. The sandbox refuses that while a promotion, a subscription, an invoice or a charge refers to it.',
})

async function promotionSection(page: PageContext) {
  const { data, next_after: after } = await page.list('/sandbox/promotions', { limit: PAGE_LENGTH })
  const { caption, columns, empty } = promotionList
  return (
    <Section title="Promotions" actions={button('New promotion', 'promotions/~new')}>
      <Table
        caption={caption}
        rows={data}
        columns={columns}
        empty={emptyText(empty.none, empty.next)}
      />
      {after !== null && <p>{linkWith({ after }, 'More promotions', 'promotions')}</p>}
    </Section>
  )
}

interface Redemption {
  readonly at: string
  readonly subject: { readonly kind: string; readonly id: string }
}

/** As many records as one call answers. */
const LOOKED_THROUGH = 1000

/** Who redeemed it, according to the events of subscriptions, and the charges. */
async function redemptions(page: PageContext, coupon: Coupon) {
  const { coupon_id: id, type } = coupon
  const about = type === 'trial_extension' ? 'trial.extended' : 'discount.applied'
  const [events, charges] = await Promise.all([
    page.list('/sandbox/events', { type: about, ...page.cursor(LOOKED_THROUGH) }),
    page.list('/sandbox/charges', { limit: LOOKED_THROUGH }),
  ])
  const found: Redemption[] = events.data.filter(({ detail }) => detail['coupon_id'] === id)
  const charged = charges.data
    .filter((charge) => charge.coupon_id === id)
    .map(({ charge_id, created_at: at }) => ({ at, subject: { kind: 'charge', id: charge_id } }))
  return (
    <Section title="Redemptions">
      <Table
        caption="Redemptions"
        rows={page.query('after') === undefined ? [...found, ...charged] : found}
        columns={[
          instant('At', 'at'),
          { name: 'By', cell: ({ subject }) => <SubjectLink subject={subject} /> },
        ]}
        empty={emptyText(
          coupon.times_redeemed === 0
            ? 'Nobody redeemed it yet. It is redeemed at a checkout or on a subscription.'
            : 'None of those that are kept here is of this coupon.',
          <PageLink to="subscriptions/~new">Create a subscription with it</PageLink>,
        )}
      />
      <Pager path={recordPath('coupons', id)} next={events.next_after} />
      {charges.has_more && (
        <p class="hint">Of the one-time charges, the {LOOKED_THROUGH} oldest are looked through.</p>
      )}
    </Section>
  )
}
