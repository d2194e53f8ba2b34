/** The five steps of a new subscription, as pages. */
import type { FC, PropsWithChildren } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { nothingSent, type Sent } from '../sent.ts'
import { Choices } from '../ui/choices.tsx'
import { Form, SelectField, TextField } from '../ui/form.tsx'
import { priceText } from '../ui/plan-text.ts'
import { Empty, Facts, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { MoneyText, Nothing, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { checkoutOf, choicesOf, type Step, stepAddress, steps } from './choices.ts'
import { Preview, type Prospect, prospectOf } from './first-invoices.tsx'

const PAGE = 50

const names: Readonly<Record<Step, string>> = {
  customer: 'Customer',
  product: 'Product',
  plan: 'Pricing plan',
  offer: 'Trial and coupon',
  confirm: 'Confirm',
}

type ShowStep = (visit: Visit, sent: Sent) => Promise<View>

/** The page of each step. */
export const stepViews: Readonly<Record<Step, ShowStep>> = {
  customer: customerStep,
  product: productStep,
  plan: planStep,
  offer: offerStep,
  confirm: confirmStep,
}

function viewOf(visit: Visit, { step, sent, body }: { step: Step; sent: Sent; body: unknown }) {
  return {
    title: `New subscription: ${names[step].toLowerCase()}`,
    live: 'nothing' as const,
    body: (
      <>
        <Heading title="New subscription" />
        <Progress visit={visit} step={step} sent={sent} />
        {body}
      </>
    ),
  }
}

const Progress: FC<{ visit: Visit; step: Step; sent: Sent }> = ({ visit, step, sent }) => (
  <ol class="steps" aria-label="Steps">
    {steps.map((each, index) => (
      <li aria-current={each === step ? 'step' : undefined}>
        {index < steps.indexOf(step) ? (
          <a href={stepAddress(visit, each, choicesOf(sent.values))}>{names[each]}</a>
        ) : (
          names[each]
        )}
      </li>
    ))}
  </ol>
)

/** A step's own form: it leads to the next step with everything that was chosen. */
const StepForm: FC<
  PropsWithChildren<{ visit: Visit; step: Step; sent: Sent; hasPreview?: boolean }>
> = ({ visit, step, sent, hasPreview = false, children }) => {
  const next = steps[steps.indexOf(step) + 1] ?? step
  const here = stepAddress(visit, step)
  return (
    <form
      method="get"
      action={stepAddress(visit, next)}
      class="form"
      data-preview={hasPreview ? here : undefined}
    >
      <Carried values={choicesOf(sent.values, [step])} />
      {children}
      <div class="actions">
        <button type="submit" class="primary">
          Continue
        </button>
        {hasPreview && (
          <button type="submit" formaction={here} class="unscripted">
            Show
          </button>
        )}
      </div>
    </form>
  )
}

const Carried: FC<{ values: Readonly<Record<string, string>> }> = ({ values }) => (
  <>
    {Object.entries(values).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
  </>
)

async function customerStep(visit: Visit, sent: Sent): Promise<View> {
  const { control, query } = visit
  const after = query('after')
  const page = { limit: PAGE, ...(after === undefined ? {} : { after }) }
  const found = await answered(control.GET('/sandbox/customers', { params: { query: page } }))
  const others = choicesOf(sent.values, ['customer'])
  const chosen = sent.values.has('new_customer_id') ? nothingSent : sent
  const body = (
    <>
      <Section title="Select a customer">
        <Table
          caption="Customers, oldest first"
          rows={found.data}
          columns={customerColumns(visit, others)}
          empty={<Empty>No customer yet. Create one below.</Empty>}
        />
        <Pager visit={visit} path="subscriptions/new" query={others} next={found.next_after} />
        <StepForm visit={visit} step="customer" sent={chosen}>
          <TextField name="customer_id" label="Or by its identifier" sent={chosen} isRequired />
        </StepForm>
      </Section>
      <NewCustomer visit={visit} sent={sent} others={others} />
    </>
  )
  return viewOf(visit, { step: 'customer', sent, body })
}

function customerColumns(visit: Visit, others: Readonly<Record<string, string>>) {
  type Customer = Schemas['Customer']
  return [
    {
      name: 'Customer',
      cell: ({ customer_id }: Customer) => (
        <a href={stepAddress(visit, 'product', { ...others, customer_id })}>{customer_id}</a>
      ),
    },
    { name: 'Name', cell: ({ name }: Customer) => <Text value={name} /> },
    { name: 'Email', cell: ({ email }: Customer) => <Text value={email} /> },
    {
      name: 'Balance',
      isNumber: true,
      cell: ({ balance, currency }: Customer) =>
        currency === null ? <Nothing /> : <MoneyText amount={balance} currency={currency} />,
    },
    { name: 'Payment method', cell: ({ payment_method }: Customer) => payment_method },
  ]
}

const NewCustomer: FC<{
  visit: Visit
  sent: Sent
  others: Readonly<Record<string, string>>
}> = ({ visit, sent, others }) => {
  const typed = sent.values.has('new_customer_id') ? sent : nothingSent
  return (
    <Section title="Or create a customer">
      <Form
        action={visit.to('subscriptions/new/customer')}
        sent={typed}
        submit="Create and continue"
      >
        <Carried values={others} />
        <TextField
          name="new_customer_id"
          label="Identifier"
          hint="One is given where it is empty"
          refusedAs="customer_id"
          sent={typed}
        />
        <TextField name="name" label="Name" sent={typed} />
        <TextField name="email" label="Email" sent={typed} />
        <SelectField
          name="payment_method"
          label="Payment method"
          options={[
            ['valid', 'valid: payments succeed'],
            ['none', 'none: payments fail'],
          ]}
          sent={typed}
        />
      </Form>
    </Section>
  )
}

async function productStep(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, to } = visit
  const customer = await sandbox.customers.get(sent.values.raw('customer_id'))
  const products = await sandbox.products.list()
  const body =
    products.length === 0 ? (
      <Empty>
        <p>No product yet.</p>
        <p>
          <a href={to('products/new')}>Create a product</a>
        </p>
      </Empty>
    ) : (
      <StepForm visit={visit} step="product" sent={sent}>
        <Choices
          name="product_id"
          legend={`Choose a product for ${customer.name ?? customer.customer_id}`}
          sent={sent}
          choices={products.map(({ product_id: id, name }) => ({
            value: id,
            label: name,
            note: id,
          }))}
          chosen={products[0]?.product_id}
        />
      </StepForm>
    )
  return viewOf(visit, { step: 'product', sent, body })
}

/** What the choices lead to, unless they are refused: then the page says so already. */
async function lookAt(
  visit: Visit,
  { values, refusal }: Sent,
  plan: Schemas['Plan'],
): Promise<Prospect | null> {
  if (refusal !== null) return null
  return prospectOf(visit, { ...checkoutOf(values), plan: plan.plan_id }, plan)
}

async function planStep(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, to } = visit
  const product = await sandbox.products.get(sent.values.raw('product_id'))
  const all = await sandbox.plans.list()
  const plans = all.filter((plan) => plan.product_id === product.product_id)
  const chosen = plans.find((plan) => plan.plan_id === sent.values.raw('plan')) ?? plans[0]
  if (chosen === undefined) {
    const body = (
      <Empty>
        <p>{product.name} has no pricing plan yet.</p>
        <p>
          <a href={to('plans/new', { product_id: product.product_id })}>Create a plan</a>
        </p>
      </Empty>
    )
    return viewOf(visit, { step: 'plan', sent, body })
  }
  const prospect = await lookAt(visit, sent, chosen)
  const body = (
    <div class="with-preview">
      <StepForm visit={visit} step="plan" sent={sent} hasPreview>
        <Choices
          name="plan"
          legend={`Choose a plan of ${product.name}`}
          sent={sent}
          choices={plans.map((plan) => ({
            value: plan.plan_id,
            label: plan.name,
            note: priceText(plan),
          }))}
          chosen={chosen.plan_id}
        />
      </StepForm>
      <Preview prospect={prospect} refusal={sent.refusal} />
    </div>
  )
  return viewOf(visit, { step: 'plan', sent, body })
}

async function offerStep(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, control } = visit
  const few = { params: { query: { limit: PAGE } } }
  const [plan, coupons, promotions] = await Promise.all([
    sandbox.plans.get(sent.values.raw('plan')),
    answered(control.GET('/sandbox/coupons', few)),
    answered(control.GET('/sandbox/promotions', few)),
  ])
  const prospect = await lookAt(visit, sent, plan)
  const body = (
    <div class="with-preview">
      <StepForm visit={visit} step="offer" sent={sent} hasPreview>
        <TextField
          name="trial_period_days"
          label="Trial, in days"
          hint="No trial where it is empty"
          type="number"
          sent={sent}
        />
        <TextField
          name="coupon_id"
          label="Coupon"
          hint="No coupon where it is empty"
          suggestions={coupons.data.map((each) => each.coupon_id)}
          sent={sent}
        />
        <TextField
          name="promotion_code"
          label="Promotion code"
          hint="In place of a coupon"
          suggestions={promotions.data.map((each) => each.code)}
          sent={sent}
        />
      </StepForm>
      <Preview prospect={prospect} refusal={sent.refusal} />
    </div>
  )
  return viewOf(visit, { step: 'offer', sent, body })
}

async function confirmStep(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, to } = visit
  const { values } = sent
  const [customer, plan] = await Promise.all([
    sandbox.customers.get(values.raw('customer_id')),
    sandbox.plans.get(values.raw('plan')),
  ])
  const prospect = await lookAt(visit, sent, plan)
  const trial = values.text('trial_period_days')
  const offer = values.text('coupon_id') ?? values.text('promotion_code')
  const body = (
    <>
      <Facts
        facts={[
          ['Customer', customer.name ?? customer.customer_id],
          ['Product', plan.product_id],
          ['Plan', `${plan.name}, ${priceText(plan)}`],
          ['Trial', trial === undefined ? <Nothing /> : `${trial} days`],
          ['Coupon', <Text value={offer} />],
        ]}
      />
      {prospect !== null && <Preview prospect={prospect} refusal={null} />}
      <Form
        action={to('subscriptions/new')}
        sent={sent}
        submit="Confirm and activate"
        cancel={to()}
      >
        <Carried values={choicesOf(values)} />
      </Form>
    </>
  )
  return viewOf(visit, { step: 'confirm', sent, body })
}
