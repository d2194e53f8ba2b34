/** The five steps of a new subscription, as pages. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import type { Sent } from '../sent.ts'
import { Choices, planChoice } from '../ui/choices.tsx'
import { Form, TextField } from '../ui/form.tsx'
import { priceText } from '../ui/plan-text.ts'
import { Empty, Facts } from '../ui/table.tsx'
import { Nothing, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { checkoutOf, choicesOf, type FlowStep } from './choices.ts'
import { customerStep } from './customer-step.tsx'
import { FirstInvoices, type Prospect, prospectOf } from './first-invoices.tsx'
import { Carried, StepForm, stepPage } from './step-page.tsx'

/** How many coupons and promotions are suggested. */
const SUGGESTED = 50

/** How many products or plans there are to choose from, and among how many plans those of a product are looked for. */
const LISTED = 50
const SEARCHED = 1000

type ShowStep = (visit: Visit, sent: Sent) => Promise<View>

/** The page of each step. */
export const stepViews: Readonly<Record<FlowStep, ShowStep>> = {
  customer: customerStep,
  product: productStep,
  plan: planStep,
  offer: offerStep,
  confirm: confirmStep,
}

async function productStep(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, control, to } = visit
  const customer = await sandbox.customers.get(sent.values.raw('customer_id'))
  const params = { query: { limit: LISTED } }
  const { data: products, has_more: isCut } = await answered(
    control.GET('/sandbox/products', { params }),
  )
  const body =
    products.length === 0 ? (
      <Empty>
        <p>No product yet.</p>
        <p>
          <a href={to('products/~new')}>Create a product</a>
        </p>
      </Empty>
    ) : (
      <>
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
        {isCut && <ByIdentifier visit={visit} step="product" name="product_id" sent={sent} />}
      </>
    )
  return stepPage(visit, { step: 'product', sent, body })
}

/** What the choices lead to, unless they are refused: then the page says so already. */
async function prospectFor(
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
  const { plans, isCut } = await plansOf(visit, product.product_id)
  if (plans.length === 0 && !isCut) {
    const body = (
      <Empty>
        <p>{product.name} has no pricing plan yet.</p>
        <p>
          <a href={to('plans/~new', { product_id: product.product_id })}>Create a plan</a>
        </p>
      </Empty>
    )
    return stepPage(visit, { step: 'plan', sent, body })
  }
  const isTyped = sent.values.text('plan') !== undefined && sent.refusal === null
  const chosen = isTyped ? await planOf(visit, sent) : plans[0]
  const prospect = chosen === undefined ? null : await prospectFor(visit, sent, chosen)
  const body = (
    <div class="with-preview">
      <div>
        {plans.length > 0 && (
          <StepForm visit={visit} step="plan" sent={sent} hasPreview>
            <Choices
              name="plan"
              legend={`Choose a plan of ${product.name}`}
              sent={sent}
              choices={plans.map(planChoice)}
              chosen={chosen?.plan_id}
            />
          </StepForm>
        )}
        {isCut && <ByIdentifier visit={visit} step="plan" name="plan" sent={sent} />}
      </div>
      <FirstInvoices prospect={prospect} refusal={sent.refusal} />
    </div>
  )
  return stepPage(visit, { step: 'plan', sent, body })
}

/** Some plans of a product, and whether it may have others. */
async function plansOf({ control }: Visit, product: string) {
  const params = { query: { limit: SEARCHED } }
  const found = await answered(control.GET('/sandbox/plans', { params }))
  const plans = found.data.filter((plan) => plan.product_id === product)
  return { plans: plans.slice(0, LISTED), isCut: found.has_more || plans.length > LISTED }
}

/** For what stands further down than the list goes. */
const ByIdentifier: FC<{
  visit: Visit
  step: 'product' | 'plan'
  name: 'product_id' | 'plan'
  sent: Sent
}> = ({ visit, step, name, sent }) => (
  <StepForm visit={visit} step={step} sent={sent}>
    <TextField name={name} label="Or enter an id" sent={sent} isRequired />
  </StepForm>
)

function planOf({ sandbox }: Visit, { values }: Sent): Promise<Schemas['Plan']> {
  return sandbox.plans.get(values.raw('plan'))
}

async function offerStep(visit: Visit, sent: Sent): Promise<View> {
  const { control } = visit
  const few = { params: { query: { limit: SUGGESTED } } }
  const [plan, coupons, promotions] = await Promise.all([
    planOf(visit, sent),
    answered(control.GET('/sandbox/coupons', few)),
    answered(control.GET('/sandbox/promotions', few)),
  ])
  const prospect = await prospectFor(visit, sent, plan)
  const body = (
    <div class="with-preview">
      <StepForm visit={visit} step="offer" sent={sent} hasPreview>
        <TextField
          name="trial_period_days"
          label="Trial, in days"
          hint="No trial if empty"
          type="number"
          sent={sent}
        />
        <TextField
          name="coupon_id"
          label="Coupon"
          hint="No coupon if empty"
          suggestions={coupons.data.map((each) => each.coupon_id)}
          sent={sent}
        />
        <TextField
          name="promotion_code"
          label="Promotion code"
          hint="Instead of a coupon"
          suggestions={promotions.data.map((each) => each.code)}
          sent={sent}
        />
      </StepForm>
      <FirstInvoices prospect={prospect} refusal={sent.refusal} />
    </div>
  )
  return stepPage(visit, { step: 'offer', sent, body })
}

async function confirmStep(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, to } = visit
  const { values } = sent
  const [customer, plan] = await Promise.all([
    sandbox.customers.get(values.raw('customer_id')),
    planOf(visit, sent),
  ])
  const prospect = await prospectFor(visit, sent, plan)
  const trial = values.text('trial_period_days')
  const offer = values.text('coupon_id') ?? values.text('promotion_code')
  const body = (
    <>
      <Facts
        facts={[
          ['Customer', customer.name ?? customer.customer_id],
          ['Product', plan.product_id],
          ['Plan', `${plan.name}, ${priceText(plan)}`],
          [
            'Trial',
            trial === undefined ? <Nothing /> : `${trial} ${trial === '1' ? 'day' : 'days'}`,
          ],
          ['Coupon', <Text value={offer} />],
        ]}
      />
      {prospect !== null && <FirstInvoices prospect={prospect} refusal={null} />}
      <Form
        action={to('subscriptions/~new')}
        sent={sent}
        submit="Confirm and activate"
        cancel={to()}
      >
        <Carried values={choicesOf(values)} />
      </Form>
    </>
  )
  return stepPage(visit, { step: 'confirm', sent, body })
}
