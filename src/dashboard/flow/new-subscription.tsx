/**
 * A new subscription in the five steps that the interface documents (section 1). Each is a page whose address holds what
 * was chosen, so that going back works and nothing is kept.
 */
import type { Child } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { countText } from '../../wire/common/text.ts'
import { flowOf, subscribeOnce } from '../acts/once.ts'
import { Choices, FormFields, Hidden, planChoice } from '../forms/controls.tsx'
import { bodyOf, fieldsFrom, generatedIfEmpty, withSuggestions } from '../forms/field.ts'
import { Form, WithPreview } from '../forms/form.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { customerColumns, customerFields } from '../pages/customers.tsx'
import { emptyForm, type FormValues, isSandboxRefusal } from '../ui/form-state.ts'
import { CALL_MAX, PAGE_LENGTH, type PageContext, type View, withForm } from '../ui/page-context.ts'
import { Empty, Facts, Section, Table } from '../ui/table.tsx'
import { Nothing, priceText, Text } from '../ui/values.tsx'
import { firstInvoices } from './first-invoices.tsx'
import {
  ByIdentifier,
  choicesOf,
  creationQuery,
  type FlowStep,
  Progress,
  pathOf,
  StepForm,
  stepAddress,
  stepName,
  steps,
  stepToShow,
} from './step.tsx'

/** The fields of a customer who is created in the first step. */
const newCustomerFields = [
  { name: 'new_customer_id', label: 'Customer id', hint: generatedIfEmpty, paths: ['customer_id'] },
  ...customerFields,
]

const showing = (step: FlowStep) => ({ show: (page: PageContext) => showStep(page, step) })

export const newSubscriptionPages: PageTable = {
  ...Object.fromEntries(steps.map((step) => [pathOf(step), showing(step)])),
  'subscriptions/~new': {
    ...showing('customer'),
    showRefused: showing('confirm').show,
    act: (page, values) => subscribeOnce(page, flowOf(values), checkoutOf(values)),
  },
  'subscriptions/~new/customer': {
    showRefused: showing('customer').show,
    act: async (page, values) => {
      const { new_customer_id: id, ...fields } = bodyOf(newCustomerFields, values)
      const body = { customer_id: id, ...fields } as Schemas['CustomerCreate']
      const { customer_id } = await page.sandbox.customers.create(body)
      return stepAddress(page, 'product', { customer_id, ...choicesOf(values, 'customer') })
    },
  },
}

function checkoutOf(values: FormValues): Schemas['Checkout'] {
  const [customer_id, plan] = [values.raw('customer_id'), values.raw('plan')]
  return { customer_id, plan, ...bodyOf(offerFields, values) }
}

const parts: Readonly<Record<FlowStep, (page: PageContext) => Promise<Child>>> = {
  customer: customerStep,
  product: productStep,
  plan: planStep,
  offer: offerStep,
  confirm: confirmStep,
}

/** A choice that the sandbox refuses is shown in its step, with the reason. */
async function showStep(page: PageContext, asked: FlowStep): Promise<View> {
  const { form } = page
  const step = stepToShow(asked, form)
  try {
    const body = [<Progress step={step} />, await parts[step](page)]
    const title = `New subscription: ${stepName(step).toLowerCase()}`
    return { title, heading: 'New subscription', body, live: 'nothing' }
  } catch (refusal) {
    if (!isSandboxRefusal(refusal) || form.refusal !== null) throw refusal
    // A plan is looked for by its id before it is ordered.
    const paths = { plan: ['plan_id', 'plan'] }
    return showStep(withForm(page, { values: form.values, refusal, paths }), asked)
  }
}

async function customerStep(page: PageContext): Promise<Child> {
  const { values } = page.form
  const others = choicesOf(values, 'customer')
  const link = ({ customer_id }: { customer_id: string }) => (
    <a href={stepAddress(page, 'product', { customer_id, ...others })}>{customer_id}</a>
  )
  return [
    <Section title="Select a customer">
      <Table
        caption="Customers"
        rows={await page.list('/sandbox/customers', page.cursor())}
        columns={[{ name: 'Customer', cell: link }, ...customerColumns]}
        empty="No customer yet. Create one below."
      />
      <ByIdentifier step="customer" form={values.has('new_customer_id') ? emptyForm : page.form} />
    </Section>,
    <Form
      title="Or create a customer"
      to="subscriptions/~new/customer"
      fields={newCustomerFields}
      submit="Create and continue"
    >
      <Hidden values={others} />
    </Form>,
  ]
}

async function productStep(page: PageContext): Promise<Child> {
  const customer = await page.sandbox.customers.get(page.form.values.raw('customer_id'))
  const products = await page.list('/sandbox/products', { limit: PAGE_LENGTH })
  const [first] = products.data
  if (first === undefined) {
    const query = creationQuery(page, 'product')
    return <Empty text={`No product yet.\n[Create a product](products/~new?${query})`} />
  }
  return [
    <StepForm step="product">
      <Choices
        name="product_id"
        legend={`Choose a product for ${customer.name ?? customer.customer_id}`}
        choices={products.data.map(({ product_id: value, name: label }) => ({
          ...{ value, label, note: value },
        }))}
        chosen={first.product_id}
      />
    </StepForm>,
    products.has_more && <ByIdentifier step="product" />,
  ]
}

function previewFor(page: PageContext, plan?: Schemas['Plan']): Promise<Child> {
  return firstInvoices(page, checkoutOf(page.form.values), plan)
}

async function planStep(page: PageContext): Promise<Child> {
  const { values, refusal } = page.form
  const { product_id, name } = await page.sandbox.products.get(values.raw('product_id'))
  const found = await page.list('/sandbox/plans', { limit: CALL_MAX })
  const all = found.data.filter((plan) => plan.product_id === product_id)
  const plans = all.slice(0, PAGE_LENGTH)
  const isCut = found.has_more || all.length > PAGE_LENGTH
  if (plans.length === 0 && !isCut) {
    const query = creationQuery(page, 'plan', { product_id })
    return (
      <Empty text={`[Create a plan](plans/~new?${query})`}>
        <p>{name} has no pricing plan yet.</p>
      </Empty>
    )
  }
  const typed = values.text('plan')
  // It may be one of another product, which was chosen before.
  const isKnown = isCut ? typed !== undefined : plans.some((each) => each.plan_id === typed)
  const chosen = isKnown && refusal === null ? await planOf(page) : plans[0]
  return (
    <WithPreview preview={await previewFor(page, chosen)}>
      <div>
        {plans.length > 0 && (
          <StepForm step="plan" hasPreview>
            <Choices
              name="plan"
              legend={`Choose a plan of ${name}`}
              choices={plans.map(planChoice)}
              chosen={chosen?.plan_id}
            />
          </StepForm>
        )}
        {isCut && <ByIdentifier step="plan" />}
      </div>
    </WithPreview>
  )
}

const planOf = ({ sandbox, form }: PageContext) => sandbox.plans.get(form.values.raw('plan'))

const offerFields = fieldsFrom({
  trial_period_days: { label: 'Trial, in days', kind: 'integer', hint: 'No trial if empty' },
  coupon_id: { hint: 'No coupon if empty', suggest: 'coupon' },
  promotion_code: { hint: 'Instead of a coupon', suggest: 'promotion' },
})

async function offerStep(page: PageContext): Promise<Child> {
  const [plan, fields] = await Promise.all([planOf(page), withSuggestions(page, offerFields)])
  return (
    <WithPreview preview={await previewFor(page, plan)}>
      <StepForm step="offer" hasPreview>
        <FormFields fields={fields} />
      </StepForm>
    </WithPreview>
  )
}

async function confirmStep(page: PageContext): Promise<Child> {
  const { values } = page.form
  const [customer, plan] = await Promise.all([
    page.sandbox.customers.get(values.raw('customer_id')),
    planOf(page),
  ])
  const trial = values.text('trial_period_days')
  const offer = values.text('coupon_id') ?? values.text('promotion_code')
  return [
    <Facts
      facts={[
        ['Customer', customer.name ?? customer.customer_id],
        ['Product', plan.product_id],
        ['Plan', [<bdi>{plan.name}</bdi>, `, ${priceText(plan)}`]],
        ['Trial', trial === undefined ? <Nothing /> : countText(Number(trial), 'day')],
        ['Coupon', <Text value={offer} />],
      ]}
    />,
    page.form.refusal === null && (await previewFor(page, plan)),
    <Form to="subscriptions/~new" form={page.form} submit="Confirm and activate" cancel={page.to()}>
      <Hidden values={{ ...choicesOf(values), seen: page.clock.now }} />
    </Form>,
  ]
}
