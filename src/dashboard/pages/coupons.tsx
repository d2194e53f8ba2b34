/** Coupons: the list of them with the promotions, one with who redeemed it, and deleting one. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { worthText } from '../../wire/text.ts'
import { addForm, page } from '../page.tsx'
import { addDeletion } from '../question.tsx'
import {
  ButtonLink,
  DangerLink,
  linkCell,
  RecordLink,
  recordAddress,
  recordPath,
  SubjectLink,
} from '../ui/links.tsx'
import { redeemedText } from '../ui/restrictions.tsx'
import { Empty, Facts, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { At, Nothing } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import {
  couponKinds,
  editCouponPage,
  newCouponPage,
  sendCoupon,
  sendLimits,
} from './coupon-forms.tsx'
import { PromotionTable, promotionsOf } from './promotions.tsx'

type Coupon = Schemas['Coupon']

const PAGE = 50

export function couponPages(pages: Hono): void {
  pages.get('/coupons', page(listPage))
  addForm(pages, '/coupons/~new', { act: sendCoupon, show: newCouponPage })
  pages.get('/coupons/:id', page(couponPage))
  addForm(pages, '/coupons/:id/edit', { act: sendLimits, show: editCouponPage })
  addDeletion(pages, 'coupons', {
    name: 'coupon',
    list: 'coupons',
    text: 'The coupon is deleted. The sandbox refuses that while a promotion, a subscription, an invoice or a charge refers to it.',
  })
}

async function listPage(visit: Visit): Promise<View> {
  const { control, cursor, to } = visit
  const [coupons, promotions] = await Promise.all([
    answered(control.GET('/sandbox/coupons', { params: { query: cursor(PAGE) } })),
    promotionsOf(visit, { limit: PAGE }),
  ])
  const body = (
    <>
      <Heading title="Coupons">
        <ButtonLink href={to('coupons/~new')}>New coupon</ButtonLink>
      </Heading>
      <Table
        caption="Coupons"
        rows={coupons.data}
        columns={couponColumns(visit)}
        empty={
          <Empty>
            <p>No coupon yet. A coupon takes something off invoices, or makes a trial longer.</p>
            <p>
              <a href={to('coupons/~new')}>Create one</a>
            </p>
          </Empty>
        }
      />
      <Pager visit={visit} path="coupons" next={coupons.next_after} />
      <Section
        title="Promotions"
        actions={<ButtonLink href={to('promotions/~new')}>New promotion</ButtonLink>}
      >
        <PromotionTable visit={visit} promotions={promotions.data} />
        {promotions.next_after !== null && (
          <p>
            <a href={to('promotions', { after: promotions.next_after })}>More promotions</a>
          </p>
        )}
      </Section>
    </>
  )
  return { title: 'Coupons', body }
}

function couponColumns(visit: Visit) {
  return [
    { name: 'Coupon', cell: linkCell(visit, 'coupons', 'coupon_id') },
    { name: 'Kind', cell: ({ type }: Coupon) => couponKinds[type].name },
    { name: 'Value', cell: (each: Coupon) => worthText(each), isNumber: true },
    { name: 'Duration', cell: (each: Coupon) => durationText(each) ?? <Nothing /> },
    { name: 'Redeemed', cell: redeemedText, isNumber: true },
    { name: 'Expires', cell: ({ expires_at: at }: Coupon) => <At instant={at} /> },
    { name: 'Stackable', cell: ({ stackable }: Coupon) => (stackable ? 'yes' : 'no') },
  ]
}

/** How long its discount lasts; null for a trial extension, which leaves none. */
function durationText({ duration, duration_in_months: months }: Coupon): string | null {
  if (duration !== 'repeating') return duration
  return months === 1 ? '1 month' : `${months} months`
}

async function couponPage(visit: Visit): Promise<View> {
  const { sandbox, to, id } = visit
  const coupon = await sandbox.coupons.get(id)
  const at = recordAddress(visit, 'coupons', id)
  const body = (
    <>
      <Heading title={id} note={<span class="hint">{couponKinds[coupon.type].name}</span>}>
        <ButtonLink href={to('promotions/~new', { coupon_id: id })}>New promotion</ButtonLink>
        <ButtonLink href={`${at}/edit`}>Change limits</ButtonLink>
        <DangerLink href={`${at}/delete`}>Delete…</DangerLink>
      </Heading>
      <Facts
        facts={[
          [couponKinds[coupon.type].value, worthText(coupon)],
          ['Duration', durationText(coupon) ?? <Nothing />],
          ['Redeemed', redeemedText(coupon)],
          ['Expires at', <At instant={coupon.expires_at} />],
          ['Only for plans', <Ids visit={visit} place="plans" ids={coupon.applies_to_plans} />],
          [
            'Only for products',
            <Ids visit={visit} place="products" ids={coupon.applies_to_products} />,
          ],
          ['Stackable', coupon.stackable ? 'yes' : 'no'],
        ]}
      />
      <Section title="Redemptions">{await redemptions(visit, coupon)}</Section>
    </>
  )
  return { title: id, body }
}

const Ids: FC<{ visit: Visit; place: 'plans' | 'products'; ids: readonly string[] | null }> = ({
  visit,
  place,
  ids,
}) => {
  if (ids === null) return <>all</>
  return (
    <>
      {ids.map((id, index) => (
        <>
          {index > 0 && ', '}
          <RecordLink visit={visit} place={place} id={id} />
        </>
      ))}
    </>
  )
}

interface Redemption {
  readonly at: string
  readonly subject: { readonly kind: string; readonly id: string }
}

/** As many records as one call answers. */
const LOOKED_THROUGH = 1000

/** Who redeemed it: the events of subscriptions say it, and the charges. */
async function redemptions(visit: Visit, coupon: Coupon) {
  const { control, query, cursor, to } = visit
  const { coupon_id: id, type } = coupon
  const about = type === 'trial_extension' ? 'trial.extended' : 'discount.applied'
  const asked: object = { type: about, ...cursor(LOOKED_THROUGH) }
  const [events, charges] = await Promise.all([
    answered(control.GET('/sandbox/events', { params: { query: asked } })),
    answered(control.GET('/sandbox/charges', { params: { query: { limit: LOOKED_THROUGH } } })),
  ])
  const found: Redemption[] = events.data.filter(({ detail }) => detail['coupon_id'] === id)
  const paid = charges.data.filter((charge) => charge.coupon_id === id)
  const charged = paid.map(({ charge_id, created_at: at }) => {
    return { at, subject: { kind: 'charge', id: charge_id } }
  })
  return (
    <>
      <Table
        caption="Redemptions"
        rows={query('after') === undefined ? [...found, ...charged] : found}
        columns={[
          { name: 'At', cell: ({ at }) => <At instant={at} /> },
          { name: 'By', cell: ({ subject }) => <SubjectLink visit={visit} subject={subject} /> },
        ]}
        empty={
          <Empty>
            <p>
              {coupon.times_redeemed === 0
                ? 'Nobody redeemed it yet. It is redeemed at a checkout or on a subscription.'
                : 'None of those that are kept here is of this coupon.'}
            </p>
            <p>
              <a href={to('subscriptions/~new')}>Create a subscription with it</a>
            </p>
          </Empty>
        }
      />
      <Pager visit={visit} path={recordPath('coupons', id)} next={events.next_after} />
      {charges.has_more && (
        <p class="hint">Of the one-time charges, the {LOOKED_THROUGH} oldest are looked through.</p>
      )}
    </>
  )
}
