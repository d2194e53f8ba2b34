/** Provider states: the catalogue that contracts name them from, and the protocol that sets them up. */
import { readPage } from '../../operations/page.ts'
import { providerStates } from '../../provider/states/catalogue.ts'
import { noteRefusal, setUp, tearDown } from '../../provider/states/setup.ts'
import type { ProviderState } from '../../provider/states/state.ts'
import { endpoints, json, listParts, reply } from '../../surface/declarations.ts'
import { ok, route } from '../../surface/operation.ts'
import { couponRefusals } from '../../surface/refusals.ts'
import { createSchemaBook } from '../../surface/schema-book.ts'
import {
  ProviderStateChange,
  ProviderStateQuery,
  WireProviderState,
  WireStateValues,
} from '../../wire/pacts/provider-state.ts'
import { readChange, requestedStates } from '../contracts/state-change.ts'
import { requestIdInNewWorld, requestIdOf } from '../request-id.ts'

const { get, post } = endpoints('Contracts')

export const providerStateRoutes = [
  route({
    ...get('/sandbox/provider-states', 'listProviderStates'),
    ...listParts('ProviderState', WireProviderState),
    summary: 'List the provider states',
    description: 'Lists every state that a contract can name, with its parameters and an example.',
    answer: ({ query }) => ok(readPage(providerStates, query, presentProviderState)),
  }),
  route({
    ...post('/sandbox/provider-states', 'changeProviderState'),
    summary: 'Set a provider state up, or tear it down',
    description:
      'Sets a provider state up, or tears it down, as a Pact verifier asks. States that follow each other, with no other request but reads of the control plane between them, belong to one interaction and add up; the first one after that starts from the fixture `starter` with the settings that the sandbox was made with, and with a frozen clock. A teardown returns the sandbox to its own fixture. Both are resets. The same can be sent as a query without a body, where any value but a text is written as JSON. Members of the body that are not listed are not looked at, because verifiers send some of their own; an empty `state` is the clean start itself. `/sandboxes/{sandbox_id}/provider-states` is the same in that sandbox, for verifiers that name it by the address.',
    query: ProviderStateQuery,
    // Verifiers send `state=` for an interaction that names none.
    emptyQuery: 'allowed',
    body: { ...json, required: false, schema: ProviderStateChange },
    replies: reply.ok(
      'The values of the state for generators; none after a teardown.',
      WireStateValues,
    ),
    refusals: [
      'fixture_unusable',
      'not_found',
      'exists',
      'in_use',
      'invalid_transition',
      'clock_backwards',
      'clock_limit',
      'sandbox_full',
      ...couponRefusals,
    ],
    answer: async ({ body, query, c }) => {
      const sandbox = c.get('sandbox')
      const { fixtures } = c.get('server').registry
      const requestId = () => requestIdInNewWorld(c)
      const change = readChange(body, query)
      if (change.action === 'teardown') {
        await tearDown(sandbox, { fixtures, requestId })
        return ok({})
      }
      try {
        const states = requestedStates(change)
        const named = await setUp(sandbox, { states, fixtures, requestId })
        return ok({ sandbox_id: sandbox.id, api_key: sandbox.apiKey, now: sandbox.now(), ...named })
      } catch (error) {
        requestIdOf(c)
        noteRefusal(sandbox)
        throw error
      }
    },
  }),
]

/** One entry, its params as a separate JSON Schema. */
function presentProviderState(state: ProviderState): WireProviderState {
  const { name, description, operations, wordings, params, example } = state
  return {
    name,
    description,
    operations: [...operations],
    wordings: Object.keys(wordings),
    params: { ...createSchemaBook().toJsonSchema(params, 'input') },
    example: { state: name, params: { ...example } },
  }
}

/** The whole catalogue as contracts/provider-states.json holds it. */
export function providerStatesFile(): string {
  const states = [...providerStates.values()].map(presentProviderState)
  return `${JSON.stringify({ provider_states: states }, null, 2)}\n`
}
