/** Customers: the list of them, and making one. */
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { formPage, page, submit, withNotice } from '../page.tsx'
import type { Sent } from '../sent.ts'
import { CustomerFields, customerColumns } from '../ui/customer.tsx'
import { asked, Filter } from '../ui/filter.tsx'
import { Form, TextField } from '../ui/form.tsx'
import { ButtonLink, RecordLink, recordAddress } from '../ui/links.tsx'
import { Empty, Heading, Pager, Table } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

const PAGE = 50

export function customerPages(pages: Hono): void {
  pages.get('/customers', page(listPage))
  pages.post('/customers', submit({ act: create, show: newPage }))
  pages.get('/customers/~new', formPage(newPage))
}

type Found = Pick<Schemas['CustomerList'], 'data' | 'next_after'>

/** One page of them, or the one that is looked for. */
async function list({ sandbox, control, query, cursor }: Visit): Promise<Found> {
  const id = query('customer_id')
  if (id !== undefined) return { data: [await sandbox.customers.get(id)], next_after: null }
  return answered(control.GET('/sandbox/customers', { params: { query: cursor(PAGE) } }))
}

async function listPage(visit: Visit): Promise<View> {
  const { to } = visit
  const { found, sent } = await asked(visit, {
    find: () => list(visit),
    otherwise: { data: [], next_after: null },
  })
  const body = (
    <>
      <Heading title="Customers">
        <ButtonLink href={to('customers/~new')}>New customer</ButtonLink>
      </Heading>
      <Filter visit={visit} path="customers" sent={sent} label="Which customers">
        <TextField name="customer_id" label="Customer id" placeholder="cus_ada" sent={sent} />
      </Filter>
      <Table
        caption="Customers, oldest first"
        rows={found.data}
        columns={customerColumns((id) => <RecordLink visit={visit} place="customers" id={id} />)}
        empty={
          <Empty>
            <p>
              {sent.refusal === null
                ? 'No customer yet. A customer is who subscribes and pays.'
                : 'No customer matches the filter.'}
            </p>
            <p>
              <a href={to('customers/~new')}>Create a customer</a>
            </p>
          </Empty>
        }
      />
      <Pager visit={visit} path="customers" next={found.next_after} />
    </>
  )
  return { title: 'Customers', body }
}

async function create(visit: Visit, { values }: Sent): Promise<string> {
  const order = {
    customer_id: values.text('customer_id'),
    name: values.text('name'),
    email: values.text('email'),
    currency: values.text('currency'),
    payment_method: values.text('payment_method'),
    balance: values.integer('balance'),
  } as Schemas['CustomerCreate']
  const { customer_id: id } = await visit.sandbox.customers.create(order)
  return withNotice(recordAddress(visit, 'customers', id), 'created')
}

function newPage({ to }: Visit, sent: Sent): View {
  const body = (
    <>
      <Heading title="New customer" />
      <Form action={to('customers')} sent={sent} submit="Create customer" cancel={to('customers')}>
        <TextField name="customer_id" label="Customer id" hint="Generated if empty" sent={sent} />
        <CustomerFields sent={sent} />
        <TextField
          name="currency"
          label="Currency"
          hint="The currency of the first bill if empty"
          placeholder="USD"
          sent={sent}
        />
      </Form>
    </>
  )
  return { title: 'New customer', body, live: 'nothing' }
}
