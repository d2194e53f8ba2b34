/** Pacts and the broker's protocol on the wire. Members that the protocol has and we have no use for are let through. */
import type * as z from 'zod'
import { array, int, literal, looseObject, record, strictObject, string, unknown } from 'zod'
import {
  boundedList,
  Flag,
  InstantOut,
  inSandbox,
  listUpTo,
  Natural,
  objectsOf,
  TextOrNull,
  Texts,
  textUpTo,
} from '../common/fields.ts'

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

export const partyName = (description: string, ...examples: string[]) =>
  PartyName.meta({ ...nameFields, description, ...(examples.length > 0 && { examples }) })

const Party = (role: 'consumer' | 'provider') =>
  looseObject({ name: partyName(`The name of the ${role}.`) }).meta({
    accepts: 'an object with a name',
    description: `The ${role} of the pact.`,
  })

/** A pact as a consumer's tests wrote it, in version 2, 3 or 4 of the Pact specification. */
export const PactDocument = looseObject({
  consumer: Party('consumer'),
  provider: Party('provider'),
}).meta(
  inSandbox(
    'PactDocument',
    'A pact: a file in which a consumer says what it expects of a provider.',
  ),
)
export type PactDocument = z.output<typeof PactDocument>

/** What a command line sends with a tag or a branch: its name again, or nothing. */
export const MarkIn = strictObject({
  name: partyName('The name of the tag or branch, as in the path.', 'main').optional(),
}).meta(inSandbox('VersionMark', 'The tag or branch to give to a version.'))

const VerifierText = textUpTo(255).nullish()

/** What a verifier found. */
export const ResultIn = looseObject({
  success: Flag.describe('Whether the provider met the whole pact.'),
  providerApplicationVersion: partyName('The version of the provider that was verified.'),
  verifiedBy: looseObject({
    implementation: VerifierText.meta({
      description: 'The name of the verifier.',
      examples: ['pact-core'],
    }),
    version: VerifierText.describe('The version of the verifier.'),
  })
    .nullish()
    .meta({ accepts: 'an object', description: 'The verifier that found the result.' }),
}).meta(inSandbox('PactResultPublish', 'The verification result to publish.'))
export type ResultIn = z.output<typeof ResultIn>

const Base64 = string()
  // One class alone: with several that share characters, refusing a long text takes the square of its length.
  .regex(/^[A-Za-z0-9+/=\s]+$/)
  .meta({ accepts: 'base64', description: 'The pact file in base64.' })

const CONTRACTS_MAX = 100

const TAGS_MAX = 100

/** Several pacts at once, as the command line of the Pact Broker sends them. */
export const ContractsPublish = looseObject({
  pacticipantName: partyName('The name of the consumer.'),
  pacticipantVersionNumber: partyName('The version of the consumer.'),
  branch: partyName('The branch of that version.').nullish(),
  tags: listUpTo(partyName('A tag.', 'production'), TAGS_MAX, 'names')
    .nullish()
    .describe('The tags of that version.'),
  contracts: boundedList(
    looseObject({
      consumerName: partyName('The name of the consumer.'),
      providerName: partyName('The name of the provider.'),
      specification: literal('pact').meta({
        accepts: 'pact',
        description: 'The kind of contract: always `pact`.',
      }),
      contentType: string().nullish().describe('The media type of the pact.'),
      content: Base64,
    }),
    CONTRACTS_MAX,
    'contracts',
  ).describe('The pacts to publish.'),
}).meta(inSandbox('ContractsPublish', 'Several pacts to publish, of one version of a consumer.'))
export type ContractsPublish = z.output<typeof ContractsPublish>

export const WireShippedPact = strictObject({
  file: string().describe('The path of the file in contracts/pacts.'),
  consumer: string().describe('The name of the consumer.'),
  provider: string().describe('The name of the provider.'),
  specification: string().describe('The version of the Pact specification.'),
  interactions: Natural.describe('How many interactions the pact has.'),
}).meta(inSandbox('ShippedPact', 'A pact that comes with the sandbox.'))

const Interaction = looseObject({
  description: string().describe('The description of the interaction.'),
  providerStates: objectsOf({
    name: string().describe('The name of the state.'),
    params: record(string(), unknown()).optional().describe('The parameters of the state.'),
  })
    .optional()
    .describe('The states that the provider must be in before the request.'),
})

export const ShippedPactDocument = PactDocument.extend({
  interactions: array(Interaction).describe(
    'The interactions: requests and the answers that the consumer expects.',
  ),
}).meta(inSandbox('ShippedPactDocument', 'A pact that comes with the sandbox, as its file has it.'))
export type ShippedPactDocument = z.input<typeof ShippedPactDocument>

export const Hal = looseObject({
  _links: record(string(), unknown()).describe('The links to other resources, by their relation.'),
}).meta(
  inSandbox(
    'BrokerResource',
    'A resource of the broker in HAL: links, and the members of the resource.',
  ),
)
export type Hal = z.input<typeof Hal>

/** What a verifier found in a pact. */
export const WireResult = strictObject({
  number: int().min(1).describe('The number of the result, counted for each pact.'),
  success: Flag.describe('Whether the provider met the whole pact.'),
  provider_version: string().describe('The version of the provider that was verified.'),
  verified_by: TextOrNull.describe('The verifier that found the result, or null.').meta({
    examples: ['pact-core 19.2.0'],
  }),
  at: InstantOut.describe('The virtual now at the publication.'),
})

export const WirePublishedPact = strictObject({
  provider: string().describe('The name of the provider.'),
  consumer: string().describe('The name of the consumer.'),
  version: string().describe('The version of the consumer.'),
  branches: Texts.describe('The branches of that version.'),
  tags: Texts.describe('The tags of that version.'),
  at: InstantOut.describe('The virtual now at the publication.'),
  results: array(WireResult).describe('The verification results of the pact, oldest first.'),
}).meta(inSandbox('PublishedPact', 'A published pact with its verification results.'))
export type WirePublishedPact = z.input<typeof WirePublishedPact>
