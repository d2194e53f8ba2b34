/** The assumptions about requests, answers, errors, keys and tokens. */
import * as z from 'zod'
import { array, string } from 'zod'
import { RECORDS_MAX } from './bounds.ts'
import { type AssumptionRows, oneOf, setting } from './entry.ts'

const YEARS_100_SECONDS = 100 * 366 * 86_400
const Lifetime = z.int().min(1).max(YEARS_100_SECONDS)
const Leeway = z.int().min(0).max(YEARS_100_SECONDS)

/** The operations on subscriptions that /v1 documents, by their ids. */
export const documentedOperationIds = [
  'createSubscription',
  'updateSubscription',
  'pauseSubscription',
  'cancelSubscription',
  'applyCoupon',
] as const
const STATUS = '20[0-2]'

/** A status of success, of one operation or of all others, as a pattern. */
export const successStatusPattern = `^((${documentedOperationIds.join('|')})=)?${STATUS}$`

/** Which statuses the operations on subscriptions answer on success; no operation has two. */
const SuccessStatuses = array(
  string()
    .regex(new RegExp(successStatusPattern))
    .meta({
      accepts: `200, 201 or 202, or operation=status with one of them, such as cancelSubscription=202; operations: ${documentedOperationIds.join(', ')}`,
    }),
)
  .max(documentedOperationIds.length + 1)
  .refine((statuses) => new Set(statuses.map(operationOf)).size === statuses.length)

/** The operation of such a status; empty for that of all others. */
function operationOf(status: string): string {
  return status.split('=').slice(0, -1).join()
}

/** What an operation answers on success: its own status, else that of all others, else 200. */
export function successStatusOf(statuses: readonly string[], operationId: string): number {
  const own = statuses.find((status) => operationOf(status) === operationId)
  const status = own ?? statuses.find((each) => operationOf(each) === '') ?? '200'
  return Number(status.split('=').at(-1))
}

export const surfaceAssumptions = {
  'success-status': [
    '4',
    'Which status do the five subscription operations answer on success?',
    '200, creation included.',
    setting(
      'a list of 200, 201, 202 and operation=status, one for each operation; [] for 200',
      SuccessStatuses,
      [
        [],
        ['201'],
        'All answer 201. As a setting, operation=status is what that operation answers, such as cancelSubscription=202, and a status alone is what all others answer.',
      ],
    ),
  ],
  'json-bodies': [
    '4',
    'Do update, cancel and apply-coupon take JSON bodies, as creation does?',
    'Yes, with the same field names and the same meaning as the form.',
    { otherwise: 'No: 415 unsupported_media_type.' },
  ],
  'form-scalars': [
    '4',
    'How are integers and booleans written in a form?',
    'An integer reads 0 or [1-9][0-9]*, a boolean true or false; a field is sent once and not empty.',
  ],
  'unknown-fields': [
    '7',
    'What happens to a field that the operation does not document?',
    'The request is refused with 400 invalid_request.',
    oneOf(z.enum(['reject', 'ignore'])),
  ],
  'error-envelope': [
    '7',
    'What do the errors of the subscription and coupon endpoints look like?',
    'As those of the refresh operation: error and message.',
    { otherwise: 'A list of errors, each with reason and text.' },
  ],
  'error-codes': [
    '7',
    'Which codes and statuses do the subscription and coupon endpoints answer?',
    '400 invalid_request, 401 unauthorized, 404 not_found, 409 for what the state refuses, 408 request_timeout, 413 payload_too_large, 415 unsupported_media_type, 417 expectation_failed, 431 headers_too_large, 500 storage_damaged, 503 storage_unavailable.',
    { otherwise: '422 with the code in upper case for all that the client can change.' },
  ],
  'method-not-allowed': [
    '4',
    'What does a documented path answer to another method?',
    '405 method_not_allowed with Allow, before authentication.',
    { otherwise: '404 not_found.' },
  ],
  'body-limit': ['8', 'How large may a request body be?', '1 MiB.'],
  'record-limit': [
    '8',
    'How many records can there be?',
    `${RECORDS_MAX} in one sandbox, events aside; what would add more is refused with 409 sandbox_full.`,
  ],
  'refresh-error-statuses': [
    '7',
    'Which refresh error goes with 400 and which with 401?',
    'invalid_request is 400, unauthorized is 401.',
    { otherwise: 'invalid_request is 403, unauthorized is 400.' },
  ],
  'invalid-grant-status': [
    '7',
    'Which status does invalid_grant have?',
    '403',
    setting('400, 401, 403', z.literal([400, 401, 403]), [403, 400]),
  ],
  'access-token-lifetime': [
    '8',
    'How many seconds does an access token live?',
    '3600',
    setting(`an integer from 1 to ${YEARS_100_SECONDS} (seconds)`, Lifetime, [3600, 60]),
  ],
  'refresh-token-lifetime': [
    '5',
    'How many seconds does a refresh token live?',
    '2592000, which is 30 days',
    setting(`an integer from 1 to ${YEARS_100_SECONDS} (seconds)`, Lifetime, [2_592_000, 600]),
  ],
  'refresh-rotation': [
    '5',
    'When does a refresh answer carry a new refresh token?',
    'Always; the one that was used is revoked.',
    oneOf(z.enum(['rotate', 'keep'])),
  ],
  'refresh-reuse-revokes-family': [
    '5',
    'What happens when a refresh token is presented that was already used?',
    'invalid_grant, and every token of the same login is revoked.',
    setting('true, false', z.boolean(), [true, false]),
  ],
  'refresh-reuse-leeway': [
    '5',
    'For how long after its rotation does a used refresh token still count as unused?',
    '0 seconds: a client that lost the answer has to log in again.',
    setting(`an integer from 0 to ${YEARS_100_SECONDS} (seconds)`, Leeway, [0, 60]),
  ],
  'access-tokens-on-subscription-calls': [
    '5',
    'Do subscription calls accept an access token in place of the API key?',
    'Yes.',
    { otherwise: 'No: 401 unauthorized.' },
  ],
  webhooks: [
    '6',
    'How does the service tell others of what happens?',
    'Only where /sandbox/webhooks asks for it: by signed POSTs as Standard Webhooks has them, one event after another, with retries.',
  ],
  'key-and-token-scopes': [
    '5',
    'What may a key or token do?',
    'Everything on the five subscription operations; there are no scopes.',
  ],
} as const satisfies AssumptionRows
