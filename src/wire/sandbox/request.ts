/** The request log on the wire. */
import * as z from 'zod'
import { array, boolean, int, number, record, strictObject, string } from 'zod'
import { COUNT_MAX } from '../../billing/money.ts'
import { EventType } from '../../world/event.ts'
import {
  InstantOut,
  inSandbox,
  ListOrder,
  Natural,
  objectsOf,
  PageLimit,
  pageOf,
  Reference,
  streamLimit,
  TextOrNull,
  Texts,
} from '../common/fields.ts'

const wrong = 'plan must be the identifier of a plan; got 7.'

const bytes = Natural.nullable().describe(
  'The length of the body in bytes; null if it was not read.',
)
const body = TextOrNull.describe(
  'The body as text, with secrets masked; null without a body, and where it is too long to be kept.',
)

const NearestOperation = strictObject({
  operation_id: string().describe('The `operationId` of the operation.'),
  method: string().describe('The method of the operation.'),
  path: string().describe('The path of the operation.'),
  differs: array(z.enum(['method', 'path'])).describe(
    'The parts of the request that differ from the operation.',
  ),
}).meta(inSandbox('NearestOperation', 'The operation that is most like a request without one.'))
export type NearestOperation = z.input<typeof NearestOperation>

export const WireLoggedRequest = strictObject({
  number: int().min(1).describe('The number of the request; resets do not restart it.'),
  request_id: string().describe('The header Request-Id of the answer.'),
  at: InstantOut.describe('The virtual now of the answer.'),
  answered_at: InstantOut.describe('When the request was answered, in real time.'),
  by_address: boolean().describe(
    'Whether the base address of the sandbox placed the request; `path` leaves it out.',
  ),
  duration_ms: number().min(0).describe('How long the call took, in milliseconds of real time.'),
  consumer: TextOrNull.describe('The header Sandbox-Consumer of the request, or null.').meta({
    examples: ['web-shop'],
  }),
  operation_id: TextOrNull.describe(
    'The `operationId` of the operation; null where none fits method and path.',
  ),
  nearest: NearestOperation.nullable().describe(
    'The operation that is most like the request, where none fits; else null.',
  ),
  request: strictObject({
    method: string().describe('The method of the request.'),
    path: string().describe('The path and the query of the request.'),
    headers: record(string(), string()).describe('The headers of the request, by name.'),
    body,
    bytes,
  }).describe('The request as it was sent.'),
  answer: strictObject({
    status: int()
      .nullable()
      .describe('The status of the answer; null where a fault closed the connection.'),
    content_type: TextOrNull.describe('The media type of the answer, or null.'),
    body,
    bytes,
  }).describe('The answer as it was sent.'),
  refusal: strictObject({
    code: string().meta({ description: 'The error code.', examples: ['invalid_request'] }),
    message: string().meta({ description: 'The error in words.', examples: [wrong] }),
    errors: objectsOf({
      field: string()
        .describe('The path of the field, such as `outcomes[1]`.')
        .meta({ examples: ['plan'] }),
      message: string().meta({ description: 'The problem of the field.', examples: [wrong] }),
    }).describe('The invalid fields.'),
  })
    .nullable()
    .describe('The refusal of the request; null where it was not refused.'),
  assumptions: Texts.describe('The slugs of the assumptions that shaped the answer.'),
  fault: TextOrNull.describe('The identifier of the fault that shaped the answer, or null.').meta({
    examples: ['flt_000001'],
  }),
  events: objectsOf({
    seq: int().describe('The number of the event.'),
    type: EventType.describe('The type of the event.'),
  }).describe('The first 100 events that the request caused.'),
}).meta(inSandbox('Request', 'A request in the log, and its answer.'))
export type WireLoggedRequest = z.input<typeof WireLoggedRequest>

export const WireLoggedRequestList = pageOf('Request', WireLoggedRequest, int())
  .extend({ data: array(WireLoggedRequest).describe('The requests, in the order of the list.') })
  .meta(inSandbox('RequestList', 'One page of the logged requests.'))

/** Which requests to answer: all that fit each of them. */
const requestFilter = {
  unmatched: z.enum(['', 'true', 'false']).default('false').meta({
    accepts: 'true, false or nothing, which is true',
    description: 'true: only requests that match no operation.',
  }),
  operation_id: Reference.optional().meta({
    description: 'Only requests of the operation with this `operationId`.',
    examples: ['createSubscription'],
  }),
  status: int().min(100).max(599).optional().meta({
    accepts: 'an HTTP status, an integer from 100 to 599',
    description: 'Only requests that were answered with this status.',
  }),
  consumer: Reference.optional().meta({
    description: 'Only requests with this value of the header Sandbox-Consumer.',
    examples: ['web-shop'],
  }),
}

export const RequestQuery = strictObject({
  ...requestFilter,
  limit: PageLimit,
  order: ListOrder.default('newest').describe('Which requests come first.'),
  after: int().min(1).max(COUNT_MAX).optional().meta({
    accepts: 'the next_after of the page before',
    description: 'The `next_after` of the previous page.',
  }),
})

export const RequestStreamQuery = strictObject({
  ...requestFilter,
  after: int().min(0).max(COUNT_MAX).optional().meta({
    accepts: 'the number of a request, or 0',
    description: 'Only requests after the one with this number. Default: from now on.',
  }),
  limit: streamLimit('requests'),
})

export type RequestFilter = z.output<z.ZodObject<typeof requestFilter>>
