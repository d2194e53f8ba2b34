/**
 * Webhooks: where events are sent, and the outcome of each delivery; making one and deleting it. Owns that a secret is
 * shown once, in the answer to the form that made the webhook.
 */
import type { Hono } from 'hono'
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { answered } from '../../library/transport.ts'
import { addForm, submit, withNotice } from '../page.tsx'
import { addQuestion, type Question } from '../question.tsx'
import { nothingSent, type Sent, startingWith } from '../sent.ts'
import { asked, Filter } from '../ui/filter.tsx'
import { Form, PostButton, Refused, SelectField, TextField } from '../ui/form.tsx'
import { SecretList } from '../ui/secret-list.tsx'
import { Empty, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { StatusBadge, Text } from '../ui/values.tsx'
import type { View } from '../view.ts'
import type { Visit } from '../visit.ts'

type Delivery = Schemas['WebhookDelivery']

const ROWS = 50

export function webhookPages(pages: Hono): void {
  addForm(pages, '/webhooks', { act: create, show: withoutSecret })
  pages.post('/webhooks/redeliver', submit({ act: redeliver, show: webhooksPage }))
  addQuestion(pages, '/webhooks/:id/delete', { ask: askToDelete, act: remove })
}

async function create({ sandbox, to }: Visit, { values }: Sent): Promise<View> {
  const order = {
    url: values.raw('url'),
    event_types: values.words('event_types'),
    secret: values.text('secret'),
  } as Schemas['WebhookCreate']
  const { webhook_id: id, url, secret } = await sandbox.webhooks.create(order)
  const body = (
    <>
      <Heading title={`The secret of ${id}`} />
      <p>
        What happens from now on is sent to {url}. Copy the secret now, with which your server
        verifies the deliveries: it is shown this once.
      </p>
      <SecretList secrets={[['Secret', secret]]} />
      <p>
        <a href={to('webhooks')}>To all webhooks</a>
      </p>
    </>
  )
  return { title: `The secret of ${id}`, body, live: 'nothing' }
}

/** A refused secret may be one of a real service: it does not come back with the form. */
function withoutSecret(visit: Visit, { values, refusal }: Sent): Promise<View> {
  const typed = startingWith({
    url: values.raw('url'),
    event_types: values.raw('event_types'),
    secret: '',
  })
  return webhooksPage(visit, { ...typed, refusal })
}

async function remove({ sandbox, id, to }: Visit): Promise<string> {
  await sandbox.webhooks.delete(id)
  return withNotice(to('webhooks'), 'deleted')
}

async function askToDelete({ sandbox, id, to }: Visit): Promise<Question> {
  const { url } = await sandbox.webhooks.get(id)
  return {
    title: `Delete ${id}`,
    text: <p>Events are not sent to {url} any more, and the list of its deliveries is deleted.</p>,
    submit: 'Delete webhook',
    cancel: to('webhooks'),
  }
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
  const isNew = sent.values.has('url')
  const body = (
    <>
      <Heading title="Webhooks">
        <a href={visit.to('requests')}>Requests</a>
      </Heading>
      {!isNew && <Refused sent={{ ...nothingSent, refusal: sent.refusal }} />}
      <Receivers visit={visit} webhooks={webhooks} />
      <Section title="New webhook">
        <Create action={visit.to('webhooks')} sent={isNew ? sent : nothingSent} />
      </Section>
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
        name: 'Last event',
        isNumber: true,
        cell: ({ done_seq: seq }) => <EventLink visit={visit} seq={seq} />,
      },
      { name: 'Skipped', isNumber: true, cell: ({ skipped }) => String(skipped) },
      {
        name: 'Actions',
        cell: ({ webhook_id: id }) => (
          <a
            href={visit.to(`webhooks/${encodeURIComponent(id)}/delete`)}
            aria-label={`Delete ${id}…`}
          >
            Delete…
          </a>
        ),
      },
    ]}
    empty={<Empty>Events are sent to nobody. Make a webhook below.</Empty>}
  />
)

const Create: FC<{ action: string; sent: Sent }> = ({ action, sent }) => (
  <Form action={action} sent={sent} submit="Create webhook">
    <TextField
      name="url"
      label="URL"
      hint="Where events are sent, by POST"
      placeholder="http://127.0.0.1:3000/webhooks"
      sent={sent}
    />
    <TextField
      name="event_types"
      label="Only these events"
      hint="Event types, such as invoice.paid, payment.failed; all events if empty"
      sent={sent}
    />
    <TextField
      name="secret"
      label="Secret"
      hint="whsec_ and 24 to 64 bytes in base64; generated if empty"
      sent={sent}
    />
  </Form>
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
        wraps: true,
        cell: ({ event_seq: seq, event_type: type }) => (
          <span class="among">
            <EventLink visit={visit} seq={seq} /> {type}
          </span>
        ),
      },
      { name: 'Status', cell: ({ status }) => <StatusBadge status={status} /> },
      { name: 'Attempts', cell: ({ attempts }) => String(attempts), isNumber: true },
      { name: 'Failure reason', wraps: true, cell: ({ reason }) => <Text value={reason} /> },
      {
        name: 'Actions',
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
    empty={
      <Empty>
        {Object.keys(filterOf(visit)).length === 0
          ? 'No delivery yet.'
          : 'No delivery matches the filter.'}
      </Empty>
    }
  />
)
