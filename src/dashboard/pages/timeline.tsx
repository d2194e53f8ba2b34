/** The timeline of all subscriptions: which of them are shown, fifty a page. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { page } from '../page.tsx'
import { statusNames } from '../statuses.ts'
import { futureOf, hasFew } from '../timeline/future.ts'
import { readTimeline, TimelineParts } from '../timeline/timeline.tsx'
import { asked, Filter } from '../ui/filter.tsx'
import { SelectField, TextField } from '../ui/form.tsx'
import { Empty, Heading, Pager } from '../ui/table.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

const LANES = 50

export function timelinePages(pages: Hono): void {
  pages.get('', page(timelinePage))
}

async function timelinePage(visit: Visit): Promise<View> {
  const filter = visit.given('status', 'customer_id', 'subscription_id')
  const { found, sent } = await asked(visit, {
    find: () => listed(visit, filter),
    otherwise: { data: [], next_after: null },
  })
  const query = { ...filter, after: visit.query('after') }
  const [only, ...others] = found.data
  const isAlone = only !== undefined && others.length === 0 && hasFew(visit)
  const timeline = await readTimeline(visit, {
    subscriptions: found.data,
    future: isAlone ? futureOf(visit, only) : undefined,
    path: '',
    query,
  })
  const { zoom, from } = timeline.look
  const isFiltered = Object.keys(filter).length > 0
  const body = (
    <>
      <Heading title="Timeline">
        <a class="button primary" href={visit.to('subscriptions/~new')}>
          New subscription
        </a>
      </Heading>
      <Filter visit={visit} path="" sent={sent} label="Which subscriptions">
        {['zoom', 'from'].map((name) => {
          const value = visit.query(name)
          return value && <input type="hidden" name={name} value={value} />
        })}
        <SelectField
          name="status"
          label="Status"
          none="Any"
          options={await statusNames(visit)}
          sent={sent}
        />
        <TextField name="customer_id" label="Customer" sent={sent} />
        <TextField name="subscription_id" label="Subscription" sent={sent} />
      </Filter>
      {found.data.length === 0 ? (
        <NoSubscription visit={visit} isFiltered={isFiltered} />
      ) : (
        <TimelineParts timeline={timeline} />
      )}
      <Pager
        visit={visit}
        path=""
        query={{ ...filter, zoom: visit.query('zoom') && zoom, from }}
        next={found.next_after}
      />
    </>
  )
  return { title: 'Timeline', body }
}

async function listed(
  { sandbox, control, cursor }: Visit,
  { subscription_id: id, ...filter }: Readonly<Record<string, string>>,
): Promise<Found> {
  if (id !== undefined) return { data: [await sandbox.subscriptions.get(id)], next_after: null }
  const query: object = { ...filter, ...cursor(LANES) }
  return answered(control.GET('/sandbox/subscriptions', { params: { query } }))
}

type Found = Pick<Schemas['SubscriptionList'], 'data' | 'next_after'>

const NoSubscription: FC<{ visit: Visit; isFiltered: boolean }> = ({ visit, isFiltered }) =>
  isFiltered ? (
    <Empty>
      <p>No subscription matches the filter.</p>
      <p>
        <a href={visit.to()}>Show all</a>
      </p>
    </Empty>
  ) : (
    <Empty>
      <p>There is no subscription yet, so nothing happens when time passes.</p>
      <p>
        <a href={visit.to('subscriptions/~new')}>Create a subscription</a>, then move the clock
        above and see it renew.
      </p>
    </Empty>
  )
