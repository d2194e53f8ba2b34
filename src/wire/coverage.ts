/** Coverage of the documented surface on the wire. */
import * as z from 'zod'
import { strictObject, string } from 'zod'
import { Status } from '../billing/status.ts'
import { Flag, Natural, objectsOf, Reference, sandbox, Texts } from './fields.ts'

/** What is measured, with what one unit of it is. */
export const measures = {
  operations: 'operations that were asked for',
  statuses: 'statuses of operations that were answered',
  media: 'ways to write the body of an operation that were taken',
  error_codes: 'error codes that were answered',
  transitions: 'moves between statuses that a subscription made',
  settings: 'settings that had another value than the initial one in a call',
  assumptions: 'assumptions that an answer rested on',
} as const
export type Measure = keyof typeof measures

/** All measures, in their order. */
export const measureNames = Object.keys(measures) as Measure[]

/** An object with a member for each measure. */
function eachMeasure<Value>(value: (measure: Measure) => Value): Record<Measure, Value> {
  return Object.fromEntries(measureNames.map((name) => [name, value(name)])) as never
}

const times = z.int().min(1).meta({ description: 'How often.' })
const operationId = string().describe('The operation.')
const status = z.int().meta({ description: 'The status of the answer.' })
const media = z
  .enum(['json', 'form', 'none', 'other'])
  .meta({ description: 'How the body of the request was written.' })
const move = {
  from: Status.meta({ description: 'The status before.' }),
  trigger: string().describe('What moved it.'),
  to: Status.meta({ description: 'The status after; it may be the same.' }),
}
const setting = string().describe('The key in settings.')

const CoverageMeasure = strictObject({
  seen: Natural.describe('How many were seen.'),
  of: Natural.describe('How many there are.'),
  percent: z.number().min(0).max(100).meta({ description: 'The share, cut to one decimal.' }),
}).meta({ id: 'CoverageMeasure', ...sandbox })

const counted = {
  calls: Natural.describe('The calls of documented operations.'),
  unmatched: Natural.describe('Requests on /v1 that no operation fits.'),
  measures: strictObject(
    eachMeasure((name) => CoverageMeasure.meta({ description: measures[name] })),
  ).meta({ description: 'How much of the documented surface was seen.' }),
  seen: strictObject({
    answers: objectsOf({ operation_id: operationId, status, media, calls: times }),
    error_codes: objectsOf({ code: string(), calls: times }),
    transitions: objectsOf({ ...move, times }),
    settings: objectsOf({ setting, value: z.unknown(), calls: times }),
    assumptions: objectsOf({ slug: string(), calls: times }),
  }).meta({ description: 'What was seen, and how often.' }),
}

export const WireCoverage = strictObject({
  ok: Flag.describe('Whether every threshold is met.'),
  thresholds: objectsOf({
    measure: z.enum(measureNames as [Measure, ...Measure[]]),
    min: z.int().meta({ description: 'The least percentage, as it was asked for.' }),
    percent: z.number().meta({ description: 'What was reached.' }),
    ok: Flag.describe('Whether it is met.'),
  }).meta({ description: 'The thresholds that were asked for.' }),
  ...counted,
  unseen: strictObject({
    operations: z.array(operationId),
    statuses: objectsOf({ operation_id: operationId, status }),
    media: objectsOf({ operation_id: operationId, media }),
    error_codes: Texts,
    transitions: objectsOf(move),
    settings: z.array(setting),
    assumptions: Texts,
  }).meta({ description: 'What no consumer uses, by measure.' }),
  consumers: objectsOf({
    kind: z.enum(['named', 'unnamed', 'others']).meta({
      description:
        'Whose calls these are: of one consumer, without the header, or of all consumers beyond the first 100.',
    }),
    consumer: string().nullable().meta({
      description: 'The header Sandbox-Consumer; null where it is none or many.',
    }),
    ...counted,
  }).meta({ description: 'The same for each consumer.' }),
}).meta({ id: 'Coverage', description: 'What of /v1 was asked for.', ...sandbox })
export type WireCoverage = z.input<typeof WireCoverage>

const sandboxes = z.enum(['own', 'all']).default('own').meta({
  accepts: 'own or all',
  description: 'Of this sandbox, or of all of the process in sum, also of those that are deleted.',
})

const minimum = z.int().min(0).max(100).optional()

export const CoverageQuery = strictObject({
  format: z.enum(['json', 'text']).default('json').meta({
    accepts: 'json or text',
    description: 'As JSON, or as tables of text.',
  }),
  sandboxes,
  consumer: Reference.optional().describe(
    'Only what this consumer asked for; of nobody else there are then rows.',
  ),
  ...(Object.fromEntries(
    measureNames.map((name) => [
      `min_${name}`,
      minimum.meta({
        accepts: 'an integer from 0 to 100',
        description: `The least percentage of ${measures[name]}; \`ok\` says whether it is met.`,
      }),
    ]),
  ) as { [Name in Measure as `min_${Name}`]: typeof minimum }),
})
export type CoverageQuery = z.output<typeof CoverageQuery>

export const CoverageScope = strictObject({ sandboxes })
export type CoverageScope = z.output<typeof CoverageScope>
