/** The pacts that a verifier asks for, on the wire: selectors, and what only a real broker can select. */
import * as z from 'zod'
import { looseObject, strictObject } from 'zod'
import { sandbox } from './fields.ts'
import { partyName } from './pact.ts'

const SELECTORS_MAX = 100

/** A boolean that is not false: generators for Java fail at a constant that is a boolean. */
const onlyTrue = (description: string) =>
  z
    .boolean()
    .refine((value) => value)
    .nullish()
    .meta({ accepts: 'true', description, not: { enum: [false] } })

/** What only a real broker has: a flag that must not be set, or a text that must be empty. */
const refused = (what: string) => ({
  accepts: `absent: the broker of a sandbox has no ${what}, so use a Pact Broker or PactFlow`,
  description: `Refused: a Pact Broker or PactFlow has ${what}.`,
})

const neverTrue = (what: string) =>
  z
    .boolean()
    .refine((value) => !value)
    .nullish()
    .meta({ ...refused(what), not: { enum: [true] } })

export const noText = (what: string) =>
  z
    .string()
    .max(0)
    .meta({ ...refused(what), examples: [''] })

/** What a selector must not be: one with the first field and without the second. */
const without = (field: string, other: string) => ({
  required: [field],
  properties: { [field]: { type: 'string' }, [other]: { not: { type: 'string' } } },
})

const rivals = ['branch', 'tag', 'mainBranch', 'matchingBranch']

/** Nor one with two rivals: each names a version for itself. */
const exclusive = rivals.flatMap((one, index) =>
  rivals.slice(index + 1).map((other) => ({
    required: [one, other],
    properties: { [one]: { not: { type: 'null' } }, [other]: { not: { type: 'null' } } },
  })),
)

/** Which pacts a verifier asks for; of each consumer the newest that fits, unless a selector says otherwise. */
const Selector = strictObject({
  consumer: partyName('Only pacts of the consumer with this name.', 'web-shop').nullish(),
  branch: partyName('The pact of the newest version of this branch.', 'main').nullish(),
  fallbackBranch: partyName(
    'The newest pact of this branch, where `branch` has none.',
    'main',
  ).nullish(),
  tag: partyName(
    'All pacts with this tag, or with `latest` the newest of them.',
    'production',
  ).nullish(),
  fallbackTag: partyName(
    'The newest pact with this tag, where `tag` has none.',
    'production',
  ).nullish(),
  latest: z.boolean().nullish().meta({
    accepts: 'true or false',
    description: 'Whether to select only the newest pact; of a branch it always is the newest.',
  }),
  mainBranch: onlyTrue(
    'The newest pact of the main branch of the consumer: main, master, develop or trunk.',
  ),
  matchingBranch: onlyTrue('The newest pact of the branch that `providerVersionBranch` names.'),
  deployed: neverTrue('deployments'),
  released: neverTrue('releases'),
  deployedOrReleased: neverTrue('deployments and releases'),
  environment: noText('environments').nullish(),
}).meta({
  not: {
    anyOf: [without('fallbackBranch', 'branch'), without('fallbackTag', 'tag'), ...exclusive],
  },
})

/** What a selection must not be: one with `matchingBranch` somewhere and without the branch that it names. */
const withoutBranch = {
  required: ['consumerVersionSelectors'],
  properties: {
    consumerVersionSelectors: {
      type: 'array',
      not: {
        items: {
          not: {
            required: ['matchingBranch'],
            properties: { matchingBranch: { type: 'boolean' } },
          },
        },
      },
    },
    providerVersionBranch: { not: { type: 'string', minLength: 1 } },
  },
}

export const PactSelection = looseObject({
  consumerVersionSelectors: z
    .array(Selector)
    .max(SELECTORS_MAX)
    .nullish()
    .meta({
      accepts: `a list of at most ${SELECTORS_MAX} selectors`,
      description:
        'The selectors: a pact is selected that fits any of them; without selectors the one of the main branch of each consumer, or its newest.',
    }),
  includePendingStatus: neverTrue('pending pacts'),
  includeWipPactsSince: noText('pacts in progress').nullish(),
  providerVersionBranch: z
    .string()
    .max(255)
    .nullish()
    .meta({
      accepts: 'a text of at most 255 characters',
      description: 'The branch of the provider that is verified; empty for none.',
      examples: ['main'],
    }),
}).meta({
  id: 'PactSelection',
  description: 'The pacts that a verifier asks for.',
  not: withoutBranch,
  ...sandbox,
})
export type PactSelection = z.output<typeof PactSelection>
