/**
 * What `check` and `verify` say of pacts: one shape, which the JSON reporter prints as it is. The shape is stable: a
 * change of meaning gets another format.
 */
import * as z from 'zod'
import { StrengthStudy, VariationStudy } from './studies.ts'

/** A place in openapi.yaml. */
const Operation = z.object({
  name: z.string().meta({ description: 'Method and path, as in openapi.yaml.' }),
  line: z.int().min(1).meta({ description: 'Its line in openapi.yaml.' }),
})

const Finding = z.object({
  severity: z.enum(['error', 'warning']),
  code: z.string().meta({ description: 'What kind of finding it is; of the comparator.' }),
  message: z.string(),
  path: z.string().meta({ description: 'Where in the pact, such as $.interactions[0].request.' }),
  line: z.int().min(1).meta({ description: 'The line of that in the pact.' }),
})
export type Finding = z.infer<typeof Finding>

const Mismatch = z.object({
  kind: z.enum(['status', 'header', 'body', 'setup', 'request']),
  at: z.string().meta({ description: 'The path in the body, or the name of the header.' }),
  expected: z.string(),
  got: z.string(),
  message: z.string(),
})
export type Mismatch = z.infer<typeof Mismatch>

const State = z.object({
  name: z.string(),
  params: z.record(z.string(), z.unknown()),
  answers: z
    .array(z.object({ status: z.int(), body: z.string() }))
    .meta({ description: 'What setting it up was answered, each attempt.' }),
})
export type StateReport = z.infer<typeof State>

const Interaction = z.object({
  description: z.string(),
  line: z.int().min(1).meta({ description: 'Where it begins in the pact.' }),
  result: z.enum(['passed', 'failed', 'pending']).meta({
    description: 'pending: it failed, and the consumer says that it may as yet.',
  }),
  duration_ms: z.number().nullable().meta({ description: 'Null where nothing was sent.' }),
  operation: Operation.nullable().meta({ description: 'Null where the interface has none.' }),
  curl: z.string().nullable().meta({ description: 'The request, to paste.' }),
  states: z.array(State),
  findings: z.array(Finding).meta({ description: 'Comparing with openapi.yaml, without a call.' }),
  mismatches: z.array(Mismatch).meta({ description: 'What the answer had otherwise.' }),
})
export type InteractionReport = z.infer<typeof Interaction>

const Problem = z.object({ line: z.int(), column: z.int(), message: z.string() })

const Pact = z.object({
  source: z.string(),
  consumer: z.string().nullable(),
  provider: z.string().nullable(),
  version: z.string().nullable().meta({ description: 'Of the Pact specification.' }),
  result: z.enum(['passed', 'failed', 'unreadable', 'empty']),
  problems: z.array(Problem).meta({ description: 'Why the file cannot be read.' }),
  interactions: z.array(Interaction),
})
export type PactReport = z.infer<typeof Pact>

const Side = z.object({
  result: z.enum(['passed', 'failed', 'pending']),
  mismatches: z.array(Mismatch),
})

const Difference = z.object({
  source: z.string(),
  description: z.string(),
  line: z.int(),
  operation: Operation.nullable(),
  curl: z.string().nullable(),
  sandbox: Side,
  base: Side,
})
export type Difference = z.infer<typeof Difference>

const Provider = z.object({
  url: z.string().nullable().meta({ description: 'Null for a sandbox of its own for each file.' }),
  states: z.string().nullable().meta({ description: 'Where states are set up; null: nowhere.' }),
})
export type ProviderReport = z.infer<typeof Provider>

export const Report = z.object({
  format: z.literal(1),
  command: z.enum(['check', 'verify']),
  result: z.enum(['passed', 'broken', 'empty']),
  totals: z.object({
    pacts: z.int(),
    interactions: z.int(),
    passed: z.int(),
    failed: z.int(),
    pending: z.int(),
  }),
  provider: Provider.nullable().meta({ description: 'Who was asked; null for check.' }),
  base: Provider.nullable().meta({ description: 'Who it was compared with by --diff.' }),
  notes: z.array(z.string()).meta({ description: 'What the reader should know of the run.' }),
  pacts: z.array(Pact),
  differences: z
    .array(Difference)
    .nullable()
    .meta({ description: 'Where the two disagree; null without --diff.' }),
  variations: z
    .array(VariationStudy)
    .optional()
    .meta({ description: 'What each pact leans on; only with --vary.' }),
  strength: z
    .array(StrengthStudy)
    .optional()
    .meta({ description: 'What each pact notices; only with --mutate.' }),
})
export type Report = z.infer<typeof Report>
