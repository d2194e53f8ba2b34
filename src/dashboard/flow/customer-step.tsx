/** The step in which the customer of a new subscription is selected, or created. */
import type { FieldDeclaration } from '../forms/field.ts'
import { Form, FormField, Hidden } from '../forms/form.tsx'
import { PAGE_LENGTH } from '../page-kinds/list-page.tsx'
import { customerColumns, customerFields } from '../pages/customers.tsx'
import { emptyForm, type FormState, formIfHas } from '../ui/form-state.ts'
import type { PageContext, View } from '../ui/page-context.ts'
import { Empty, Pager, Section, Table } from '../ui/table.tsx'
import { choicesOf, stepAddress } from './choices.ts'
import { StepForm, stepPage } from './step-page.tsx'

/** The fields of a customer who is created in this step. */
export const newCustomerFields: readonly FieldDeclaration[] = [
  { name: 'new_customer_id', label: 'Customer id', hint: 'Generated if empty' },
  ...customerFields,
]

const paths = { new_customer_id: ['customer_id'] }

/** The first step. */
export async function customerStep(page: PageContext, form: FormState): Promise<View> {
  const found = await page.list('/sandbox/customers', page.cursor(PAGE_LENGTH))
  const others = choicesOf(form.values, ['customer'])
  const chosen = form.values.has('new_customer_id') ? emptyForm : form
  const link = ({ customer_id }: { customer_id: string }) => (
    <a href={stepAddress(page, 'product', { ...others, customer_id })}>{customer_id}</a>
  )
  const body = (
    <>
      <Section title="Select a customer">
        <Table
          caption="Customers, oldest first"
          rows={found.data}
          columns={[{ name: 'Customer', cell: link }, ...customerColumns]}
          empty={<Empty>No customer yet. Create one below.</Empty>}
        />
        <Pager path="subscriptions/~new" query={others} next={found.next_after} />
        <StepForm step="customer" form={chosen}>
          <FormField name="customer_id" label="Or enter an id" isRequired />
        </StepForm>
      </Section>
      <Section title="Or create a customer">
        <Form
          action={page.to('subscriptions/~new/customer')}
          form={formIfHas({ ...form, paths }, 'new_customer_id')}
          fields={newCustomerFields}
          submit="Create and continue"
        >
          <Hidden values={others} />
        </Form>
      </Section>
    </>
  )
  return stepPage('customer', form, body)
}
