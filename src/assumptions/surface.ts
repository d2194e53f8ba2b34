/** The assumptions about requests, answers, errors, keys and tokens. */
import * as z from 'zod'
import { RECORDS_MAX } from './bounds.ts'
import { fixed, setting } from './entry.ts'

const YEARS_100_SECONDS = 100 * 366 * 86_400
const Lifetime = z.int().min(1).max(YEARS_100_SECONDS)

export const surfaceAssumptions = [
  fixed({
    slug: 'success-status',
    section: '4',
    question: 'Which status do the five subscription operations answer on success?',
    choice: '200, creation included.',
  }),
  fixed({
    slug: 'json-bodies',
    section: '4',
    question: 'Do update, cancel and apply-coupon take JSON bodies, as creation does?',
    choice: 'Yes, with the same field names and the same meaning as the form.',
  }),
  fixed({
    slug: 'form-scalars',
    section: '4',
    question: 'How are integers and booleans written in a form?',
    choice:
      'An integer reads 0 or [1-9][0-9]*, a boolean true or false; a field is sent once and not empty.',
  }),
  setting({
    slug: 'unknown-fields',
    section: '7',
    question: 'What happens to a field that the operation does not document?',
    choice: 'The request is refused with 400 invalid_request.',
    options: 'reject, ignore',
    schema: z.enum(['reject', 'ignore']),
    fallback: 'reject',
  }),
  fixed({
    slug: 'error-envelope',
    section: '7',
    question: 'What do the errors of the subscription and coupon endpoints look like?',
    choice: 'As those of the refresh operation: error and message.',
  }),
  fixed({
    slug: 'error-codes',
    section: '7',
    question: 'Which codes and statuses do the subscription and coupon endpoints answer?',
    choice:
      '400 invalid_request, 401 unauthorized, 404 not_found, 409 for what the state refuses, 413 payload_too_large, 415 unsupported_media_type, 500 storage_damaged, 503 storage_unavailable.',
  }),
  fixed({
    slug: 'method-not-allowed',
    section: '4',
    question: 'What does a documented path answer to another method?',
    choice: '405 method_not_allowed with Allow, before authentication.',
  }),
  fixed({
    slug: 'body-limit',
    section: '8',
    question: 'How large may a request body be?',
    choice: '1 MiB.',
  }),
  fixed({
    slug: 'record-limit',
    section: '8',
    question: 'How many records can there be?',
    choice: `${RECORDS_MAX} in one sandbox, events aside; what would add more is refused with 409 sandbox_full.`,
  }),
  fixed({
    slug: 'refresh-error-statuses',
    section: '7',
    question: 'Which refresh error goes with 400 and which with 401?',
    choice: 'invalid_request is 400, unauthorized is 401.',
  }),
  setting({
    slug: 'invalid-grant-status',
    section: '7',
    question: 'Which status does invalid_grant have?',
    choice: '403',
    options: '400, 401, 403',
    schema: z.literal([400, 401, 403]),
    fallback: 403,
  }),
  setting({
    slug: 'access-token-lifetime',
    section: '8',
    question: 'How many seconds does an access token live?',
    choice: '3600',
    options: `an integer from 1 to ${YEARS_100_SECONDS} (seconds)`,
    schema: Lifetime,
    fallback: 3600,
  }),
  setting({
    slug: 'refresh-token-lifetime',
    section: '5',
    question: 'How many seconds does a refresh token live?',
    choice: '2592000, which is 30 days',
    options: `an integer from 1 to ${YEARS_100_SECONDS} (seconds)`,
    schema: Lifetime,
    fallback: 2_592_000,
  }),
  setting({
    slug: 'refresh-rotation',
    section: '5',
    question: 'When does a refresh answer carry a new refresh token?',
    choice: 'Always; the one that was used is revoked.',
    options: 'rotate, keep',
    schema: z.enum(['rotate', 'keep']),
    fallback: 'rotate',
  }),
  setting({
    slug: 'refresh-reuse-revokes-family',
    section: '5',
    question: 'What happens when a refresh token is presented that was already used?',
    choice: 'invalid_grant, and every token of the same login is revoked.',
    options: 'true, false',
    schema: z.boolean(),
    fallback: true,
  }),
  fixed({
    slug: 'access-tokens-on-subscription-calls',
    section: '5',
    question: 'Do subscription calls accept an access token in place of the API key?',
    choice: 'Yes.',
  }),
  fixed({
    slug: 'key-and-token-scopes',
    section: '5',
    question: 'What may a key or token do?',
    choice: 'Everything on the five subscription operations; there are no scopes.',
  }),
] as const
