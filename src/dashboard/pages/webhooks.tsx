/** Webhooks: where events are sent, and the outcome of each delivery. Owns that a secret is shown once. */
import type { Schemas } from '../../library/sandbox.ts'
import { bodyOf, fieldsFrom } from '../forms/field.ts'
import { Form, PostButton } from '../forms/form.tsx'
import { confirmation, listPart } from '../page-kinds/lists-and-questions.tsx'
import type { PageTable } from '../page-kinds/page-row.tsx'
import type { FormValues } from '../ui/form-state.ts'
import { askLink, eventsFrom, Paragraph } from '../ui/links.tsx'
import { NEWEST, type PageContext, type View, withNotice } from '../ui/page-context.ts'
import { Section, Table } from '../ui/table.tsx'
import { type ColumnOf, column, field, Nothing, SecretList } from '../ui/values.tsx'

const fields = fieldsFrom({
  url: {
    label: 'URL',
    hint: 'Where events are sent, by POST',
    placeholder: 'http://127.0.0.1:3000/webhooks',
    shortcut: 'c',
  },
  event_types: {
    label: 'Only these events',
    kind: 'words',
    hint: 'Event types, such as invoice.paid, payment.failed; all events if empty',
  },
  // It may be one of a real service.
  secret: { hint: 'whsec_ and 24 to 64 bytes in base64; generated if empty', isSecret: true },
})

export const webhookPages: PageTable = {
  webhooks: { show: webhooksPage, act: createWebhook },
  'webhooks/redeliver': {
    isButton: true,
    act: async ({ sandbox, above }, values) => {
      const { status } = await sandbox.webhooks.redeliver(values.raw('delivery_id'))
      return withNotice(above, status === 'delivered' ? 'delivered' : 'not_delivered')
    },
  },
  'webhooks/:id/delete': confirmation({
    ask: async ({ sandbox, id }) => ({
      title: `Delete ${id}`,
      text: `Events are not sent to ${(await sandbox.webhooks.get(id)).url} any more, and the list of its deliveries is deleted.`,
      submit: 'Delete webhook',
    }),
    act: ({ sandbox, id }) => sandbox.webhooks.delete(id),
    did: 'deleted',
  }),
}

async function createWebhook({ sandbox }: PageContext, values: FormValues): Promise<View> {
  const order = { ...bodyOf(fields, values), url: values.raw('url') }
  const { webhook_id: id, url, secret } = await sandbox.webhooks.create(order)
  const body = [
    <p>
      What happens from now on is sent to {url}. Copy the secret now, with which your server
      verifies the deliveries: it is shown this once.
    </p>,
    <SecretList secrets={{ Secret: secret }} />,
    <Paragraph text="[To all webhooks](webhooks)" />,
  ]
  return { title: `The secret of ${id}`, body, live: 'nothing' }
}

async function webhooksPage(page: PageContext): Promise<View> {
  const webhooks = await page.sandbox.webhooks.list({ order: NEWEST })
  const { part: deliveries } = await listPart(page, {
    title: 'Deliveries',
    noun: 'delivery',
    find: ({ list }, query) => list('/sandbox/webhooks/deliveries', query),
    filter: [
      { name: 'webhook_id', none: 'All', options: webhooks.map((each) => each.webhook_id) },
      { name: 'status', none: 'All', options: ['pending', 'delivered', 'failed'] },
    ],
    columns: deliveryColumns,
    empty: 'No delivery yet.',
  })
  const body = [
    <Table
      caption="Webhooks, newest first"
      rows={webhooks}
      columns={webhookColumns}
      empty="Events are sent to nobody. Make a webhook below."
    />,
    <Form title="New webhook" to="webhooks" fields={fields} submit="Create webhook" />,
    <Section title="Deliveries">{deliveries}</Section>,
  ]
  return { title: 'Webhooks', actions: '[Requests](requests)', body }
}

const webhookColumns: readonly ColumnOf<Schemas['Webhook']>[] = [
  'webhook_id',
  'url',
  column('Which events', ({ event_types: types }) => types?.join(', ') ?? 'all events', {
    field: 'event_types',
    wraps: true,
  }),
  column('Last event', ({ done_seq: seq }) => (seq === 0 ? <Nothing /> : eventsFrom(seq, seq)), {
    field: 'done_seq',
    isNumber: true,
  }),
  'skipped',
  column('Actions', ({ webhook_id: id }) => askLink('Delete', `webhooks/${id}/delete`, id)),
]

const deliveryColumns: readonly ColumnOf<Schemas['WebhookDelivery']>[] = [
  'delivery_id',
  field('webhook_id', 'To'),
  column('Event', ({ event_seq: seq, event_type: type }) => [eventsFrom(seq, seq), ` ${type}`], {
    field: 'event_type',
    wraps: true,
  }),
  'status',
  'attempts',
  field('reason', 'Failure reason'),
  column('Actions', ({ delivery_id: id }) => (
    <PostButton to="webhooks/redeliver" values={{ delivery_id: id }} label={`Deliver again ${id}`}>
      Deliver again
    </PostButton>
  )),
]
