/**
 * What if: the changes of a request are calls of other operations, which are performed on a copy of the world. Owns how
 * the question is read, and how a change is named that is refused.
 */
import * as z from 'zod'
import { settingsInForce } from '../assumptions/register.ts'
import { explain } from '../billing/explain.ts'
import { isRefusal } from '../billing/refusal.ts'
import { answers, endpoints, json } from '../surface/declarations.ts'
import { fieldRefused, orThrow, RefusalError, refusalFor } from '../surface/refusals.ts'
import type { Duration, Instant } from '../time/instant.ts'
import type { Code } from '../wire/errors.ts'
import { boundedList, DurationIn, InstantIn, sandbox } from '../wire/fields.ts'
import { presentExplanation, WireExplanation } from '../wire/invoice.ts'
import { presentWhatIf, WireWhatIf } from '../wire/what-if.ts'
import { instantAfter } from '../world/advance.ts'
import { compare } from '../world/comparison.ts'
import { paced } from '../world/paced.ts'
import { type PlannedChange, simulateBoth } from '../world/what-if.ts'
import type { World } from '../world/world.ts'
import { type ChangeId, changes as operations } from './changes.ts'
import { horizonOf } from './horizon.ts'
import { type Change, worldPreview } from './operation.ts'

const CHANGES_MAX = 100

/** The most invoices that one answer explains. */
const EXPLAINED_MAX = 20

const operationIds: readonly string[] = [...operations.keys()]

const operationNames = operationIds.join(', ')

/** A change as it was read: its operation has checked the rest. */
interface ReadChange {
  readonly operation: ChangeId
  readonly at?: Instant
  readonly params?: object
  readonly body?: object
}

function schemaOf({ operationId, summary, params, body }: Change) {
  return z
    .strictObject({
      operation: z
        .literal(operationId)
        .meta({ accepts: `one of ${operationNames}`, description: `${summary}.` }),
      at: InstantIn.optional().meta({
        description: 'When, after what falls due then; the virtual now by default.',
      }),
      ...(params && { params }),
      ...(body && { body: body.required ? body.schema : body.schema.optional() }),
    })
    .meta({ id: `WhatIf${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}`, ...sandbox })
}

const [first, ...others] = [...operations.values()].map(schemaOf)
if (first === undefined) throw new Error('No operation changes anything')
const WhatIfChange = z.discriminatedUnion('operation', [first, ...others]).meta({
  id: 'WhatIfChange',
  accepts: 'an object with operation, and at, params and body as that has them',
  ...sandbox,
})

const WhatIfQuestion = z
  .strictObject({
    changes: boundedList(WhatIfChange, CHANGES_MAX, 'changes').describe(
      'Calls to make, in the order of their instants, and then of the list.',
    ),
    until: InstantIn.optional().meta({ description: 'How far to look; a year by default.' }),
    for: DurationIn.optional().meta({ description: 'How far to look, in place of `until`.' }),
    explain: z
      .boolean()
      .default(false)
      .meta({
        accepts: 'true or false',
        description: `Whether to explain the amounts of the first ${EXPLAINED_MAX} invoices that only the changed future has.`,
      }),
  })
  .refine((question) => question.until === undefined || question.for === undefined)
  .meta({
    id: 'WhatIfQuestion',
    accepts: 'an object with changes, and until or for',
    not: { required: ['until', 'for'], properties: { until: {}, for: {} } },
    ...sandbox,
  })

const bodies = [...operations.values()].flatMap(({ replies }) =>
  Object.values(replies).flatMap(({ schema }) => schema ?? []),
)

const WireAnswer = z
  .strictObject({
    operation: z.enum(operationIds),
    body: z
      .union([...new Set(bodies)])
      .nullable()
      .meta({ description: 'Null where that operation answers no body.', ...sandbox }),
  })
  .meta({ id: 'WhatIfAnswer', description: 'What a change was answered with.', ...sandbox })

type WireAnswer = z.input<typeof WireAnswer>

/** The comparison, and what each change was answered with. */
export const WhatIfReply = z
  .strictObject({
    ...WireWhatIf.shape,
    answers: z.array(WireAnswer).meta({
      description: 'What the changes were answered with, in the order in which they were made.',
      ...sandbox,
    }),
    explanations: z.array(WireExplanation).meta({
      description: 'Empty unless `explain` is true.',
      ...sandbox,
    }),
  })
  .meta({ id: 'WhatIf', description: 'What would be otherwise.', ...sandbox })

const refusals = [...operations.values()].flatMap((each) => each.refusals ?? [])

export const whatIfOperations = [
  worldPreview({
    ...endpoints('Clock').post('/sandbox/what-if', 'compareFutures'),
    isQuestion: true,
    summary: 'Compare the future with one that changes make',
    description:
      'Lives both on copies, by the code of an advance and of the operations that `changes` name, and answers what differs, and what each change was answered with. With `until` at the virtual now it says what the changes do at once. Nothing in the sandbox changes. A change that is refused refuses the whole, and is named.',
    body: { ...json, schema: WhatIfQuestion },
    replies: answers('What would be otherwise.', WhatIfReply),
    refusals: [...new Set<Code>([...refusals, 'clock_backwards', 'clock_limit'])],
    look: async (fork, question, pace) => {
      const from = fork.clock.now()
      const until = untilOf(fork, question)
      const changes = plan(question.changes as readonly ReadChange[], { from, until })
      const futures = await simulateBoth(fork, { until, changes }, pace)
      const compared = orThrow(await paced(compare(futures.asIs, futures.changed)))
      const { rows } = compared.invoices
      // Invoices that only the changed future has.
      const invoices = rows.flatMap(({ asIs, changed }) => (asIs === null ? (changed ?? []) : []))
      const explained = question.explain ? invoices.slice(0, EXPLAINED_MAX) : []
      return {
        ...presentWhatIf({ from, until, ...futures }, compared),
        answers: [...futures.made] as WireAnswer[],
        explanations: explained.map((invoice) => presentExplanation(explain(invoice))),
      }
    },
  }),
]

function untilOf(
  world: World,
  asked: { readonly until?: Instant | undefined; readonly for?: Duration | undefined },
): Instant {
  const now = world.clock.now()
  if (asked.for !== undefined) return orThrow<Instant>(instantAfter(now, asked.for, 'for'))
  const until = horizonOf(world, { field: 'until', requested: asked.until })
  if (until >= now) return until
  const message = `until must be ${now}, the virtual now, or later; got ${until}.`
  throw new RefusalError('clock_backwards', message)
}

/** The changes in the order in which they are made. Throws where one is to be made outside of the time that is looked at. */
function plan(
  changes: readonly ReadChange[],
  { from, until }: { readonly from: Instant; readonly until: Instant },
): PlannedChange<WireAnswer>[] {
  const planned = changes.map((change, index) => {
    const { at = from } = change
    if (at < from || at > until) {
      const field = `changes[${index}].at`
      throw fieldRefused(field, `must be from ${from}, the virtual now, to ${until}; got ${at}`)
    }
    return { at, make: (world: World) => make(world, { ...change, index }) }
  })
  // Sorting keeps the order of the list where the instants are the same.
  return planned.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
}

async function make(
  world: World,
  { operation, params = {}, body = {}, index }: ReadChange & { readonly index: number },
): Promise<WireAnswer> {
  const change = operations.get(operation)
  if (change === undefined) throw new Error(`${operation} was read, and is no change`)
  const cause = { kind: 'request', requestId: null } as const
  const performed = await change.perform(world, { ...params, ...body }, cause)
  if (isRefusal(performed)) {
    const { code, message, assumptions } = refusalFor(performed)
    const field = `changes[${index}]`
    const fields = [{ field, message: `${field}: ${message}` }]
    throw new RefusalError(code, `${field}: ${message}`, { fields, assumptions })
  }
  const wire = change.present(performed.value, settingsInForce(world.settings))
  // The result has the shape that its declaration names.
  return { operation, body: wire } as WireAnswer
}
