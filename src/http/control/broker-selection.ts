/** Which pacts a verifier takes: by selectors, or the newest of each consumer. */
import * as z from 'zod'
import { type PactSelector, selectedPacts } from '../../pacts/selection.ts'
import { json } from '../../surface/declarations.ts'
import { fieldsRefused } from '../../surface/field-problems.ts'
import { ok, route } from '../../surface/operation.ts'
import { PactSelection, PartyName } from '../../wire/pact.ts'
import { addressed, brokerOperation, publishedIn, resource } from './broker-calls.ts'
import {
  BROKER,
  presentLatest,
  presentLatestOfAll,
  presentProvider,
  presentSelection,
  providerAt,
} from './broker-resources.ts'

/** The most bytes of a selection: it names consumers and branches, and nothing else. */
const SELECTION_LIMIT_BYTES = 64 * 1024

const ofProvider = z.strictObject({ provider: PartyName })

export const brokerSelectionRoutes = [
  route({
    ...brokerOperation,
    operationId: 'retrieveProviderPacts',
    method: 'get',
    path: `${providerAt}/for-verification`,
    summary: 'Find where to ask for the pacts of a provider',
    description: 'The first of two steps that a verifier takes.',
    params: ofProvider,
    replies: resource('Where to ask.'),
    answer: ({ params, c }) => ok(addressed(c, presentProvider(params.provider))),
  }),
  route({
    ...brokerOperation,
    operationId: 'selectProviderPacts',
    method: 'post',
    path: `${providerAt}/for-verification`,
    isQuestion: true,
    summary: 'List the pacts of a provider to verify',
    description:
      'The newest of each consumer, or those that a selector fits. Deployments and releases are not recorded here, so that selectors of those take the newest too.',
    params: ofProvider,
    body: { ...json, schema: PactSelection, required: false, limitBytes: SELECTION_LIMIT_BYTES },
    replies: resource('The pacts.'),
    answer: async ({ params, body, c }) => {
      const pacts = selectedPacts(await publishedIn(c), params.provider, selectorsOf(body))
      return ok(addressed(c, presentSelection(params.provider, pacts)))
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'listLatestPacts',
    method: 'get',
    path: `${BROKER}/pacts/latest`,
    summary: 'List the newest pact of each consumer and provider',
    description: 'As the command line of the Pact Broker prints them.',
    replies: resource('The pacts.'),
    answer: async ({ c }) => {
      const published = await publishedIn(c)
      const providers = new Set(published.pacts.map(({ provider }) => provider))
      const pacts = [...providers].flatMap((provider) => selectedPacts(published, provider, []))
      return ok(addressed(c, presentLatestOfAll(pacts)))
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'listLatestProviderPacts',
    method: 'get',
    path: `${providerAt}/latest`,
    summary: 'List the newest pact of each consumer of a provider',
    description: 'A verifier without selectors asks for them.',
    params: ofProvider,
    replies: resource('Links to the pacts.'),
    answer: async ({ params: { provider }, c }) => {
      const pacts = selectedPacts(await publishedIn(c), provider, [])
      return ok(addressed(c, presentLatest(c.req.path, pacts)))
    },
  }),
  route({
    ...brokerOperation,
    operationId: 'listLatestTaggedPacts',
    method: 'get',
    path: `${providerAt}/latest/{tag}`,
    summary: 'List the newest pact of each consumer with a tag',
    description: 'A verifier that only knows tags asks for them.',
    params: ofProvider.extend({ tag: PartyName }),
    replies: resource('Links to the pacts.'),
    answer: async ({ params: { provider, tag }, c }) => {
      const pacts = selectedPacts(await publishedIn(c), provider, [{ tag, latest: true }])
      return ok(addressed(c, presentLatest(c.req.path, pacts)))
    },
  }),
]

/** The selectors of a selection. Throws 400 where one needs a field that is missing. */
function selectorsOf({
  consumerVersionSelectors,
  providerVersionBranch,
}: PactSelection): PactSelector[] {
  return (consumerVersionSelectors ?? []).map((selector, index) => {
    const needed = (name: string, needs: string) => {
      const field = `consumerVersionSelectors[${index}].${name}`
      return fieldsRefused([{ field, message: `${field} must come with ${needs}.` }])
    }
    const { branch, fallbackBranch, tag, fallbackTag, matchingBranch } = selector
    if (fallbackBranch && !branch) throw needed('fallbackBranch', 'branch')
    if (fallbackTag && !tag) throw needed('fallbackTag', 'tag')
    if (!matchingBranch) return selector
    if (!providerVersionBranch) throw needed('matchingBranch', 'providerVersionBranch')
    return { ...selector, branch: providerVersionBranch }
  })
}
