/** The five steps of a new subscription, as pages. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { Choices, planChoice } from '../forms/choices.tsx'
import { type FieldDeclaration, withSuggestions } from '../forms/field.ts'
import { Form, FormField, FormFields, Hidden } from '../forms/form.tsx'
import { PAGE_LENGTH } from '../page-kinds/list-page.tsx'
import type { FormState } from '../ui/form-state.ts'
import { linkWith, PageLink } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { emptyText, Facts } from '../ui/table.tsx'
import { countOf, Nothing, priceText, Text } from '../ui/values.tsx'
import { checkoutOf, choicesOf, type FlowStep } from './choices.ts'
import { customerStep } from './customer-step.tsx'
import { FirstInvoices, type Prospect, prospectOf } from './first-invoices.tsx'
import { StepForm, stepPage } from './step-page.tsx'

/** Among how many plans those of a product are looked for. */
const SEARCHED = 1000

type ShowStep = (page: PageContext, form: FormState) => Promise<View>

/** The page of each step. */
export const stepViews: Readonly<Record<FlowStep, ShowStep>> = {
  customer: customerStep,
  product: productStep,
  plan: planStep,
  offer: offerStep,
  confirm: confirmStep,
}

async function productStep(page: PageContext, form: FormState): Promise<View> {
  const customer = await page.sandbox.customers.get(form.values.raw('customer_id'))
  const { data: products, has_more: isCut } = await page.list('/sandbox/products', {
    limit: PAGE_LENGTH,
  })
  if (products.length === 0) {
    const next = <PageLink to="products/~new">Create a product</PageLink>
    return stepPage('product', form, emptyText('No product yet.', next))
  }
  const body = (
    <>
      <StepForm step="product" form={form}>
        <Choices
          name="product_id"
          legend={`Choose a product for ${customer.name ?? customer.customer_id}`}
          choices={products.map(({ product_id: id, name }) => ({
            value: id,
            label: name,
            note: id,
          }))}
          chosen={products[0]?.product_id}
        />
      </StepForm>
      {isCut && <ByIdentifier step="product" name="product_id" form={form} />}
    </>
  )
  return stepPage('product', form, body)
}

/** The result of the choices, unless they are refused: then the page says so already. */
async function prospectFor(
  page: PageContext,
  { values, refusal }: FormState,
  plan: Schemas['Plan'],
): Promise<Prospect | null> {
  if (refusal !== null) return null
  return prospectOf(page, { ...checkoutOf(values), plan: plan.plan_id }, plan)
}

async function planStep(page: PageContext, form: FormState): Promise<View> {
  const { product_id, name } = await page.sandbox.products.get(form.values.raw('product_id'))
  const { plans, isCut } = await plansOf(page, product_id)
  if (plans.length === 0 && !isCut) {
    const next = linkWith({ product_id }, 'Create a plan', 'plans/~new')
    return stepPage('plan', form, emptyText(<>{name} has no pricing plan yet.</>, next))
  }
  const isTyped = form.values.text('plan') !== undefined && form.refusal === null
  const chosen = isTyped ? await planOf(page, form) : plans[0]
  const prospect = chosen === undefined ? null : await prospectFor(page, form, chosen)
  const body = (
    <div class="with-preview">
      <div>
        {plans.length > 0 && (
          <StepForm step="plan" form={form} hasPreview>
            <Choices
              name="plan"
              legend={`Choose a plan of ${name}`}
              choices={plans.map(planChoice)}
              chosen={chosen?.plan_id}
            />
          </StepForm>
        )}
        {isCut && <ByIdentifier step="plan" name="plan" form={form} />}
      </div>
      <FirstInvoices prospect={prospect} refusal={form.refusal} />
    </div>
  )
  return stepPage('plan', form, body)
}

/** Some plans of a product, and whether it may have others. */
async function plansOf(page: PageContext, product: string) {
  const found = await page.list('/sandbox/plans', { limit: SEARCHED })
  const plans = found.data.filter((plan) => plan.product_id === product)
  return { plans: plans.slice(0, PAGE_LENGTH), isCut: found.has_more || plans.length > PAGE_LENGTH }
}

/** For records further down than the list goes. */
const ByIdentifier: FC<{
  step: 'product' | 'plan'
  name: 'product_id' | 'plan'
  form: FormState
}> = ({ step, name, form }) => (
  <StepForm step={step} form={form}>
    <FormField name={name} label="Or enter an id" isRequired />
  </StepForm>
)

function planOf({ sandbox }: PageContext, { values }: FormState): Promise<Schemas['Plan']> {
  return sandbox.plans.get(values.raw('plan'))
}

const offerFields: readonly FieldDeclaration[] = [
  {
    name: 'trial_period_days',
    label: 'Trial, in days',
    kind: 'integer',
    hint: 'No trial if empty',
  },
  { name: 'coupon_id', hint: 'No coupon if empty', suggest: 'coupons' },
  { name: 'promotion_code', hint: 'Instead of a coupon', suggest: 'promotions' },
]

async function offerStep(page: PageContext, form: FormState): Promise<View> {
  const [plan, fields] = await Promise.all([planOf(page, form), withSuggestions(page, offerFields)])
  const body = (
    <div class="with-preview">
      <StepForm step="offer" form={form} hasPreview>
        <FormFields fields={fields} />
      </StepForm>
      <FirstInvoices prospect={await prospectFor(page, form, plan)} refusal={form.refusal} />
    </div>
  )
  return stepPage('offer', form, body)
}

async function confirmStep(page: PageContext, form: FormState): Promise<View> {
  const { values } = form
  const [customer, plan] = await Promise.all([
    page.sandbox.customers.get(values.raw('customer_id')),
    planOf(page, form),
  ])
  const prospect = await prospectFor(page, form, plan)
  const trial = values.text('trial_period_days')
  const offer = values.text('coupon_id') ?? values.text('promotion_code')
  const body = (
    <>
      <Facts
        facts={[
          ['Customer', customer.name ?? customer.customer_id],
          ['Product', plan.product_id],
          ['Plan', `${plan.name}, ${priceText(plan)}`],
          ['Trial', trial === undefined ? <Nothing /> : countOf(Number(trial), 'day')],
          ['Coupon', <Text value={offer} />],
        ]}
      />
      {prospect !== null && <FirstInvoices prospect={prospect} refusal={null} />}
      <Form
        action={page.to('subscriptions/~new')}
        form={form}
        submit="Confirm and activate"
        cancel={page.to()}
      >
        <Hidden values={choicesOf(values)} />
      </Form>
    </>
  )
  return stepPage('confirm', form, body)
}
