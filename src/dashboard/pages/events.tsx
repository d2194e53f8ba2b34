/** Events: what happened in this sandbox, in sentences, with their causes. */
import type { Child, FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { EventType, Subject } from '../../world/event.ts'
import { listPage } from '../page-kinds/lists-and-questions.tsx'
import { causeText, SubjectLink } from '../ui/links.tsx'
import { NEWEST, type PageContext, type Query, SHOWN_BESIDE } from '../ui/page-context.ts'
import { Facts, Table } from '../ui/table.tsx'
import { type Column, type ColumnOf, column, eventSentence, valueCell } from '../ui/values.tsx'

type Event = Schemas['Event']

const ROWS = 100

const aboutColumn: Column<Pick<Event, 'subject'>> = column(
  'About',
  ({ subject }) => <SubjectLink subject={subject} />,
  { field: 'subject' },
)

/** Events; the facts of each open below its sentence. */
export const eventColumns: readonly ColumnOf<Event>[] = [
  'seq',
  'at',
  aboutColumn,
  column('What', (event) => <Sentence event={event} />, { field: 'type', wraps: true }),
  column('Cause', ({ cause }) => causeText(cause), { field: 'cause' }),
]

export const eventPage = listPage({
  title: 'Events',
  noun: 'event',
  find: (page, query) => page.list('/sandbox/events', { ...query, limit: ROWS }),
  filter: [
    { name: 'type', none: 'All', options: EventType.options },
    {
      name: 'subject_kind',
      label: 'Subject',
      none: 'Anything',
      options: Object.fromEntries(
        Subject.shape.kind.options.map((kind) => [kind, kind.replaceAll('_', ' ')]),
      ),
    },
    { name: 'subject_id', label: 'Subject id' },
    { name: 'subscription_id' },
  ],
  columns: eventColumns,
  empty:
    'Nothing has happened yet.\n[Create a subscription](subscriptions/~new), and move the clock.',
})

/** The newest events that have a text. */
export async function newestEvents(
  page: PageContext,
  filter: Query,
  { title = 'Events', empty }: { readonly title?: string; readonly empty: string },
): Promise<Child> {
  // Some of them have no text.
  const query = { ...filter, limit: SHOWN_BESIDE * 2, order: NEWEST }
  const { data } = await page.list('/sandbox/events', query)
  return (
    <Table
      title={title}
      caption={`${title}, newest first`}
      actions={<a href={page.to('events', filter)}>Show all</a>}
      rows={data.filter((event) => eventSentence(event) !== null).slice(0, SHOWN_BESIDE)}
      columns={[
        'at',
        { name: 'What', wraps: true, cell: (event) => eventSentence(event) },
        aboutColumn,
      ]}
      empty={empty}
    />
  )
}

const Sentence: FC<{ event: Event }> = ({ event }) => {
  const { seq, type, detail } = event
  const facts = Object.keys(detail).map(
    (name) => [name.replaceAll('_', ' '), factCell(detail, name)] as const,
  )
  return (
    <details id={`event-${seq}`} class="sentence">
      <summary>{eventSentence(event) ?? type.replace('.', ' ').replaceAll('_', ' ')}</summary>
      <Facts facts={[['type', type], ...facts]} />
    </details>
  )
}

/** The kinds of records that facts name otherwise than records do. */
const namedKinds: Readonly<Record<string, string>> = { by: 'coupon', from: 'plan', to: 'plan' }

function factCell(detail: Readonly<Record<string, unknown>>, name: string): Child {
  const [kind, id] = [namedKinds[name], detail[name]]
  const isNamed = kind !== undefined && typeof id === 'string'
  return isNamed ? <SubjectLink subject={{ kind, id }} /> : valueCell(detail, name)
}
