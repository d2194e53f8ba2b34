/** One-time charges: the list of them, one, and a new one. */
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { addForm, page, withNotice } from '../page.tsx'
import { type Sent, sentOrAsked } from '../sent.ts'
import { asked, Filter } from '../ui/filter.tsx'
import { Form, TextField } from '../ui/form.tsx'
import { ButtonLink, linkCell, RecordLink, recordAddress } from '../ui/links.tsx'
import { Empty, Facts, Heading, Pager, Table } from '../ui/table.tsx'
import { At, MoneyText, Nothing, StatusBadge, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Charge = Schemas['Charge']

const PAGE = 50

const nothingFound: Schemas['ChargeList'] = { data: [], has_more: false, next_after: null }

export function chargePages(pages: Hono): void {
  pages.get('/payments/charges', page(listPage))
  addForm(pages, '/payments/charges/~new', { act: create, show: newPage })
  pages.get('/payments/charges/:id', page(chargePage))
}

async function create(visit: Visit, { values }: Sent): Promise<string> {
  const order = {
    customer_id: values.text('customer_id'),
    amount: values.integer('amount'),
    currency: values.text('currency'),
    coupon_id: values.text('coupon_id'),
  }
  const made = await visit.sandbox.charges.create(order as Schemas['ChargeCreate'])
  const { charge_id: id, failure_reason: reason } = made
  const notice = reason === null ? 'charged' : (`charge_${reason}` as const)
  return withNotice(recordAddress(visit, 'payments/charges', id), notice)
}

async function listPage(visit: Visit): Promise<View> {
  const { control, given, cursor, to } = visit
  const filter = given('customer_id')
  const query = { ...filter, ...cursor(PAGE) }
  const { found: charges, sent } = await asked(visit, {
    find: () => answered(control.GET('/sandbox/charges', { params: { query } })),
    otherwise: nothingFound,
  })
  const body = (
    <>
      <Heading title="One-time charges">
        <ButtonLink href={to('payments/charges/~new')}>New charge</ButtonLink>
      </Heading>
      <Filter visit={visit} path="payments/charges" sent={sent} label="Filter charges">
        <TextField name="customer_id" label="Customer" placeholder="cus_ada" sent={sent} />
      </Filter>
      {sent.refusal === null && (
        <Table
          caption="One-time charges, oldest first"
          rows={charges.data}
          columns={columnsOf(visit)}
          empty={
            <Empty>
              <p>
                {filter.customer_id === undefined
                  ? 'No charge yet. A charge is a payment without a subscription.'
                  : 'No charge matches the filter.'}
              </p>
              <p>
                <a href={to('payments/charges/~new')}>Charge a customer once</a>
              </p>
            </Empty>
          }
        />
      )}
      <Pager visit={visit} path="payments/charges" query={filter} next={charges.next_after} />
    </>
  )
  return { title: 'One-time charges', body }
}

function columnsOf(visit: Visit) {
  return [
    { name: 'Charge', cell: linkCell(visit, 'payments/charges', 'charge_id') },
    { name: 'Status', cell: (each: Charge) => <StatusBadge status={each.status} /> },
    {
      name: 'Due',
      cell: (each: Charge) => <MoneyText amount={each.amount_due} currency={each.currency} />,
      isNumber: true,
    },
    { name: 'Customer', cell: linkCell(visit, 'customers', 'customer_id') },
    { name: 'Reason', cell: (each: Charge) => <Text value={each.failure_reason} /> },
    { name: 'Created', cell: (each: Charge) => <At instant={each.created_at} /> },
  ]
}

async function chargePage(visit: Visit): Promise<View> {
  const charge = await visit.sandbox.charges.get(visit.id)
  const { charge_id: id, currency, coupon_id: coupon } = charge
  const body = (
    <>
      <Heading title={id} note={<StatusBadge status={charge.status} />} />
      <Facts
        facts={[
          ['Amount', <MoneyText amount={charge.amount} currency={currency} />],
          ['Discount', <MoneyText amount={charge.discount_total} currency={currency} />],
          ['Due', <MoneyText amount={charge.amount_due} currency={currency} />],
          ['Failure reason', <Text value={charge.failure_reason} />],
          ['Customer', <RecordLink visit={visit} place="customers" id={charge.customer_id} />],
          [
            'Coupon',
            coupon === null ? (
              <Nothing />
            ) : (
              <RecordLink visit={visit} place="coupons" id={coupon} />
            ),
          ],
          ['Created', <At instant={charge.created_at} />],
        ]}
      />
    </>
  )
  return { title: id, body }
}

function newPage(visit: Visit, sent: Sent): View {
  const { to } = visit
  const shown = sentOrAsked(sent, visit)
  const body = (
    <>
      <Heading title="New charge" />
      <Form
        action={to('payments/charges/~new')}
        sent={shown}
        submit="Charge"
        cancel={to('payments/charges')}
      >
        <TextField name="customer_id" label="Customer" placeholder="cus_ada" sent={shown} />
        <TextField
          name="amount"
          label="Amount"
          type="number"
          hint="In minor units: 1000 is 10.00 USD"
          sent={shown}
        />
        <TextField name="currency" label="Currency" placeholder="USD" sent={shown} />
        <TextField name="coupon_id" label="Coupon" hint="No coupon if empty" sent={shown} />
      </Form>
    </>
  )
  return { title: 'New charge', body }
}
