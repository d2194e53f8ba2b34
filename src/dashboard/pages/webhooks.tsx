/** Webhooks: where events are sent, and what became of each delivery. */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { formPage, submit, withNotice } from '../page.tsx'
import { nothingSent, type Sent } from '../sent.ts'
import { asked, Filter } from '../ui/filter.tsx'
import { PostButton, Refused, SelectField } from '../ui/form.tsx'
import { Empty, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { StatusBadge, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Delivery = Schemas['WebhookDelivery']

const ROWS = 50

export function webhookPages(pages: Hono): void {
  pages.get('/webhooks', formPage(webhooksPage))
  pages.post('/webhooks/redeliver', submit({ act: redeliver, show: webhooksPage }))
}

async function redeliver({ sandbox, to }: Visit, { values }: Sent): Promise<string> {
  const { status } = await sandbox.webhooks.redeliver(values.raw('delivery_id'))
  return withNotice(to('webhooks'), status === 'delivered' ? 'delivered' : 'not_delivered')
}

function filterOf({ given }: Visit) {
  return given('webhook_id', 'status')
}

function list(visit: Visit) {
  const query: object = { ...filterOf(visit), ...visit.cursor(ROWS) }
  return answered(visit.control.GET('/sandbox/webhooks/deliveries', { params: { query } }))
}

async function webhooksPage(visit: Visit, sent: Sent): Promise<View> {
  const otherwise = { data: [] as Delivery[], has_more: false, next_after: null }
  const [webhooks, { found, sent: filter }] = await Promise.all([
    visit.sandbox.webhooks.list(),
    asked<typeof otherwise | Awaited<ReturnType<typeof list>>>(visit, {
      find: () => list(visit),
      otherwise,
    }),
  ])
  const body = (
    <>
      <Heading title="Webhooks">
        <a href={visit.to('requests')}>Requests</a>
      </Heading>
      <Refused sent={{ ...nothingSent, refusal: sent.refusal }} />
      <Receivers visit={visit} webhooks={webhooks} />
      <Section title="Deliveries">
        <Filter visit={visit} path="webhooks" sent={filter} label="Which deliveries">
          <SelectField
            name="webhook_id"
            label="Webhook"
            none="All"
            options={webhooks.map(({ webhook_id: id }) => id)}
            sent={filter}
          />
          <SelectField
            name="status"
            label="Status"
            none="All"
            options={['pending', 'delivered', 'failed']}
            sent={filter}
          />
        </Filter>
        <Deliveries visit={visit} deliveries={found.data} />
        <Pager visit={visit} path="webhooks" query={filterOf(visit)} next={found.next_after} />
      </Section>
    </>
  )
  return { title: 'Webhooks', body }
}

const Receivers: FC<{ visit: Visit; webhooks: readonly Schemas['Webhook'][] }> = ({
  visit,
  webhooks,
}) => (
  <Table
    caption="Webhooks, oldest first"
    rows={webhooks}
    columns={[
      { name: 'Webhook', cell: ({ webhook_id: id }) => id },
      { name: 'Sent to', wraps: true, cell: ({ url }) => url },
      {
        name: 'Which events',
        wraps: true,
        cell: ({ event_types: types }) => types?.join(', ') ?? 'all events',
      },
      {
        name: 'Up to event',
        isNumber: true,
        cell: ({ done_seq: seq }) => <EventLink visit={visit} seq={seq} />,
      },
    ]}
    empty={
      <Empty>
        <p>Events are sent to nobody.</p>
        <p>
          The command line makes a webhook:{' '}
          <code>subscription-sandbox webhooks create --url URL</code>
        </p>
      </Empty>
    }
  />
)

const EventLink: FC<{ visit: Visit; seq: number }> = ({ visit, seq }) =>
  seq === 0 ? <Text value={null} /> : <a href={visit.to('events', { after: seq - 1 })}>{seq}</a>

const Deliveries: FC<{ visit: Visit; deliveries: readonly Delivery[] }> = ({
  visit,
  deliveries,
}) => (
  <Table
    caption="Deliveries, oldest first"
    rows={deliveries}
    columns={[
      { name: 'Delivery', cell: ({ delivery_id: id }) => id },
      { name: 'To', cell: ({ webhook_id: id }) => id },
      {
        name: 'Event',
        cell: ({ event_seq: seq, event_type: type }) => (
          <span class="among">
            <EventLink visit={visit} seq={seq} /> {type}
          </span>
        ),
      },
      { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
      { name: 'Attempts', cell: ({ attempts }) => String(attempts), isNumber: true },
      { name: 'Why it failed', wraps: true, cell: ({ reason }) => <Text value={reason} /> },
      {
        name: 'Do',
        cell: ({ delivery_id: id }) => (
          <PostButton
            action={visit.to('webhooks/redeliver')}
            values={{ delivery_id: id }}
            label={`Deliver again ${id}`}
          >
            Deliver again
          </PostButton>
        ),
      },
    ]}
    empty={<p>Nothing was delivered.</p>}
  />
)
