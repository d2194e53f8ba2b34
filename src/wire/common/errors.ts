/** The bodies of errors: the documented envelope on /v1, and problems on the control plane. */
import * as z from 'zod'
import { array, int, strictObject, string } from 'zod'
import { type Code, codeTable } from './error-codes.ts'
import { inSandbox, named, sourced } from './fields.ts'

const codes = Object.keys(codeTable) as [Code, ...Code[]]

/** The codes that the interface shows. (Interface section 7) */
const documentedCodes: readonly Code[] = ['invalid_grant', 'unauthorized', 'invalid_request']

/** The error body of /v1, for the codes that occur there. */
export function errorOf(accepted: readonly Code[]) {
  const members = accepted.map((code) => {
    const [source = 'sandbox'] = codeTable[code].assumptions
    return [code, documentedCodes.includes(code) ? '7' : source]
  })
  const ErrorCode = z.enum(accepted).meta({
    id: 'ErrorCode',
    description: 'Why the request was refused; programs compare it.',
    examples: ['invalid_request'],
    source: '7, error-codes',
    members: Object.fromEntries(members),
  })
  return strictObject({
    error: ErrorCode.meta({
      description: 'The code says why the request was refused.',
      source: '7',
    }),
    message: sourced('7', string().min(1)).meta({
      description: 'The message for people names the field, the rule and the value.',
      examples: ['plan is missing; it must be the identifier of a plan.'],
    }),
  }).meta(named('7, error-envelope', 'Error', 'The body of a refusal, which changes nothing.'))
}

export const WireError = errorOf(codes)
export type WireError = z.infer<typeof WireError>

const FieldError = strictObject({
  field: string().meta({
    description: 'The path of the field in the request.',
    examples: ['outcomes[1]'],
  }),
  message: string().meta({
    description: 'The message says which rule the field breaks, and with which value.',
    examples: ['outcomes[1] must be succeed or a failure code; got "maybe".'],
  }),
})

/** The problem of the control plane, for the codes that occur there. (RFC 9457) */
export function problemOf(accepted: readonly Code[]) {
  const ProblemCode = z.enum(accepted).meta({
    ...inSandbox('ProblemCode', 'Why the request was refused; programs compare it.'),
    examples: ['not_found'],
  })
  return strictObject({
    type: string().meta({
      description: 'The type is always about:blank; `code` says what the problem is.',
      examples: ['about:blank'],
    }),
    title: string().meta({
      description: 'The title says what the code means.',
      examples: [codeTable.not_found.title],
    }),
    status: int()
      .min(400)
      .max(599)
      .meta({ description: 'The status is that of the answer.', examples: [404] }),
    detail: string().meta({
      description: 'The detail names the field, the rule and the value.',
      examples: ['plan_id "gold" does not exist; plans: basic, pro.'],
    }),
    code: ProblemCode.describe('The code says why the request was refused.'),
    errors: array(FieldError)
      .optional()
      .meta({
        description: 'The list has each field that breaks a rule; it is absent if none does.',
        examples: [[{ field: 'by', message: 'by must be an ISO 8601 duration; got "soon".' }]],
      }),
  }).meta(inSandbox('Problem', 'A refusal, which changes nothing, as RFC 9457 describes problems.'))
}

export const WireProblem = problemOf(codes)
export type WireProblem = z.infer<typeof WireProblem>

/** A problem for the tools of Pact: its sentences are what they print. */
export const HalProblem = WireProblem.extend({ errors: array(string().min(1)).min(1) })
export type HalProblem = z.infer<typeof HalProblem>
