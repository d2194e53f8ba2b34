/** The step in which the customer of a new subscription is selected, or created. */
import type { FC } from 'hono/jsx'
import { answered } from '../../library/transport.ts'
import { nothingSent, type Sent } from '../sent.ts'
import { CustomerFields, customerColumns } from '../ui/customer.tsx'
import { Form, TextField } from '../ui/form.tsx'
import { Empty, Pager, Section, Table } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { choicesOf, stepAddress } from './choices.ts'
import { Carried, StepForm, stepPage } from './step-page.tsx'

const PAGE = 50

/** The first step: somebody who is a customer already, or becomes one. */
export async function customerStep(visit: Visit, sent: Sent): Promise<View> {
  const params = { query: visit.cursor(PAGE) }
  const found = await answered(visit.control.GET('/sandbox/customers', { params }))
  const others = choicesOf(sent.values, ['customer'])
  const chosen = sent.values.has('new_customer_id') ? nothingSent : sent
  const body = (
    <>
      <Section title="Select a customer">
        <Table
          caption="Customers, oldest first"
          rows={found.data}
          columns={customerColumns((id) => (
            <a href={stepAddress(visit, 'product', { ...others, customer_id: id })}>{id}</a>
          ))}
          empty={<Empty>No customer yet. Create one below.</Empty>}
        />
        <Pager visit={visit} path="subscriptions/~new" query={others} next={found.next_after} />
        <StepForm visit={visit} step="customer" sent={chosen}>
          <TextField name="customer_id" label="Or enter an id" sent={chosen} isRequired />
        </StepForm>
      </Section>
      <NewCustomer visit={visit} sent={sent} others={others} />
    </>
  )
  return stepPage(visit, { step: 'customer', sent, body })
}

const NewCustomer: FC<{
  visit: Visit
  sent: Sent
  others: Readonly<Record<string, string>>
}> = ({ visit, sent, others }) => {
  const paths = { new_customer_id: ['customer_id'] }
  const typed = sent.values.has('new_customer_id') ? { ...sent, paths } : nothingSent
  return (
    <Section title="Or create a customer">
      <Form
        action={visit.to('subscriptions/~new/customer')}
        sent={typed}
        submit="Create and continue"
      >
        <Carried values={others} />
        <TextField
          name="new_customer_id"
          label="Customer id"
          hint="Generated if empty"
          sent={typed}
        />
        <CustomerFields sent={typed} />
      </Form>
    </Section>
  )
}
