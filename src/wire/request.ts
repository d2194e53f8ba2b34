/** The request log on the wire. */
import * as z from 'zod'
import { array, int, number, record, strictObject, string } from 'zod'
import { COUNT_MAX } from '../billing/money.ts'
import { EventType } from '../world/event.ts'
import {
  InstantOut,
  inSandbox,
  Natural,
  objectsOf,
  PageLimit,
  pageOf,
  Reference,
  streamLimit,
  Texts,
} from './fields.ts'

const bytes = Natural.nullable().describe('Its length; null where it was not read.')
const body = string()
  .nullable()
  .describe('As text, with secrets masked; null for none, and where it is too long to be kept.')

/** The operation that a request without one may have meant. */
const NearestOperation = strictObject({
  operation_id: string().describe('Its name in the documents.'),
  method: string().describe('Its method.'),
  path: string().describe('Its path.'),
  differs: array(z.enum(['method', 'path'])).describe(
    'What of the request is not as it should be.',
  ),
}).meta(inSandbox('NearestOperation'))
export type NearestOperation = z.input<typeof NearestOperation>

export const WireLoggedRequest = strictObject({
  number: int().min(1).describe('Its number; counts on through resets.'),
  request_id: string().describe('The header Request-Id of its answer.'),
  at: InstantOut.describe('The virtual now of its answer.'),
  duration_ms: number().min(0).describe('How long it took, in real time.'),
  consumer: string().nullable().describe('The header Sandbox-Consumer.'),
  operation_id: string()
    .nullable()
    .describe('The operation; null where none fits method and path.'),
  nearest: NearestOperation.nullable().describe(
    'Where no operation fits: the one that comes nearest.',
  ),
  request: strictObject({
    method: string().describe('The method.'),
    path: string().describe('Path and query.'),
    headers: record(string(), string()).describe('The headers, by name.'),
    body,
    bytes,
  }).describe('What was sent.'),
  answer: strictObject({
    status: int().nullable().describe('The status; null where a fault closed the connection.'),
    content_type: string().nullable().describe('The media type.'),
    body,
    bytes,
  }).describe('What was answered.'),
  refusal: strictObject({
    code: string().describe('The code of the error.'),
    message: string().describe('What is wrong, in words.'),
    errors: objectsOf({ field: string(), message: string() }).describe('The fields at fault.'),
  })
    .nullable()
    .describe('Why it was refused; null where it was not.'),
  assumptions: Texts.describe('The assumptions that shaped the answer.'),
  fault: string().nullable().describe('The fault that shaped the answer.'),
  events: objectsOf({ seq: int(), type: EventType }).describe(
    'The events that it led to: the first 100.',
  ),
}).meta(inSandbox('Request', 'A request and its answer.'))
export type WireLoggedRequest = z.input<typeof WireLoggedRequest>

export const WireLoggedRequestList = pageOf('Request', WireLoggedRequest, int())
  .extend({ data: array(WireLoggedRequest).describe('The requests, newest first.') })
  .meta(inSandbox('RequestList'))

/** Which requests to answer: all that fit each of them. */
const requestFilter = {
  unmatched: z.enum(['', 'true', 'false']).default('false').meta({
    accepts: 'true, false or nothing, which is true',
    description: 'Only those that no operation fits.',
  }),
  operation_id: Reference.optional().describe('Only those of this operation.'),
  status: int().min(100).max(599).optional().meta({
    accepts: 'an HTTP status, an integer from 100 to 599',
    description: 'Only those answered with this status.',
  }),
  consumer: Reference.optional().describe('Only those with this in the header Sandbox-Consumer.'),
}

export const RequestQuery = strictObject({
  ...requestFilter,
  limit: PageLimit,
  after: int().min(1).max(COUNT_MAX).optional().meta({
    accepts: 'the next_after of the page before',
    description: 'Where to go on: `next_after` of the page before. Only those before it.',
  }),
})

export const RequestStreamQuery = strictObject({
  ...requestFilter,
  after: int().min(0).max(COUNT_MAX).optional().meta({
    accepts: 'the number of a request, or 0',
    description: 'Only those after it; from now on without it.',
  }),
  limit: streamLimit('requests'),
})

export type RequestFilter = z.output<z.ZodObject<typeof requestFilter>>
