/**
 * What if: the changes of a request are calls of other operations, which are performed on a copy of the world. Owns how
 * the question is read, and how a change is named that is refused.
 */
import * as z from 'zod'
import { array, boolean, discriminatedUnion, literal, strictObject, union } from 'zod'
import { explain } from '../billing/explain.ts'
import { isRefusal } from '../billing/refusal.ts'
import { endpoints, json, reply } from '../surface/declarations.ts'
import type { BodyDeclaration } from '../surface/operation.ts'
import { invalidField, orThrow, RefusalError, toRefusalError } from '../surface/refusals.ts'
import type { Instant } from '../time/instant.ts'
import { presentExplanation, WireExplanation } from '../wire/billing/invoice.ts'
import { presentWhatIf, WireWhatIf } from '../wire/billing/what-if.ts'
import type { Code } from '../wire/common/error-codes.ts'
import { boundedList, DurationIn, InstantIn, inSandbox, sandbox } from '../wire/common/fields.ts'
import { compare } from '../world/comparison.ts'
import { noRequest } from '../world/event.ts'
import { compareTexts } from '../world/sorted-tree.ts'
import { runInSlices } from '../world/time-slice.ts'
import { type PlannedChange, simulateBoth } from '../world/what-if.ts'
import { settingsOf, type World } from '../world/world.ts'
import { type BillingOperationId, billingOperations as operations } from './billing-operations.ts'
import { readLookAheadEnd } from './horizon.ts'
import { type WorldWrite, worldLookAhead } from './operation.ts'

const CHANGES_MAX = 100

/** The most invoices that one answer explains. */
const EXPLAINED_MAX = 20

const operationIds: readonly string[] = Object.keys(operations)

const operationNames = operationIds.join(', ')

/** A change as it was read: its operation has checked the rest. */
interface ReadChange {
  readonly operation: BillingOperationId
  readonly at?: Instant
  readonly params?: object
  readonly body?: object
}

function schemaOf({ operationId, summary, params, body }: WorldWrite) {
  return strictObject({
    operation: literal(operationId).meta({
      accepts: `one of ${operationNames}`,
      description: `The change: ${summary}.`,
    }),
    at: InstantIn.optional().describe(
      'The instant of the change, after the items that fall due then. Default: the virtual now.',
    ),
    ...(params && { params: params.describe('The path parameters of the operation.') }),
    ...(body && { body: bodyOf(body).describe('The body of the operation.') }),
  }).meta({
    id: `WhatIf${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`,
    description: `A change: a call of \`${operationId}\`.`,
    ...sandbox,
  })
}

const bodyOf = ({ schema, required }: BodyDeclaration) => (required ? schema : schema.optional())

const [first, ...others] = Object.values(operations).map(schemaOf)
if (first === undefined) throw new Error('No operation changes anything')
const WhatIfChange = discriminatedUnion('operation', [first, ...others]).meta({
  ...inSandbox('WhatIfChange', 'A change to simulate: a call of an operation.'),
  accepts: 'an object with operation, and at, params and body as that has them',
})

const WhatIfQuestion = strictObject({
  changes: boundedList(WhatIfChange, CHANGES_MAX, 'changes').describe(
    'The changes to make, in the order of their instants, and then of the list.',
  ),
  until: InstantIn.optional().describe(
    'The instant until which to simulate. Default: one year after the virtual now.',
  ),
  for: DurationIn.optional().describe('The duration to simulate, in place of `until`.'),
  explain: boolean()
    .default(false)
    .meta({
      accepts: 'true or false',
      description: `Whether to explain the amounts of the first ${EXPLAINED_MAX} invoices that only the changed future has.`,
    }),
  unchanged: boolean().default(false).meta({
    accepts: 'true or false',
    description:
      'Whether `invoices` also has those that are the same in both futures, of the customers with one that differs.',
  }),
})
  .refine((question) => question.until === undefined || question.for === undefined)
  .meta({
    ...inSandbox('WhatIfQuestion', 'The changes to compare the future with.'),
    accepts: 'an object with changes, and until or for',
    not: { required: ['until', 'for'], properties: { until: {}, for: {} } },
  })

const bodies = Object.values(operations).flatMap(({ replies }) =>
  Object.values(replies).flatMap(({ schema }) => schema ?? []),
)

const WireAnswer = strictObject({
  operation: z.enum(operationIds).describe('The `operationId` of the operation.'),
  body: union([...new Set(bodies)])
    .nullable()
    .meta({
      description: 'The body of the answer; null where the operation answers without a body.',
      ...sandbox,
    }),
}).meta(inSandbox('WhatIfAnswer', 'The answer to a change.'))

type WireAnswer = z.input<typeof WireAnswer>

/** The comparison, and what each change was answered with. */
export const WhatIfReply = strictObject({
  ...WireWhatIf.shape,
  answers: array(WireAnswer).meta({
    description: 'The answers to the changes, in the order in which they were made.',
    ...sandbox,
  }),
  explanations: array(WireExplanation).meta({
    description: 'The explanations of invoices; empty unless `explain` is true.',
    ...sandbox,
  }),
}).meta(
  inSandbox(
    'WhatIf',
    'The difference between the future with the changes and the one without them.',
  ),
)

const refusals = Object.values(operations).flatMap((each) => each.refusals ?? [])

export const whatIfOperations = [
  worldLookAhead({
    ...endpoints('Clock').post('/sandbox/what-if', 'compareFutures'),
    isQuestion: true,
    summary: 'Compare the future with one that changes make',
    description:
      'Simulates the future twice, on copies: unchanged, and with `changes`. It uses the same code as an advance and as the operations of the changes. The answer has all differences, and the answer to each change. If `until` is the virtual now, it has only the immediate effect of the changes. Nothing in the sandbox changes. If one change is refused, the whole call is refused, and the error names that change.',
    body: { ...json, schema: WhatIfQuestion },
    replies: reply.ok('The difference between both futures.', WhatIfReply),
    refusals: [...new Set<Code>([...refusals, 'clock_backwards', 'clock_limit'])],
    lookAhead: async (fork, question, pace) => {
      const from = fork.clock.now()
      const until = readLookAheadEnd(fork, question)
      const changes = planChanges(question.changes as readonly ReadChange[], { from, until })
      const futures = await simulateBoth(fork, { until, changes }, pace)
      const compared = orThrow(await runInSlices(compare(futures.asIs, futures.changed, question)))
      const { rows } = compared.invoices
      // Invoices that only the changed future has.
      const invoices = rows.flatMap(({ asIs, changed }) => (asIs === null ? (changed ?? []) : []))
      const settings = settingsOf(futures.changed)
      const explained = question.explain ? invoices.slice(0, EXPLAINED_MAX) : []
      return {
        ...presentWhatIf({ from, until, ...futures }, compared),
        answers: [...futures.made] as WireAnswer[],
        explanations: explained.map((each) => presentExplanation(explain(each, settings))),
      }
    },
  }),
]

/** The changes in the order in which they are made. Throws where one is to be made outside of the time that is looked at. */
function planChanges(
  changes: readonly ReadChange[],
  { from, until }: { readonly from: Instant; readonly until: Instant },
): PlannedChange<WireAnswer>[] {
  const planned = changes.map((change, index) => {
    const { at = from } = change
    if (at < from || at > until) {
      const field = `changes[${index}].at`
      throw invalidField(field, `must be from ${from}, the virtual now, to ${until}; got ${at}`)
    }
    return { at, make: (world: World) => performChange(world, { ...change, index }) }
  })
  // Sorting keeps the order of the list where the instants are the same.
  return planned.sort((one, other) => compareTexts(one.at, other.at))
}

async function performChange(
  world: World,
  { operation, params = {}, body = {}, index }: ReadChange & { readonly index: number },
): Promise<WireAnswer> {
  const change = operations[operation]
  const performed = await change.perform(world, { ...params, ...body }, noRequest)
  if (isRefusal(performed)) {
    const { code, message, assumptions } = toRefusalError(performed)
    const field = `changes[${index}]`
    const fields = [{ field, message: `${field}: ${message}` }]
    throw new RefusalError(code, `${field}: ${message}`, { fields, assumptions })
  }
  const wire = change.present(performed.value, settingsOf(world))
  // The result has the shape that its declaration names.
  return { operation, body: wire } as WireAnswer
}
