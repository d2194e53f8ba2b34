/**
 * What if: the changes of a request are calls of other operations, made by the code of these, in a sandbox aside. Owns
 * which operations they can be, and how a change is named that is refused.
 */
import type { Context } from 'hono'
import * as z from 'zod'
import { explain } from '../../billing/explain.ts'
import type { Invoice } from '../../billing/invoice.ts'
import { sandboxAside } from '../../sandbox/aside.ts'
import { ok, type Route, route } from '../../surface/operation.ts'
import { orThrow, RefusalError } from '../../surface/refusals.ts'
import type { Duration, Instant } from '../../time/instant.ts'
import type { Code } from '../../wire/errors.ts'
import { DurationIn, InstantIn, sandbox } from '../../wire/fields.ts'
import { presentExplanation, WireExplanation } from '../../wire/invoice.ts'
import { presentWhatIf, WireWhatIf } from '../../wire/what-if.ts'
import { instantAfter } from '../../world/advance.ts'
import { compare, type Pair } from '../../world/comparison.ts'
import { paced } from '../../world/paced.ts'
import { liveBoth, type PlannedChange } from '../../world/what-if.ts'
import type { World } from '../../world/world.ts'
import { fieldsRefused } from '../request/field-errors.ts'
import { requestIdOf } from '../request-id.ts'
import { v1Routes } from '../v1/routes.ts'
import { lookAhead } from './calls.ts'
import { catalogRoutes } from './catalog.ts'
import { chargeRoutes } from './charges.ts'
import { horizonOf } from './clock.ts'
import { answers, controlPlane, json } from './declarations.ts'
import { invoiceRoutes } from './invoices.ts'
import { paymentOutcomeRoutes } from './payment-outcomes.ts'
import { settingsRoutes } from './settings.ts'
import { subscriptionRoutes } from './subscriptions.ts'

/** The most changes of one question. */
const CHANGES_MAX = 100

/** The most invoices that one answer explains. */
const EXPLAINED_MAX = 20

/** Every operation that changes what is billed, and nothing else. */
const changing: ReadonlyMap<string, Route> = new Map(
  [
    ...v1Routes.filter(({ security }) => security === 'api_key'),
    ...catalogRoutes,
    ...subscriptionRoutes,
    ...invoiceRoutes,
    ...chargeRoutes,
    ...paymentOutcomeRoutes,
    ...settingsRoutes,
  ]
    .filter(({ method }) => method !== 'get')
    .map((each) => [each.operationId, each]),
)

/** Their names. */
export const whatIfOperations: readonly string[] = [...changing.keys()]

const operationNames = whatIfOperations.join(', ')

/** A change as it was read: its operation has checked the rest. */
interface ReadChange {
  readonly operation: string
  readonly at?: Instant
  readonly params?: object
  readonly body?: object
}

function changeOf({ operationId, summary, params, body }: Route) {
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

const [first, ...others] = [...changing.values()].map(changeOf)
if (first === undefined) throw new Error('No operation changes anything')
const Change = z.discriminatedUnion('operation', [first, ...others]).meta({
  id: 'WhatIfChange',
  accepts: 'an object with operation, and at, params and body as that has them',
  ...sandbox,
})

const WhatIfQuestion = z
  .strictObject({
    changes: z
      .array(Change)
      .min(1)
      .max(CHANGES_MAX)
      .meta({
        accepts: `a list of 1 to ${CHANGES_MAX} changes`,
        description: 'Calls to make, in the order of their instants, and then of the list.',
      }),
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

const bodies = [...changing.values()].flatMap(({ replies }) =>
  Object.values(replies).flatMap(({ schema }) => schema ?? []),
)

const WireAnswer = z
  .strictObject({
    operation: z.enum(whatIfOperations),
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

const refusals = [...changing.values()].flatMap((each) => each.refusals ?? [])

export const whatIfRoutes = [
  route({
    ...controlPlane,
    operationId: 'askWhatIf',
    method: 'post',
    path: '/sandbox/what-if',
    isQuestion: true,
    tag: 'Clock',
    summary: 'Compare the future with one that changes make',
    description:
      'Lives both on copies, by the code of an advance and of the operations that `changes` name, and answers what differs, and what each change was answered with. With `until` at the virtual now it says what the changes do at once. Nothing in the sandbox changes. A change that is refused refuses the whole, and is named.',
    body: { ...json, schema: WhatIfQuestion },
    replies: answers('What would be otherwise.', WhatIfReply),
    refusals: [...new Set<Code>([...refusals, 'clock_backwards', 'clock_limit'])],
    answer: async ({ body, c }) => {
      // Before the calls: they must not count it as one of their sandbox.
      requestIdOf(c)
      return ok(
        await lookAhead(c, async (fork, pace) => {
          const from = fork.clock.now()
          const until = untilOf(fork, body)
          const changes = plan(c, body.changes as readonly ReadChange[], { from, until })
          const futures = await liveBoth(fork, { until, changes }, pace)
          const compared = orThrow(await paced(compare(futures.asIs, futures.changed)))
          const invoices = body.explain ? compared.invoices.rows : []
          return {
            ...presentWhatIf({ from, until, ...futures }, compared),
            answers: [...futures.made],
            explanations: invoices.flatMap(explanationOf).slice(0, EXPLAINED_MAX),
          }
        }),
      )
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
  c: Context,
  changes: readonly ReadChange[],
  { from, until }: { readonly from: Instant; readonly until: Instant },
): PlannedChange<WireAnswer>[] {
  const planned = changes.map((change, index) => {
    const { at = from } = change
    if (at < from || at > until) {
      const field = `changes[${index}].at`
      const message = `${field} must be from ${from}, the virtual now, to ${until}; got ${at}.`
      throw fieldsRefused([{ field, message }])
    }
    return { at, make: (world: World) => make(c, { ...change, index }, world) }
  })
  // Sorting keeps the order of the list where the instants are the same.
  return planned.sort((one, other) => (one.at < other.at ? -1 : Number(one.at > other.at)))
}

/** Makes one change as a request would, in a sandbox over the world. */
async function make(
  c: Context,
  { operation, params = {}, body = {}, index }: ReadChange & { readonly index: number },
  world: World,
): Promise<WireAnswer> {
  const { sandbox } = c.var
  c.set('sandbox', await sandboxAside(world))
  try {
    const answer = await changing.get(operation)?.answer({ params, query: {}, body, c })
    // None of these operations streams. The reply has the shape that its declaration names.
    return { operation, body: answer && 'body' in answer ? answer.body : null } as WireAnswer
  } catch (error) {
    throw error instanceof RefusalError ? named(error, `changes[${index}]`) : error
  } finally {
    c.set('sandbox', sandbox)
  }
}

/** An invoice that only the changed future has, explained. */
function explanationOf({ asIs, changed }: Pair<Invoice>): WireExplanation[] {
  return asIs === null && changed !== null ? [presentExplanation(explain(changed))] : []
}

/** The refusal of a change says which one it is. */
function named({ code, message, assumptions }: RefusalError, field: string): RefusalError {
  const detail = `${field}: ${message}`
  return new RefusalError(code, detail, { fields: [{ field, message: detail }], assumptions })
}
