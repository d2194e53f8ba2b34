/** The pacts that a verifier asks for, on the wire: selectors, and what only a real broker can select. */
import type * as z from 'zod'
import { boolean, looseObject, strictObject, string } from 'zod'
import { inSandbox, listUpTo } from '../common/fields.ts'
import { partyName } from './pact.ts'

const SELECTORS_MAX = 100

/** What refuses a field of what only a real broker has. */
const refused = (what: string) => ({
  accepts: `absent: the broker of a sandbox has no ${what}, so use a Pact Broker or PactFlow`,
  description: `Refused: a Pact Broker or PactFlow has ${what}.`,
})

/** A flag that has one value, but is no constant: generators for Java fail at a constant that is a boolean. */
const flag = (only: boolean, words: { readonly accepts: string; readonly description: string }) =>
  boolean()
    .refine((value) => value === only)
    .nullish()
    .meta({ ...words, not: { enum: [!only] } })

const onlyTrue = (description: string) => flag(true, { accepts: 'true', description })

/** What only a real broker has: a flag that must not be set, or a text that must be empty. */
const neverTrue = (what: string) => flag(false, refused(what))

export const noText = (what: string) =>
  string()
    .max(0)
    .meta({ ...refused(what), examples: [''] })

const name = (description: string, example: string) => partyName(description, example).nullish()

/** Each of these names a version for itself, so that a selector has one at most. */
const rivals = ['branch', 'tag', 'mainBranch', 'matchingBranch'] as const

/** What has a field, in the words of JSON Schema. */
const having = (...fields: string[]) => ({
  required: fields,
  properties: Object.fromEntries(fields.map((field) => [field, { not: { type: 'null' } }])),
})

/** Which pacts a verifier asks for; of each consumer the newest that fits, unless a selector says otherwise. */
const Selector = strictObject({
  consumer: name('Only pacts of the consumer with this name.', 'web-shop'),
  branch: name('The pact of the newest version of this branch.', 'main'),
  fallbackBranch: noText('fallbacks').nullish(),
  tag: name('All pacts with this tag, or with `latest` the newest of them.', 'production'),
  fallbackTag: noText('fallbacks').nullish(),
  latest: boolean()
    .nullish()
    .describe('Whether to select only the newest pact; of a branch it always is the newest.'),
  mainBranch: onlyTrue(
    'The newest pact of the main branch of the consumer: main, master, develop or trunk.',
  ),
  matchingBranch: onlyTrue('The newest pact of the branch that `providerVersionBranch` names.'),
  deployed: neverTrue('deployments'),
  released: neverTrue('releases'),
  deployedOrReleased: neverTrue('deployments and releases'),
  environment: noText('environments').nullish(),
})
  .refine((selector) => rivals.filter((field) => selector[field]).length <= 1)
  .meta({
    accepts: `an object with at most one of ${rivals.join(', ')}`,
    not: {
      anyOf: rivals.flatMap((one, at) => rivals.slice(at + 1).map((other) => having(one, other))),
    },
  })

export const PactSelection = looseObject({
  consumerVersionSelectors: listUpTo(Selector, SELECTORS_MAX, 'selectors')
    .nullish()
    .describe(
      'The selectors: a pact is selected that fits any of them; without selectors the one of the main branch of each consumer, or its newest.',
    ),
  includePendingStatus: neverTrue('pending pacts'),
  includeWipPactsSince: noText('pacts in progress').nullish(),
  providerVersionBranch: string()
    .max(255)
    .nullish()
    .meta({
      accepts: 'a text of at most 255 characters, and the name of a branch with matchingBranch',
      description: 'The branch of the provider that is verified; empty for none.',
      examples: ['main'],
    }),
})
  .refine(
    ({ consumerVersionSelectors: selectors, providerVersionBranch: branch }) =>
      branch || !selectors?.some(({ matchingBranch }) => matchingBranch),
    { path: ['providerVersionBranch'] },
  )
  .meta({
    ...inSandbox('PactSelection', 'The pacts that a verifier asks for.'),
    not: {
      required: ['consumerVersionSelectors'],
      properties: {
        consumerVersionSelectors: {
          type: 'array',
          items: {},
          not: { items: { not: having('matchingBranch') } },
        },
        providerVersionBranch: { not: { type: 'string', minLength: 1 } },
      },
    },
  })
export type PactSelection = z.output<typeof PactSelection>
