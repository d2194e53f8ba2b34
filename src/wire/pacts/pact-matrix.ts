/** The matrix of the broker on the wire, as `can-i-deploy` asks for it and reads it. */
import * as z from 'zod'
import { literal, looseObject, strictObject, string } from 'zod'
import { Flag, inSandbox, Natural, objectsOf } from '../common/fields.ts'
import { Hal, PartyName, partyName, WireResult } from './pact.ts'
import { noText } from './pact-selection.ts'

const SELECTORS_MAX = 20

const accepts = `at most ${SELECTORS_MAX} values, none of them empty`

const True = literal('true').meta({ accepts: 'true' })

/** The values of a parameter that may come several times. */
const list = (item: z.ZodType<string>, description: string, example: string) =>
  item
    .array()
    .min(1)
    .max(SELECTORS_MAX)
    .meta({ accepts, description, examples: [[example]] })

const ignored = list(
  noText('rows to ignore'),
  'Refused: a Pact Broker or PactFlow ignores rows.',
  '',
)

const names = (description: string, example: string) =>
  list(PartyName, description, example).optional()

const flags = (description: string) => list(True, description, 'true').optional()

const name = (description: string, example: string) => partyName(description, example).optional()

const flag = (description: string) => True.describe(description).optional()

/** The parameters of a matrix; those with brackets may come several times. */
export const MatrixParameters = strictObject({
  'q[][pacticipant]': list(PartyName, 'The consumer or provider to ask about.', 'web-shop'),
  'q[][version]': names('The version of that consumer or provider.', '1.0.0'),
  'q[][latest]': flags(
    'Only the newest version of that consumer or provider, of the tag or branch if one is named.',
  ),
  'q[][tag]': names('The versions with this tag.', 'production'),
  'q[][branch]': names('The versions of this branch.', 'main'),
  'q[][mainBranch]': flags('The versions of the main branch.'),
  'ignore[][pacticipant]': ignored.optional(),
  'ignore[][version]': ignored.optional(),
  latest: flag('Others count by their newest version, of the tag or branch if one is named.'),
  tag: name('Others count by their versions with this tag.', 'production'),
  branch: name('Others count by their versions of this branch.', 'main'),
  mainBranch: flag('Others count by the versions of their main branch.'),
  latestby: z
    .enum(['cvp', 'cvpv'])
    .optional()
    .describe(
      'Which results of a pact count: with `cvp` that of the newest version of its provider, otherwise that of each version. Of each pair of versions the newest counts.',
    ),
  environment: noText('environments').optional(),
})
export type MatrixParameters = z.output<typeof MatrixParameters>

const Party = looseObject({
  name: string().describe('The name of the consumer or provider.'),
  version: looseObject({ number: string().describe('The number of the version.') })
    .nullable()
    .describe('The version; null where none is known.'),
})

export const Matrix = strictObject({
  summary: strictObject({
    deployable: Flag.nullable().describe(
      'Whether the versions can be deployed; null where a result is missing.',
    ),
    reason: string().describe('The reason for `deployable`, in words.'),
    success: Natural.describe('How many rows were verified with success.'),
    failed: Natural.describe('How many rows failed.'),
    unknown: Natural.describe('How many rows were not verified yet.'),
  }).describe('The summary of the matrix.'),
  notices: objectsOf({
    type: string().describe('The type of the notice: success, error or warning.'),
    text: string().describe('The text of the notice.'),
  }).describe('Notices for people.'),
  matrix: objectsOf({
    consumer: Party.describe('The consumer of the row.'),
    provider: Party.describe('The provider of the row.'),
    pact: Hal.describe('The pact of the row, as links.'),
    verificationResult: WireResult.nullable().describe(
      'The newest verification result of the row; null without one.',
    ),
  }).describe('The rows: one for each pact and each version of its provider.'),
}).meta(
  inSandbox('PactMatrix', 'The matrix: which versions of consumers and providers work together.'),
)
