/**
 * The report of `check` and `verify`, which the JSON reporter prints unchanged. The shape is stable: a change of meaning
 * gets a new format number.
 */
import * as z from 'zod'

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
  rests_on: z.array(z.string()).meta({
    description:
      'What it contradicts: sections of the interface, such as 4, and slugs of assumptions.',
  }),
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

const Answer = z.object({
  status: z.int(),
  headers: z.array(z.tuple([z.string(), z.string()])),
  body: z.string().meta({ description: 'Cut where it is long; tokens are not shown.' }),
})
export type AnswerReport = z.infer<typeof Answer>

const Interaction = z.object({
  description: z.string(),
  line: z.int().min(1).meta({ description: 'Where it begins in the pact.' }),
  result: z.enum(['passed', 'failed', 'pending']).meta({
    description: 'pending: it failed, and the consumer says that it may as yet.',
  }),
  duration_ms: z.number().nullable().meta({ description: 'Null where nothing was sent.' }),
  operation: Operation.nullable().meta({ description: 'Null where the interface has none.' }),
  curl: z.string().nullable().meta({ description: 'The request, to paste.' }),
  script: z.string().nullable().meta({
    description: 'The states and the request as commands to paste; null where it passed.',
  }),
  states: z.array(State),
  answer: Answer.nullable().meta({ description: 'What was answered; null where nothing was.' }),
  hints: z.array(z.string()).meta({ description: 'What the Pact core does not say by itself.' }),
  assumptions: z.array(z.string()).meta({ description: 'The assumptions its answer rests on.' }),
  findings: z.array(Finding).meta({ description: 'Comparing with openapi.yaml, without a call.' }),
  mismatches: z.array(Mismatch).meta({ description: 'What the answer had otherwise.' }),
})
export type InteractionReport = z.infer<typeof Interaction>

const Pact = z.object({
  source: z.string(),
  consumer: z.string().nullable(),
  provider: z.string().nullable(),
  version: z.string().nullable().meta({ description: 'Of the Pact specification.' }),
  result: z.enum(['passed', 'failed', 'unreadable', 'empty', 'unverified', 'skipped']).meta({
    description:
      'unverified: an address could not be reached, or the core not be run; skipped: for another provider, or filtered.',
  }),
  problems: z
    .array(z.object({ line: z.int(), column: z.int(), message: z.string() }))
    .meta({ description: 'Why the file cannot be read or verified, or was skipped.' }),
  warnings: z
    .array(z.object({ line: z.int(), column: z.int(), message: z.string() }))
    .meta({ description: 'What in the file is not read, or read differently by others.' }),
  interactions: z.array(Interaction),
  broker: z
    .object({
      pending: z.boolean().meta({ description: 'Whether it may fail, as the broker says.' }),
      notices: z.array(z.string()).meta({ description: 'What the broker says about it.' }),
      published: z.boolean().meta({ description: 'Whether its result went to the broker.' }),
    })
    .optional()
    .meta({ description: 'Only for a pact of a broker.' }),
})
export type PactReport = z.infer<typeof Pact>

const Side = z.object({
  result: z.enum(['passed', 'failed', 'pending']),
  mismatches: z.array(Mismatch),
})

const FieldDifference = z.object({
  at: z.string().meta({ description: 'status, a header, or the path in the body.' }),
  change: z.enum(['added', 'removed', 'changed']).meta({
    description: 'added: only the base answers it; removed: only the sandbox does.',
  }),
  sandbox: z.string().nullable(),
  base: z.string().nullable(),
})
export type FieldDifference = z.infer<typeof FieldDifference>

const Difference = z.object({
  source: z.string(),
  description: z.string(),
  line: z.int(),
  operation: Operation.nullable(),
  curl: z.string().nullable(),
  sandbox: Side,
  base: Side,
  fields: z.array(FieldDifference).meta({
    description: 'What the answers have otherwise, but for instants, identifiers and tokens.',
  }),
})
export type Difference = z.infer<typeof Difference>

const Provider = z.object({
  url: z.string().nullable().meta({ description: 'Null for a sandbox of its own for each file.' }),
  states: z.string().nullable().meta({ description: 'Where states are set up; null: nowhere.' }),
})
export type ProviderReport = z.infer<typeof Provider>

const place = { description: z.string(), line: z.int().min(1) }

const VariationStudy = z.object({
  source: z.string(),
  tried: z.array(z.string()).meta({ description: 'The assumptions that were decided otherwise.' }),
  interactions: z.array(
    z.object({
      ...place,
      rests_on: z
        .array(z.string())
        .nullable()
        .meta({ description: 'Where it fails then; null where it fails without, too.' }),
    }),
  ),
})
export type VariationStudy = z.infer<typeof VariationStudy>

const Counted = z.object({
  mutations: z.int().meta({ description: 'How often its answer was changed.' }),
  noticed: z.int().meta({ description: 'How often it failed then.' }),
  fields: z.int().meta({ description: 'The fields of its answer.' }),
  unasserted: z
    .array(z.string())
    .meta({ description: 'The fields whose every change went unnoticed.' }),
  unnoticed: z.array(
    z.object({
      at: z.string().meta({ description: 'The field; empty for the answer as a whole.' }),
      change: z.enum(['status', 'dropped', 'type', 'value']),
    }),
  ),
})

const StrengthStudy = z.object({
  source: z.string(),
  mutations: z.int(),
  noticed: z.int(),
  interactions: z.array(
    z.object({
      ...place,
      strength: Counted.nullable().meta({ description: 'Null where it fails as it is.' }),
    }),
  ),
})
export type StrengthStudy = z.infer<typeof StrengthStudy>

export const Report = z.object({
  format: z.literal(1),
  command: z.enum(['check', 'verify']),
  result: z.enum(['passed', 'broken', 'empty', 'unverified']),
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
  assumptions: z
    .array(z.object({ slug: z.string(), interactions: z.int() }))
    .meta({ description: 'What the answers rest on, and how many of them; most first.' }),
  pacts: z.array(Pact),
  differences: z
    .array(Difference)
    .nullable()
    .meta({ description: 'Where the two disagree; null without --diff.' }),
  compared: z.enum(['answers', 'assertions']).nullable().meta({
    description:
      'answers: every field of every answer; assertions: an answer is missing, so that only what the pacts assert is known; null without --diff, and where a pact was not compared.',
  }),
  variations: z
    .array(VariationStudy)
    .optional()
    .meta({ description: 'What each pact rests on; only with --vary.' }),
  strength: z
    .array(StrengthStudy)
    .optional()
    .meta({ description: 'What each pact notices; only with --mutate.' }),
})
export type Report = z.infer<typeof Report>

/** How much of a body is shown. */
const BODY_MAX = 4000

/** A text, cut if it is too long. */
export function cutText(text: string): string {
  const left = text.length - BODY_MAX
  return left > 0 ? `${text.slice(0, BODY_MAX)}… (${left} more)` : text
}
