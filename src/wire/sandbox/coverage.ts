/** Coverage of the documented surface on the wire. */
import * as z from 'zod'
import { array, int, number, strictObject, string, unknown } from 'zod'
import { Status } from '../../billing/status.ts'
import {
  Flag,
  inSandbox,
  Natural,
  objectsOf,
  Reference,
  TextOrNull,
  Texts,
} from '../common/fields.ts'

/** What is measured, with what one unit of it is. */
export const measures = {
  operations: 'operations that were called',
  statuses: 'statuses of operations that were answered',
  media: 'media types of bodies of operations that were accepted',
  error_codes: 'error codes that were answered',
  transitions: 'transitions between statuses that a subscription made',
  settings: 'settings that had another value than the initial one in a call',
  assumptions: 'assumptions that an answer used',
} as const
export type Measure = keyof typeof measures

export const measureNames = Object.keys(measures) as Measure[]

const times = int().min(1).describe('The number of times that it was seen.')
const operationId = string().describe('The `operationId` of the operation.')
const status = int().describe('The status of the answer.')
const media = z
  .enum(['json', 'form', 'none', 'other'])
  .describe('The media type of the body of the request.')
const move = {
  from: Status.describe('The status of the subscription before the transition.'),
  trigger: string().describe('The call or due item that caused the transition.'),
  to: Status.describe('The status of the subscription after the transition; it may be the same.'),
}
const errorCode = string().meta({ description: 'The error code.', examples: ['not_found'] })
const slug = string().describe('The slug of the assumption.')
const setting = string()
  .describe('The key of the setting.')
  .meta({ examples: ['retry_schedule'] })

const CoverageMeasure = strictObject({
  seen: Natural.describe('How many of them were seen.'),
  of: Natural.describe('How many of them there are.'),
  percent: number()
    .min(0)
    .max(100)
    .describe('The share that was seen, in percent, cut to one decimal.'),
}).meta(inSandbox('CoverageMeasure', 'How much of one measure was seen.'))

const counted = {
  calls: Natural.describe('How many calls documented operations had.'),
  unmatched: Natural.describe('How many requests on /v1 fit no operation.'),
  measures: strictObject(
    Object.fromEntries(
      measureNames.map((name) => [name, CoverageMeasure.describe(`The ${measures[name]}.`)]),
    ) as { [Name in Measure]: typeof CoverageMeasure },
  ).describe('How much of the documented surface was seen.'),
  seen: strictObject({
    answers: objectsOf({ operation_id: operationId, status, media, calls: times }).describe(
      'The answers by operation, status and media type.',
    ),
    error_codes: objectsOf({ code: errorCode, calls: times }).describe('The error codes.'),
    transitions: objectsOf({ ...move, times }).describe('The transitions of subscriptions.'),
    settings: objectsOf({
      setting,
      value: unknown().describe('The value of the setting.'),
      calls: times,
    }).describe('The settings with another value than the initial one.'),
    assumptions: objectsOf({ slug, calls: times }).describe('The assumptions of the answers.'),
  }).describe('What was seen, and how often.'),
}

const measure = z.enum(measureNames as [Measure, ...Measure[]]).describe('The measure.')

export const WireCoverage = strictObject({
  ok: Flag.describe('Whether every threshold is met.'),
  thresholds: objectsOf({
    measure,
    min: int().describe('The least percentage that is required.'),
    percent: number().describe('The percentage that was reached.'),
    ok: Flag.describe('Whether the threshold is met.'),
  }).describe('The thresholds of the request.'),
  ...counted,
  unseen: strictObject({
    operations: array(operationId).describe('The operations that nobody called.'),
    statuses: objectsOf({ operation_id: operationId, status }).describe(
      'The statuses that no answer had, by operation.',
    ),
    media: objectsOf({ operation_id: operationId, media }).describe(
      'The media types that no body had, by operation.',
    ),
    error_codes: Texts.describe('The error codes that no answer had.'),
    transitions: objectsOf(move).describe('The transitions that no subscription made.'),
    settings: array(setting).describe('The settings that always had their initial value.'),
    assumptions: Texts.describe('The assumptions that no answer used.'),
  }).describe('What no consumer used, by measure.'),
  how: objectsOf({
    measure,
    unit: string().meta({
      description: 'What was not seen.',
      examples: ['past_due apply_coupon past_due'],
    }),
    commands: Texts.describe(
      'Commands of a shell that show it, in a new sandbox whose address and key are in SANDBOX_URL and SANDBOX_API_KEY.',
    ),
  }).describe(
    'How to see what no consumer used, for each unit that commands can show; empty unless `how` is true.',
  ),
  consumers: objectsOf({
    kind: z
      .enum(['named', 'unnamed', 'others'])
      .describe(
        'Whose calls these are: of one consumer, without the header, or of all consumers beyond the first 100.',
      ),
    consumer: TextOrNull.meta({
      description:
        'The header Sandbox-Consumer of the calls; null for calls without it, or of many consumers.',
      examples: ['web-shop'],
    }),
    ...counted,
  }).describe('The coverage of each consumer.'),
}).meta(inSandbox('Coverage', 'The coverage: how much of /v1 was used.'))
export type WireCoverage = z.input<typeof WireCoverage>

const sandboxes = z.enum(['own', 'all']).default('own').meta({
  accepts: 'own or all',
  description:
    'own: the calls to this sandbox. all: those to all sandboxes of the process, including deleted ones. Default: own.',
})

const minimum = int().min(0).max(100).optional()

export const CoverageQuery = strictObject({
  format: z.enum(['json', 'text']).default('json').meta({
    accepts: 'json or text',
    description: 'The format of the answer: JSON, or text with tables. Default: json.',
  }),
  sandboxes,
  consumer: Reference.optional().meta({
    description: 'Only calls with this value of the header Sandbox-Consumer.',
    examples: ['web-shop'],
  }),
  how: z.enum(['true', 'false']).default('false').meta({
    accepts: 'true or false',
    description: 'Whether to say how to see what was not seen.',
  }),
  ...(Object.fromEntries(
    measureNames.map((name) => [
      `min_${name}`,
      minimum.meta({
        description: `The least percentage of ${measures[name]}; \`ok\` says whether it is met.`,
        examples: [80],
      }),
    ]),
  ) as { [Name in Measure as `min_${Name}`]: typeof minimum }),
})
export type CoverageQuery = z.output<typeof CoverageQuery>

export const CoverageScope = strictObject({ sandboxes })
export type CoverageScope = z.output<typeof CoverageScope>
