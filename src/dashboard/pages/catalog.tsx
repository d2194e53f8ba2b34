/** The catalog: products with their plans. */
import type { Hono } from 'hono'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { page } from '../page.tsx'
import { ButtonLink, linkCell, RecordLink } from '../ui/links.tsx'
import { priceText } from '../ui/plan-text.ts'
import { Empty, Heading, Pager, Section, Table } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Plan = Schemas['Plan']

const PAGE = 50

/** As many plans as one call answers. */
const PLANS_READ = 1000

export function catalogPages(pages: Hono): void {
  pages.get('/catalog', page(catalogPage))
  pages.get('/plans', page(plansPage))
}

async function catalogPage(visit: Visit): Promise<View> {
  const { control, cursor, to } = visit
  const [products, plans] = await Promise.all([
    answered(control.GET('/sandbox/products', { params: { query: cursor(PAGE) } })),
    plansRead(visit),
  ])
  const body = (
    <>
      <Heading title="Products and plans">
        <ButtonLink href={to('products/~new')}>New product</ButtonLink>
        <ButtonLink href={to('plans/~new')}>New plan</ButtonLink>
      </Heading>
      {products.data.length === 0 && (
        <Empty>
          <p>No product yet. A product is what you sell; its plans are its prices.</p>
          <p>
            <a href={to('products/~new')}>Create one</a>
          </p>
        </Empty>
      )}
      {products.data.map(({ product_id: id, name }) => (
        <Section
          title={
            <RecordLink visit={visit} place="products" id={id}>
              {name}
            </RecordLink>
          }
        >
          <PlanTable
            visit={visit}
            plans={plans.data.filter((plan) => plan.product_id === id)}
            caption={`Plans of ${name}`}
            productId={id}
            isWhole={!plans.has_more}
          />
        </Section>
      ))}
      {plans.has_more && (
        <p class="hint">
          The {PLANS_READ} oldest plans are shown with their products.{' '}
          <a href={to('plans')}>All plans</a>
        </p>
      )}
      <Pager visit={visit} path="catalog" next={products.next_after} />
    </>
  )
  return { title: 'Products and plans', body }
}

/** The plans of one call. */
export function plansRead({ control }: Visit) {
  const params = { query: { limit: PLANS_READ } }
  return answered(control.GET('/sandbox/plans', { params }))
}

async function plansPage(visit: Visit): Promise<View> {
  const { control, cursor } = visit
  const plans = await answered(control.GET('/sandbox/plans', { params: { query: cursor(PAGE) } }))
  const body = (
    <>
      <Heading title="Plans">
        <ButtonLink href={visit.to('plans/~new')}>New plan</ButtonLink>
      </Heading>
      <PlanTable visit={visit} plans={plans.data} caption="Plans" />
      <Pager visit={visit} path="plans" next={plans.next_after} />
    </>
  )
  return { title: 'Plans', body }
}

/** Plans with what they cost, and how often. */
export function PlanTable({
  visit,
  plans,
  caption,
  productId,
  isWhole = true,
}: {
  visit: Visit
  plans: readonly Plan[]
  caption: string
  /** Whose plans they are, where they are of one product. */
  productId?: string
  /** Whether there can be no more of them than these. */
  isWhole?: boolean
}) {
  return (
    <Table
      caption={caption}
      rows={plans}
      columns={[
        { name: 'Plan', cell: linkCell(visit, 'plans', 'plan_id') },
        { name: 'Name', cell: ({ name }) => name },
        {
          name: 'Price',
          cell: (plan) => <span class="number">{priceText(plan)}</span>,
          isNumber: true,
        },
      ]}
      empty={
        isWhole ? (
          <Empty>
            <p>No plan yet, so nothing to subscribe to.</p>
            <p>
              <a href={visit.to('plans/~new', { product_id: productId })}>Create a plan</a>
            </p>
          </Empty>
        ) : (
          <Empty>
            <p>
              None of the {PLANS_READ} oldest plans is one of its plans; newer ones may be.{' '}
              <a href={visit.to('plans')}>All plans</a>
            </p>
          </Empty>
        )
      }
    />
  )
}
