/** The rows of limits: what a sandbox or the server holds as many of as it may. */
import type { Code } from '../../src/wire/common/error-codes.ts'
import {
  asItIs,
  call,
  client,
  type ErrorRow,
  getCall,
  imported,
  ONE,
  ofShop,
  pactCall,
  postCall,
  publication,
  putCall,
  refresh,
  whatIf,
  withHeaders,
} from './row.ts'

const LATER = '2027-03-01T00:00:00.000Z'
/** Stands for the state of a sandbox with one record too many. */
export const CROWDED = '{"products":"crowded"}'

export const limits = {
  sandbox_limit: {
    cause: 'The server holds as many sandboxes as it may.',
    remedy: 'Delete sandboxes that no test uses, or start the server with --expire.',
    provocations: [
      [putCall('/sandboxes/s[1-999]'), postCall('/sandboxes')],
      [putCall('/sandboxes/s[1-999]'), putCall('/sandboxes/one-more')],
    ],
  },
  sandbox_full: {
    cause: 'The sandbox holds as many records as it may.',
    remedy: 'Reset the sandbox, restore a checkpoint, or use several sandboxes.',
    condition:
      'The sandbox holds 1,200,000 records, and so does the fixture `crowded`, whose subscription is due on 2027-02-01. Its second subscription is paused.',
    provocations: [
      [client('/subscriptions', { customer_id: 'cus_ada', plan: 'basic' })],
      [postCall('/sandbox/products', { name: 'One more' })],
      [whatIf('createProduct', { body: { name: 'One more' } })],
      [refresh],
      [{ ...putCall('/sandbox/state'), body: CROWDED }],
      [
        withHeaders(imported({ fixture: 'crowded', start_at: LATER }), ofShop),
        withHeaders(postCall('/sandbox/reset', {}), ofShop),
      ],
      [postCall('/sandboxes', { fixture: 'crowded', now: LATER })],
      [putCall('/sandboxes/copy', { fixture: 'crowded', now: LATER })],
      [
        postCall('/sandbox/provider-states', {
          states: ['the fixture crowded is loaded', 'a customer exists'],
          params: { customer_id: 'cus_new' },
        }),
      ],
      [
        call('PATCH', '/sandbox/settings', { cancel_without_refund: 'credit' }),
        client(`${ONE}/cancel`),
      ],
      [
        call('PATCH', '/sandbox/settings', { resume_restores_remaining_period: false }),
        postCall('/sandbox/clock/advance', { to: LATER }),
        postCall('/sandbox/subscriptions/sub_000002/resume'),
      ],
    ],
    // Whatever an example adds, there is no room for it.
    elsewhere: asItIs,
  },
  pact_limit: {
    cause: 'The sandbox holds as many pacts as it may.',
    remedy: 'Delete pacts of old versions, or publish to another sandbox.',
    provocations: [
      [pactCall('[1-1000]'), pactCall('1001')],
      [pactCall('[1-1000]'), publication('1001')],
    ],
  },
  fault_limit: {
    cause: 'The sandbox holds as many faults as it may.',
    remedy: 'Delete faults that are used up: DELETE /sandbox/faults deletes all.',
    provocations: [
      [
        postCall('/sandbox/faults#[1-100]', { effect: { drop: true } }),
        postCall('/sandbox/faults', { effect: { drop: true } }),
      ],
    ],
  },
  checkpoint_limit: {
    cause: 'The sandbox holds as many checkpoints as it may.',
    remedy: 'Delete checkpoints that no test restores.',
    provocations: [
      [
        postCall('/sandbox/checkpoints', { name: 'c[1-100]' }),
        postCall('/sandbox/checkpoints', { name: 'one-more' }),
      ],
    ],
  },
  follower_limit: {
    cause: 'As many clients follow streams of this sandbox as may.',
    remedy: 'Close streams that nobody reads, or follow one stream in one process.',
    provocations: [
      [getCall('/sandbox/events/stream#[1-100]'), getCall('/sandbox/events/stream')],
      [getCall('/sandbox/events/stream#[1-100]'), getCall('/sandbox/requests/stream')],
    ],
  },
  webhook_limit: {
    cause: 'The sandbox holds as many webhooks as it may.',
    remedy: 'Delete webhooks that no test uses.',
    provocations: [
      [
        postCall('/sandbox/webhooks#[1-100]', { url: 'http://127.0.0.1:9/hooks' }),
        postCall('/sandbox/webhooks', { url: 'http://127.0.0.1:9/hooks' }),
      ],
    ],
  },
} as const satisfies { readonly [Each in Code]?: ErrorRow }
