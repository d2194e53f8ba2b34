/** Webhooks and their deliveries on the wire, and what an advance in lockstep says of them. */
import type * as z from 'zod'
import { array, int, strictObject, string } from 'zod'
import { EVENTS_KEPT } from '../assumptions/bounds.ts'
import { EventType } from '../world/event.ts'
import { WebhookDelivery } from '../world/webhook.ts'
import {
  boundedList,
  Natural,
  objectFrom,
  objectsOf,
  PageQuery,
  Reference,
  Texts,
} from './fields.ts'

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
  description: 'What deliveries are signed with; made up where absent.',
  secret: true,
})

export const WebhookCreate = objectFrom(source, {
  url: string()
    .min(1)
    .max(URL_MAX)
    .meta({
      accepts: `an http or https URL of at most ${URL_MAX} characters`,
      description:
        'Where events are sent, by POST: a server on this machine, unless the process was started for other hosts.',
    }),
  event_types: boundedList(EventType, TYPES_MAX, 'types of event')
    .optional()
    .describe('Only those of these types; all where absent.'),
  secret: Secret.optional(),
}).meta({ id: 'WebhookCreate' })

const shown = {
  webhook_id: string().describe('Its identifier.'),
  url: string().describe('Where events are sent.'),
  event_types: array(EventType).nullable().describe('The types that it is told of; null for all.'),
  done_seq: Natural.describe(
    'The number of the last event that is over for it: delivered, given up, or before it was made.',
  ),
  skipped: Natural.describe(
    `How many events it was never told of, because it was so far behind that they were no longer kept: the newest ${EVENTS_KEPT} are. Whatever their types.`,
  ),
}

export const WireWebhook = strictObject(shown).meta({ id: 'Webhook', source })

/** A webhook as its maker sees it, once. */
export const WireNewWebhook = strictObject({
  ...shown,
  secret: string().meta({
    description: 'What deliveries are signed with; never answered again.',
    secret: true,
  }),
}).meta({ id: 'NewWebhook', source })

export const WireDelivery = strictObject({
  delivery_id: string().describe('Its identifier.'),
  webhook_id: string().describe('To whom.'),
  event_seq: int().min(1).describe('The number of the event.'),
  event_type: EventType.describe('What happened.'),
  status: WebhookDelivery.shape.status.describe(
    'How it went: `pending` while it is tried again, `failed` once it is given up, or where the last redelivery failed.',
  ),
  attempts: int().min(1).describe('How often it was tried.'),
  reason: string().nullable().describe('Why the last attempt failed; null where it did not.'),
}).meta({ id: 'WebhookDelivery', source })
export type WireDelivery = z.input<typeof WireDelivery>

export const DeliveryQuery = PageQuery.extend({
  webhook_id: Reference.optional().describe('Only those to this one.'),
  status: WebhookDelivery.shape.status.optional().meta({
    accepts: 'pending, delivered or failed',
    description: 'Only those that stand so.',
  }),
})

/** What came of the deliveries of an advance in lockstep. */
export const WireLockstepDeliveries = strictObject({
  delivered: Natural.describe('How many receivers acknowledged.'),
  failed: Natural.describe('How many failed; none is tried again.'),
  failures: objectsOf({
    webhook_id: string().describe('To whom.'),
    delivery_id: string().describe('Which delivery.'),
    event_seq: int().min(1).describe('The number of the event.'),
    reason: string().describe('Why it failed.'),
  }).describe('Those that failed, in order; the first 100.'),
  left_out: Texts.describe(
    'The webhooks that the advance went on without, after three attempts without an answer; they get what they missed in the background, afterwards.',
  ),
}).meta({ id: 'LockstepDeliveries', source })
