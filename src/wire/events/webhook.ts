/** Webhooks and their deliveries on the wire, and what an advance in lockstep says of them. */
import type * as z from 'zod'
import { array, int, strictObject, string } from 'zod'
import { EVENTS_KEPT } from '../../assumptions/bounds.ts'
import { EventType } from '../../world/event.ts'
import { WebhookDelivery } from '../../world/webhook.ts'
import {
  boundedList,
  InstantOut,
  Natural,
  named,
  objectFrom,
  objectsOf,
  PageQuery,
  Reference,
  TextOrNull,
  Texts,
} from '../common/fields.ts'
import { EventSchema } from './event-schema.ts'

/** All of it is an assumption. */
const source = 'webhooks'

const URL_MAX = 2000
const TYPES_MAX = 100
const BASE64 = '[A-Za-z0-9+/]'
/** 24 to 64 bytes: whole groups of four characters, and perhaps one that is filled up. */
const secretPattern = new RegExp(
  `^whsec_((${BASE64}{4}){8,20}(${BASE64}{2}==|${BASE64}{3}=)?|(${BASE64}{4}){21}(${BASE64}{2}==)?)$`,
)

const Secret = string().regex(secretPattern).meta({
  accepts: 'whsec_ and 24 to 64 bytes in base64',
  description: 'The secret that deliveries are signed with. Default: a generated one.',
  secret: true,
})

export const WebhookCreate = objectFrom(source, {
  url: string()
    .min(1)
    .max(URL_MAX)
    .meta({
      accepts: `an http or https URL of at most ${URL_MAX} characters`,
      description:
        'The address that events are sent to, by POST: a server on this machine, unless the process was started for other hosts.',
    }),
  event_types: boundedList(EventType, TYPES_MAX, 'types of event')
    .optional()
    .describe('The types of the events that are sent to the webhook; all by default.'),
  secret: Secret.optional(),
}).meta({ id: 'WebhookCreate', description: 'The webhook to create.' })

const shown = {
  webhook_id: string().describe('The identifier of the webhook.'),
  url: string().describe('The address that events are sent to.'),
  event_types: array(EventType)
    .nullable()
    .describe('The types of the events that are sent to the webhook; null for all.'),
  done_seq: Natural.describe(
    'The number of the last event that needs no further delivery: it was delivered, its delivery failed, or it happened before the webhook was created.',
  ),
  skipped: Natural.describe(
    `The number of events of any type that were never sent to the webhook, because it was so far behind that they were no longer kept: the newest ${EVENTS_KEPT} are.`,
  ),
}

export const WireWebhook = strictObject(shown).meta(
  named(source, 'Webhook', 'A receiver of events.'),
)

/** A webhook as its maker sees it, once. */
export const WireWebhookWithSecret = strictObject({
  ...shown,
  secret: string().meta({
    description: 'The secret that deliveries are signed with; it is never answered again.',
    secret: true,
  }),
}).meta(named(source, 'WebhookWithSecret', 'A webhook, with its secret.'))

export const WireDelivery = strictObject({
  delivery_id: string().describe('The identifier of the delivery.'),
  webhook_id: string().describe('The identifier of the webhook that receives the event.'),
  event_seq: int().min(1).describe('The number of the event.'),
  event_type: EventType.describe('The type of the event.'),
  status: WebhookDelivery.shape.status.describe(
    'The state of the delivery: `pending` while it is tried again, `failed` once it is given up, or where the last redelivery failed.',
  ),
  attempts: int().min(1).describe('The number of attempts to deliver the event.'),
  reason: TextOrNull.describe(
    'The reason why the last attempt failed; null where it did not fail.',
  ),
}).meta(named(source, 'WebhookDelivery', 'The delivery of one event to one webhook.'))
export type WireDelivery = z.input<typeof WireDelivery>

export const DeliveryQuery = PageQuery.extend({
  webhook_id: Reference.optional().describe('Only deliveries to the webhook with this identifier.'),
  status: WebhookDelivery.shape.status.optional().meta({
    accepts: 'pending, delivered or failed',
    description: 'Only deliveries with this status.',
  }),
})

export const WireMessage = strictObject({
  type: EventType.describe('The type of the event.'),
  timestamp: InstantOut.describe('The virtual instant of the event.'),
  sandbox_id: string().describe('The identifier of the sandbox in which the event happened.'),
  data: EventSchema.describe('The event.'),
}).meta(named(source, 'WebhookMessage', 'What is sent to a webhook: one event.'))
export type WireMessage = z.input<typeof WireMessage>

export const WireLockstepDeliveries = strictObject({
  delivered: Natural.describe('The number of deliveries that their receivers acknowledged.'),
  failed: Natural.describe('The number of deliveries that failed; none is tried again.'),
  failures: objectsOf({
    webhook_id: string().describe('The identifier of the webhook.'),
    delivery_id: string().describe('The identifier of the delivery.'),
    event_seq: int().min(1).describe('The number of the event.'),
    reason: string().meta({
      description: 'The reason why the delivery failed.',
      examples: ['answered 500'],
    }),
  }).describe('The deliveries that failed, in order; the first 100.'),
  left_out: Texts.describe(
    'The webhooks that the advance went on without, after three attempts without an answer; they get what they missed in the background, afterwards.',
  ),
}).meta(named(source, 'LockstepDeliveries', 'The deliveries of an advance in lockstep.'))
