/** Products: a new one, one with its plans, its name, and deleting it. */
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'
import { addForm, page, withNotice } from '../page.tsx'
import { addDeletion } from '../question.tsx'
import { type Sent, startingWith } from '../sent.ts'
import { Form, TextField } from '../ui/form.tsx'
import { ButtonLink, DangerLink, recordAddress } from '../ui/links.tsx'
import { Heading, Section } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { PlanTable, plansRead } from './catalog.tsx'

export function productPages(pages: Hono): void {
  addForm(pages, '/products/~new', { act: create, show: newPage })
  pages.get('/products/:id', page(productPage))
  addForm(pages, '/products/:id/edit', { act: change, show: editPage })
  addDeletion(pages, 'products', {
    name: 'product',
    list: 'catalog',
    text: 'The product is deleted. The sandbox refuses that while it has plans, or a coupon is limited to it.',
  })
}

async function create(visit: Visit, { values }: Sent): Promise<string> {
  const order = { product_id: values.text('product_id'), name: values.text('name') }
  const made = await visit.sandbox.products.create(order as Schemas['ProductCreate'])
  return withNotice(recordAddress(visit, 'products', made.product_id), 'created')
}

async function change(visit: Visit, { values }: Sent): Promise<string> {
  // An empty name is sent too, so that the sandbox refuses it.
  await visit.sandbox.products.update(visit.id, { name: values.raw('name') })
  return withNotice(recordAddress(visit, 'products', visit.id), 'changed')
}

async function productPage(visit: Visit): Promise<View> {
  const { product_id: id, name } = await visit.sandbox.products.get(visit.id)
  const plans = await plansRead(visit)
  const at = recordAddress(visit, 'products', id)
  const body = (
    <>
      <Heading title={name} note={<code>{id}</code>}>
        <ButtonLink href={`${at}/edit`}>Rename</ButtonLink>
        <DangerLink href={`${at}/delete`}>Delete…</DangerLink>
      </Heading>
      <Section
        title="Plans"
        actions={
          <ButtonLink href={visit.to('plans/~new', { product_id: id })}>New plan</ButtonLink>
        }
      >
        <PlanTable
          visit={visit}
          plans={plans.data.filter((plan) => plan.product_id === id)}
          caption={`Plans of ${name}`}
          productId={id}
          isWhole={!plans.has_more}
        />
        {plans.has_more && (
          <p class="hint">
            Only the oldest plans are looked through. <a href={visit.to('plans')}>All plans</a>
          </p>
        )}
      </Section>
    </>
  )
  return { title: name, body }
}

function newPage({ to }: Visit, sent: Sent): View {
  const body = (
    <>
      <Heading title="New product" />
      <Form action={to('products/~new')} sent={sent} submit="Create product" cancel={to('catalog')}>
        <TextField name="name" label="Name" placeholder="App" sent={sent} />
        <TextField name="product_id" label="Product id" hint="Generated if empty" sent={sent} />
      </Form>
    </>
  )
  return { title: 'New product', body }
}

async function editPage(visit: Visit, sent: Sent): Promise<View> {
  const { product_id: id, name } = await visit.sandbox.products.get(visit.id)
  const shown = sent.refusal === null ? startingWith({ name }) : sent
  const at = recordAddress(visit, 'products', id)
  const body = (
    <>
      <Heading title={`Rename ${name}`} />
      <Form action={`${at}/edit`} sent={shown} submit="Save" cancel={at}>
        <TextField name="name" label="Name" sent={shown} />
      </Form>
    </>
  )
  return { title: `Rename ${name}`, body }
}
