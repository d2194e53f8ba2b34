/** One subscription: its facts, its past and its future, and the actions on it. */
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import { worthText } from '../../wire/text.ts'
import { Refused } from '../forms/form.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { newestEvents, newestInvoicesOf } from '../reading/newest-records.ts'
import { Actions, actionPages } from '../subscription/actions.tsx'
import { applyCouponPage } from '../subscription/apply-coupon.tsx'
import { changePlanPage } from '../subscription/change-plan.tsx'
import { type Future, futureOf, readTimeline } from '../timeline/read.ts'
import { TimelineParts } from '../timeline/timeline.tsx'
import { instant, link, money, status } from '../ui/columns.tsx'
import type { FormState } from '../ui/form-state.ts'
import { linkWith, RecordLink, recordPath, SubjectLink } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Empty, Facts, Heading, type NamedValue, Section, Table } from '../ui/table.tsx'
import { At, countOf, priceText, StatusBadge } from '../ui/values.tsx'
import { InvoiceTable, lineTexts } from './invoices.tsx'

type Subscription = Schemas['SubscriptionRecord']
type Plan = Schemas['Plan']

/** How many rows of each list are shown; the lists have them all. */
const SHOWN = 12

export const subscriptionPages: PageTable = {
  'subscriptions/:id': { show: subscriptionPage },
  ...actionPages(subscriptionPage),
  'subscriptions/:id/apply-coupon': applyCouponPage,
  'subscriptions/:id/update': changePlanPage,
}

async function subscriptionPage(page: PageContext, form: FormState): Promise<View> {
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
      <Heading title={id} note={<StatusBadge status={subscription.status} />}>
        <Actions subscription={subscription} />
      </Heading>
      <Refused form={form} />
      <Facts facts={factsOf(subscription, plan)} />
      <TimelineParts timeline={timeline} />
      <Discounts subscription={subscription} plan={plan} />
      {future !== null && <InvoicesToCome future={future} />}
      <Section title="Invoices" actions={showAll('invoices')}>
        <InvoiceTable {...invoices} />
      </Section>
      <Section title="Events" actions={showAll('events')}>
        <NewestEvents events={events} />
      </Section>
    </>
  )
  return { title: id, body }
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
  <Section title="Discounts">
    <Table
      caption="Discounts, in the order in which they were applied"
      rows={discounts}
      columns={[
        link('Coupon', 'coupons', 'coupon_id'),
        { name: 'Discount', cell: (each) => worthText({ ...each, currency }), isNumber: true },
        {
          name: 'For',
          cell: ({ duration, duration_in_months: months }) =>
            months === null ? duration : countOf(months, 'month'),
        },
        instant('From', 'starts_at'),
        instant('Until', 'ends_at'),
      ]}
      empty={<Empty>No discount. Apply a coupon to give one.</Empty>}
    />
  </Section>
)

const InvoicesToCome: FC<{ future: Future }> = ({ future }) => (
  <Section title="Invoices to come">
    <Table
      caption="Invoices to come, as they would end"
      rows={future.data.slice(0, SHOWN / 2)}
      columns={[
        instant('Created', 'created_at'),
        money('Due', 'amount_due'),
        status('Expected status'),
        lineTexts,
      ]}
      empty={
        <Empty>
          No invoice until <At instant={future.complete_until} />.
        </Empty>
      }
    />
  </Section>
)

const NewestEvents: FC<{ events: readonly Schemas['Event'][] }> = ({ events }) => (
  <Table
    caption="Events, newest first"
    rows={events
      .filter((event) => eventText(event) !== null)
      .slice(-SHOWN)
      .reverse()}
    columns={[
      instant('At', 'at'),
      { name: 'What', cell: (event) => eventText(event) },
      { name: 'About', cell: ({ subject }) => <SubjectLink subject={subject} /> },
    ]}
    empty={<Empty>The events of this subscription are kept no longer.</Empty>}
  />
)
