/** Products: a new one, one with its plans, its name, and deleting it. */
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'
import { formPage, page, submit, withNotice } from '../page.tsx'
import { type Sent, startingWith } from '../sent.ts'
import { Confirm } from '../ui/confirm.tsx'
import { Form, TextField } from '../ui/form.tsx'
import { recordAddress } from '../ui/links.tsx'
import { Heading, Section } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'
import { PlanTable, plansRead } from './catalog.tsx'

export function productPages(pages: Hono): void {
  pages.get('/products/new', formPage(newPage))
  pages.post('/products/new', submit({ act: create, show: newPage }))
  pages.get('/products/:id', page(productPage))
  pages.get('/products/:id/edit', formPage(editPage))
  pages.post('/products/:id/edit', submit({ act: change, show: editPage }))
  pages.get('/products/:id/delete', formPage(deletePage))
  pages.post('/products/:id/delete', submit({ act: remove, show: deletePage }))
}

function idOf({ c }: Visit): string {
  return c.req.param('id') ?? ''
}

async function create(visit: Visit, { values }: Sent): Promise<string> {
  const order = { product_id: values.text('product_id'), name: values.text('name') }
  const made = await visit.sandbox.products.create(order as Schemas['ProductCreate'])
  return withNotice(recordAddress(visit, 'products', made.product_id), 'created')
}

async function change(visit: Visit, { values }: Sent): Promise<string> {
  // An empty name is sent too, so that the sandbox refuses it.
  await visit.sandbox.products.update(idOf(visit), { name: values.raw('name') })
  return withNotice(recordAddress(visit, 'products', idOf(visit)), 'changed')
}

async function remove(visit: Visit): Promise<string> {
  await visit.sandbox.products.delete(idOf(visit))
  return withNotice(visit.to('catalog'), 'deleted')
}

async function productPage(visit: Visit): Promise<View> {
  const { product_id: id, name } = await visit.sandbox.products.get(idOf(visit))
  const plans = await plansRead(visit)
  const at = recordAddress(visit, 'products', id)
  const body = (
    <>
      <Heading title={name} note={<code>{id}</code>}>
        <a class="button" href={`${at}/edit`}>
          Rename
        </a>
        <a class="button danger" href={`${at}/delete`}>
          Delete…
        </a>
      </Heading>
      <Section
        title="Plans"
        actions={
          <div class="actions">
            <a class="button" href={visit.to('plans/new', { product_id: id })}>
              New plan
            </a>
          </div>
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
      <Form action={to('products/new')} sent={sent} submit="Create product" cancel={to('catalog')}>
        <TextField name="name" label="Name" placeholder="App" sent={sent} />
        <TextField
          name="product_id"
          label="Product id"
          hint="Counted for it where it is empty"
          sent={sent}
        />
      </Form>
    </>
  )
  return { title: 'New product', body }
}

async function editPage(visit: Visit, sent: Sent): Promise<View> {
  const { product_id: id, name } = await visit.sandbox.products.get(idOf(visit))
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

function deletePage(visit: Visit, sent: Sent): View {
  const id = idOf(visit)
  const at = recordAddress(visit, 'products', id)
  const body = (
    <Confirm
      question={`Delete ${id}?`}
      action={`${at}/delete`}
      submit="Delete product"
      cancel={at}
      sent={sent}
    >
      <p>The product goes for good. While it has plans, or a coupon is limited to it, it stays.</p>
    </Confirm>
  )
  return { title: `Delete ${id}`, body, live: 'nothing' }
}
