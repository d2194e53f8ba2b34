/** The catalog: products and their plans. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { PlanCreate, PlanPatch, ProductCreate, ProductPatch } from '../../wire/billing/catalog.ts'
import { formFieldsOf, generatedIfEmpty, moneyHint } from '../forms/field.ts'
import { collection } from '../page-kinds/collection.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { button, Hint, linkWith, primaryButton, recordPath } from '../ui/links.tsx'
import { CALL_MAX, NEWEST, type PageContext, type View } from '../ui/page-context.ts'
import { Empty, OrderLink, Pager, Section, Table } from '../ui/table.tsx'
import { type Column, type ColumnOf, column, priceText } from '../ui/values.tsx'

type Plan = Schemas['Plan']

const price: Column<Plan> = column(
  'Price',
  (plan) => <span class="number">{priceText(plan)}</span>,
  { field: 'amount', isNumber: true },
)
const planColumns: readonly ColumnOf<Plan>[] = ['plan_id', 'name', price]

const priceField = ['Price of one interval', moneyHint] as const
const NO_PLAN = 'No plan yet, so nothing to subscribe to.'

export const catalogPages: PageTable = {
  catalog: { show: catalogPage },
  ...collection('products', {
    titleOf: ({ name }) => name,
    home: 'catalog',
    below: async (page, product) => (
      <Section
        title="Plans"
        actions={button('New plan', 'plans/~new', { product_id: product.product_id })}
      >
        <PlansOf product={product} plans={await readPlans(page)} />
      </Section>
    ),
    create: {
      fields: formFieldsOf(ProductCreate, {
        name: { placeholder: 'App' },
        product_id: ['Product id', generatedIfEmpty],
      }),
    },
    change: { label: 'Rename', fields: formFieldsOf(ProductPatch, { name: {} }) },
    remove:
      'The product is deleted. The sandbox refuses that while it has plans, or a coupon is limited to it.',
  }),
  ...collection('plans', {
    titleOf: ({ name }) => name,
    home: 'catalog',
    list: { columns: planColumns, empty: NO_PLAN },
    facts: [price, 'product_id'],
    create: {
      fields: formFieldsOf(PlanCreate, {
        product_id: { hint: 'The product that the plan belongs to', suggest: 'product' },
        name: { hint: 'Printed on invoice lines', placeholder: 'Basic' },
        amount: priceField,
        currency: {},
        interval: { label: 'Billed every', options: ['month', 'year', 'week', 'day'] },
        interval_count: ['Number of intervals', '1 if empty; 3 with month is every 3 months'],
        plan_id: ['Plan id', generatedIfEmpty],
      }),
    },
    change: {
      label: 'Change',
      text: 'A new price applies from the next invoice. Past invoices stay as they are.',
      fields: formFieldsOf(PlanPatch, { name: {}, amount: priceField }),
    },
    remove:
      'The plan is deleted. The sandbox refuses that while a subscription, an invoice or a coupon refers to it.',
  }),
}

async function catalogPage(page: PageContext): Promise<View> {
  const [products, plans] = await Promise.all([
    page.list('/sandbox/products', page.cursor()),
    readPlans(page),
  ])
  const actions = [primaryButton('New product', 'products/~new'), button('New plan', 'plans/~new')]
  const body = [
    products.data.length > 1 && <OrderLink />,
    products.data.length === 0 && (
      <Empty
        text={`No product yet. A product is what you sell; its plans are its prices.\n[Create one](products/~new)`}
      />
    ),
    products.data.map(({ product_id: id, name }) => (
      <Section id={`product_${id}`} title={linkWith({}, name, recordPath('products', id))}>
        <PlansOf product={{ product_id: id, name }} plans={plans} />
      </Section>
    )),
    plans.has_more && (
      <Hint text={`Only ${CALL_MAX} plans are shown with their products. [All plans](plans)`} />
    ),
    <Pager next={products.next_after} />,
  ]
  return { title: 'Products and plans', actions, body }
}

function readPlans(page: PageContext) {
  return page.list('/sandbox/plans', { limit: CALL_MAX, order: page.query('order') ?? NEWEST })
}

const PlansOf: FC<{ product: Schemas['Product']; plans: Schemas['PlanList'] }> = ({
  product: { product_id, name },
  plans: { data, has_more: isCut },
}) => (
  <Table
    caption={`Plans of ${name}`}
    rows={data.filter((plan) => plan.product_id === product_id)}
    columns={planColumns}
    empty={
      isCut
        ? `None of the first ${CALL_MAX} plans is one of its plans; others may be. [All plans](plans)`
        : `${NO_PLAN}\n[Create a plan](plans/~new?${new URLSearchParams({ product_id })})`
    }
  />
)
