/** Plans: a new one, one with its price, changing its name and price, and deleting it. */
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { amountText } from '../../wire/text.ts'
import { formPage, page, submit, withNotice } from '../page.tsx'
import { type Sent, startingWith } from '../sent.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Form, SelectField, TextField } from '../ui/form.tsx'
import { RecordLink, recordAddress } from '../ui/links.tsx'
import { priceText } from '../ui/plan-text.ts'
import { Facts, Heading } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

/** How many products a form suggests. */
const SUGGESTED = 50

export function planPages(pages: Hono): void {
  pages.get('/plans/new', formPage(newPage))
  pages.post('/plans/new', submit({ act: create, show: newPage }))
  pages.get('/plans/:id', page(planPage))
  pages.get('/plans/:id/edit', formPage(editPage))
  pages.post('/plans/:id/edit', submit({ act: change, show: editPage }))
  pages.get('/plans/:id/delete', formPage(deletePage))
  pages.post('/plans/:id/delete', submit({ act: remove, show: deletePage }))
}

function idOf({ c }: Visit): string {
  return c.req.param('id') ?? ''
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
  await visit.sandbox.plans.update(idOf(visit), { name: values.raw('name'), amount })
  return withNotice(recordAddress(visit, 'plans', idOf(visit)), 'changed')
}

async function remove(visit: Visit): Promise<string> {
  await visit.sandbox.plans.delete(idOf(visit))
  return withNotice(visit.to('catalog'), 'deleted')
}

async function planPage(visit: Visit): Promise<View> {
  const plan = await visit.sandbox.plans.get(idOf(visit))
  const { plan_id: id, product_id: product } = plan
  const at = recordAddress(visit, 'plans', id)
  const body = (
    <>
      <Heading title={plan.name} note={<code>{id}</code>}>
        <a class="button" href={`${at}/edit`}>
          Change
        </a>
        <a class="button danger" href={`${at}/delete`}>
          Delete…
        </a>
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
  const { control, to, query } = visit
  const params = { query: { limit: SUGGESTED } }
  const products = await answered(control.GET('/sandbox/products', { params }))
  const chosen = query('product_id')
  const shown = sent.refusal === null && chosen ? startingWith({ product_id: chosen }) : sent
  const body = (
    <>
      <Heading title="New plan" />
      <Form action={to('plans/new')} sent={shown} submit="Create plan" cancel={to('catalog')}>
        <TextField
          name="product_id"
          label="Product"
          hint="The id of the product that it prices"
          suggestions={products.data.map((each) => each.product_id)}
          sent={shown}
        />
        <TextField
          name="name"
          label="Name"
          hint="As the lines of invoices print it"
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
          label="How many of them"
          type="number"
          hint="1 where it is empty; 3 with month is every 3 months"
          sent={shown}
        />
        <TextField
          name="plan_id"
          label="Plan id"
          hint="Counted for it where it is empty"
          sent={shown}
        />
      </Form>
    </>
  )
  return { title: 'New plan', body }
}

async function editPage(visit: Visit, sent: Sent): Promise<View> {
  const { plan_id: id, name, amount, currency } = await visit.sandbox.plans.get(idOf(visit))
  const shown = sent.refusal === null ? startingWith({ name, amount }) : sent
  const at = recordAddress(visit, 'plans', id)
  const body = (
    <>
      <Heading title={`Change ${name}`} />
      <p>A new price is charged from the next invoice on. What was billed stays.</p>
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

function deletePage(visit: Visit, sent: Sent): View {
  const id = idOf(visit)
  const at = recordAddress(visit, 'plans', id)
  const body = (
    <Confirm
      question={`Delete ${id}?`}
      action={`${at}/delete`}
      submit="Delete plan"
      cancel={at}
      sent={sent}
    >
      <p>
        The plan goes for good. While a subscription, an invoice or a coupon refers to it, it stays.
      </p>
    </Confirm>
  )
  return { title: `Delete ${id}`, body, live: 'nothing' }
}
