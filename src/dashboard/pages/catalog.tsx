/** The catalog: products and their plans. */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { PlanCreate, PlanPatch, ProductCreate, ProductPatch } from '../../wire/catalog.ts'
import { formFieldsOf, generatedIfEmpty, minorUnits } from '../forms/field.ts'
import type { PageContext, View } from '../page-context.ts'
import { collection } from '../page-kinds/collection.tsx'
import { PAGE_LENGTH } from '../page-kinds/list-page.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { type Column, link, text } from '../ui/columns.tsx'
import { button, linkWith, PageLink, RecordLink } from '../ui/links.tsx'
import { Empty, emptyText, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { priceText } from '../ui/values.tsx'

type Plan = Schemas['Plan']

/** As many plans as one call answers. */
const PLANS_READ = 1000

const price: Column<Plan> = {
  name: 'Price',
  cell: (plan) => <span class="number">{priceText(plan)}</span>,
  isNumber: true,
}
const planColumns = [link('Plan', 'plans', 'plan_id'), text('Name', 'name'), price]

const priceField = { label: 'Price of one interval', hint: minorUnits }
const NO_PLAN = 'No plan yet, so nothing to subscribe to.'

export const catalogPages: PageTable = {
  catalog: { show: catalogPage },
  ...collection<Schemas['Product']>({
    place: 'products',
    noun: 'product',
    calls: ({ products }) => products,
    idOf: ({ product_id }) => product_id,
    titleOf: ({ name }) => name,
    home: 'catalog',
    record: {
      note: ({ product_id }) => <code>{product_id}</code>,
      facts: [],
      below: async (page, product) => (
        <Section title="Plans" actions={newPlanOf(product)}>
          <PlansOf product={product} plans={await plansRead(page)} />
        </Section>
      ),
    },
    create: {
      fields: formFieldsOf(ProductCreate, {
        name: { placeholder: 'App' },
        product_id: { label: 'Product id', hint: generatedIfEmpty },
      }),
    },
    change: { label: 'Rename', fields: formFieldsOf(ProductPatch, { name: {} }) },
    remove:
      'The product is deleted. The sandbox refuses that while it has plans, or a coupon is limited to it.',
  }),
  ...collection<Plan>({
    place: 'plans',
    noun: 'plan',
    calls: ({ plans }) => plans,
    idOf: ({ plan_id }) => plan_id,
    titleOf: ({ name }) => name,
    home: 'catalog',
    list: {
      title: 'Plans',
      caption: 'Plans',
      find: (page, query) => page.list('/sandbox/plans', query),
      columns: planColumns,
      empty: { none: NO_PLAN },
    },
    record: {
      note: ({ plan_id }) => <code>{plan_id}</code>,
      facts: [price, link('Product', 'products', 'product_id')],
    },
    create: {
      fields: formFieldsOf(PlanCreate, {
        product_id: { hint: 'The product that the plan belongs to', suggest: 'products' },
        name: { hint: 'Printed on invoice lines', placeholder: 'Basic' },
        amount: priceField,
        currency: {},
        interval: { label: 'Billed every', options: ['month', 'year', 'week', 'day'] },
        interval_count: {
          label: 'Number of intervals',
          hint: '1 if empty; 3 with month is every 3 months',
        },
        plan_id: { label: 'Plan id', hint: generatedIfEmpty },
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
    page.list('/sandbox/products', page.cursor(PAGE_LENGTH)),
    plansRead(page),
  ])
  const body = (
    <>
      <Heading title="Products and plans">
        {button('New product', 'products/~new')}
        {button('New plan', 'plans/~new')}
      </Heading>
      {products.data.length === 0 &&
        emptyText(
          'No product yet. A product is what you sell; its plans are its prices.',
          <PageLink to="products/~new">Create one</PageLink>,
        )}
      {products.data.map((product) => (
        <Section
          title={
            <RecordLink place="products" id={product.product_id}>
              {product.name}
            </RecordLink>
          }
        >
          <PlansOf product={product} plans={plans} />
        </Section>
      ))}
      {plans.has_more && (
        <p class="hint">
          The {PLANS_READ} oldest plans are shown with their products.{' '}
          <PageLink to="plans">All plans</PageLink>
        </p>
      )}
      <Pager path="catalog" next={products.next_after} />
    </>
  )
  return { title: 'Products and plans', body }
}

function newPlanOf({ product_id }: Schemas['Product']) {
  return button('New plan', 'plans/~new', { product_id })
}

function plansRead(page: PageContext) {
  return page.list('/sandbox/plans', { limit: PLANS_READ })
}

/** The plans of a product among the oldest ones. */
const PlansOf: FC<{ product: Schemas['Product']; plans: Schemas['PlanList'] }> = ({
  product: { product_id, name },
  plans: { data, has_more: isCut },
}) => (
  <Table
    caption={`Plans of ${name}`}
    rows={data.filter((plan) => plan.product_id === product_id)}
    columns={planColumns}
    empty={
      isCut ? (
        <Empty>
          <p>
            None of the {PLANS_READ} oldest plans is one of its plans; newer ones may be.{' '}
            <PageLink to="plans">All plans</PageLink>
          </p>
        </Empty>
      ) : (
        emptyText(NO_PLAN, linkWith({ product_id }, 'Create a plan', 'plans/~new'))
      )
    }
  />
)
