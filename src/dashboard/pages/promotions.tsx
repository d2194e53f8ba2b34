/** Promotions: codes that stand for a coupon, with a window and a limit of their own. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { addForm, page, withNotice } from '../page.tsx'
import { addDeletion } from '../question.tsx'
import { type Sent, sentOrAsked, startingWith } from '../sent.ts'
import { Form, TextField } from '../ui/form.tsx'
import { ButtonLink, DangerLink, linkCell, RecordLink, recordAddress } from '../ui/links.tsx'
import { InstantField, MaxField, redeemedText } from '../ui/restrictions.tsx'
import { Empty, Facts, Heading, Pager, Table } from '../ui/table.tsx'
import { At } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Promotion = Schemas['Promotion']

const PAGE = 50

export function promotionPages(pages: Hono): void {
  pages.get('/promotions', page(listPage))
  addForm(pages, '/promotions/~new', { act: create, show: newPage })
  pages.get('/promotions/:id', page(promotionPage))
  addForm(pages, '/promotions/:id/edit', { act: change, show: editPage })
  addDeletion(pages, 'promotions', {
    name: 'promotion',
    list: 'coupons',
    text: 'The code is deleted and cannot be used any more. Its coupon and its discounts stay.',
  })
}

/** One page of the promotions. */
export function promotionsOf(
  { control }: Visit,
  query: { readonly limit: number; readonly after?: string },
) {
  return answered(control.GET('/sandbox/promotions', { params: { query } }))
}

async function create(visit: Visit, { values }: Sent): Promise<string> {
  const order = {
    code: values.text('code'),
    coupon_id: values.text('coupon_id'),
    starts_at: values.text('starts_at'),
    expires_at: values.text('expires_at'),
    max_redemptions: values.integer('max_redemptions'),
  } as Schemas['PromotionCreate']
  const { code } = await visit.sandbox.promotions.create(order)
  return withNotice(recordAddress(visit, 'promotions', code), 'created')
}

/** What is empty is no limit any more. */
async function change(visit: Visit, { values }: Sent): Promise<string> {
  const { sandbox, id: code } = visit
  await sandbox.promotions.update(code, {
    starts_at: values.text('starts_at') ?? null,
    expires_at: values.text('expires_at') ?? null,
    max_redemptions: values.integer('max_redemptions') ?? null,
  })
  return withNotice(recordAddress(visit, 'promotions', code), 'changed')
}

async function listPage(visit: Visit): Promise<View> {
  const { data, next_after: next } = await promotionsOf(visit, visit.cursor(PAGE))
  const body = (
    <>
      <Heading title="Promotions">
        <ButtonLink href={visit.to('promotions/~new')}>New promotion</ButtonLink>
      </Heading>
      <PromotionTable visit={visit} promotions={data} />
      <Pager visit={visit} path="promotions" next={next} />
    </>
  )
  return { title: 'Promotions', body }
}

export const PromotionTable: FC<{ visit: Visit; promotions: readonly Promotion[] }> = ({
  visit,
  promotions,
}) => (
  <Table
    caption="Promotions"
    rows={promotions}
    columns={[
      { name: 'Code', cell: linkCell(visit, 'promotions', 'code') },
      { name: 'Coupon', cell: linkCell(visit, 'coupons', 'coupon_id') },
      { name: 'Starts', cell: ({ starts_at: at }) => <At instant={at} /> },
      { name: 'Expires', cell: ({ expires_at: at }) => <At instant={at} /> },
      { name: 'Redeemed', cell: redeemedText, isNumber: true },
    ]}
    empty={
      <Empty>
        <p>No promotion yet. A promotion is a code that customers type in for a coupon.</p>
        <p>
          <a href={visit.to('promotions/~new')}>Create one</a>
        </p>
      </Empty>
    }
  />
)

async function promotionPage(visit: Visit): Promise<View> {
  const { sandbox, id: code } = visit
  const promotion = await sandbox.promotions.get(code)
  const { coupon_id: coupon } = promotion
  const at = recordAddress(visit, 'promotions', code)
  const body = (
    <>
      <Heading title={code} note={<span class="hint">Promotion</span>}>
        <ButtonLink href={`${at}/edit`}>Change limits</ButtonLink>
        <DangerLink href={`${at}/delete`}>Delete…</DangerLink>
      </Heading>
      <Facts
        facts={[
          ['Coupon', <RecordLink visit={visit} place="coupons" id={coupon} />],
          ['Starts at', <At instant={promotion.starts_at} />],
          ['Expires at', <At instant={promotion.expires_at} />],
          ['Redeemed', redeemedText(promotion)],
        ]}
      />
      <p>
        Its redemptions are listed with{' '}
        <RecordLink visit={visit} place="coupons" id={coupon}>
          its coupon
        </RecordLink>
        . The limits of the coupon apply too.
      </p>
    </>
  )
  return { title: code, body }
}

const Validity: FC<{ sent: Sent }> = ({ sent }) => (
  <>
    <InstantField name="starts_at" label="Starts at" empty="at once" sent={sent} />
    <InstantField name="expires_at" label="Expires at" empty="never" sent={sent} />
    <MaxField sent={sent} />
  </>
)

async function newPage(visit: Visit, sent: Sent): Promise<View> {
  const { control, to } = visit
  const coupons = await answered(
    control.GET('/sandbox/coupons', { params: { query: { limit: PAGE } } }),
  )
  const shown = sentOrAsked(sent, visit)
  const body = (
    <>
      <Heading title="New promotion" />
      <Form
        action={to('promotions/~new')}
        sent={shown}
        submit="Create promotion"
        cancel={to('coupons')}
      >
        <TextField name="code" label="Code" hint="What the customer enters" sent={shown} />
        <TextField
          name="coupon_id"
          label="Coupon"
          hint="The coupon that the code stands for"
          suggestions={coupons.data.map((each) => each.coupon_id)}
          sent={shown}
        />
        <Validity sent={shown} />
      </Form>
    </>
  )
  return { title: 'New promotion', body }
}

async function editPage(visit: Visit, sent: Sent): Promise<View> {
  const code = visit.id
  const promotion = await visit.sandbox.promotions.get(code)
  const { starts_at, expires_at, max_redemptions } = promotion
  const shown =
    sent.refusal === null ? startingWith({ starts_at, expires_at, max_redemptions }) : sent
  const at = recordAddress(visit, 'promotions', code)
  const body = (
    <>
      <Heading title={`Change ${code}`} />
      <Form action={`${at}/edit`} sent={shown} submit="Save" cancel={at}>
        <Validity sent={shown} />
      </Form>
    </>
  )
  return { title: `Change ${code}`, body }
}
