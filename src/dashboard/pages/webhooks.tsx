/**
 * Webhooks: where events are sent, and the outcome of each delivery; creating and deleting them. Owns that a secret is
 * shown once, in the answer to the form that created the webhook.
 */
import type { FC } from 'hono/jsx'
import type { Schemas } from '../../library/sandbox.ts'
import { bodyOf, type FieldDeclaration } from '../forms/field.ts'
import { Filter, filteredList } from '../forms/filter.tsx'
import { Form, PostButton, Refused } from '../forms/form.tsx'
import { confirmation } from '../page-kinds/confirmation.tsx'
import { PAGE_LENGTH } from '../page-kinds/list-page.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import { type Column, count, sentence, status, text } from '../ui/columns.tsx'
import { emptyForm, type FormState, formIfHas, formWith } from '../ui/form-state.ts'
import { linkWith, PageLink } from '../ui/links.tsx'
import { type PageContext, type View, withNotice } from '../ui/page-context.ts'
import { Empty, Heading, Pager, Section, Table } from '../ui/table.tsx'
import { Nothing, SecretList, Text } from '../ui/values.tsx'

const fields: readonly FieldDeclaration[] = [
  {
    name: 'url',
    label: 'URL',
    hint: 'Where events are sent, by POST',
    placeholder: 'http://127.0.0.1:3000/webhooks',
  },
  {
    name: 'event_types',
    label: 'Only these events',
    kind: 'words',
    hint: 'Event types, such as invoice.paid, payment.failed; all events if empty',
  },
  { name: 'secret', hint: 'whsec_ and 24 to 64 bytes in base64; generated if empty' },
]

export const webhookPages: PageTable = {
  webhooks: { show: webhooksPage, showRefused: withoutSecret, act: create },
  'webhooks/redeliver': {
    hasNoPage: true,
    show: webhooksPage,
    act: async ({ sandbox, to }, { values }) => {
      const delivery = await sandbox.webhooks.redeliver(values.raw('delivery_id'))
      const isDelivered = delivery.status === 'delivered'
      return withNotice(to('webhooks'), isDelivered ? 'delivered' : 'not_delivered')
    },
  },
  'webhooks/:id/delete': confirmation({
    ask: async ({ sandbox, id }) => ({
      title: `Delete ${id}`,
      text: `Events are not sent to ${(await sandbox.webhooks.get(id)).url} any more, and the list of its deliveries is deleted.`,
      submit: 'Delete webhook',
    }),
    back: 'webhooks',
    act: ({ sandbox, id }) => sandbox.webhooks.delete(id),
    did: 'deleted',
  }),
}

async function create({ sandbox }: PageContext, { values }: FormState): Promise<View> {
  const order = { ...bodyOf(fields, values), url: values.raw('url') }
  const { webhook_id: id, url, secret } = await sandbox.webhooks.create(order)
  const title = `The secret of ${id}`
  const body = (
    <>
      <Heading title={title} />
      <p>
        What happens from now on is sent to {url}. Copy the secret now, with which your server
        verifies the deliveries: it is shown this once.
      </p>
      <SecretList secrets={[['Secret', secret]]} />
      <p>
        <PageLink to="webhooks">To all webhooks</PageLink>
      </p>
    </>
  )
  return { title, body, live: 'nothing' }
}

/** A refused secret may be one of a real service: it does not come back with the form. */
function withoutSecret(page: PageContext, { values, refusal }: FormState): Promise<View> {
  const [url, event_types] = [values.raw('url'), values.raw('event_types')]
  return webhooksPage(page, { ...formWith({ url, event_types, secret: '' }), refusal })
}

async function webhooksPage(page: PageContext, form: FormState): Promise<View> {
  const filter = page.queryOf('webhook_id', 'status')
  const query = { ...filter, ...page.cursor(PAGE_LENGTH) }
  const [webhooks, { found, form: filterForm }] = await Promise.all([
    page.sandbox.webhooks.list(),
    filteredList(page, () => page.list('/sandbox/webhooks/deliveries', query)),
  ])
  const ids = webhooks.map(({ webhook_id: id }) => id)
  const isFiltered = Object.keys(filter).length > 0
  const body = (
    <>
      <Heading title="Webhooks">
        <PageLink to="requests">Requests</PageLink>
      </Heading>
      {!form.values.has('url') && <Refused form={{ ...emptyForm, refusal: form.refusal }} />}
      <Table
        caption="Webhooks, oldest first"
        rows={webhooks}
        columns={webhookColumns}
        empty={<Empty>Events are sent to nobody. Make a webhook below.</Empty>}
      />
      <Section title="New webhook">
        <Form
          action={page.to('webhooks')}
          form={formIfHas(form, 'url')}
          fields={fields}
          submit="Create webhook"
        />
      </Section>
      <Section title="Deliveries">
        <Filter
          path="webhooks"
          form={filterForm}
          label="Which deliveries"
          fields={[
            { name: 'webhook_id', none: 'All', options: ids },
            { name: 'status', none: 'All', options: ['pending', 'delivered', 'failed'] },
          ]}
        />
        <Table
          caption="Deliveries, oldest first"
          rows={found?.data ?? []}
          columns={deliveryColumns}
          empty={
            <Empty>{isFiltered ? 'No delivery matches the filter.' : 'No delivery yet.'}</Empty>
          }
        />
        <Pager path="webhooks" query={filter} next={found?.next_after ?? null} />
      </Section>
    </>
  )
  return { title: 'Webhooks', body }
}

const webhookColumns: readonly Column<Schemas['Webhook']>[] = [
  text('Webhook', 'webhook_id'),
  sentence('Sent to', 'url'),
  {
    name: 'Which events',
    wraps: true,
    cell: ({ event_types: types }) => types?.join(', ') ?? 'all events',
  },
  { name: 'Last event', isNumber: true, cell: ({ done_seq: seq }) => <EventLink seq={seq} /> },
  count('Skipped', 'skipped'),
  {
    name: 'Actions',
    cell: ({ webhook_id: id }) => (
      <PageLink to={`webhooks/${encodeURIComponent(id)}/delete`} label={`Delete ${id}…`}>
        Delete…
      </PageLink>
    ),
  },
]

const deliveryColumns: readonly Column<Schemas['WebhookDelivery']>[] = [
  text('Delivery', 'delivery_id'),
  text('To', 'webhook_id'),
  {
    name: 'Event',
    wraps: true,
    cell: ({ event_seq: seq, event_type: type }) => (
      <span class="among">
        <EventLink seq={seq} /> {type}
      </span>
    ),
  },
  status(),
  count('Attempts', 'attempts'),
  { name: 'Failure reason', wraps: true, cell: ({ reason }) => <Text value={reason} /> },
  {
    name: 'Actions',
    cell: ({ delivery_id: id }) => (
      <PostButton
        to="webhooks/redeliver"
        values={{ delivery_id: id }}
        label={`Deliver again ${id}`}
      >
        Deliver again
      </PostButton>
    ),
  },
]

const EventLink: FC<{ seq: number }> = ({ seq }) =>
  seq === 0 ? <Nothing /> : linkWith({ after: seq - 1 }, seq, 'events')
