/** Faults on the wire. */
import type * as z from 'zod'
import { int, number, record, strictObject, string, union, unknown } from 'zod'
import type { NewFault } from '../world/commands/faults.ts'
import {
  bodilessStatuses,
  FAULT_MS_MAX,
  Fault,
  type FaultEffect,
  FaultTime,
  HeaderName,
  HeaderValue,
  leftOf,
} from '../world/fault.ts'
import { camelKeys, presentAs } from './case.ts'
import { boundedInt, Flag, inSandbox, Reference, sandbox } from './fields.ts'

/** The most characters of a value that is compared. */
const VALUE_MAX = 1000

const ComparedText = string()
  .max(VALUE_MAX)
  .meta({
    accepts: `a text of at most ${VALUE_MAX} characters`,
  })

const { nth, probability, seed, effect } = Fault.shape

const Body = union([string(), record(string(), unknown())]).meta({
  accepts: 'a text, or an object, which is sent as JSON',
})

const Status = effect.shape.status.unwrap().meta({
  accepts: `a status from 200 to 599 other than ${bodilessStatuses.join(', ')}`,
  not: { enum: bodilessStatuses },
})

const Headers = record(
  string(),
  HeaderValue.meta({ accepts: 'a text of at most 1000 printable characters of ASCII' }),
).meta({ accepts: 'an object of texts by the names of headers' })

/** An effect as it is answered. */
const FaultEffectShown = strictObject({
  status: int()
    .nullable()
    .describe('Answers with this status. Absent where the operation answers.'),
  body: Body.nullable().describe(
    'The body beside the status; absent: the error body of the interface for 400, 401 and 403, and none for others.',
  ),
  headers: record(string(), string()).describe('Headers beside the status, such as `Retry-After`.'),
  delay_ms: int().describe(
    'How long the call is held up, in real time: before the operation, or after it.',
  ),
  slow_ms: int().describe('How long the body takes to come, byte by byte, in real time.'),
  drop: Flag.describe('Closes the connection without an answer.'),
  cut: Flag.describe('Closes the connection in the middle of the body.'),
  malformed: Flag.describe('Leaves out the end of the body, so that it is no JSON any more.'),
})

/** What the fields of an effect say of themselves. */
const says = (field: keyof typeof FaultEffectShown.shape) => ({
  description: FaultEffectShown.shape[field].description ?? '',
})

const milliseconds = boundedInt(0, FAULT_MS_MAX, 'milliseconds of real time').default(0)
const OptionalFlag = Flag.default(false)

const FaultEffectCreate = strictObject({
  status: Status.optional().meta(says('status')),
  body: Body.optional().meta(says('body')),
  headers: Headers.optional().meta(says('headers')),
  delay_ms: milliseconds.meta(says('delay_ms')),
  slow_ms: milliseconds.meta(says('slow_ms')),
  drop: OptionalFlag.meta(says('drop')),
  cut: OptionalFlag.meta(says('cut')),
  malformed: OptionalFlag.meta(says('malformed')),
}).meta({
  id: 'FaultEffectCreate',
  accepts: 'an object with status, delay_ms, slow_ms, drop, cut or malformed',
  description: 'What goes wrong: at least one of its fields.',
  ...sandbox,
})

const scalar = union([string().max(VALUE_MAX), number(), Flag]).meta({
  accepts: `a text of at most ${VALUE_MAX} characters, a number, true or false`,
})

const HeaderIn = HeaderName.meta({ accepts: 'the name of a header, of 1 to 100 characters' })

const named = <Name extends z.ZodType, Value extends z.ZodType>(name: Name, value: Value) =>
  strictObject({ name, value }).meta({ accepts: 'an object with name and value' }).optional()

const FaultMatchCreate = strictObject({
  operation: Reference.meta({ accepts: 'the operationId of an operation on /v1' })
    .optional()
    .describe('An operation on /v1 by its operationId; absent for all of them.'),
  header: named(HeaderIn, ComparedText).describe(
    'A header that the call must have; not one that carries a secret.',
  ),
  field: named(Reference, scalar).describe(
    'A field that the body must have; not one that carries a secret.',
  ),
}).meta({ id: 'FaultMatchCreate', accepts: 'an object with operation, header or field' })

export const FaultCreate = strictObject({
  match: FaultMatchCreate.default({}).describe('Which calls; absent for all.'),
  nth: nth.optional().describe('The number of the matching call that it hits.'),
  times: nth
    .optional()
    .describe('How many calls it hits, from `nth` on. Absent: one with `nth`, else all.'),
  probability: probability.default(1).meta({
    accepts: 'a number above 0, up to 1',
    description: 'How likely it hits a matching call; the seed decides which.',
  }),
  seed: seed.default(0).describe('The same seed hits the same calls.'),
  when: FaultTime.optional().describe(
    'Before the operation, which is then not carried out where the fault answers or drops; or after it, when everything is done and committed. Absent: `before`, but `after` where the answer of the operation itself is damaged.',
  ),
  effect: FaultEffectCreate,
}).meta(inSandbox('FaultCreate'))
export type FaultCreate = z.output<typeof FaultCreate>

export const faultFilter = {
  unused: Flag.optional().describe('Only those that hit no call yet, or only the others.'),
}

const { operation, header, field } = Fault.shape.match.shape

export const WireFault = strictObject({
  fault_id: string().describe('Its identifier.'),
  match: strictObject({
    operation: operation.describe('The operation, or null for all.'),
    header: header.describe('The header, or null.'),
    field: field.describe('The field of the body, or null.'),
  }).describe('Which calls.'),
  nth: int().describe('The first of the matching calls that it may hit.'),
  times: int().nullable().describe('How many calls it hits; null for all.'),
  probability: number().describe('How likely it hits a matching call.'),
  seed: int().describe('What decides which.'),
  when: FaultTime.describe('Before the operation or after it.'),
  effect: FaultEffectShown.describe('What goes wrong.'),
  matched: int().describe('How many calls matched it, until it was used up.'),
  used: int().describe('How many calls it hit.'),
  left: int().nullable().describe('How many more it hits; null for no end.'),
}).meta(inSandbox('Fault', 'Something that goes wrong on purpose with calls on /v1.'))
export type WireFault = z.input<typeof WireFault>

/** Whether an effect leaves the answer to the operation, and then damages it. */
export function damagesOwnAnswer({ status, cut, malformed, slow_ms }: FaultCreate['effect']) {
  return status === undefined && (cut || malformed || slow_ms > 0)
}

export function faultOrder({ match, effect, ...order }: FaultCreate): NewFault {
  const { operation = null, header = null, field = null } = match
  return {
    match: {
      operation,
      header: header && { ...header, name: header.name.toLowerCase() },
      field: field && { ...field, value: String(field.value) },
    },
    nth: order.nth ?? 1,
    times: order.times ?? (order.nth === undefined ? null : 1),
    probability: order.probability,
    seed: order.seed,
    when: order.when ?? (damagesOwnAnswer(effect) ? 'after' : 'before'),
    effect: effectOrder(effect),
  }
}

function effectOrder({ status, body, headers = {}, ...effect }: FaultCreate['effect']) {
  return {
    status: status ?? null,
    body: body === undefined ? null : bodyOrder(body),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    ...camelKeys(effect),
  }
}

function bodyOrder(body: z.output<typeof Body>): FaultEffect['body'] {
  if (typeof body === 'string') return { media: 'text', text: body }
  return { media: 'json', text: JSON.stringify(body) }
}

export function presentFault(fault: Fault): WireFault {
  const { body, headers } = fault.effect
  const effect = presentAs(FaultEffectShown, {
    ...fault.effect,
    body: body?.media === 'json' ? JSON.parse(body.text) : (body?.text ?? null),
    headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])),
  })
  return presentAs(WireFault, { ...fault, effect, left: leftOf(fault) })
}
