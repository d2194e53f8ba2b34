/** Plans: a new one, one with its price, changing its name and price, and deleting it. */
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { amountText } from '../../wire/text.ts'
import { addForm, page, withNotice } from '../page.tsx'
import { addDeletion } from '../question.tsx'
import { type Sent, sentOrAsked, startingWith } from '../sent.ts'
import { Form, SelectField, TextField } from '../ui/form.tsx'
import { ButtonLink, DangerLink, RecordLink, recordAddress } from '../ui/links.tsx'
import { priceText } from '../ui/plan-text.ts'
import { Facts, Heading } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

/** How many products a form suggests. */
const SUGGESTED = 50

export function planPages(pages: Hono): void {
  addForm(pages, '/plans/~new', { act: create, show: newPage })
  pages.get('/plans/:id', page(planPage))
  addForm(pages, '/plans/:id/edit', { act: change, show: editPage })
  addDeletion(pages, 'plans', {
    name: 'plan',
    list: 'catalog',
    text: 'The plan is deleted. The sandbox refuses that while a subscription, an invoice or a coupon refers to it.',
  })
}

async function create(visit: Visit, { values }: Sent): Promise<string> {
  const order = {
    plan_id: values.text('plan_id'),
    product_id: values.text('product_id'),
    name: values.text('name'),
    amount: values.integer('amount'),
    currency: values.text('currency'),
    interval: values.text('interval'),
    interval_count: values.integer('interval_count'),
  }
  const made = await visit.sandbox.plans.create(order as Schemas['PlanCreate'])
  return withNotice(recordAddress(visit, 'plans', made.plan_id), 'created')
}

async function change(visit: Visit, { values }: Sent): Promise<string> {
  // An empty field is sent too, so that the sandbox refuses it.
  const amount = (values.integer('amount') ?? values.raw('amount')) as number
  await visit.sandbox.plans.update(visit.id, { name: values.raw('name'), amount })
  return withNotice(recordAddress(visit, 'plans', visit.id), 'changed')
}

async function planPage(visit: Visit): Promise<View> {
  const plan = await visit.sandbox.plans.get(visit.id)
  const { plan_id: id, product_id: product } = plan
  const at = recordAddress(visit, 'plans', id)
  const body = (
    <>
      <Heading title={plan.name} note={<code>{id}</code>}>
        <ButtonLink href={`${at}/edit`}>Change</ButtonLink>
        <DangerLink href={`${at}/delete`}>Delete…</DangerLink>
      </Heading>
      <Facts
        facts={[
          ['Price', <span class="number">{priceText(plan)}</span>],
          ['Product', <RecordLink visit={visit} place="products" id={product} />],
        ]}
      />
    </>
  )
  return { title: plan.name, body }
}

async function newPage(visit: Visit, sent: Sent): Promise<View> {
  const { control, to } = visit
  const params = { query: { limit: SUGGESTED } }
  const products = await answered(control.GET('/sandbox/products', { params }))
  const shown = sentOrAsked(sent, visit)
  const body = (
    <>
      <Heading title="New plan" />
      <Form action={to('plans/~new')} sent={shown} submit="Create plan" cancel={to('catalog')}>
        <TextField
          name="product_id"
          label="Product"
          hint="The product that the plan belongs to"
          suggestions={products.data.map((each) => each.product_id)}
          sent={shown}
        />
        <TextField
          name="name"
          label="Name"
          hint="Printed on invoice lines"
          placeholder="Basic"
          sent={shown}
        />
        <TextField
          name="amount"
          label="Price of one interval"
          type="number"
          hint="In minor units: 1000 is 10.00 USD"
          sent={shown}
        />
        <TextField name="currency" label="Currency" placeholder="USD" sent={shown} />
        <SelectField
          name="interval"
          label="Billed every"
          options={['month', 'year', 'week', 'day']}
          sent={shown}
        />
        <TextField
          name="interval_count"
          label="Number of intervals"
          type="number"
          hint="1 if empty; 3 with month is every 3 months"
          sent={shown}
        />
        <TextField name="plan_id" label="Plan id" hint="Generated if empty" sent={shown} />
      </Form>
    </>
  )
  return { title: 'New plan', body }
}

async function editPage(visit: Visit, sent: Sent): Promise<View> {
  const { plan_id: id, name, amount, currency } = await visit.sandbox.plans.get(visit.id)
  const shown = sent.refusal === null ? startingWith({ name, amount }) : sent
  const at = recordAddress(visit, 'plans', id)
  const body = (
    <>
      <Heading title={`Change ${name}`} />
      <p>A new price applies from the next invoice. Past invoices stay as they are.</p>
      <Form action={`${at}/edit`} sent={shown} submit="Save" cancel={at}>
        <TextField name="name" label="Name" sent={shown} />
        <TextField
          name="amount"
          label="Price of one interval"
          type="number"
          hint={`In minor units: 1000 is ${amountText(1000, currency)}`}
          sent={shown}
        />
      </Form>
    </>
  )
  return { title: `Change ${name}`, body }
}
