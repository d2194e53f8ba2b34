/** Events: what happened in this sandbox, in sentences, with their causes. */
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { eventText } from '../../wire/event-text.ts'
import { amountText } from '../../wire/text.ts'
import { EventType, Subject } from '../../world/event.ts'
import { listPage } from '../page-kinds/list-page.tsx'
import { eventNumbers } from '../reading/newest-records.ts'
import { type Column, count, instant } from '../ui/columns.tsx'
import { linkWith, PageLink, SubjectLink } from '../ui/links.tsx'
import type { PageContext } from '../ui/page-context.ts'
import { Facts } from '../ui/table.tsx'
import { At, Text } from '../ui/values.tsx'

type Event = Schemas['Event']

/** How many events a page has. */
const ROWS = 100

/** Events; the facts of each open below its sentence. */
export const eventColumns: readonly Column<Event>[] = [
  count('No.', 'seq'),
  instant('At', 'at'),
  { name: 'About', cell: ({ subject }) => <SubjectLink subject={subject} /> },
  { name: 'What', wraps: true, cell: (event) => <Sentence event={event} /> },
  { name: 'Cause', cell: ({ cause }) => causeCell(cause) },
]

export const eventPage = listPage({
  path: 'events',
  title: 'Events',
  caption: 'Events',
  find: async (page, query) => {
    const newest = page.query('newest') && { after: await beforeTheNewest(page) }
    return page.list('/sandbox/events', { ...newest, ...query, limit: ROWS })
  },
  actions: (page, found) =>
    found !== null &&
    found.next_after !== null &&
    isUnfiltered(page) &&
    linkWith({ newest: 'true' }, 'The newest', 'events'),
  filter: {
    label: 'Which events',
    fields: [
      { name: 'type', none: 'All', options: EventType.options },
      {
        name: 'subject_kind',
        label: 'Subject',
        none: 'Anything',
        options: Subject.shape.kind.options.map((kind) => [kind, kind.replaceAll('_', ' ')]),
      },
      { name: 'subject_id', label: 'Subject id' },
      { name: 'subscription_id' },
    ],
  },
  columns: eventColumns,
  empty: {
    none: 'Nothing has happened yet.',
    unmatched: 'No event matches the filter.',
    next: (
      <>
        <PageLink to="subscriptions/~new">Create a subscription</PageLink>, and move the clock.
      </>
    ),
  },
})

/** The number before the newest events that fill a page. The oldest may be gone. */
async function beforeTheNewest(page: PageContext): Promise<number> {
  return Math.max(0, (await eventNumbers(page)).newest - ROWS)
}

function isUnfiltered(page: PageContext): boolean {
  const names = ['type', 'subject_kind', 'subject_id', 'subscription_id']
  return Object.keys(page.queryOf(...names)).length === 0
}

const Sentence: FC<{ event: Event }> = ({ event }) => {
  const { seq, type, detail } = event
  const facts = Object.entries(detail).map(
    ([name, value]) => [name.replaceAll('_', ' '), factCell(detail, name, value)] as const,
  )
  return (
    <details id={`event-${seq}`} class="sentence">
      <summary>{eventText(event) ?? type.replace('.', ' ').replaceAll('_', ' ')}</summary>
      <Facts facts={[['type', type], ...facts]} />
    </details>
  )
}

/** The kinds of records that the facts of events name. */
const namedKinds: Readonly<Record<string, string>> = {
  subscription_id: 'subscription',
  invoice_id: 'invoice',
  coupon_id: 'coupon',
  by: 'coupon',
  plan: 'plan',
  from: 'plan',
  to: 'plan',
}

function factCell(
  { currency }: Event['detail'],
  name: string,
  value: Event['detail'][string],
): Child {
  const kind = namedKinds[name]
  if (kind !== undefined && typeof value === 'string') {
    return <SubjectLink subject={{ kind, id: value }} />
  }
  if (typeof value === 'number' && name.startsWith('amount') && typeof currency === 'string') {
    return amountText(value, currency)
  }
  if (typeof value === 'string' && /_(?:at|end|start)$/.test(name)) return <At instant={value} />
  return <Text value={typeof value === 'boolean' ? String(value) : value} />
}

function causeCell({ kind, request_id: id }: Event['cause']): Child {
  const link = id !== null && <SubjectLink subject={{ kind: 'request', id }} />
  if (kind === 'request') return link || 'a request'
  return link ? <span class="among">the clock, by {link}</span> : 'the clock'
}
