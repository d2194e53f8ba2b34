/** Events: what happened in this sandbox, in sentences, with what led to it. */
import type { Hono } from 'hono'
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { eventText } from '../../wire/event-text.ts'
import { amountText } from '../../wire/text.ts'
import { EventType, Subject } from '../../world/event.ts'
import { page } from '../page.tsx'
import { asked, Filter } from '../ui/filter.tsx'
import { SelectField, TextField } from '../ui/form.tsx'
import { SubjectLink } from '../ui/links.tsx'
import { Empty, Facts, Heading, Pager, Table } from '../ui/table.tsx'
import { At, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Event = Schemas['Event']
type EventList = Schemas['EventList']

/** How many events a page has. */
const ROWS = 100

const none: EventList = { data: [], has_more: false, next_after: null }

export function eventPages(pages: Hono): void {
  pages.get('/events', page(eventsPage))
}

/** Which events, as the sandbox takes it: what is none of its values is handed on, so that it says so. */
function filterOf({ given }: Visit) {
  return given('type', 'subject_kind', 'subject_id', 'subscription_id')
}

async function list(visit: Visit): Promise<EventList> {
  const newest = visit.query('newest') && { after: await beforeTheNewest(visit) }
  const query: object = { ...newest, ...filterOf(visit), ...visit.cursor(ROWS) }
  return answered(visit.control.GET('/sandbox/events', { params: { query } }))
}

/** The number before the newest events that fill a page. The oldest may be gone. */
async function beforeTheNewest({ control, summary }: Visit): Promise<number> {
  const params = { query: { limit: 1 } }
  const { data } = await answered(control.GET('/sandbox/events', { params }))
  return Math.max(0, (data[0]?.seq ?? 1) - 1 + (summary.counts['events'] ?? 0) - ROWS)
}

async function eventsPage(visit: Visit): Promise<View> {
  const { found, sent } = await asked(visit, { find: () => list(visit), otherwise: none })
  const filter = filterOf(visit)
  const isAll = Object.keys(filter).length === 0
  const body = (
    <>
      <Heading title="Events">
        {isAll && found.has_more && <a href={visit.to('events', { newest: 'true' })}>The newest</a>}
      </Heading>
      <Filter visit={visit} path="events" sent={sent} label="Which events">
        <SelectField name="type" label="Type" none="All" options={EventType.options} sent={sent} />
        <SelectField
          name="subject_kind"
          label="Subject"
          none="Anything"
          options={Subject.shape.kind.options.map((kind) => [kind, kind.replaceAll('_', ' ')])}
          sent={sent}
        />
        <TextField name="subject_id" label="Subject id" sent={sent} />
        <TextField name="subscription_id" label="Subscription" sent={sent} />
      </Filter>
      <EventTable visit={visit} events={found.data} empty={<NoEvents visit={visit} />} />
      <Pager visit={visit} path="events" query={filter} next={found.next_after} />
    </>
  )
  return { title: 'Events', body }
}

const NoEvents: FC<{ visit: Visit }> = ({ visit }) => (
  <Empty>
    {visit.here === visit.to('events') ? (
      <>
        <p>Nothing has happened yet.</p>
        <p>
          <a href={visit.to('subscriptions/~new')}>Create a subscription</a>, and move the clock.
        </p>
      </>
    ) : (
      <p>
        No event matches the filter. <a href={visit.to('events')}>Show all</a>
      </p>
    )}
  </Empty>
)

/** Events, oldest first; the facts of each open below its sentence. */
export const EventTable: FC<{ visit: Visit; events: readonly Event[]; empty: Child }> = ({
  visit,
  events,
  empty,
}) => (
  <Table
    caption="Events"
    rows={events}
    columns={[
      { name: 'No.', cell: ({ seq }) => String(seq), isNumber: true },
      { name: 'At', cell: ({ at }) => <At instant={at} /> },
      { name: 'About', cell: ({ subject }) => <SubjectLink visit={visit} subject={subject} /> },
      { name: 'What', wraps: true, cell: (event) => <Sentence visit={visit} event={event} /> },
      { name: 'Cause', cell: ({ cause }) => <Because visit={visit} cause={cause} /> },
    ]}
    empty={empty}
  />
)

const Sentence: FC<{ visit: Visit; event: Event }> = ({ visit, event }) => {
  const { seq, type, detail } = event
  const facts = Object.entries(detail).map(
    ([name, value]) =>
      [
        name.replaceAll('_', ' '),
        <Fact visit={visit} name={name} value={value} of={detail} />,
      ] as const,
  )
  return (
    <details id={`event-${seq}`} class="sentence">
      <summary>{eventText(event) ?? type.replace('.', ' ').replaceAll('_', ' ')}</summary>
      <Facts facts={[['type', type], ...facts]} />
    </details>
  )
}

/** What the facts of events name. */
const namedKinds: Readonly<Record<string, string>> = {
  subscription_id: 'subscription',
  invoice_id: 'invoice',
  coupon_id: 'coupon',
  by: 'coupon',
  plan: 'plan',
  from: 'plan',
  to: 'plan',
}

const Fact: FC<{
  visit: Visit
  name: string
  value: Event['detail'][string]
  of: Event['detail']
}> = ({ visit, name, value, of: { currency } }) => {
  const kind = namedKinds[name]
  if (kind !== undefined && typeof value === 'string') {
    return <SubjectLink visit={visit} subject={{ kind, id: value }} />
  }
  if (typeof value === 'number' && name.startsWith('amount') && typeof currency === 'string') {
    return <span>{amountText(value, currency)}</span>
  }
  if (typeof value === 'string' && /_(?:at|end|start)$/.test(name)) return <At instant={value} />
  return <Text value={typeof value === 'boolean' ? String(value) : value} />
}

const Because: FC<{ visit: Visit; cause: Event['cause'] }> = ({ visit, cause }) => {
  const { kind, request_id: id } = cause
  const link = id !== null && <SubjectLink visit={visit} subject={{ kind: 'request', id }} />
  if (kind === 'request') return <span>{link || 'a request'}</span>
  return link ? <span class="among">the clock, by {link}</span> : <span>the clock</span>
}
