/** One subscription: what it is, what it was billed, what comes, and what can be done with it. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import { worthText } from '../../wire/text.ts'
import { newestEvents, newestInvoicesOf } from '../newest.ts'
import { formPage } from '../page.tsx'
import type { Sent } from '../sent.ts'
import { Actions, actionPages } from '../subscription/actions.tsx'
import { applyCouponPages } from '../subscription/apply-coupon.tsx'
import { changePlanPages } from '../subscription/change-plan.tsx'
import { type Future, futureOf, hasFew } from '../timeline/future.ts'
import { readTimeline, TimelineParts } from '../timeline/timeline.tsx'
import { Refused } from '../ui/form.tsx'
import { RecordLink, recordPath, SubjectLink } from '../ui/links.tsx'
import { priceText } from '../ui/plan-text.ts'
import { InvoiceTable } from '../ui/record-tables.tsx'
import { Empty, Facts, Heading, Section, Table } from '../ui/table.tsx'
import { At, MoneyText, StatusBadge } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Subscription = Schemas['SubscriptionRecord']
type Plan = Schemas['Plan']

/** How many rows of each list are shown; the lists have them all. */
const SHOWN = 12

export function subscriptionPages(pages: Hono): void {
  pages.get('/subscriptions/:id', formPage(subscriptionPage))
  actionPages(pages, subscriptionPage)
  applyCouponPages(pages)
  changePlanPages(pages)
}

async function subscriptionPage(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, to } = visit
  const subscription = await sandbox.subscriptions.get(visit.id)
  const { subscription_id: id, status } = subscription
  const ahead = futureOf(visit, subscription)
  const [plan, invoices, events, future, timeline] = await Promise.all([
    sandbox.plans.get(subscription.plan),
    newestInvoicesOf(visit, { subscription_id: id }, SHOWN),
    // Some of them say nothing of their own.
    newestEvents(visit, { subscription_id: [id] }, SHOWN * 2),
    ahead,
    readTimeline(visit, {
      subscriptions: [subscription],
      future: ahead,
      path: recordPath('subscriptions', id),
    }),
  ])
  const body = (
    <>
      <Heading title={id} note={<StatusBadge status={status} />}>
        <Actions visit={visit} subscription={subscription} />
      </Heading>
      <Refused sent={sent} />
      <SubscriptionFacts visit={visit} subscription={subscription} plan={plan} />
      <TimelineParts timeline={timeline} />
      <Discounts visit={visit} subscription={subscription} plan={plan} />
      <InvoicesToCome visit={visit} subscription={subscription} future={future} />
      <Section
        title="Invoices"
        actions={<a href={to('invoices', { subscription_id: id })}>Show all</a>}
      >
        <InvoiceTable visit={visit} {...invoices} empty="No invoice yet." />
      </Section>
      <Section
        title="Events"
        actions={<a href={to('events', { subscription_id: id })}>Show all</a>}
      >
        <NewestEvents visit={visit} events={events} />
      </Section>
    </>
  )
  return { title: id, body }
}

const SubscriptionFacts: FC<{ visit: Visit; subscription: Subscription; plan: Plan }> = ({
  visit,
  subscription: each,
  plan,
}) => {
  const link = (place: 'customers' | 'plans', id: string, name = id) => (
    <RecordLink visit={visit} place={place} id={id}>
      {name}
    </RecordLink>
  )
  const price = `, ${priceText(plan)}`
  const planned = [link('plans', plan.plan_id, plan.name), price]
  const instants = [
    ['Trial until', each.trial_end],
    ['Period from', each.current_period_start],
    ['Period until', each.current_period_end],
    ['Created', each.created_at],
    ['Canceled', each.canceled_at],
    ['Ended', each.ended_at],
  ] as const
  return (
    <Facts
      facts={[
        ['Customer', link('customers', each.customer_id)],
        ['Plan', planned],
        ...(each.pending_plan === null
          ? []
          : [['From the next period', link('plans', each.pending_plan)] as const]),
        ...instants
          .filter(([, at]) => at !== null)
          .map(([name, at]) => [name, <At instant={at} />] as const),
        ['Cancels at period end', each.cancel_at_period_end ? 'yes' : 'no'],
      ]}
    />
  )
}

const Discounts: FC<{ visit: Visit; subscription: Subscription; plan: Plan }> = ({
  visit,
  subscription: { discounts },
  plan: { currency },
}) => (
  <Section title="Discounts">
    <Table
      caption="Discounts, in the order in which they were applied"
      rows={discounts}
      columns={[
        {
          name: 'Coupon',
          cell: ({ coupon_id: id }) => <RecordLink visit={visit} place="coupons" id={id} />,
        },
        { name: 'Discount', cell: (each) => worthText({ ...each, currency }), isNumber: true },
        {
          name: 'For',
          cell: ({ duration, duration_in_months: months }) =>
            months === null ? duration : `${months} ${months === 1 ? 'month' : 'months'}`,
        },
        { name: 'From', cell: (each) => <At instant={each.starts_at} /> },
        { name: 'Until', cell: (each) => <At instant={each.ends_at} /> },
      ]}
      empty={<Empty>No discount. Apply a coupon to give one.</Empty>}
    />
  </Section>
)

const InvoicesToCome: FC<{
  visit: Visit
  subscription: Subscription
  future: Future | null
}> = ({ visit, subscription: { subscription_id: id }, future }) => {
  if (future === null) return null
  const isCut = !hasFew(visit) && !visit.query('ahead')
  return (
    <Section
      title="Invoices to come"
      actions={
        isCut && (
          <a href={visit.to(recordPath('subscriptions', id), { ahead: 'year' })}>A year ahead</a>
        )
      }
    >
      <Table
        caption="Invoices to come, as they would end"
        rows={future.data.slice(0, SHOWN / 2)}
        columns={[
          { name: 'Created', cell: ({ created_at: at }) => <At instant={at} /> },
          {
            name: 'Due',
            isNumber: true,
            cell: ({ amount_due, currency }) => (
              <MoneyText amount={amount_due} currency={currency} />
            ),
          },
          { name: 'Expected status', cell: ({ status }) => <StatusBadge status={status} /> },
          { name: 'For', cell: ({ lines }) => lines.map((line) => line.description).join(', ') },
        ]}
        empty={
          <Empty>
            No invoice until <At instant={future.complete_until} />.
          </Empty>
        }
      />
    </Section>
  )
}

const NewestEvents: FC<{ visit: Visit; events: readonly Schemas['Event'][] }> = ({
  visit,
  events,
}) => (
  <Table
    caption="Events, newest first"
    rows={events
      .filter((event) => eventText(event) !== null)
      .slice(-SHOWN)
      .reverse()}
    columns={[
      { name: 'At', cell: ({ at }) => <At instant={at} /> },
      { name: 'What', cell: (event) => eventText(event) },
      { name: 'About', cell: ({ subject }) => <SubjectLink visit={visit} subject={subject} /> },
    ]}
    empty={<Empty>The events of this subscription are kept no longer.</Empty>}
  />
)
