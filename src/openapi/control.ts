/** The document of the control plane, served as /sandbox/openapi.json. */
import type { OpenAPIObject } from 'openapi3-ts/oas31'
import * as z from 'zod'
import { CONTROL_TOKEN_HEADER } from '../headers.ts'
import type { Declaration } from '../surface/operation.ts'
import { problemOf } from '../wire/common/errors.ts'
import { license, sandboxHeader, sandboxHeaders } from './common.ts'
import { buildDocument } from './document.ts'
import answers from './examples/control-answers.json' with { type: 'json' }
import { controlCalls } from './examples/control-calls.ts'
import events from './examples/events.json' with { type: 'json' }
import { eventWebhooks } from './webhooks.ts'

const sandboxIdHeader = sandboxHeader(
  'The identifier of the sandbox of the call. Default: the sandbox of the API key, otherwise `default`.',
  z.string(),
)

const tags = [
  {
    name: 'Sandbox',
    description: 'One sandbox as a whole: its state, checkpoints, reset, export.',
  },
  { name: 'Clock', description: 'The virtual clock, and what falls due.' },
  { name: 'Catalog', description: 'Products, plans, customers, coupons, promotions.' },
  { name: 'Subscriptions', description: 'More than /v1: lists, forecasts, resuming, promotions.' },
  { name: 'Invoices', description: 'Invoices, how they were computed, and paying one.' },
  { name: 'Charges', description: 'One-time charges.' },
  { name: 'Payments', description: 'The outcomes of the next payment attempts.' },
  { name: 'Faults', description: 'Deliberate failures of calls on /v1.' },
  { name: 'Tokens', description: 'Logins, which /v1 does not document: only refreshing is.' },
  { name: 'Assumptions', description: 'What the interface leaves open, and the settings.' },
  { name: 'Events', description: 'Everything that happened, in order.' },
  { name: 'Requests', description: 'Requests with their answers, recordings, coverage of /v1.' },
  { name: 'Webhooks', description: 'Addresses that receive events, and their deliveries.' },
  { name: 'Contracts', description: 'Checks of pacts, and provider states for verifiers.' },
  { name: 'Broker', description: 'Pacts that consumers published, for verifiers.' },
  { name: 'Sandboxes', description: 'Isolated copies of the service: data, clock and key each.' },
]

/** The document of these operations of the control plane; `version` is that of the product. */
export function controlDocument(
  operations: readonly Declaration[],
  version: string,
): OpenAPIObject {
  return buildDocument({
    operations,
    info: {
      title: 'Control plane of the sandbox',
      version,
      description:
        'Everything that a test needs around the documented surface: the clock, the records, payments, tokens, and sandboxes to keep tests apart. None of it is part of the interface.',
      license,
    },
    tags,
    responseHeaders: sandboxHeaders,
    requestHeaders: { 'Sandbox-Id': sandboxIdHeader },
    securitySchemes: {
      controlToken: {
        type: 'apiKey',
        in: 'header',
        name: CONTROL_TOKEN_HEADER,
        description:
          'Required only if the server was started with a control token. Tools that cannot send this header can send the token in Authorization: as Bearer, or as the password of Basic.',
        'x-interface': 'sandbox',
      },
    },
    security: {},
    mayAskFor: 'controlToken',
    webhooks: eventWebhooks,
    examples: { calls: controlCalls(answers), answers },
    schemaExamples: events,
    errors: { mediaType: 'application/problem+json', schema: problemOf, source: 'sandbox' },
  })
}
