/** Pacts and the broker's protocol on the wire. Members that the protocol has and we have no use for are let through. */
import * as z from 'zod'
import { looseObject, strictObject, string } from 'zod'
import { Flag, InstantOut, Natural, objectsOf, sandbox, Texts } from './fields.ts'

const nameFields = {
  accepts: 'a text of 1 to 255 characters without control characters, and neither "." nor ".."',
  pattern: '^([^.\\x00-\\x1f\\x7f-\\x9f]C*|\\.[^.\\x00-\\x1f\\x7f-\\x9f]C*|\\.\\.C+)$'.replaceAll(
    'C',
    '[^\\x00-\\x1f\\x7f-\\x9f]',
  ),
}

/** The name of a consumer, a provider or a version, which its team chose. */
export const PartyName = string()
  .min(1)
  .max(255)
  // A URL can hold neither half a character nor a step of dots.
  .refine((text) => /^(?!\.{1,2}$)[^\p{Cc}\p{Cs}]*$/u.test(text))
  .meta(nameFields)

const name = (description: string) => PartyName.meta({ ...nameFields, description })

const Party = (description: string) =>
  looseObject({ name: name(description) }).meta({ accepts: 'an object with a name' })

/** A pact as a consumer's tests wrote it, in version 2, 3 or 4 of the Pact specification. */
export const PactDocument = looseObject({
  consumer: Party('Who expects.'),
  provider: Party('Who is expected of.'),
}).meta({ id: 'PactDocument', description: 'A pact file.', ...sandbox })
export type PactDocument = z.output<typeof PactDocument>

const SELECTORS_MAX = 100

const onlyTrue = (description: string) =>
  z.literal(true).nullish().meta({ accepts: 'true', description })

const unrecorded = 'Deployments and releases are not recorded: the newest of each consumer.'

/** Which pacts a verifier asks for; of each consumer the newest that fits, unless a selector says otherwise. */
const Selector = strictObject({
  consumer: name('Of this consumer.').nullish(),
  branch: name('The newest of this branch.').nullish(),
  fallbackBranch: name('Where there is none, the newest of this branch.').nullish(),
  tag: name('All with this tag, or with `latest` the newest of them.').nullish(),
  fallbackTag: name('Where there is none, the newest with this tag.').nullish(),
  latest: z.boolean().nullish().meta({
    accepts: 'true or false',
    description: 'Whether only the newest counts; of a branch it always is.',
  }),
  mainBranch: onlyTrue('The newest of its main branch: main, master, develop or trunk.'),
  matchingBranch: onlyTrue('The newest of the branch in `providerVersionBranch`.'),
  deployed: onlyTrue(unrecorded),
  released: onlyTrue(unrecorded),
  deployedOrReleased: onlyTrue(unrecorded),
  environment: name(unrecorded).nullish(),
})

export const PactSelection = looseObject({
  consumerVersionSelectors: z
    .array(Selector)
    .max(SELECTORS_MAX)
    .nullish()
    .meta({
      accepts: `a list of at most ${SELECTORS_MAX} selectors`,
      description: 'Any that fits; all without one.',
    }),
  providerVersionBranch: z.string().max(255).nullish().meta({
    accepts: 'a text of at most 255 characters',
    description: 'The branch of the provider that is verified; empty for none.',
  }),
}).meta({ id: 'PactSelection', ...sandbox })
export type PactSelection = z.output<typeof PactSelection>

/** What a command line sends with a tag or a branch: its name again, or nothing. */
export const MarkIn = strictObject({
  name: name('The tag or branch, as in the path.').optional(),
}).meta({ id: 'VersionMark', ...sandbox })

const VerifierText = string()
  .max(255)
  .nullish()
  .meta({ accepts: 'a text of at most 255 characters' })

/** What a verifier found. */
export const ResultIn = looseObject({
  success: z.boolean().meta({ accepts: 'true or false', description: 'Whether all of it held.' }),
  providerApplicationVersion: name('The version of the provider that was verified.'),
  verifiedBy: looseObject({ implementation: VerifierText, version: VerifierText })
    .nullish()
    .meta({ accepts: 'an object', description: 'Which verifier it was.' }),
}).meta({ id: 'PactResultPublish', ...sandbox })
export type ResultIn = z.output<typeof ResultIn>

const Base64 = string()
  // One class alone: with several that share characters, refusing a long text takes the square of its length.
  .regex(/^[A-Za-z0-9+/=\s]+$/)
  .meta({ accepts: 'base64', description: 'The pact file in base64.' })

const CONTRACTS_MAX = 100

const TAGS_MAX = 100

/** Several pacts at once, as the command line of the Pact Broker sends them. */
export const ContractsPublish = looseObject({
  pacticipantName: name('The consumer.'),
  pacticipantVersionNumber: name('Its version.'),
  branch: name('Its branch.').nullish(),
  tags: z
    .array(name('A tag.'))
    .max(TAGS_MAX)
    .nullish()
    .meta({ accepts: `a list of at most ${TAGS_MAX} names`, description: 'Its tags.' }),
  contracts: z
    .array(
      looseObject({
        consumerName: name('The consumer.'),
        providerName: name('The provider.'),
        specification: z.literal('pact').meta({ accepts: 'pact' }),
        contentType: z.string().nullish(),
        content: Base64,
      }),
    )
    .min(1)
    .max(CONTRACTS_MAX)
    .meta({ accepts: `a list of 1 to ${CONTRACTS_MAX} contracts`, description: 'The pacts.' }),
}).meta({ id: 'ContractsPublish', ...sandbox })
export type ContractsPublish = z.output<typeof ContractsPublish>

/** One thing that a comparison found. */
export const WireFinding = strictObject({
  severity: z.enum(['error', 'warning']).meta({ description: 'An error breaks the contract.' }),
  interaction: string().nullable().describe('Its description; null for the file.'),
  path: string().nullable().describe('Where in the pact.'),
  message: string().describe('What does not fit, in words.'),
  operation: string().nullable().describe('Which operation it is about.'),
  openapi_line: z.int().nullable().meta({ description: 'Its line in openapi.yaml.' }),
}).meta({ id: 'ContractFinding', ...sandbox })
export type WireFinding = z.input<typeof WireFinding>

/** What a comparison of a pact with the documented surface came to. */
export const WireCheck = strictObject({
  ok: Flag.describe('Whether there is no error.'),
  findings: z
    .array(WireFinding)
    .meta({ description: 'What was found, in the order of the file; long texts are cut.' }),
  more_findings: Natural.describe('How many findings are not listed.'),
}).meta({ id: 'ContractCheck', ...sandbox })
export type WireCheck = z.input<typeof WireCheck>

/** What replaying a pact came to. */
const WireVerification = strictObject({
  ok: Flag.describe('Whether every interaction held.'),
  report: looseObject({}).meta({ description: 'What `verify --reporter json` prints.' }),
}).meta({ id: 'ContractVerification', ...sandbox })

export const WireCheckReport = strictObject({
  ...WireCheck.shape,
  verification: WireVerification.nullable().meta({
    description: 'What replaying it came to; null where that was not asked for.',
  }),
}).meta({ id: 'ContractCheckReport', ...sandbox })

/** A pact that comes with the sandbox. */
export const WireShippedPact = strictObject({
  file: string().describe('Its path in contracts/pacts.'),
  consumer: string().describe('Who expects.'),
  provider: string().describe('Who is expected of.'),
  specification: string().describe('The version of the Pact specification.'),
  interactions: Natural.describe('How many it holds.'),
}).meta({ id: 'ShippedPact', ...sandbox })

const Interaction = looseObject({
  description: string(),
  providerStates: objectsOf({ name: string(), params: z.record(string(), z.unknown()).optional() })
    .optional()
    .meta({ description: 'What the service must hold first.' }),
})

/** What is in its file. */
export const ShippedPactDocument = PactDocument.extend({
  interactions: z.array(Interaction).meta({ description: 'What is asked and answered.' }),
}).meta({ id: 'ShippedPactDocument', description: 'A pact file.', ...sandbox })
export type ShippedPactDocument = z.input<typeof ShippedPactDocument>

/** A resource of the broker: links to others, and what it holds itself. */
export const Hal = looseObject({
  _links: z.record(string(), z.unknown()).meta({ description: 'Where to go.' }),
}).meta({ id: 'BrokerResource', description: 'A resource in HAL.', ...sandbox })
export type Hal = z.input<typeof Hal>

const WireResult = strictObject({
  number: z.int().min(1).meta({ description: 'Counted for each pact.' }),
  success: Flag.describe('Whether all of it held.'),
  provider_version: string().describe('The version of the provider.'),
  verified_by: string().nullable().describe('Which verifier it was.'),
  at: InstantOut.describe('The virtual now when it was published.'),
})

/** One of them as a resource of its own. */
export const WireResultResource = WireResult.extend(Hal.shape)
export type WireResultResource = z.input<typeof WireResultResource>

/** A published pact and what became of it. */
export const WirePublishedPact = strictObject({
  provider: string().describe('Who is expected of.'),
  consumer: string().describe('Who expects.'),
  version: string().describe('The version of the consumer.'),
  branches: Texts.describe('The branches of that version.'),
  tags: Texts.describe('The tags of that version.'),
  at: InstantOut.describe('The virtual now when it was published.'),
  results: z.array(WireResult).meta({ description: 'What verifiers found, oldest first.' }),
}).meta({ id: 'PublishedPact', ...sandbox })
export type WirePublishedPact = z.input<typeof WirePublishedPact>
