/** The format of scenarios: a start, steps at their instants, and the question what is billed to whom before when. */
import type * as z from 'zod'
import { object, strictObject, string, union } from 'zod'
import { billingOperations } from '../operations/billing-operations.ts'
import { nearestDuration } from '../time/duration-text.ts'
import { ClockAdvance } from '../wire/billing/clock.ts'
import {
  boundedList,
  DurationIn,
  InstantIn,
  listUpTo,
  Reference,
  textUpTo,
} from '../wire/common/fields.ts'
import { SettingsPatch } from '../wire/sandbox/settings.ts'
import { inputSchema } from './fixture-acts.ts'
import { Fixture } from './fixture-format.ts'

const STEPS_MAX = 1000
const IDS_MAX = 100

/** An instant, or a duration from the start of the scenario. */
const When = union([InstantIn, DurationIn]).meta({
  accepts: 'an instant or a date such as 2027-03-01, or a duration from the start such as P3M',
  nearest: nearestDuration,
})
export type When = z.output<typeof When>

/** What a step can do to the clock beside `at`; nobody receives webhooks here. */
const ClockMove = ClockAdvance.refine((move) => !move.dry_run && !move.lockstep).meta({
  accepts: 'an object with one of by, to, to_next, and until with within, and nothing else',
})

const operations = Object.fromEntries([
  ...Object.entries(billingOperations).map(([id, operation]) => [
    id,
    inputSchema(operation).optional(),
  ]),
  ['advanceClock', ClockMove.optional()],
]) as Record<string, z.ZodType>

/** The operation of a step and its input; none if the step only waits. */
export function operationsIn(step: object): readonly (readonly [id: string, input: unknown])[] {
  return Object.entries(step).filter(([name, input]) => name !== 'at' && input !== undefined)
}

const Step = strictObject({ at: When.optional(), ...operations })
  .refine((step) => operationsIn(step).length <= 1)
  .meta({ accepts: 'an object with at, and at most one operation' })

const ids = boundedList(Reference, IDS_MAX, 'identifiers').optional()

const fields = {
  description: textUpTo(1000).default(''),
  now: InstantIn.optional(),
  settings: SettingsPatch.default({}),
  steps: listUpTo(Step, STEPS_MAX, 'steps').default([]),
  before: When,
  customers: ids,
  subscriptions: ids,
}

const accepts = 'an object with before, and fixture, now, settings, steps, customers and so on'

const WithInline = strictObject({ fixture: Fixture, ...fields }).meta({ accepts })
const WithNamed = strictObject({
  fixture: string().min(1).default('starter').meta({
    accepts: 'the name of a fixture, a file of one, or an object with plans, customers and so on',
  }),
  ...fields,
}).meta({ accepts })

export type Scenario = z.output<typeof WithInline> | z.output<typeof WithNamed>

/** The schema of a scenario: its fixture is an object, or named. */
export function scenarioSchema(value: unknown): z.ZodType<Scenario> {
  return object({ fixture: object({}) }).safeParse(value).success ? WithInline : WithNamed
}
