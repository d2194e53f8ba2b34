/** The webhooks of the control plane's document: what the server sends to receivers, and what they answer. */
import type { PathItemObject } from 'openapi3-ts/oas31'
import * as z from 'zod'
import type { SchemaBook } from '../surface/schema-book.ts'
import { WireMessage } from '../wire/events/webhook.ts'

/** All of it is an assumption. */
const source = { 'x-interface': 'webhooks' }

/** The headers beside those of every HTTP request. A test compares them with what a receiver gets. */
const headers = {
  'User-Agent': ['Who sends it.', z.literal('subscription-sandbox')],
  'Sandbox-Assumptions': ['The assumption that it rests on.', z.literal('webhooks')],
  'webhook-id': [
    'Identifies the event: the same in every attempt, and in a redelivery.',
    z.string(),
  ],
  'webhook-timestamp': [
    'When this attempt was made, in seconds since 1970, in real time.',
    z.string().regex(/^[0-9]+$/),
  ],
  'webhook-signature': [
    'The signature by the secret of the webhook, as Standard Webhooks has it: `v1,` and an HMAC-SHA256 in base64 over id, timestamp and body, joined by full stops.',
    z.string().regex(/^v1,/),
  ],
} as const satisfies Record<string, readonly [description: string, schema: z.ZodType]>

const undelivered = {
  description: 'Not delivered. It is sent again, but not in lockstep.',
  ...source,
}

/** One entry: the POST of an event. */
export function eventWebhooks(book: SchemaBook): Record<string, PathItemObject> {
  const parameters = Object.entries(headers).map(([name, [description, schema]]) => {
    const drawn = book.toJsonSchema(schema, 'output')
    return { name, in: 'header' as const, description, required: true, ...source, schema: drawn }
  })
  const schema = book.toJsonSchema(WireMessage, 'output')
  return {
    event: {
      post: {
        operationId: 'receiveEvent',
        tags: ['Webhooks'],
        summary: 'An event happened',
        description:
          'Sent to each webhook whose types it fits, one event after another; POST /sandbox/webhooks says how long an answer may take, and how often the event is sent again. No redirect is followed.',
        ...source,
        security: [],
        parameters,
        requestBody: { required: true, content: { 'application/json': { ...source, schema } } },
        responses: {
          '2XX': { description: 'Delivered. The body is not used.', ...source },
          '4XX': undelivered,
          default: undelivered,
        },
      },
    },
  }
}
