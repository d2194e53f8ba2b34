/** One subscription: its facts, its past and its future, and the actions on it. */
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import { instantText, worthText } from '../../wire/text.ts'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { newestEvents, newestInvoicesOf } from '../reading/newest-records.ts'
import { Actions, actionPages } from '../subscription/actions.tsx'
import { changePages } from '../subscription/changes.tsx'
import { type Future, futureOf } from '../timeline/future.ts'
import { readTimeline, TimelineParts } from '../timeline/timeline.tsx'
import { field } from '../ui/columns.tsx'
import { linkWith, RecordLink, recordPath, SubjectLink } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Facts, type NamedValue, Table } from '../ui/table.tsx'
import { At, countOf, priceText, StatusBadge } from '../ui/values.tsx'
import { InvoiceTable, lineTexts } from './invoices.tsx'

type Subscription = Schemas['SubscriptionRecord']
type Plan = Schemas['Plan']

/** How many rows of each list are shown; the lists have them all. */
const SHOWN = 12

export const subscriptionPages: PageTable = {
  'subscriptions/:id': { show: subscriptionPage },
  ...actionPages,
  ...changePages,
}

async function subscriptionPage(page: PageContext): Promise<View> {
  const { sandbox } = page
  const subscription = await sandbox.subscriptions.get(page.id)
  const { subscription_id: id } = subscription
  const ahead = futureOf(page, subscription)
  const [plan, invoices, events, future, timeline] = await Promise.all([
    sandbox.plans.get(subscription.plan),
    newestInvoicesOf(page, { subscription_id: id }, SHOWN),
    // Some of them have no text of their own.
    newestEvents(page, { subscription_id: [id] }, SHOWN * 2),
    ahead,
    readTimeline(page, {
      subscriptions: [subscription],
      future: ahead,
      path: recordPath('subscriptions', id),
    }),
  ])
  const showAll = (list: string) => linkWith({ subscription_id: id }, 'Show all', list)
  const body = (
    <>
      <Facts facts={factsOf(subscription, plan)} />
      <TimelineParts timeline={timeline} />
      <Discounts subscription={subscription} plan={plan} />
      {future !== null && <InvoicesToCome future={future} />}
      <InvoiceTable {...invoices} actions={showAll('invoices')} />
      <NewestEvents events={events} actions={showAll('events')} />
    </>
  )
  return {
    title: id,
    note: <StatusBadge status={subscription.status} />,
    actions: <Actions subscription={subscription} />,
    body,
  }
}

function factsOf(subscription: Subscription, plan: Plan): NamedValue[] {
  const { customer_id, pending_plan: pending } = subscription
  const planned: Child[] = [
    <RecordLink place="plans" id={plan.plan_id}>
      {plan.name}
    </RecordLink>,
    `, ${priceText(plan)}`,
  ]
  const instants = [
    ['Trial until', subscription.trial_end],
    ['Period from', subscription.current_period_start],
    ['Period until', subscription.current_period_end],
    ['Created', subscription.created_at],
    ['Canceled', subscription.canceled_at],
    ['Ended', subscription.ended_at],
  ] as const
  return [
    ['Customer', <RecordLink place="customers" id={customer_id} />],
    ['Plan', planned],
    ...(pending === null
      ? []
      : [['From the next period', <RecordLink place="plans" id={pending} />] as const]),
    ...instants
      .filter(([, at]) => at !== null)
      .map(([name, at]) => [name, <At instant={at} />] as const),
    ['Cancels at period end', subscription.cancel_at_period_end ? 'yes' : 'no'],
  ]
}

const Discounts: FC<{ subscription: Subscription; plan: Plan }> = ({
  subscription: { discounts },
  plan: { currency },
}) => (
  <Table
    title="Discounts"
    caption="Discounts, in the order in which they were applied"
    rows={discounts}
    columns={[
      'coupon_id',
      { name: 'Discount', cell: (each) => worthText({ ...each, currency }), isNumber: true },
      {
        name: 'For',
        cell: ({ duration, duration_in_months: months }) =>
          months === null ? duration : countOf(months, 'month'),
      },
      field('starts_at', 'From'),
      field('ends_at', 'Until'),
    ]}
    empty="No discount. Apply a coupon to give one."
  />
)

const InvoicesToCome: FC<{ future: Future }> = ({ future }) => (
  <Table
    title="Invoices to come"
    caption="Invoices to come, as they would end"
    rows={future.data.slice(0, SHOWN / 2)}
    columns={['created_at', 'amount_due', field('status', 'Expected status'), lineTexts]}
    empty={`No invoice until ${instantText(future.complete_until)}.`}
  />
)

const NewestEvents: FC<{ events: readonly Schemas['Event'][]; actions: Child }> = ({
  events,
  actions,
}) => (
  <Table
    title="Events"
    actions={actions}
    caption="Events, newest first"
    rows={events
      .filter((event) => eventText(event) !== null)
      .slice(-SHOWN)
      .reverse()}
    columns={[
      'at',
      { name: 'What', cell: (event) => eventText(event) },
      { name: 'About', cell: ({ subject }) => <SubjectLink subject={subject} /> },
    ]}
    empty="The events of this subscription are kept no longer."
  />
)
