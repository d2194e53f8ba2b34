import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { dashboard } from '../../src/dashboard/app.tsx'
import { formFieldsOf } from '../../src/dashboard/forms/field.ts'
import { collection } from '../../src/dashboard/page-kinds/collection.tsx'
import { pageTable } from '../../src/dashboard/pages.ts'
import { type Sandbox, startSandbox } from '../../src/index.ts'
import { ProductCreate, ProductPatch } from '../../src/wire/billing/catalog.ts'
import { CouponPatch } from '../../src/wire/billing/coupon.ts'
import { visitor } from '../support/dashboard.ts'

/** Products, whose list the dashboard has not: it shows them with their plans. */
const shelf = collection('products', {
  list: { title: 'Shelf', columns: ['product_id', 'name'], empty: 'The shelf is empty.' },
  facts: ['name'],
  create: { fields: formFieldsOf(ProductCreate, { name: {}, product_id: {} }) },
  change: { label: 'Rename', fields: formFieldsOf(ProductPatch, { name: {} }) },
  remove: 'The product is deleted.',
})

let sandbox: Sandbox

beforeAll(async () => {
  sandbox = await startSandbox({ now: '2027-01-01T00:00:00.000Z', fixture: 'empty' })
})

afterAll(() => sandbox.close())

/** Opens a page of a dashboard with the planted row, or sends its form. */
async function visited(path: string, fields?: Record<string, string>) {
  const app = dashboard({ answer: sandbox.fetch, controlToken: null }, { ...pageTable, ...shelf })
  const address = `${sandbox.url}/dashboard/default/${path}`
  const form = fields && { method: 'POST', body: new URLSearchParams(fields) }
  const answer = await app.request(address, { ...form })
  const location = answer.headers.get('location')
  return { status: answer.status, location, html: await answer.text() }
}

it.each([
  ['subscriptions', ''],
  ['subscriptions?status=past_due', '?status=past_due'],
  ['products', 'catalog'],
])('leads from %s, which has no page, to where its records are listed', async (path, home) => {
  const { location } = await visitor(sandbox.url).open(path)
  expect(location).toBe(`/dashboard/default/${home}`)
})

describe('a new page of the dashboard is one row', () => {
  it('that serves the list, the record and its forms', async () => {
    expect((await visited('products')).html).toContain('The shelf is empty.')
    const form = await visited('products/~new')
    expect(form.html).toContain('<h1>New product</h1>')
    expect(form.html).toContain('<label for="field-name">Name</label>')
    const made = await visited('products/~new', { name: 'Tea', product_id: 'prod_tea' })
    expect(made.location).toBe('/dashboard/default/products/prod_tea?did=created')
    const list = await visited('products')
    expect(list.html).toContain('<h1>Shelf</h1>')
    expect(list.html).toContain('prod_tea')
    const record = await visited('products/prod_tea')
    expect(record.html).toContain('<dt>Name</dt>')
    expect(record.html).toContain('href="/dashboard/default/products/prod_tea/delete"')
  })

  it('whose forms change and delete the record, and come back with what was refused', async () => {
    await sandbox.products.create({ product_id: 'prod_oil', name: 'Oil' })
    expect((await visited('products/prod_oil/edit')).html).toContain('value="Oil"')
    const refused = await visited('products/prod_oil/edit', { name: '' })
    expect(refused.status).toBe(400)
    expect(refused.html).toContain('id="field-name-wrong"')
    await visited('products/prod_oil/edit', { name: 'Olive oil' })
    expect((await sandbox.products.get('prod_oil')).name).toBe('Olive oil')
    expect((await visited('products/prod_oil/delete')).html).toContain('Delete prod_oil?')
    const deleted = await visited('products/prod_oil/delete', {})
    expect(deleted.location).toBe('/dashboard/default/products?did=deleted')
    await expect(sandbox.products.get('prod_oil')).rejects.toThrow('does not exist')
  })

  it('whose fields take their kind, and what empty means, from the schema of the body', () => {
    const fields = formFieldsOf(CouponPatch, { max_redemptions: {}, stackable: {}, expires_at: {} })
    expect(fields).toEqual([
      { name: 'max_redemptions', kind: 'integer', empty: null },
      { name: 'stackable', kind: 'check' },
      { name: 'expires_at', empty: null },
    ])
  })
})
