/** The request log on the wire. */
import * as z from 'zod'
import { COUNT_MAX } from '../billing/money.ts'
import { EventType } from '../world/event.ts'
import { InstantOut, pageOf, Reference, sandbox } from './fields.ts'

const bytes = z
  .int()
  .min(0)
  .nullable()
  .meta({ description: 'Its length; null where it was not read.' })
const body = z.string().nullable().meta({
  description: 'As text, with secrets masked; null for none, and where it is too long to be kept.',
})

/** The operation that a request without one may have meant. */
const NearestOperation = z
  .strictObject({
    operation_id: z.string().meta({ description: 'Its name in the documents.' }),
    method: z.string().meta({ description: 'Its method.' }),
    path: z.string().meta({ description: 'Its path.' }),
    differs: z
      .array(z.enum(['method', 'path']))
      .meta({ description: 'What of the request is not as it should be.' }),
  })
  .meta({ id: 'NearestOperation', ...sandbox })
export type NearestOperation = z.input<typeof NearestOperation>

export const WireLoggedRequest = z
  .strictObject({
    number: z.int().min(1).meta({ description: 'Its number; counts on through resets.' }),
    request_id: z.string().meta({ description: 'The header Request-Id of its answer.' }),
    at: InstantOut.meta({ description: 'The virtual now of its answer.' }),
    duration_ms: z.number().min(0).meta({ description: 'How long it took, in real time.' }),
    consumer: z.string().nullable().meta({ description: 'The header Sandbox-Consumer.' }),
    operation_id: z
      .string()
      .nullable()
      .meta({ description: 'The operation; null where none fits method and path.' }),
    nearest: NearestOperation.nullable().meta({
      description: 'Where no operation fits: the one that comes nearest.',
    }),
    request: z
      .strictObject({
        method: z.string().meta({ description: 'The method.' }),
        path: z.string().meta({ description: 'Path and query.' }),
        headers: z.record(z.string(), z.string()).meta({ description: 'The headers, by name.' }),
        body,
        bytes,
      })
      .meta({ description: 'What was sent.' }),
    answer: z
      .strictObject({
        status: z
          .int()
          .nullable()
          .meta({ description: 'The status; null where a fault closed the connection.' }),
        content_type: z.string().nullable().meta({ description: 'The media type.' }),
        body,
        bytes,
      })
      .meta({ description: 'What was answered.' }),
    refusal: z
      .strictObject({
        code: z.string().meta({ description: 'The code of the error.' }),
        message: z.string().meta({ description: 'What is wrong, in words.' }),
        errors: z
          .array(z.strictObject({ field: z.string(), message: z.string() }))
          .meta({ description: 'The fields at fault.' }),
      })
      .nullable()
      .meta({ description: 'Why it was refused; null where it was not.' }),
    assumptions: z
      .array(z.string())
      .meta({ description: 'The assumptions that shaped the answer.' }),
    fault: z.string().nullable().meta({ description: 'The fault that shaped the answer.' }),
    events: z
      .array(z.strictObject({ seq: z.int(), type: EventType }))
      .meta({ description: 'The events that it led to: the first 100.' }),
  })
  .meta({ id: 'Request', description: 'A request and its answer.', ...sandbox })
export type WireLoggedRequest = z.input<typeof WireLoggedRequest>

export const WireLoggedRequestList = pageOf('Request', WireLoggedRequest, z.int())
  .extend({ data: z.array(WireLoggedRequest).meta({ description: 'The requests, newest first.' }) })
  .meta({ id: 'RequestList', ...sandbox })

/** Which requests to answer: all that fit each of them. */
const requestFilter = {
  unmatched: z.enum(['', 'true', 'false']).default('false').meta({
    accepts: 'true, false or nothing, which is true',
    description: 'Only those that no operation fits.',
  }),
  operation_id: Reference.optional().meta({ description: 'Only those of this operation.' }),
  status: z.int().min(100).max(599).optional().meta({
    accepts: 'an HTTP status, an integer from 100 to 599',
    description: 'Only those answered with this status.',
  }),
  consumer: Reference.optional().meta({
    description: 'Only those with this in the header Sandbox-Consumer.',
  }),
}

export const RequestQuery = z.strictObject({
  ...requestFilter,
  limit: z.int().min(1).max(1000).default(100).meta({ accepts: 'an integer from 1 to 1000' }),
  after: z.int().min(1).max(COUNT_MAX).optional().meta({
    accepts: 'the next_after of the page before',
    description: 'Where to go on: `next_after` of the page before. Only those before it.',
  }),
})

export const RequestStreamQuery = z.strictObject({
  ...requestFilter,
  after: z.int().min(0).max(COUNT_MAX).optional().meta({
    accepts: 'the number of a request, or 0',
    description: 'Only those after it; from now on without it.',
  }),
  limit: z
    .int()
    .min(1)
    .max(COUNT_MAX)
    .optional()
    .meta({
      accepts: `an integer from 1 to ${COUNT_MAX}`,
      description:
        'How many requests to answer, after which the stream ends; without it, it goes on.',
    }),
})

/** Which requests somebody asks for. */
export type RequestFilter = z.output<z.ZodObject<typeof requestFilter>>
