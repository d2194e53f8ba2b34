/** Provider states: the catalogue that contracts name them from, and the protocol that sets them up. */
import type { Context } from 'hono'
import { takePage } from '../../operations/page.ts'
import { providerStates } from '../../pacts/states/catalogue.ts'
import { setUp, tearDown } from '../../pacts/states/setup.ts'
import { answers, controlPlane, json, pages } from '../../surface/declarations.ts'
import { ok, route } from '../../surface/operation.ts'
import { couponRefusals } from '../../surface/refusals.ts'
import { PageQuery } from '../../wire/fields.ts'
import {
  ProviderStateChange,
  ProviderStateQuery,
  WireProviderState,
  WireStateValues,
} from '../../wire/provider-state.ts'
import { readChange, requestedStates, type StateChange } from '../contracts/state-change.ts'
import { requestIdInNewWorld } from '../request-id.ts'
import { presentProviderState } from './provider-state-catalogue.ts'

const shared = { ...controlPlane, tag: 'Contracts', path: '/sandbox/provider-states' } as const

export const providerStateRoutes = [
  route({
    ...shared,
    operationId: 'listProviderStates',
    method: 'get',
    summary: 'List the provider states',
    description: 'Every state that a contract can name, with its params and an example.',
    query: PageQuery,
    replies: pages('ProviderState', WireProviderState),
    answer: ({ query }) => ok(takePage(providerStates, query, presentProviderState)),
  }),
  route({
    ...shared,
    operationId: 'changeProviderState',
    method: 'post',
    summary: 'Set a provider state up, or tear it down',
    description:
      'What a Pact verifier calls. States that follow each other, with no other request but reads of the control plane between them, belong to one interaction and add up; the first one after that starts from the fixture `starter` with the settings that the sandbox was made with, and with a clock that stands. A teardown returns the sandbox to its own fixture. Both are resets. The same can be sent as a query without a body, where what is no text is written as JSON. Members of the body that are not listed are not looked at, because verifiers send some of their own; an empty `state` is the clean start itself.',
    query: ProviderStateQuery,
    // Verifiers send `state=` for an interaction that names none.
    emptyQuery: 'allowed',
    body: {
      ...json,
      required: false,
      schema: ProviderStateChange,
    },
    replies: answers('Values for generators; none after a teardown.', WireStateValues),
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
    answer: async ({ body, query, c }) => ok(await changed(c, readChange(body, query))),
  }),
]

async function changed(c: Context, change: StateChange): Promise<WireStateValues> {
  const { sandbox } = c.var
  const { registry } = c.var.server
  const requestId = () => requestIdInNewWorld(c)
  if (change.action === 'teardown') {
    await tearDown(sandbox, { fixtures: registry.fixtures, requestId })
    return {}
  }
  const order = { states: requestedStates(change), fixtures: registry.fixtures, requestId }
  const named = await setUp(sandbox, order)
  return { sandbox_id: sandbox.id, api_key: sandbox.apiKey, now: sandbox.now(), ...named }
}
