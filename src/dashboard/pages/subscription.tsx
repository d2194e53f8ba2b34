/** One subscription: its facts, its past and its future, and the actions on it. */
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import { instantText, worthText } from '../../wire/text.ts'
import { collection } from '../page-kinds/collection.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { newestEvents, newestInvoicesOf } from '../reading/newest-records.ts'
import { actionPages, subscriptionActions } from '../subscription/actions.tsx'
import { changePages } from '../subscription/changes.tsx'
import { futureOf, readTimeline } from '../timeline/read.ts'
import { TimelineParts } from '../timeline/timeline.tsx'
import { factsOf, field } from '../ui/columns.tsx'
import { linkWith, RecordLink, recordPath } from '../ui/links.tsx'
import type { PageContext } from '../ui/page-context.ts'
import { Facts, type NamedValue, Table } from '../ui/table.tsx'
import { countOf, priceText } from '../ui/values.tsx'
import { about } from './events.tsx'
import { InvoiceTable, lineTexts } from './invoices.tsx'

type Subscription = Schemas['SubscriptionRecord']
type Plan = Schemas['Plan']

/** How many rows of each list are shown; the lists have them all. */
const SHOWN = 12

export const subscriptionPages: PageTable = {
  ...collection('subscriptions', {
    actions: subscriptionActions,
    below: subscriptionParts,
  }),
  ...actionPages,
  ...changePages,
}

async function subscriptionParts(page: PageContext, subscription: Subscription) {
  const { subscription_id: id, discounts } = subscription
  const ahead = futureOf(page, subscription)
  const [plan, invoices, events, future, timeline] = await Promise.all([
    page.sandbox.plans.get(subscription.plan),
    newestInvoicesOf(page, { subscription_id: id }, SHOWN),
    // Some of them have no text.
    newestEvents(page, { subscription_id: [id] }, SHOWN * 2),
    ahead,
    readTimeline(page, {
      subscriptions: [subscription],
      future: ahead,
      path: recordPath('subscriptions', id),
    }),
  ])
  const showAll = (list: string) => linkWith({ subscription_id: id }, 'Show all', list)
  return (
    <>
      <Facts facts={subscriptionFacts(subscription, plan)} />
      <TimelineParts timeline={timeline} />
      <Table
        title="Discounts"
        caption="Discounts, in the order in which they were applied"
        rows={discounts.map((each) => ({
          ...each,
          discount: worthText({ ...each, currency: plan.currency }),
          months: each.duration_in_months,
        }))}
        columns={[
          'coupon_id',
          { ...field('discount', 'Discount'), isNumber: true },
          {
            name: 'For',
            cell: ({ duration, months }) => (months === null ? duration : countOf(months, 'month')),
          },
          field('starts_at', 'From'),
          field('ends_at', 'Until'),
        ]}
        empty="No discount. Apply a coupon to give one."
      />
      {future !== null && (
        <Table
          title="Invoices to come"
          caption="Invoices to come, as they would end"
          rows={future.data.slice(0, SHOWN / 2)}
          columns={['created_at', 'amount_due', field('status', 'Expected status'), lineTexts]}
          empty={`No invoice until ${instantText(future.complete_until)}.`}
        />
      )}
      <InvoiceTable {...invoices} actions={showAll('invoices')} />
      <Table
        title="Events"
        actions={showAll('events')}
        caption="Events, newest first"
        rows={events
          .filter((event) => eventText(event) !== null)
          .slice(-SHOWN)
          .reverse()}
        columns={['at', { name: 'What', cell: (event) => eventText(event) }, about]}
        empty="The events of this subscription are kept no longer."
      />
    </>
  )
}

/** Its facts, without the instants that it does not have. */
function subscriptionFacts(subscription: Subscription, plan: Plan): NamedValue[] {
  const { plan_id: id, name } = plan
  const planned = (
    <>
      <RecordLink place="plans" id={id}>
        {name}
      </RecordLink>
      {`, ${priceText(plan)}`}
    </>
  )
  const optional = [
    'pending_plan',
    'trial_end',
    'current_period_start',
    'current_period_end',
    'created_at',
    'canceled_at',
    'ended_at',
  ] as const
  return [
    ...factsOf(subscription, ['customer_id']),
    ['Plan', planned],
    ...factsOf(
      subscription,
      optional.filter((each) => subscription[each] !== null),
    ),
    ...factsOf(subscription, ['cancel_at_period_end']),
  ]
}
