/** The check of a pact on the wire: what a comparison with the documented surface found, and what replaying it did. */
import * as z from 'zod'
import { array, int, looseObject, strictObject, string } from 'zod'
import { Flag, inSandbox, Natural, TextOrNull } from '../common/fields.ts'

export const WireFinding = strictObject({
  severity: z
    .enum(['error', 'warning'])
    .describe('The severity: an `error` breaks the contract, a `warning` does not.'),
  interaction: TextOrNull.describe(
    'The description of the interaction; null for the whole file.',
  ).meta({ examples: ['a request to pause a subscription'] }),
  path: TextOrNull.describe('The place in the pact, or null.').meta({
    examples: ['interactions[0].request.path'],
  }),
  message: string().meta({
    description: 'The problem in words.',
    examples: ['Path and method match no operation.'],
  }),
  operation: TextOrNull.describe('The operation of the interaction, or null.').meta({
    examples: ['pauseSubscription'],
  }),
  openapi_line: int()
    .nullable()
    .meta({
      description: 'The line of the operation in openapi.yaml, or null.',
      examples: [120],
    }),
}).meta(
  inSandbox(
    'ContractFinding',
    'A finding: one place where a pact does not fit the documented surface.',
  ),
)
export type WireFinding = z.input<typeof WireFinding>

export const WireCheck = strictObject({
  ok: Flag.describe('Whether no finding is an error.'),
  findings: array(WireFinding).describe(
    'The findings, in the order of the file; long texts are cut.',
  ),
  more_findings: Natural.describe('How many findings are not listed.'),
}).meta(inSandbox('ContractCheck', 'The result of the check of a pact.'))
export type WireCheck = z.input<typeof WireCheck>

const WireVerification = strictObject({
  ok: Flag.describe('Whether the sandbox met every interaction.'),
  report: looseObject({}).describe('The report that `verify --reporter json` prints.'),
}).meta(inSandbox('ContractVerification', 'The result of replaying a pact against a sandbox.'))

export const WireCheckReport = strictObject({
  ...WireCheck.shape,
  verification: WireVerification.nullable().describe(
    'The result of replaying the pact; null where `live` did not ask for it.',
  ),
}).meta(inSandbox('ContractCheckReport', 'The result of the check of a pact, and of replaying it.'))
