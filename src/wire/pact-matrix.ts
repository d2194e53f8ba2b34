/** The matrix of the broker on the wire, as `can-i-deploy` asks for it and reads it. */
import * as z from 'zod'
import { looseObject, strictObject, string } from 'zod'
import { Flag, Natural, objectsOf, sandbox } from './fields.ts'
import { Hal, PartyName, WireResultResource } from './pact.ts'

const SELECTORS_MAX = 20

const accepts = `at most ${SELECTORS_MAX} names, none of them empty`

const names = (description: string) =>
  z.array(PartyName).min(1).max(SELECTORS_MAX).optional().meta({ accepts, description })

const yes = (description: string) =>
  z.literal('true').optional().meta({ accepts: 'true', description })

const yeses = (description: string) =>
  z.array(z.literal('true')).max(SELECTORS_MAX).optional().meta({ accepts: 'true', description })

/** The parameters of a matrix; those with brackets may come several times. */
export const MatrixParameters = strictObject({
  'q[][pacticipant]': z
    .array(PartyName)
    .min(1)
    .max(SELECTORS_MAX)
    .meta({ accepts, description: 'The consumer or provider that is asked about.' }),
  'q[][version]': names('Its version.'),
  'q[][latest]': yeses('Its newest version, of the tag or branch if one is named.'),
  'q[][tag]': names('Its versions with this tag.'),
  'q[][branch]': names('Its newest version of this branch.'),
  'q[][mainBranch]': yeses('Its newest version of its main branch.'),
  'ignore[][pacticipant]': names('A consumer or provider that does not count.'),
  'ignore[][version]': names('Its only version that does not count.'),
  latest: yes('Whether others count, by their newest versions.'),
  tag: PartyName.optional().meta({ description: 'Others count by their newest with this tag.' }),
  branch: PartyName.optional().meta({
    description: 'Others count by their newest of this branch.',
  }),
  mainBranch: yes('Others count by the newest version of their main branch.'),
  latestby: z
    .enum(['cvp', 'cvpv'])
    .optional()
    .meta({ description: 'Only the newest result of each pair of versions counts, in any case.' }),
})

const Party = looseObject({
  name: string(),
  version: looseObject({ number: string() }).nullable(),
})

/** Which versions work with each other. */
export const Matrix = strictObject({
  summary: strictObject({
    deployable: Flag.nullable().describe('Null where a result is missing.'),
    reason: string().describe('Why, in words.'),
    success: Natural.describe('How many rows were verified.'),
    failed: Natural.describe('How many failed.'),
    unknown: Natural.describe('How many were not verified yet.'),
  }),
  notices: objectsOf({ type: string(), text: string() }),
  matrix: objectsOf({
    consumer: Party,
    provider: Party,
    pact: Hal,
    verificationResult: WireResultResource.nullable(),
  }).meta({ description: 'A row for each pact and version of its provider.' }),
}).meta({ id: 'PactMatrix', description: 'Which versions work with each other.', ...sandbox })
