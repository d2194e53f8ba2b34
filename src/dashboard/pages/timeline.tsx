/** The timeline of subscriptions, fifty on a page. */

import type { Schemas } from '../../library/sandbox.ts'
import { Hidden } from '../forms/controls.tsx'
import type { FieldDeclaration } from '../forms/field.ts'
import { Filter, filteredList } from '../forms/form.tsx'
import { unmatched } from '../page-kinds/lists-and-questions.tsx'
import type { PageRow } from '../page-kinds/page-row.tsx'
import { statusNames } from '../reading/statuses.ts'
import { futureOf, readTimeline } from '../timeline/read.ts'
import { TimelineParts } from '../timeline/timeline.tsx'
import { PageLink } from '../ui/links.tsx'
import type { PageContext, View } from '../ui/page-context.ts'
import { Empty, type ListPart, Pager } from '../ui/table.tsx'

export const timelinePage: PageRow = { show }

const NO_SUBSCRIPTION =
  'There is no subscription yet, so nothing happens when time passes.\n[Create a subscription](subscriptions/~new), then move the clock above and see it renew.'

async function show(page: PageContext): Promise<View> {
  const filter = page.queryOf('status', 'customer_id', 'subscription_id')
  const { found, form } = await filteredList(page, () => subscriptionsOf(page, filter))
  const subscriptions = found?.data ?? []
  const [only, ...others] = subscriptions
  const timeline = await readTimeline(page, {
    subscriptions,
    future: only !== undefined && others.length === 0 ? futureOf(page, only) : undefined,
    path: '',
    query: { ...filter, after: page.query('after') },
  })
  const { zoom, from } = timeline.look
  const fields: FieldDeclaration[] = [
    { name: 'status', none: 'Any', options: await statusNames(page) },
    { name: 'customer_id' },
    { name: 'subscription_id' },
  ]
  const body = (
    <>
      <Filter form={form} label="Which subscriptions" fields={fields}>
        <Hidden values={page.queryOf('zoom', 'from')} />
      </Filter>
      {subscriptions.length > 0 ? (
        <TimelineParts timeline={timeline} />
      ) : (
        <Empty
          text={Object.keys(filter).length > 0 ? unmatched(page, 'subscription') : NO_SUBSCRIPTION}
        />
      )}
      <Pager
        next={found?.next_after ?? null}
        query={{ lane: null, at: null, to: null, zoom: page.query('zoom') && zoom, from }}
      />
    </>
  )
  const actions = (
    <PageLink to="subscriptions/~new" as="primary">
      New subscription
    </PageLink>
  )
  return { title: 'Timeline', actions, body }
}

async function subscriptionsOf(
  page: PageContext,
  { subscription_id: id, ...filter }: Readonly<Record<string, string>>,
): Promise<ListPart<Schemas['SubscriptionRecord']>> {
  if (id !== undefined)
    return { data: [await page.sandbox.subscriptions.get(id)], next_after: null }
  return page.list('/sandbox/subscriptions', { ...filter, ...page.cursor() })
}
