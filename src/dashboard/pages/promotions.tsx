/** Promotions: codes that stand for a coupon, with a window and a limit of their own. */
import type { Schemas } from '../../library/sandbox.ts'
import { PromotionCreate, PromotionPatch } from '../../wire/coupon.ts'
import { type FieldDeclaration, formFieldsOf, instantHint } from '../forms/field.ts'
import { collection } from '../page-kinds/collection.tsx'
import { type Column, instant, link } from '../ui/columns.tsx'
import { PageLink, RecordLink } from '../ui/links.tsx'

/** How often a coupon or a promotion was redeemed: `3 of 10`, or the number alone if it has no limit. */
export const redeemed: Column<Pick<Schemas['Coupon'], 'times_redeemed' | 'max_redemptions'>> = {
  name: 'Redeemed',
  isNumber: true,
  cell: ({ times_redeemed: times, max_redemptions: max }) =>
    max === null ? String(times) : `${times} of ${max}`,
}

/** The fields of limits that coupons have, too. */
export const limits = {
  max_redemptions: {
    label: 'Maximum redemptions',
    hint: 'How often it can be redeemed in total; no limit if empty',
  },
  expires_at: { hint: instantHint('never') },
} as const satisfies Record<string, Omit<FieldDeclaration, 'name'>>

const { expires_at, max_redemptions } = limits
const validity = { starts_at: { hint: instantHint('at once') }, expires_at, max_redemptions }

/** What lists of promotions show. */
export const promotionList = {
  caption: 'Promotions',
  columns: [
    link('Code', 'promotions', 'code'),
    link('Coupon', 'coupons', 'coupon_id'),
    instant('Starts', 'starts_at'),
    instant('Expires', 'expires_at'),
    redeemed,
  ],
  empty: {
    none: 'No promotion yet. A promotion is a code that customers type in for a coupon.',
    next: <PageLink to="promotions/~new">Create one</PageLink>,
  },
}

export const promotionPages = collection<Schemas['Promotion']>({
  place: 'promotions',
  noun: 'promotion',
  calls: ({ promotions }) => promotions,
  idOf: ({ code }) => code,
  home: 'coupons',
  list: {
    title: 'Promotions',
    find: (page, query) => page.list('/sandbox/promotions', query),
    ...promotionList,
  },
  record: {
    note: () => <span class="hint">Promotion</span>,
    facts: [
      link('Coupon', 'coupons', 'coupon_id'),
      instant('Starts at', 'starts_at'),
      instant('Expires at', 'expires_at'),
      redeemed,
    ],
    below: (_, { coupon_id: id }) => (
      <p>
        Its redemptions are listed with{' '}
        <RecordLink place="coupons" id={id}>
          its coupon
        </RecordLink>
        . The limits of the coupon apply too.
      </p>
    ),
  },
  create: {
    fields: formFieldsOf(PromotionCreate, {
      code: { hint: 'What the customer enters' },
      coupon_id: { hint: 'The coupon that the code stands for', suggest: 'coupons' },
      ...validity,
    }),
  },
  change: { label: 'Change limits', fields: formFieldsOf(PromotionPatch, validity) },
  remove: 'The code is deleted and cannot be used any more. Its coupon and its discounts stay.',
})
