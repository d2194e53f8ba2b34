/** Faults on the wire. */
import type * as z from 'zod'
import { custom, int, number, record, strictObject, string, union, unknown } from 'zod'
import type { NewFault } from '../../world/commands/faults.ts'
import {
  bodilessStatuses,
  FAULT_MS_MAX,
  Fault,
  type FaultEffect,
  FaultTime,
  HeaderName,
  HeaderValue,
  hitsLeft,
  VALUE_MAX,
} from '../../world/fault.ts'
import { camelKeys, presentAs } from '../common/case.ts'
import {
  boundedInt,
  describedAs,
  Flag,
  inSandbox,
  Reference,
  sandbox,
  textUpTo,
} from '../common/fields.ts'

const ComparedText = textUpTo(VALUE_MAX)

const { nth, probability, seed, effect } = Fault.shape

const TextOrObject = union([string(), record(string(), unknown())])

/** The documents describe what it is not: generators for Go and Java fail at a union of a text and an object. */
const Body = custom<z.output<typeof TextOrObject>>(
  (value) => TextOrObject.safeParse(value).success,
).meta({
  accepts: 'a text, or an object, which is sent as JSON',
  not: { type: ['array', 'boolean', 'number', 'null'], items: {} },
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
    .describe('The status that the fault answers with; null where the operation itself answers.'),
  body: unknown().describe(
    'The body of the answer with that status. Where absent, it is the error body of the interface for 400, 401 and 403, and empty for other statuses.',
  ),
  headers: record(string(), string()).describe(
    'The headers of the answer with that status, such as `Retry-After`.',
  ),
  delay_ms: int().describe(
    'The delay of the call before or after the operation, in milliseconds of real time.',
  ),
  slow_ms: int().describe(
    'The time that sending the body takes, byte by byte, in milliseconds of real time.',
  ),
  drop: Flag.describe('Whether to close the connection without an answer.'),
  cut: Flag.describe('Whether to close the connection in the middle of the body.'),
  malformed: Flag.describe(
    'Whether to leave out the end of the body, which makes it invalid JSON.',
  ),
})

const milliseconds = boundedInt(0, FAULT_MS_MAX, 'milliseconds of real time').default(0)
const OptionalFlag = Flag.default(false)

const FaultEffectCreate = describedAs(FaultEffectShown, {
  status: Status.optional(),
  body: Body.optional(),
  headers: Headers.optional(),
  ...{ delay_ms: milliseconds, slow_ms: milliseconds },
  ...{ drop: OptionalFlag, cut: OptionalFlag, malformed: OptionalFlag },
}).meta({
  id: 'FaultEffectCreate',
  accepts: 'an object with status, delay_ms, slow_ms, drop, cut or malformed',
  description: 'The effect of a fault: at least one of its fields.',
  ...sandbox,
})

const scalar = union([string().max(VALUE_MAX), number(), Flag]).meta({
  accepts: `a text of at most ${VALUE_MAX} characters, a number, true or false`,
})

const HeaderIn = HeaderName.meta({ accepts: 'the name of a header, of 1 to 100 characters' })

const named = <Name extends z.ZodType, Value extends z.ZodType>(name: Name, value: Value) =>
  strictObject({
    name: name.describe('The name of the header or field.'),
    value: value.describe('The value that the header or field must have.'),
  })
    .meta({ accepts: 'an object with name and value' })
    .optional()

const FaultMatchCreate = strictObject({
  operation: Reference.meta({ accepts: 'the operationId of an operation on /v1' })
    .optional()
    .describe('The `operationId` of an operation on /v1. Omit it to match all operations.'),
  header: named(HeaderIn.meta({ examples: ['X-Try'] }), ComparedText).describe(
    'The header that a matching call must have. Headers with secrets are not allowed.',
  ),
  field: named(Reference.meta({ examples: ['plan'] }), scalar).describe(
    'The field that the body of a matching call must have. Fields with secrets are not allowed.',
  ),
}).meta({
  id: 'FaultMatchCreate',
  accepts: 'an object with operation, header or field',
  description: 'The calls that a fault can hit: those that fit every field.',
})

export const FaultCreate = strictObject({
  match: FaultMatchCreate.default({}).describe(
    'The calls that the fault can hit. Omit it to match all calls.',
  ),
  nth: nth.optional().describe('The number of the first matching call that the fault hits.'),
  times: nth
    .optional()
    .describe(
      'The number of calls that the fault hits, from `nth` on. Default: 1 if `nth` is given, otherwise all calls.',
    ),
  probability: probability.default(1).meta({
    accepts: 'a number above 0, up to 1',
    description: 'The probability that the fault hits a matching call.',
  }),
  seed: seed
    .default(0)
    .describe('The seed of the choice of calls: the same seed hits the same calls.'),
  when: FaultTime.optional().describe(
    'before: the fault happens before the operation, which is not performed if the fault answers or closes the connection. after: it happens after the operation, whose changes are committed. Default: after if the effect damages the answer of the operation, otherwise before.',
  ),
  effect: FaultEffectCreate.describe('The effect of the fault.'),
}).meta(inSandbox('FaultCreate', 'The fault to create.'))
export type FaultCreate = z.output<typeof FaultCreate>

export const faultFilter = {
  unused: Flag.optional().describe(
    'true: only faults that have not hit a call yet. false: only faults that have. Default: all.',
  ),
}

const { operation, header, field } = Fault.shape.match.shape

const matched = (one: typeof header | typeof field, what: string, example: string) => {
  const { name, value } = one.unwrap().shape
  return strictObject({
    name: name.meta({ description: `The name of the ${what}.`, examples: [example] }),
    value: value.describe(`The value of the ${what}.`),
  })
    .nullable()
    .describe(`The ${what} that must match, or null.`)
}

export const WireFault = strictObject({
  fault_id: string().describe('The identifier of the fault.'),
  match: strictObject({
    operation: operation.describe('The `operationId` of the operation; null for all.'),
    header: matched(header, 'header of the call', 'x-try'),
    field: matched(field, 'field of the body', 'plan'),
  }).describe('The calls that the fault can hit.'),
  nth: int().describe('The number of the first matching call that the fault can hit.'),
  times: int().nullable().describe('How many calls the fault hits; null for all calls.'),
  probability: number().describe('The probability that the fault hits a matching call.'),
  seed: int().describe('The seed that decides which matching calls are hit.'),
  when: FaultTime.describe('Whether the fault happens before the operation or after it.'),
  effect: FaultEffectShown.describe('The effect of the fault.'),
  matched: int().describe('How many calls matched the fault until it was used up.'),
  used: int().describe('How many calls the fault hit.'),
  left: int().nullable().describe('How many more calls the fault hits; null without a limit.'),
}).meta(inSandbox('Fault', 'A fault: an error that is injected into calls on /v1.'))
export type WireFault = z.input<typeof WireFault>

/** Whether an effect leaves the answer to the operation, and then damages it. */
export function damagesOwnAnswer({ status, cut, malformed, slow_ms }: FaultCreate['effect']) {
  return status === undefined && (cut || malformed || slow_ms > 0)
}

export function toNewFault({ match, effect, ...order }: FaultCreate): NewFault {
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
    effect: toEffect(effect),
  }
}

function toEffect({ status, body, headers = {}, ...effect }: FaultCreate['effect']) {
  return {
    status: status ?? null,
    body: body === undefined ? null : toEffectBody(body),
    headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
    ...camelKeys(effect),
  }
}

function toEffectBody(body: z.output<typeof Body>): FaultEffect['body'] {
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
  return presentAs(WireFault, { ...fault, effect, left: hitsLeft(fault) })
}
