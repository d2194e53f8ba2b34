/** One subscription: what it is, what it was billed, what comes, and what can be done with it. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { eventText } from '../../wire/event-text.ts'
import { worthText } from '../../wire/text.ts'
import { formPage } from '../page.tsx'
import type { Sent } from '../sent.ts'
import { actionPages, subscriptionPath } from '../subscription/actions.tsx'
import { changePlanPages } from '../subscription/change-plan.tsx'
import { readTimeline, TimelineParts } from '../timeline/timeline.tsx'
import { PostButton, Refused } from '../ui/form.tsx'
import { RecordLink, SubjectLink } from '../ui/links.tsx'
import { priceText } from '../ui/plan-text.ts'
import { InvoiceTable } from '../ui/record-tables.tsx'
import { Empty, Facts, Heading, Section, Table } from '../ui/table.tsx'
import { At, MoneyText, StatusBadge } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Subscription = Schemas['Subscription']
type Plan = Schemas['Plan']

/** How many rows of each list are shown; the lists have them all. */
const SHOWN = 12

/** A look ahead settles what falls due for everybody: with more subscriptions, it looks as far as one period. */
const FEW = 200

export function subscriptionPages(pages: Hono): void {
  pages.get('/subscriptions/:id', formPage(subscriptionPage))
  actionPages(pages, subscriptionPage)
  changePlanPages(pages)
}

async function subscriptionPage(visit: Visit, sent: Sent): Promise<View> {
  const { sandbox, to } = visit
  const subscription = await sandbox.subscriptions.get(visit.c.req.param('id') ?? '')
  const { subscription_id: id, status } = subscription
  const [plan, invoices, events, future, timeline] = await Promise.all([
    sandbox.plans.get(subscription.plan),
    newestInvoices(visit, id),
    sandbox.events.list({ subscription_id: [id] }),
    futureOf(visit, subscription),
    readTimeline(visit, { subscriptions: [subscription], path: subscriptionPath(id) }),
  ])
  const body = (
    <>
      <Heading title={id} note={<StatusBadge status={status} />}>
        <Actions visit={visit} id={id} />
      </Heading>
      <Refused sent={sent} />
      <SubscriptionFacts visit={visit} subscription={subscription} plan={plan} />
      <TimelineParts timeline={timeline} />
      <Discounts visit={visit} subscription={subscription} plan={plan} />
      <Future visit={visit} subscription={subscription} future={future} />
      <Section
        title="Invoices"
        actions={<a href={to('invoices', { subscription_id: id })}>All of them</a>}
      >
        <InvoiceTable
          visit={visit}
          caption="Invoices, newest first"
          invoices={invoices}
          empty="No invoice yet."
        />
      </Section>
      <Section
        title="Events"
        actions={<a href={to('events', { subscription_id: id })}>All of them</a>}
      >
        <EventTable visit={visit} events={events} />
      </Section>
    </>
  )
  return { title: id, body }
}

const Actions: FC<{ visit: Visit; id: string }> = ({ visit, id }) => {
  const at = (action: string) => visit.to(`${subscriptionPath(id)}/${action}`)
  return (
    <>
      <a class="button" href={at('update')}>
        Change plan…
      </a>
      <a class="button" href={at('apply-coupon')}>
        Apply a coupon…
      </a>
      <PostButton action={at('pause')}>Pause</PostButton>
      <PostButton action={at('resume')}>Resume</PostButton>
      <a class="button danger" href={at('cancel')}>
        Cancel…
      </a>
    </>
  )
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
        ['Ends with its period', each.cancel_at_period_end ? 'yes' : 'no'],
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
        { name: 'Takes off', cell: (each) => worthText({ ...each, currency }), isNumber: true },
        {
          name: 'For',
          cell: ({ duration, duration_in_months: months }) =>
            months === null ? duration : `${months} months`,
        },
        { name: 'From', cell: (each) => <At instant={each.starts_at} /> },
        { name: 'Until', cell: (each) => <At instant={each.ends_at} /> },
      ]}
      empty={<Empty>No discount. Apply a coupon to give one.</Empty>}
    />
  </Section>
)

async function newestInvoices({ control }: Visit, id: string): Promise<Schemas['Invoice'][]> {
  const query = { subscription_id: id, limit: 1000 }
  const { data } = await answered(control.GET('/sandbox/invoices', { params: { query } }))
  return data.reverse().slice(0, SHOWN)
}

/** Null for one that has ended. */
async function futureOf(
  { control, summary, query }: Visit,
  { subscription_id, current_period_end, ended_at }: Subscription,
): Promise<Schemas['Forecast'] | null> {
  if (ended_at !== null) return null
  const isFew = (summary.counts['subscriptions'] ?? 0) <= FEW
  const isFar = isFew || query('ahead') === 'year' || current_period_end < summary.now
  const ahead = { limit: SHOWN / 2, ...(isFar ? {} : { until: current_period_end }) }
  return answered(
    control.GET('/sandbox/subscriptions/{subscription_id}/forecast', {
      params: { path: { subscription_id }, query: ahead },
    }),
  )
}

const Future: FC<{
  visit: Visit
  subscription: Subscription
  future: Schemas['Forecast'] | null
}> = ({ visit, subscription: { subscription_id: id }, future }) => {
  if (future === null) return null
  const isCut = (visit.summary.counts['subscriptions'] ?? 0) > FEW && !visit.query('ahead')
  return (
    <Section
      title="Invoices to come"
      actions={
        isCut && <a href={visit.to(subscriptionPath(id), { ahead: 'year' })}>A year ahead</a>
      }
    >
      <Table
        caption="Invoices to come, as they would end"
        rows={future.data}
        columns={[
          { name: 'Made', cell: ({ created_at: at }) => <At instant={at} /> },
          {
            name: 'Due',
            isNumber: true,
            cell: ({ amount_due, currency }) => (
              <MoneyText amount={amount_due} currency={currency} />
            ),
          },
          { name: 'Would end', cell: ({ status }) => <StatusBadge status={status} /> },
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

const EventTable: FC<{ visit: Visit; events: readonly Schemas['Event'][] }> = ({
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
