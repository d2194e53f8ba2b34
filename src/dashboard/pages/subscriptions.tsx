/** Subscriptions: the timeline of fifty of them on a page; and one with its facts, its past, its future and its actions. */
import type { Schemas } from '../../library/sandbox.ts'
import { instantText, worthText } from '../../wire/common/text.ts'
import { Hidden } from '../forms/controls.tsx'
import { type FieldDeclaration, searchField } from '../forms/field.ts'
import { Filter, filteredList, unfilteredAddress } from '../forms/form.tsx'
import { collection } from '../page-kinds/collection.tsx'
import { unmatchedText } from '../page-kinds/lists-and-questions.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { statusNames } from '../reading/statuses.ts'
import { changePages, subscriptionActions } from '../subscription/changes.tsx'
import { day } from '../timeline/lane.ts'
import { futureOf, readTimeline } from '../timeline/read.ts'
import { TimelineParts, WindowMoves } from '../timeline/timeline.tsx'
import { troubleFirst } from '../timeline/trouble.ts'
import { endAhead, lookOf, lookQuery, timeShown } from '../timeline/window.ts'
import { Hint, linkWith, primaryButton, recordPath } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Empty, Facts, type NamedValue, OrderLink, Pager, Table } from '../ui/table.tsx'
import { type ColumnOf, column, factsOf, field, moneyText, priceText } from '../ui/values.tsx'
import { duration } from './coupons.tsx'
import { newestEvents } from './events.tsx'
import { demoPages, firstScreen } from './first-screen.tsx'
import { lineTexts, newestInvoices } from './invoices.tsx'

type Subscription = Schemas['SubscriptionRecord']

/** How many invoices to come are shown. */
const SHOWN = 6

export const subscriptionPages: PageTable = {
  '': { show: timelinePage },
  ...collection('subscriptions', {
    home: '',
    actions: subscriptionActions,
    below: subscriptionParts,
  }),
  ...changePages,
  ...demoPages,
}

async function subscriptionParts(page: PageContext, subscription: Subscription) {
  const { subscription_id: id, discounts } = subscription
  const filter = { subscription_id: id }
  const [plan, invoices, events, future, timeline] = await Promise.all([
    page.sandbox.plans.get(subscription.plan),
    newestInvoices(page, filter),
    newestEvents(page, filter, { empty: 'The events of this subscription are kept no longer.' }),
    futureOf(page, subscription),
    readTimeline(page, { subscriptions: [subscription], path: recordPath('subscriptions', id) }),
  ])
  const { currency } = plan
  return [
    <Facts facts={subscriptionFacts(subscription, plan)} />,
    <WindowMoves timeline={timeline} />,
    <TimelineParts timeline={timeline} />,
    <Table
      title="Discounts"
      caption="Discounts, in the order in which they were applied"
      rows={discounts.map((each) => ({ ...each, currency }))}
      columns={[
        'coupon_id',
        { name: 'Discount', isNumber: true, cell: (row) => worthText(row, moneyText) },
        duration,
        field('starts_at', 'From'),
        field('ends_at', 'Until'),
      ]}
      empty={`No discount.${subscription.ended_at ? '' : ' Apply a coupon to give one.'}`}
    />,
    future !== null && (
      <Table
        title="Invoices to come"
        caption="Invoices to come, as they would end"
        rows={future.data.slice(0, SHOWN)}
        columns={['created_at', 'amount_due', field('status', 'Expected status'), lineTexts]}
        empty={`No invoice until ${instantText(future.complete_until)}.`}
      />
    ),
    invoices,
    events,
  ]
}

/** Its facts, without the instants that it does not have. */
function subscriptionFacts(subscription: Subscription, plan: Schemas['Plan']): NamedValue[] {
  const link = linkWith({}, plan.name, recordPath('plans', plan.plan_id))
  const columns: readonly ColumnOf<Subscription>[] = [
    'customer_id',
    column('Plan', () => [link, `, ${priceText(plan)}`]),
    'pending_plan',
    'trial_end',
    'current_period_start',
    'current_period_end',
    'created_at',
    'canceled_at',
    'ended_at',
    'cancel_at_period_end',
  ]
  const has = (each: (typeof columns)[number]) =>
    typeof each !== 'string' || subscription[each] !== null
  return factsOf(subscription, columns.filter(has))
}

async function timelinePage(page: PageContext): Promise<View> {
  const filter = page.queryOf('search', 'status', 'customer_id')
  const order = page.queryOf('sort', 'group', 'lanes')
  const { found, form } = await filteredList(page, async () => {
    const before = endAhead(timeShown(lookOf(page.query), page.clock.now))
    if (order.sort === 'trouble') return troubleFirst(page, filter, before)
    const list = await page.list('/sandbox/subscriptions', { ...filter, ...page.cursor() })
    return { ...list, until: null }
  })
  const { data: subscriptions = [], until } = found ?? {}
  const timeline = await readTimeline(page, {
    subscriptions,
    path: '',
    query: { ...filter, ...order, ...page.queryOf('order', 'after') },
  })
  const fields: FieldDeclaration[] = [
    searchField,
    { name: 'status', none: 'Any', options: await statusNames(page) },
    { name: 'customer_id' },
  ]
  const isPart = page.query('after') !== undefined || (found?.next_after ?? null) !== null
  const [isEmpty, all] = [subscriptions.length === 0, unfilteredAddress(page, fields)]
  const note = [
    !isEmpty && <WindowMoves timeline={timeline} />,
    <details class="filters" id="filters" open={all !== null || form.refusal !== null}>
      <summary>Filter</summary>
      <Filter form={form} label="Which subscriptions" fields={fields}>
        <Hidden values={{ ...page.queryOf('zoom', 'from', 'until'), ...order }} />
      </Filter>
    </details>,
  ]
  const body = [
    isEmpty && found && all && <Empty text={unmatchedText(all, 'subscription')} />,
    isEmpty && found && !all && (await firstScreen(page)),
    !isEmpty && isPart && order.group && (
      <Hint text="There are more subscriptions: only those of this page are grouped." />
    ),
    !isEmpty && until && (
      <Hint
        text={`Sorted are the first 1,000 subscriptions, all that are past due, and those with a payment that fails or an end until ${day(until)}.`}
      />
    ),
    !isEmpty && <TimelineParts timeline={timeline} />,
    subscriptions.length > 1 && <OrderLink />,
    <Pager
      next={found?.next_after ?? null}
      query={{ lane: null, at: null, to: null, ...lookQuery(timeline.look) }}
    />,
  ]
  const actions = primaryButton('New subscription', 'subscriptions/~new')
  return { title: 'Timeline', note, actions, body }
}
